"""Wrong answers that only one exercise knows: those of its source that carry a ``cause``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..errors import InputError
from ..mistakes.wording import Text
from .comparing import copied, given_of
from .lesson import Answer, Exercise, find_exercise
from .wording import say


class Own(NamedTuple):
    """A mistake that only this exercise knows: why it gives the answer, and its name."""

    cause: str
    ids: tuple[str, ...]

    @property
    def text(self) -> Text:
        """Its words, as the registry's mistakes have them."""
        return Text("", self.cause, "")

    @property
    def message(self) -> str:
        """The cause as a sentence."""
        return say("own_cause", cause=self.cause)


class _Heard:
    """Stands in for ``check`` and keeps the answers of a check cell in place of checking them."""

    def __init__(self) -> None:
        self.answers: dict[str, object] = {}

    def numbers(self, exercise: str, answers: Mapping[str, object], **_: object) -> None:
        self.answers |= answers

    shapes = numbers

    def shape(self, exercise: str, answer: object, of: str) -> None:
        self.answers[of] = answer


def own_function(exercise: str, function: Callable[..., Any], cases: Sequence[tuple[Any, ...]]) -> Own | None:
    """The wrong answer of this exercise that gives just what ``function`` gives in every case."""
    for answer in _with_cause(find_exercise(exercise)[1]):
        space = _fresh(given_of(exercise), answer)
        before = set(space)
        exec(compile(answer.code.text, f"<{exercise}>", "exec"), space)
        made = [space[name] for name in space if name not in before and callable(space[name])]
        known = space.get(getattr(function, "__name__", ""), made[-1] if made else None)
        if known is not None and _same(function, known, cases):
            return Own(answer.code.attributes["cause"], (answer.name,))
    return None


def own_answer(exercise: str, reference: str, alike: Callable[[Any], bool]) -> Own | None:
    """The wrong answer of this exercise whose number or shape under ``reference`` is ``alike``."""
    try:
        found = find_exercise(exercise)[1]
    except InputError:
        return None
    for answer in _with_cause(found):
        answers = _answers(found, answer)
        if reference in answers and alike(answers[reference]):
            return Own(answer.code.attributes["cause"], (answer.name,))
    return None


def _with_cause(exercise: Exercise) -> Iterator[Answer]:
    return (answer for answer in exercise.wrongs if answer.code.attributes.get("cause"))


def _fresh(given: Mapping[str, Any], answer: Answer) -> dict[str, Any]:
    """What the given code made, for one answer: with copies of the arrays that it names and may change."""
    return {name: copied((value,))[0] if name in answer.code.text else value for name, value in given.items()}


def _answers(exercise: Exercise, answer: Answer) -> dict[str, object]:
    """What a wrong answer gives to the exercise's check, by reference."""
    heard = _Heard()
    space = _fresh(given_of(exercise.number), answer)
    exec(compile(answer.code.text, f"<{exercise.number}>", "exec"), space)
    exec(compile(exercise.check.text, f"<{exercise.number}>", "exec"), space | {"check": heard})
    return heard.answers


def _same(one: Callable[..., Any], other: Callable[..., Any], cases: Sequence[tuple[Any, ...]]) -> bool:
    for case in cases:
        try:
            with np.errstate(all="ignore"):
                a, b = np.asarray(one(*copied(case))), np.asarray(other(*copied(case)))
        except Exception:
            return False
        if a.shape != b.shape or not np.allclose(a, b, equal_nan=True):
            return False
    return True
