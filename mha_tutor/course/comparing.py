"""Answers held against right ones where there is no stage of the walk to ask."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from functools import cache
from types import MappingProxyType
from typing import Any

import numpy as np

from ..numbers import form_for
from . import blanks
from .lesson import Lesson, find_exercise
from .source import Cell
from .trials import argument, one_head_problems, problems
from .wording import say

STRICT = {"rtol": 1e-6, "atol": 1e-9}


def no_array(name: str, given: Any) -> str:
    """Why ``given`` is no array of numbers, in words; empty when it is one."""
    try:
        array = np.asarray(given)
    except ValueError:
        return say("ragged", name=name)
    except Exception:  # whatever a learner's object does when numpy asks it
        return say("no_array", name=name, given=type(given).__name__)
    return "" if array.dtype.kind in "biuf" else say("no_array", name=name, given=type(given).__name__)


def ready_cases(case: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
    """A case with its names filled in: once, or once for every practice problem."""
    names = [part for part in case if isinstance(part, str)]
    if not names:
        yield tuple(_ready(part) for part in case)
        return
    single = any(
        not set("hgc") & set(name.rpartition("_")[2]) and name.startswith(_PER_HEAD) for name in names
    )
    for _, problem in problems(any(name.startswith(("allowed", "masked")) for name in names)):
        for one in one_head_problems(problem) if single else (problem,):
            yield tuple(argument(one, p) if isinstance(p, str) else _ready(p) for p in case)


_PER_HEAD = ("q_", "k_", "v_", "dots_", "scores_", "masked_", "weights_", "mixed_", "w_q", "w_k", "w_v")


def _ready(part: Any) -> Any:
    """A list as an array of numbers where it can be one; everything else as it is."""
    try:
        return np.array(part, dtype=float) if isinstance(part, list) else part
    except (TypeError, ValueError):
        return part


def arguments_of(example: object) -> tuple[Any, ...]:
    """A learner's input as arguments: a tuple is several, anything else is one."""
    return tuple(_ready(part) for part in (example if isinstance(example, tuple) else (example,)))


def copied(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """The same arguments, with arrays that may be changed."""
    return tuple(part.copy() if isinstance(part, np.ndarray) else part for part in arguments)


def solution_of(exercise: str, name: str) -> Callable[..., Any]:
    """The function of that name in the exercise's own solution."""
    found = find_exercise(exercise)[1]
    space = dict(given_of(exercise))
    exec(compile(blanks.solved(found.work), f"<{exercise}>", "exec"), space)
    made = space.get(name)
    if made is None:
        name = [key for key, value in space.items() if callable(value) and key in found.work.text][-1]
        made = space[name]
    assert callable(made)
    found_function: Callable[..., Any] = made
    return found_function


@cache
def given_of(exercise: str) -> Mapping[str, Any]:
    """The names that the lesson's given code makes, up to that exercise: made once, and not to be changed."""
    return MappingProxyType(run_given(find_exercise(exercise)[0], exercise))


def run_given(lesson: Lesson, exercise: str) -> dict[str, Any]:
    """The names that the lesson's given code makes, up to that exercise."""
    space: dict[str, Any] = {"__name__": "__lesson__"}
    with redirect_stdout(io.StringIO()):
        for piece in lesson.pieces:
            cells = [piece] if isinstance(piece, Cell) else getattr(piece, "given", ())
            for cell in cells:
                if not cell.markdown:
                    exec(compile(cell.text, f"<{lesson.name}>", "exec"), space)
            if getattr(piece, "number", None) == exercise:
                break
    return space


def difference(mine: Any, right: Any, arguments: tuple[Any, ...]) -> str:
    """What is different between two results in words; empty when nothing is."""
    if fault := no_array(say("result"), mine):
        return fault
    array, expected = np.asarray(mine), np.asarray(right)
    if array.shape != expected.shape:
        fault = say("shape", name=say("result"), right=expected.shape, given=array.shape)
        return f"{fault} {about_axes(array.shape, expected.shape)}".strip()
    alike = np.isclose(array, expected, equal_nan=True, **STRICT)
    if alike.all():
        return ""
    where = tuple(int(i) for i in np.argwhere(~alike)[0]) if array.ndim else ()
    number = float(array[where])
    place = say("place", place=", ".join(str(i + 1) for i in where)) if where else ""
    return say("differs", place=place, number=form_for([number])(number), given=_shown(arguments))


def about_axes(given: tuple[int, ...], right: tuple[int, ...]) -> str:
    """What is so about a shape with another number of axes; empty where the number is right."""
    if len(given) == len(right):
        return ""
    without = [tuple(size for size in shape if size != 1) for shape in (given, right)]
    if without[0] == without[1]:
        return say("axis_of_one_extra" if len(given) > len(right) else "axis_of_one_missing")
    return say("axes_extra" if len(given) > len(right) else "axes_missing", needed=counted_axes(len(right)))


def counted_axes(count: int) -> str:
    """A number of axes in words."""
    return say("axis_word" if count == 1 else "axes_word", count=count)


def _shown(arguments: tuple[Any, ...]) -> str:
    """The arguments as text, arrays by their shape unless they are small."""
    parts = []
    for part in arguments:
        if isinstance(part, np.ndarray) and part.size > 6:
            parts.append(say("array", shape=part.shape))
        elif isinstance(part, np.ndarray):
            parts.append(str(part.tolist()))
        elif callable(part):
            parts.append(part.__name__)
        else:
            parts.append(repr(part))
    *front, last = parts or [""]
    return say("and", first=", ".join(front), last=last) if front else last
