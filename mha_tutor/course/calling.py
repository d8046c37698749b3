"""Calling what a learner wrote: blanks are told apart from faults, and faults name their line."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Callable, Iterator
from types import CodeType, FrameType, TracebackType
from typing import Any, NamedTuple

import numpy as np

from .failing import CheckFailed, is_blank, not_started, wrong
from .wording import say

ALL_AXES_REVERSED = "B21"
PRODUCT_WORDS = ("matmul", "aligned", "broadcast")
BLANK_WORDS = ("ellipsis", "NotImplementedType")


class Stop(NamedTuple):
    """How a learner's function stopped, as plain data: the error, its line, and what was seen there."""

    error: str
    line: int = 0
    not_written: bool = False
    dots: bool = False
    all_axes: bool = False


class Stopped(Exception):  # noqa: N818  it says what happened to a function in another process
    """A learner's function stopped where it ran; ``stop`` says how."""

    def __init__(self, stop: Stop) -> None:
        super().__init__(stop.error)
        self.stop = stop


def call(exercise: str, function: Callable[..., Any], given: tuple[Any, ...], says: str = "raised") -> Any:
    """What ``function`` returns. Raises CheckFailed when it is blank, returns nothing, or raises."""
    if is_blank(function):
        raise not_started(exercise, say("no_function"))
    if not callable(function):
        raise wrong(exercise, say("not_callable", given=type(function).__name__))
    try:
        with np.errstate(all="ignore"):
            found = function(*given)
    except CheckFailed:
        raise
    except Exception as error:
        raise _failure(exercise, stop_of(error, function, given), says) from None
    if says == "raised" and is_blank(found):
        if found is ...:
            raise not_started(exercise, say("dots_left"))
        raise wrong(exercise, say("returns_nothing"))
    if _holds_dots(found):
        raise not_started(exercise, say("dots_left"))
    return found


def stop_of(error: BaseException, function: Callable[..., Any], given: tuple[Any, ...]) -> Stop:
    """What there is to say of the error with which ``function`` stopped."""
    if isinstance(error, Stopped):
        return error.stop
    frames = list(_frames(error.__traceback__, function))
    return Stop(
        error=f"{type(error).__name__}: {error}",
        line=frames[-1][1] if frames else 0,
        not_written=isinstance(error, NotImplementedError),
        dots=any(word in str(error) for word in BLANK_WORDS) or any(map(_has_dots, frames)),
        all_axes=_turns_all_axes(error, given, frames),
    )


def _failure(exercise: str, stop: Stop, says: str) -> CheckFailed:
    if stop.not_written:
        return not_started(exercise, say("no_function"))
    if stop.dots:
        return not_started(exercise, say("dots_left"))
    place = say("at_line", line=stop.line) if stop.line else ""
    said = say(says, error=stop.error, place=place)
    if stop.all_axes:
        return wrong(exercise, f"{said} {say('turns_all_axes')}", (ALL_AXES_REVERSED,))
    return wrong(exercise, said)


def _holds_dots(found: Any) -> bool:
    try:
        array = np.asarray(found)
        return array.dtype == object and any(item is ... for item in array.ravel())
    except Exception:  # whatever a learner's object does when numpy asks it
        return False


def _frames(trace: TracebackType | None, function: Callable[..., Any]) -> Iterator[tuple[FrameType, int]]:
    """The calls that an error came through in the learner's own cell, each with its line."""
    file = getattr(getattr(function, "__code__", None), "co_filename", None)
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == file:
            yield trace.tb_frame, trace.tb_lineno
        trace = trace.tb_next


def _turns_all_axes(
    error: BaseException, given: tuple[Any, ...], frames: list[tuple[FrameType, int]]
) -> bool:
    """Whether a product stopped where ``.T`` is used and arrays have more than two axes."""
    seen = [*given, *(value for frame, _ in frames for value in frame.f_locals.values())]
    return (
        isinstance(error, ValueError)
        and any(word in str(error) for word in PRODUCT_WORDS)
        and any(isinstance(value, np.ndarray) and value.ndim > 2 for value in seen)
        and any("T" in frame.f_code.co_names for frame, _ in frames)
    )


def _has_dots(call: tuple[FrameType, int]) -> bool:
    """Whether a blank stands in a function that has stopped: among its variables, or in what is written."""
    frame, _ = call
    return any(value is ... for value in frame.f_locals.values()) or _writes_dots(frame.f_code)


def _writes_dots(code: CodeType) -> bool:
    """Whether the function has three dots as a value. In brackets, as in ``x[..., 0]``, they are none."""
    if ... not in code.co_consts:  # the quick answer; constants such as (..., 0) belong to brackets
        return False
    try:
        tree = ast.parse("".join(linecache.getlines(code.co_filename)))
    except SyntaxError:
        return False
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.Lambda) and node.lineno == code.co_firstlineno:
            places = {id(part) for one in ast.walk(node) if isinstance(one, ast.Subscript)
                      for part in ast.walk(one.slice)}  # fmt: skip
            return any(
                isinstance(part, ast.Constant) and part.value is ... and id(part) not in places
                for part in ast.walk(node)
            )
    return False
