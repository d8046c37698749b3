"""Hold an array against the right one and, where they differ, against the known mistakes.

The order avoids false names: shape, dtype, NaN, row sums, then equality with a known wrong array,
and last the first place that differs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..attention import Array
from ..numbers import DECIMALS, form_for
from .mistake import REGISTRY, Mistake, showing_in
from .problem import TENSORS, Problem, run
from .slips import Slip
from .wording import say

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Bools = NDArray[np.bool_]
else:
    Bools = np.ndarray

# Relative and absolute tolerance by the number of bytes; the absolute one times the largest number.
TOLERANCES = {2: (1e-2, 1e-2), 4: (1e-4, 1e-6), 8: (1e-6, 1e-8)}
STRICT = TOLERANCES[8]
MOST_NAMED = 3
MOST_SUMS = 5
HIDDEN_BELOW = -700.0  # a score this far down has a weight of exactly 0


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


def same(given: Array, known: Array, tolerance: tuple[float, float] = STRICT) -> bool:
    """Whether two arrays are equal up to rounding; the shape must be the very same."""
    return given.shape == known.shape and bool(_alike(given, known, tolerance).all())


def _alike(given: Array, known: Array, tolerance: tuple[float, float] = STRICT) -> Bools:
    """Where two arrays of one shape are equal up to rounding; NaN is equal to NaN."""
    relative, absolute = tolerance
    scale = float(np.abs(known[np.isfinite(known)]).max(initial=1e-300))
    with np.errstate(all="ignore"):
        alike: Bools = np.isclose(given, known, rtol=relative, atol=absolute * scale, equal_nan=True)
    return alike


def diagnose(
    given: object, problem: Problem, tensor: str, *, right: Array | None = None, earlier: bool = True
) -> Diagnosis:
    """Say whether ``given`` is that tensor of ``problem``, and if not, what is known of it.

    ``right`` replaces the right array, for an exercise that asks for something near it. With
    ``earlier`` a mistake at an earlier stage, followed by right steps, is recognised too. Raises
    KeyError when the problem has no such tensor.
    """
    right = problem[tensor] if right is None else right
    array, fault = _numbers(given)
    if array is None:
        return Diagnosis("missing", say("missing", name=tensor, what=fault))
    if tensor == "masked":
        array = _hidden_as_infinite(array, right)
    # Float16 is told as such: with it, only what is right to a whole-number's precision is right.
    precision = TOLERANCES.get(array.dtype.itemsize, STRICT) if array.dtype.kind == "f" else STRICT
    if same(array, right, STRICT if precision == TOLERANCES[2] else precision):
        return Diagnosis("right", say("right", name=tensor))
    kind, found, where = _symptom(array, right, problem, tensor, precision)
    causes = _causes(array, problem, tensor, right, precision, earlier)
    if kind == "shape" and not causes:
        shaped = _same_shape(array, problem, tensor)
        return _told(kind, found, "shape_cause", shaped, where)
    return _told(kind, found, "array_cause", causes, where)


def wrong_outputs(problem: Problem, mistake: Mistake, tensor: str = "output") -> Iterator[Array]:
    """That tensor as it comes out when ``mistake`` is made, at its stage, with right steps after it.

    First with the mistake in all tensors it can be made in, then in each alone and in each way of
    writing it. Combinations that do not fit the later steps are left out.
    """
    last = TENSORS.index(tensor)
    names = [t for t in mistake.tensors if mistake.applies(problem, t) and TENSORS.index(t) <= last]
    ways = [{name: array} for name in names for array in mistake.variants(problem, name)]
    together = {name: mistake.wrong(problem, name) for name in names}
    for replaced in [together, *ways] if len(names) > 1 else ways:
        try:
            yield run(problem, replaced)[tensor]
        except (ValueError, IndexError):  # the wrong shape does not fit the steps after it
            continue


def wrong_output(problem: Problem, mistake: Mistake, tensor: str = "output") -> Array | None:
    """What a whole computation with ``mistake`` in it gives; None when its later steps cannot run."""
    return next(wrong_outputs(problem, mistake, tensor), None)


def _numbers(given: object) -> tuple[Array | None, str]:
    """``given`` as an array of numbers; else None and what it is instead."""
    if given is None or given is Ellipsis:
        return None, repr(given)
    try:
        array = np.asarray(given)
        if array.dtype.kind == "O":
            array = array.astype(np.float64)
    except Exception:  # whatever a learner's object does when numpy asks it
        return None, type(given).__name__
    if array.dtype.kind not in "biuf":
        return None, f"{type(given).__name__}, dtype {array.dtype}"
    return (array.astype(np.float64) if array.dtype.kind in "bu" else array), ""


def _hidden_as_infinite(array: Array, right: Array) -> Array:
    """``array`` with -inf where the right one has it and a very negative number stands instead."""
    if array.shape != right.shape or array.dtype.kind != "f":
        return array
    return np.where(np.isneginf(right) & (array < HIDDEN_BELOW), -np.inf, array)


def _symptom(
    array: Array, right: Array, problem: Problem, tensor: str, precision: tuple[float, float]
) -> tuple[str, str, tuple[int, ...] | None]:
    """The first thing that is wrong, in words, and its place."""
    if array.shape != right.shape:
        return "shape", say("shape", name=tensor, right=right.shape, given=array.shape), None
    where = _first_difference(array, right)
    place = problem.place(tensor, where) if len(where) == len(problem.letters(tensor)) else str(list(where))
    if array.dtype.kind == "i" and not same(np.round(right), right):
        return "dtype", say("whole_numbers", name=tensor, dtype=array.dtype), where
    if array.dtype.itemsize == 2 and same(array, right, TOLERANCES[2]):
        return "dtype", say("half_precision", name=tensor, dtype=array.dtype), where
    if (odd := ~np.isfinite(array) & ~_alike(array, right)).any():
        first = tuple(int(i) for i in np.argwhere(odd)[0])
        shown = form_for([float(array[first])])(float(array[first]))
        place = problem.place(tensor, first) if len(first) == len(problem.letters(tensor)) else str(first)
        return "nan", say("nan", name=tensor, place=place, number=shown), first
    if tensor == "weights" and array.ndim == 3:
        if (array < -STRICT[0]).any():
            return "sums", say("negative", name=tensor), where
        sums, right_sums = array.sum(axis=-1), right.sum(axis=-1)
        if not same(sums, right_sums, precision):
            head = int(np.argwhere(~_alike(sums, right_sums, precision))[0][0])
            key = "sums" if len(sums) == 1 else "head_sums"
            return "sums", say(key, name=tensor, head=head + 1, sums=_listed(sums[head])), where
    differing = int((~_alike(array, right)).sum())
    shown = form_for([float(array[where])])(float(array[where]))
    found = say("differs", name=tensor, count=differing, total=array.size, place=place, number=shown)
    return "values", found, where


def _first_difference(array: Array, right: Array) -> tuple[int, ...]:
    apart = np.argwhere(~_alike(array, right))
    return tuple(int(i) for i in apart[0]) if len(apart) else (0,) * array.ndim


def _listed(sums: Array) -> str:
    """Sums as text, with enough decimals to see that they are not 1."""
    shown = sums[:MOST_SUMS].tolist()
    decimals = DECIMALS
    while decimals < 6 and all(form_for(shown, decimals).rounded(x) == 1 for x in shown):
        decimals += 1
    form = form_for(shown, decimals)
    return ", ".join(map(form, shown)) + (", ..." if len(sums) > len(shown) else "")


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
    return [
        mistake
        for mistake in showing_in(problem, tensor)
        if any(wrong.shape == array.shape for wrong in mistake.variants(problem, tensor))
    ]


def _told(
    kind: str, found: str, frame: str, causes: list[Mistake], where: tuple[int, ...] | None
) -> Diagnosis:
    """The diagnosis in words; too many causes are no diagnosis."""
    if not causes or len(causes) > MOST_NAMED:
        unknown = say("unknown_array") if kind in ("values", "sums") and not causes else ""
        return Diagnosis(kind, found, unknown, where=where)
    cause, advice = told(frame, causes)
    return Diagnosis(kind, found, cause, advice, tuple(causes), where)


def told(frame: str, causes: Iterable[Mistake | Slip]) -> tuple[str, str]:
    """The sentence that names all ``causes``, and their advice, each once."""
    texts = [mistake.text for mistake in causes]
    joined = texts[0].cause
    for text in texts[1:]:
        joined = say("or", first=joined, second=text.cause)
    advice = " ".join(dict.fromkeys(text.advice for text in texts))
    return say(frame, cause=joined), advice
