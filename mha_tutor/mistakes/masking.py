"""Known mistakes in masks: masked scores, and the weights that come of them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..attention import Array, Mask, causal_mask, softmax
from .mistake import Mistake, add, known
from .problem import Problem
from .weighing import plain_softmax


@known("B36", "weights", 4, "mask")
def masked_after_softmax(p: Problem) -> Array:
    return np.where(p.mask, plain_softmax(p["scores"]), 0)


@known("B43", "weights", 4, "mask", "a token without anyone to ask")
def nobody_left_to_ask(p: Problem) -> tuple[Array, ...]:
    return _written_ways(p["masked"])[:2]


@known("B46", "weights", 4, "mask", single=False)
def half_precision(p: Problem) -> Array:
    scores = np.where(p.mask, p["scores"], -1e9).astype(np.float16)
    return plain_softmax(scores)


def _written_ways(masked: Array) -> tuple[Array, ...]:
    """The weights after a wrong mask; where a row is all hidden, as NaN, as 1/m and as zeros."""
    return plain_softmax(masked), plain_softmax(np.where(np.isneginf(masked), -1e9, masked)), softmax(masked)


def mask_mistake(id: str, *needs: str) -> Callable[[Callable[[Array, Mask], Array]], Mistake]:
    """Register a wrong way to mask scores (h, n, m) with ``allowed`` (n, m); it shows in the weights too."""

    def register(wrong: Callable[[Array, Mask], Array]) -> Mistake:
        def compute(problem: Problem, tensor: str) -> Array | tuple[Array, ...]:
            masked = wrong(problem["scores"], problem.mask)
            return masked if tensor == "masked" else _written_ways(masked)

        return add(id, "masked weights", 4, compute, ("mask", *needs))

    return register


@mask_mistake("B37")
def hidden_scores_zero(scores: Array, allowed: Mask) -> Array:
    return np.where(allowed, scores, 0)


@mask_mistake("B38")
def fill_typed_too_small(scores: Array, allowed: Mask) -> Array:
    return np.where(allowed, scores, -1e-9)


@mask_mistake("B39")
def fill_with_plus_infinity(scores: Array, allowed: Mask) -> Array:
    return np.where(allowed, scores, np.inf)


@mask_mistake("B41")
def mask_the_wrong_way_round(scores: Array, allowed: Mask) -> Array:
    return np.where(allowed, -np.inf, scores)


@mask_mistake("B44a", "causal mask")
def hides_the_token_itself(scores: Array, allowed: Mask) -> Array:
    n, m = allowed.shape
    return np.where(np.tril(np.ones((n, m), dtype=bool), k=m - n - 1), scores, -np.inf)


@mask_mistake("B44b", "causal mask")
def shows_the_next_token(scores: Array, allowed: Mask) -> Array:
    n, m = allowed.shape
    return np.where(np.tril(np.ones((n, m), dtype=bool), k=m - n + 1), scores, -np.inf)


@mask_mistake("B45")
def mask_forgotten(scores: Array, allowed: Mask) -> Array:
    return scores


@mask_mistake("B60", "causal mask", "fewer ask than are asked")
def mask_from_the_first_token(scores: Array, allowed: Mask) -> Array:
    n, m = allowed.shape
    return np.where(causal_mask(m, m)[:n], scores, -np.inf)
