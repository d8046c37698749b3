"""Hold an array against the right one and, where they differ, against the known mistakes.

The order avoids false names: shape, dtype, NaN, row sums, then equality with a known wrong array,
and last the first place that differs.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from ..attention import Array
from .mistake import REGISTRY, Mistake, showing_in, wrong_arrays
from .problem import Problem
from .slips import Slip
from .symptoms import HALF, STRICT, hidden_as_infinite, numbers_of, precision_of, same, symptom
from .whole import wrong_outputs
from .wording import Text, say

MOST_NAMED = 3


class Worded(Protocol):
    """Whatever has a mistake's words."""

    @property
    def text(self) -> Text:
        """Its title, cause and advice."""


@dataclass(frozen=True)
class Diagnosis:
    """What is so about an answer.

    ``kind`` is "right", or the first thing that is wrong: "missing", "shape", "dtype", "nan",
    "sums" or "values"; for a single number "near" or "number". ``found`` says it, ``cause`` names
    the known mistakes that give this answer, ``advice`` what helps; ``where`` is the first place
    that differs, counted from 0.
    """

    kind: str
    found: str
    cause: str = ""
    advice: str = ""
    mistakes: tuple[Mistake | Slip, ...] = ()
    where: tuple[int, ...] | None = None

    @property
    def right(self) -> bool:
        return self.kind == "right"

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the known mistakes that give this answer."""
        return tuple(mistake.id for mistake in self.mistakes)

    @property
    def message(self) -> str:
        """All of it in one line."""
        return " ".join(part for part in (self.found, self.cause, self.advice) if part)


def diagnose(
    given: object, problem: Problem, tensor: str, *, right: Array | None = None, earlier: bool = True
) -> Diagnosis:
    """Say whether ``given`` is that tensor of ``problem``, and if not, what is known of it.

    ``right`` replaces the right array, for an exercise that asks for something near it. With
    ``earlier`` a mistake at an earlier stage, followed by right steps, is recognised too. Raises
    KeyError when the problem has no such tensor.
    """
    right = problem[tensor] if right is None else right
    array, fault = numbers_of(given)
    if array is None:
        return Diagnosis("missing", say("missing", name=tensor, what=fault))
    if tensor == "masked":
        array = hidden_as_infinite(array, right)
    precision = precision_of(array)
    if same(array, right, STRICT if precision == HALF else precision):  # float16 is told as such
        return Diagnosis("right", say("right", name=tensor))
    kind, found, where = symptom(array, right, problem, tensor, precision)
    causes = _causes(array, problem, tensor, right, precision, earlier)
    if kind == "shape" and not causes:
        shaped = _same_shape(array, problem, tensor)
        return _told(kind, found, "shape_cause", shaped, where)
    return _told(kind, found, "array_cause", causes, where)


def _causes(
    array: Array, problem: Problem, tensor: str, right: Array, precision: tuple[float, float], earlier: bool
) -> list[Mistake]:
    """The known mistakes that give ``array``: made here, else made earlier, else told by a sign."""

    def gives(wrongs: Iterable[Array]) -> bool:
        return any(same(array, wrong, precision) and not same(wrong, right) for wrong in wrongs)

    here = list(showing_in(problem, tensor))
    if causes := [mistake for mistake in here if gives(mistake.variants(problem, tensor))]:
        return causes
    before = [m for m in REGISTRY.values() if m not in here] if earlier else []
    if causes := [mistake for mistake in before if gives(wrong_outputs(problem, mistake, tensor))]:
        return causes
    if array.shape != right.shape:
        return []
    signs = [mistake for mistake in here if mistake.tell_tale and mistake.tell_tale(array, problem)]
    return signs if len(signs) == 1 else []


def _same_shape(array: Array, problem: Problem, tensor: str) -> list[Mistake]:
    """The mistakes that give another shape than the right one, and just this one."""
    alike = (m for m, wrong in wrong_arrays(problem, tensor) if wrong.shape == array.shape)
    return list(dict.fromkeys(alike))


def _told(
    kind: str, found: str, frame: str, causes: list[Mistake], where: tuple[int, ...] | None
) -> Diagnosis:
    """The diagnosis in words; too many causes are no diagnosis."""
    if not causes or len(causes) > MOST_NAMED:
        unknown = say("unknown_array") if kind in ("values", "sums") and not causes else ""
        return Diagnosis(kind, found, unknown, where=where)
    cause, advice = told(frame, causes)
    return Diagnosis(kind, found, cause, advice, tuple(causes), where)


def told(frame: str, causes: Iterable[Worded]) -> tuple[str, str]:
    """The sentence that names all ``causes``, and their advice, each once."""
    texts = [mistake.text for mistake in causes]
    joined = texts[0].cause
    for text in texts[1:]:
        joined = say("or", first=joined, second=text.cause)
    advice = " ".join(dict.fromkeys(text.advice for text in texts))
    return say(frame, cause=joined), advice
