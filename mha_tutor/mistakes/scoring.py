"""Known mistakes in dots and scores: what is multiplied, and by what it is divided."""

from __future__ import annotations

from math import sqrt

import numpy as np

from ..attention import Array, dot_products, project, share_heads
from .mistake import add, known
from .problem import Problem, plus_bias


def _swapped(problem: Problem, tensor: str) -> Array:
    if tensor == "dots":
        return dot_products(share_heads(problem["K"], problem.heads), problem["Q"])
    rows, matrix = (problem.x, problem.w_k) if tensor == "Q" else (problem.asked, problem.w_q)
    return plus_bias(problem, tensor, project(rows, matrix))


q_and_k_swapped = add("B24", "dots Q K", 3, _swapped, ("as many asked as ask", "own kv heads"))


@known("B21", "dots", 3, "axes alike")
def all_axes_reversed(p: Problem) -> Array:
    return p["Q"] @ p["K"].T


@known("F04", "dots", 7, "several heads")
def heads_added_into_one(p: Problem) -> Array:
    return np.broadcast_to(p["dots"].sum(0), p["dots"].shape)


@known("F09", "dots", 3)
def values_in_place_of_keys(p: Problem) -> Array:
    return dot_products(p["Q"], share_heads(p["V"], p.heads))


@known("B16", "scores", 3, "wide heads")
def not_scaled(p: Problem) -> Array:
    return p["dots"]


@known("B17", "scores", 3, "several heads")
def scaled_by_the_whole_width(p: Problem) -> Array:
    return p["dots"] / sqrt(p.x.shape[1])


@known("B18", "scores", 3, "several heads")
def scaled_by_the_number_of_heads(p: Problem) -> Array:
    return p["dots"] / sqrt(p.heads)


@known("B20", "scores", 3, "wide heads")
def scaled_twice(p: Problem) -> Array:
    scores: Array = p["dots"] / p.w_q.shape[-1]
    return scores


@known("F03", "scores", 3, "wide heads")
def multiplied_by_the_scale(p: Problem) -> Array:
    scores: Array = p["dots"] * sqrt(p.w_q.shape[-1])
    return scores
