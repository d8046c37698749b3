"""Known mistakes in softmax: attention weights."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..attention import Array
from .mistake import known
from .problem import Problem

HALF_DROPPED = 0.5


def plain_softmax(scores: Array, axis: int | tuple[int, ...] = -1) -> Array:
    """Softmax as it is first written: a row of nothing but -inf comes out as NaN."""
    with np.errstate(all="ignore"):
        exps = np.exp(scores - scores.max(axis=axis, keepdims=True))
        weights: Array = exps / exps.sum(axis=axis, keepdims=True)
        return weights


def _ones_along(axis: int | tuple[int, ...]) -> Callable[[Array, Problem], bool]:
    """A tell-tale: everything along ``axis`` sums to 1, and the rows do not."""

    def tells(weights: Array, _: Problem) -> bool:
        sums, rows = weights.sum(axis=axis), weights.sum(axis=-1)
        return bool(np.allclose(sums, 1, atol=1e-6) and not np.allclose(rows, 1, atol=1e-6))

    return tells


@known("B26", "weights", 4, tell_tale=_ones_along(-2))
def softmax_over_the_tokens_that_ask(p: Problem) -> Array:
    return plain_softmax(p[p.before_softmax], axis=-2)


@known("B27", "weights", 4, "several heads", tell_tale=_ones_along(0))
def softmax_over_the_heads(p: Problem) -> Array:
    return plain_softmax(p[p.before_softmax], axis=0)


@known("B28", "weights", 4, "several heads", tell_tale=_ones_along((0, 2)))
def softmax_over_heads_and_asked_tokens(p: Problem) -> Array:
    return plain_softmax(p[p.before_softmax], axis=(0, 2))


@known("B29", "weights", 4, tell_tale=_ones_along((-2, -1)))
def softmax_over_the_whole_map(p: Problem) -> Array:
    return plain_softmax(p[p.before_softmax], axis=(-2, -1))


@known("B31", "weights", 4, "large scores")
def exp_overflows(p: Problem) -> Array:
    exps = np.exp(p[p.before_softmax])
    weights: Array = exps / exps.sum(axis=-1, keepdims=True)
    return weights


@known("B34", "weights", 4, "no mask")
def divided_without_exp(p: Problem) -> Array:
    weights: Array = p["scores"] / p["scores"].sum(axis=-1, keepdims=True)
    return weights


@known("F05", "weights", 4)
def exps_not_divided(p: Problem) -> tuple[Array, ...]:
    scores = p[p.before_softmax]
    return np.exp(scores), np.exp(scores - scores.max(axis=-1, keepdims=True))


@known("F11", "weights", 4)
def softmax_left_out(p: Problem) -> Array:
    return p[p.before_softmax]


@known("B54", "weights", 3, "as many asked as ask")
def rows_and_columns_swapped(p: Problem) -> Array:
    return p["weights"].swapaxes(-1, -2)


@known("B52", "weights", 8, "several heads")
def averaged_over_the_heads(p: Problem) -> tuple[Array, ...]:
    mean = p["weights"].mean(axis=0)
    return np.broadcast_to(mean, p["weights"].shape), mean


@known("B57", "weights", 10, "as many asked as ask")
def every_token_its_own_sentence(p: Problem) -> Array:
    return np.broadcast_to(np.eye(p.n), p["weights"].shape)


def _dropped(weights: Array, p: Problem) -> bool:
    """Some weights are 0 and all others are the right ones times the same number above 1."""
    right = p["weights"]
    kept = weights != 0
    if weights.shape != right.shape or kept.sum() < 2 or not ((right > 0) & ~kept).any():
        return False
    with np.errstate(all="ignore"):
        ratio = weights[kept] / right[kept]
    return bool(ratio[0] > 1 + 1e-6 and np.allclose(ratio, ratio[0], rtol=1e-5))


@known("B53", "weights", 4, tell_tale=_dropped, single=False)
def dropout_left_on(p: Problem) -> Array:
    kept = np.random.default_rng(0).random(p["weights"].shape) >= HALF_DROPPED
    return p["weights"] * kept / (1 - HALF_DROPPED)
