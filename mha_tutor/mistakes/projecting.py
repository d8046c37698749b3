"""Known mistakes in projecting and splitting into heads: Q, K and V."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..attention import Array, pack_columns, project, share_heads, split_columns
from .mistake import Mistake, add
from .problem import Problem, plus_bias

Projection = Callable[[Array, Array], Array]


def _matrix(problem: Problem, tensor: str) -> Array:
    return {"Q": problem.w_q, "K": problem.w_k, "V": problem.w_v}[tensor]


def _rows(problem: Problem, tensor: str) -> Array:
    return problem.x if tensor == "Q" else problem.asked


def projection_mistake(id: str, *needs: str, bias: bool = True) -> Callable[[Projection], Mistake]:
    """Register a wrong way to get Q, K or V from rows (n, d) and one matrix a head (k, d, e)."""

    def register(wrong: Projection) -> Mistake:
        def compute(problem: Problem, tensor: str) -> Array:
            made = wrong(_rows(problem, tensor), _matrix(problem, tensor))
            fits = bias and made.ndim == 3 and made.shape[-1] == problem.w_q.shape[-1]
            return plus_bias(problem, tensor, made) if fits else made

        return add(id, "Q K V", 2, compute, needs)

    return register


def _split_rows(x_td: Array, heads: int) -> Array:
    return x_td.reshape(len(x_td), heads, -1).swapaxes(0, 1)


@projection_mistake("B01", "several heads", "whole slices")
def own_slice_only(x_td: Array, w_hde: Array) -> Array:
    slices = _split_rows(x_td, len(w_hde))
    width = slices.shape[-1]
    blocks = [w_de[i * width : (i + 1) * width] for i, w_de in enumerate(w_hde)]
    made: Array = slices @ np.stack(blocks)
    return made


@projection_mistake("B02", "several heads", "square matrix", bias=False)
def slices_of_x_themselves(x_td: Array, w_hde: Array) -> Array:
    return _split_rows(x_td, len(w_hde))


@projection_mistake("B04", "several heads")
def all_columns_in_each_head(x_td: Array, w_hde: Array) -> Array:
    wide: Array = np.stack([x_td @ pack_columns(w_hde)] * len(w_hde))
    return wide


@projection_mistake("B05", "several heads", "whole slices")
def zeros_off_the_blocks(x_td: Array, w_hde: Array) -> Array:
    heads, d, e = w_hde.shape
    blocks = np.kron(np.eye(heads), np.ones((d // heads, e)))
    return project(x_td, split_columns(pack_columns(w_hde) * blocks, heads))


@projection_mistake("B06", "several heads")
def one_matrix_for_all_heads(x_td: Array, w_hde: Array) -> Array:
    return np.stack([x_td @ w_hde[0]] * len(w_hde))


@projection_mistake("B09", "square matrix")
def matrix_transposed(x_td: Array, w_hde: Array) -> Array:
    return project(x_td, split_columns(pack_columns(w_hde).T, len(w_hde)))


@projection_mistake("B14", "several heads")
def reshaped_without_swapping_axes(x_td: Array, w_hde: Array) -> Array:
    heads, _, e = w_hde.shape
    return (x_td @ pack_columns(w_hde)).reshape(heads, len(x_td), e)


@projection_mistake("F01", "several heads")
def not_split(x_td: Array, w_hde: Array) -> Array:
    return x_td @ pack_columns(w_hde)


def _first_matrix_of_keys(problem: Problem, tensor: str) -> Array:
    if tensor == "V":
        return problem["K"]
    return problem["weights"] @ share_heads(problem["K"], problem.heads)


k_in_place_of_v = add("B07", "V mixed", 2, _first_matrix_of_keys, ())


def _blocks(problem: Problem, tensor: str, *, by_head: bool) -> Array:
    """One third of a packed matrix whose blocks are told apart by the wrong rule."""
    ours = [problem.w_q, problem.w_k, problem.w_v]
    place, heads = "QKV".index(tensor), problem.heads
    in_order = [(kind, head) for head in range(heads) for kind in range(3)]  # q0 k0 v0 q1 k1 v1
    in_thirds = [(kind, head) for kind in range(3) for head in range(heads)]  # q0 q1 k0 k1 v0 v1
    stored, read = (in_order, in_thirds) if by_head else (in_thirds, in_order)
    taken = [stored[read.index((place, head))] for head in range(heads)]
    made = np.stack([_rows(problem, tensor) @ ours[kind][head] for kind, head in taken])
    return plus_bias(problem, tensor, made)


heads_read_as_thirds = add(
    "B10a", "Q K V", 2, lambda p, tensor: _blocks(p, tensor, by_head=True), ("several heads", "own kv heads")
)
thirds_read_as_heads = add(
    "B10b", "Q K V", 2, lambda p, tensor: _blocks(p, tensor, by_head=False), ("several heads", "own kv heads")
)


def _other_rows(problem: Problem, tensor: str) -> Array:
    rows = problem.asked if tensor == "Q" else problem.x
    return plus_bias(problem, tensor, project(rows, _matrix(problem, tensor)))


rows_of_the_other_sentence = add("F08", "Q K V", 9, _other_rows, ("memory",))
