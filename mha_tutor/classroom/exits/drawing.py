"""What a question draws by chance and what follows from it, kept under the question's id."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from ...answers import agree, half_unit
from ...attention import Array
from ...explain import Cell
from ...mistakes import REGISTRY, Problem, wrong_numbers
from ...numbers import DECIMALS

Given = Mapping[str, Any]


class Wrong(NamedTuple):
    """A usual wrong answer, and the known mistake or the name of the cause that gives it."""

    answer: Any
    cause: str


class Drawn(NamedTuple):
    """What a question is filled with, its answer, and usual wrong ones.

    A number counts within half a unit of ``decimals``. Of a choice the answer may be anything that
    can be written; it is None where the options are words alone. ``steps`` are filled into the worked
    line alone.
    """

    given: Given
    answer: Any = None
    wrongs: tuple[Wrong, ...] = ()
    decimals: int = 0
    steps: Given = MappingProxyType({})


Maker = Callable[[Random, Mapping[str, Any]], Drawn]
MAKERS: dict[str, Maker] = {}


def made_for(id: str) -> Callable[[Maker], Maker]:
    """Register what draws and computes the question of that id."""

    def register(maker: Maker) -> Maker:
        if id in MAKERS:
            raise ValueError(f"the question {id} is made twice")
        MAKERS[id] = maker
        return maker

    return register


def whole(draw: Random, count: int, low: int = -3, high: int = 3) -> list[int]:
    """Small whole numbers, none of them 0, and not all alike."""
    numbers = [n for n in range(low, high + 1) if n]
    while True:
        found = [draw.choice(numbers) for _ in range(count)]
        if count == 1 or len(set(found)) > 1:
            return found


def of_tensors(
    q: Any, k: Any, v: Any, w_o: Any = None, *, d_model: int | None = None, allowed: Any = None
) -> Problem:
    """The problem in which Q, K and V are these arrays (heads, n, e): token i reads row i of a matrix."""
    q, k, v = (np.array(one, dtype=float) for one in (q, k, v))
    heads, n, e = v.shape
    d = d_model or max(n, heads * e)
    w_q, w_k, w_v = (_tall(tensor, d) for tensor in (q, k, v))
    w_o = np.eye(heads * e, d) if w_o is None else np.array(w_o, dtype=float)
    mask = None if allowed is None else np.array(allowed, dtype=bool)
    return Problem(np.eye(n, d), w_q, w_k, w_v, w_o, mask)


def of_scores(scores: Any, *, allowed: Any = None) -> Problem:
    """The problem of one head in which the scores are this array (n, n)."""
    dots = np.array(scores, dtype=float) * np.sqrt(len(scores))
    n = len(dots)
    return of_tensors(dots[None], np.eye(n)[None], np.ones((1, n, n)), allowed=allowed)


def of_weights(weights: Any, values: Any) -> Problem:
    """The problem of one head in which the weights are (n, n), all above 0, and the values (n, e)."""
    weights_ts, v_se = np.array(weights, dtype=float), np.array(values, dtype=float)
    n, e = v_se.shape
    width = max(n, e)
    q_te = np.zeros((n, width))
    q_te[:, :n] = np.log(weights_ts) * np.sqrt(width)
    return Problem(
        np.eye(n, width),
        _tall(q_te[None], width),
        np.eye(width)[None],
        _tall(v_se[None], width),
        np.eye(e, width),
    )


def _tall(tensor_hte: Array, height: int) -> Array:
    """The tensor with rows of 0 below, as a matrix has for features that no token uses."""
    heads, n, e = tensor_hte.shape
    return np.concatenate([tensor_hte, np.zeros((heads, height - n, e))], axis=1)


def value(problem: Problem, tensor: str, *index: int) -> float:
    """The right number in that place, counted from 0."""
    return float(problem[tensor][index])


def known_wrongs(
    problem: Problem, tensor: str, index: Sequence[int], ids: str, decimals: int = DECIMALS
) -> tuple[Wrong, ...]:
    """What those of the known mistakes ``ids`` give in that place, where it differs from the right number."""
    wanted = ids.split()
    found = wrong_numbers(problem, Cell(tensor, tuple(index)), decimals=decimals)
    kept = (one for one in found if one.mistake.id in wanted and np.isfinite(one.number))
    return distinct((Wrong(float(one.number), one.mistake.id) for one in kept), decimals)


def distinct(wrongs: Iterable[Wrong], decimals: int = DECIMALS) -> tuple[Wrong, ...]:
    """The same without a number that stands there already."""
    kept: list[Wrong] = []
    for wrong in wrongs:
        if not any(agree(wrong.answer, one.answer, half_unit(decimals)) for one in kept):
            kept.append(wrong)
    return tuple(kept)


def plain_wrongs(right: float, decimals: int = 0, **causes: float) -> tuple[Wrong, ...]:
    """Wrong numbers by the names of their causes; a known mistake's id is one. None equals ``right``."""
    unit = half_unit(decimals)
    given = (Wrong(float(number), cause) for cause, number in causes.items())
    return distinct((wrong for wrong in given if not agree(wrong.answer, right, unit)), decimals)


def wrong_array(id: str, problem: Problem, tensor: str) -> Array:
    """What the known mistake ``id`` gives in place of that tensor."""
    return REGISTRY[id].wrong(problem, tensor)
