"""Known mistakes in mixing values, sharing heads, and putting the heads together."""

from __future__ import annotations

import numpy as np

from ..attention import Array, dot_products, mix, share_heads
from .mistake import add, known
from .problem import Problem, plus_bias


@known("F06", "mixed", 5, "as many asked as ask")
def mixed_down_the_columns(p: Problem) -> Array:
    return mix(p["weights"].swapaxes(-1, -2), share_heads(p["V"], p.heads))


@known("F12", "mixed", 5)
def value_of_the_winner_alone(p: Problem) -> Array:
    winners = p["weights"].argmax(axis=-1)
    return np.take_along_axis(share_heads(p["V"], p.heads), winners[..., None], axis=-2)


@known("F13", "mixed", 5)
def values_averaged_evenly(p: Problem) -> Array:
    return mix(np.full_like(p["weights"], 1 / p.m), share_heads(p["V"], p.heads))


def _tiled(problem: Problem, tensor: str) -> Array:
    shared = problem["K" if tensor == "dots" else "V"]
    tiled = np.tile(shared, (problem.heads // problem.kv_heads, 1, 1))
    return dot_products(problem["Q"], tiled) if tensor == "dots" else mix(problem["weights"], tiled)


kv_heads_tiled = add("B58", "dots mixed", 9, _tiled, ("shared kv heads",))


@known("B59", "dots", 9, "shared kv heads")
def tokens_repeated_instead_of_heads(p: Problem) -> Array:
    repeated = np.repeat(p["K"], p.heads // p.kv_heads, axis=-2)
    return dot_products(p["Q"], share_heads(repeated, p.heads))


@known("B47", "concat", 6, "several heads")
def merged_without_swapping_axes(p: Problem) -> Array:
    return p["mixed"].reshape(p["concat"].shape)


@known("F07", "concat", 6, "several heads")
def heads_shuffled_together(p: Problem) -> Array:
    return p["mixed"].transpose(1, 2, 0).reshape(p["concat"].shape)


@known("B48", "concat", 6, "several heads")
def heads_below_one_another(p: Problem) -> Array:
    return np.concatenate(list(p["mixed"]), axis=0)


@known("B49a", "concat", 6, "several heads")
def heads_summed(p: Problem) -> Array:
    summed: Array = p["mixed"].sum(axis=0)
    return summed


def _averaged(problem: Problem, tensor: str) -> Array:
    if tensor == "concat":
        averaged: Array = problem["mixed"].mean(axis=0)
        return averaged
    return plus_bias(problem, tensor, problem["concat"] @ problem.w_o / problem.heads)


heads_averaged = add("B49b", "concat output", 6, _averaged, ("several heads",))


@known("B49c", "concat", 6, "several heads")
def largest_over_the_heads(p: Problem) -> Array:
    largest: Array = p["mixed"].max(axis=0)
    return largest


@known("B50", "output", 6)
def output_matrix_missing(p: Problem) -> Array:
    return p["concat"]


@known("F10", "output", 6, "square matrix")
def output_matrix_transposed(p: Problem) -> Array:
    return plus_bias(p, "output", p["concat"] @ p.w_o.T)


@known("F02", "output", 6, "several heads")
def first_rows_of_w_o_for_every_head(p: Problem) -> Array:
    e = p["mixed"].shape[-1]
    return plus_bias(p, "output", (p["mixed"] @ p.w_o[:e]).sum(axis=0))
