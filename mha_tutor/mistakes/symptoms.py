"""What can be seen of a wrong array before asking what it comes from: shape, dtype, NaN, row sums."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..attention import Array
from ..numbers import DECIMALS, form_for
from .problem import Problem
from .wording import say

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Bools = NDArray[np.bool_]
else:
    Bools = np.ndarray

# Relative and absolute tolerance; the absolute one times the largest number.
STRICT = (1e-6, 1e-8)
SINGLE = (1e-4, 1e-6)
HALF = (1e-2, 1e-2)
MOST_SUMS = 5
HIDDEN_BELOW = -700.0  # a score this far down has a weight of exactly 0


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


def precision_of(array: Array) -> tuple[float, float]:
    """The tolerance that suits the dtype of ``array``."""
    by_bytes = {2: HALF, 4: SINGLE} if array.dtype.kind == "f" else {}
    return by_bytes.get(array.dtype.itemsize, STRICT)


def numbers_of(given: object) -> tuple[Array | None, str]:
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


def hidden_as_infinite(array: Array, right: Array) -> Array:
    """``array`` with -inf where the right one has it and a very negative number stands instead."""
    if array.shape != right.shape or array.dtype.kind != "f":
        return array
    return np.where(np.isneginf(right) & (array < HIDDEN_BELOW), -np.inf, array)


def symptom(
    array: Array, right: Array, problem: Problem, tensor: str, precision: tuple[float, float]
) -> tuple[str, str, tuple[int, ...] | None]:
    """The first thing that is wrong, in words, and its place."""
    if array.shape != right.shape:
        return "shape", say("shape", name=tensor, right=right.shape, given=array.shape), None
    where = _first_difference(array, right)
    place = problem.place(tensor, where) if len(where) == len(problem.letters(tensor)) else str(list(where))
    if array.dtype.kind == "i" and not same(np.round(right), right):
        return "dtype", say("whole_numbers", name=tensor, dtype=array.dtype), where
    if array.dtype.itemsize == 2 and same(array, right, HALF):
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
    return ", ".join(form(x) for x in shown) + (", ..." if len(sums) > len(shown) else "")
