"""Slips with a single number: the right rule, and one thing missed on the way.

They are no formulas, so they are looked at only after the known mistakes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from ..attention import Array
from ..explain import Cell
from .problem import Problem
from .wording import Entry

Found = Iterator[tuple[float, Cell | None]]


@dataclass(frozen=True)
class Slip(Entry):
    """A way to go wrong at one cell; ``numbers`` gives what comes out, and the cell it comes from."""

    id: str
    numbers: Callable[[Problem, Cell], Found]


def factors(problem: Problem, cell: Cell) -> tuple[Array, Array] | None:
    """The numbers that are multiplied pairwise and added to make ``cell``; None for other rules."""
    place = dict(zip(problem.letters(cell.tensor), cell.index, strict=True))
    head = place.get("h", 0)
    kv = place.get("g", head // (problem.heads // problem.kv_heads))
    match cell.tensor:
        case "Q":
            return problem.x[place["t"]], problem.w_q[head, :, place["e"]]
        case "K":
            return problem.asked[place["s"]], problem.w_k[kv, :, place["e"]]
        case "V":
            return problem.asked[place["s"]], problem.w_v[kv, :, place["e"]]
        case "dots":
            return problem["Q"][head, place["t"]], problem["K"][kv, place["s"]]
        case "mixed":
            return problem["weights"][head, place["t"]], problem["V"][kv, :, place["e"]]
        case "output":
            return problem["concat"][place["t"]], problem.w_o[:, place["d"]]
    return None


def _right(problem: Problem, cell: Cell) -> float:
    return float(problem[cell.tensor][cell.index])


def _at(problem: Problem, cell: Cell, *index: int) -> Found:
    """The number at another place of the same tensor, if there is such a place."""
    shape = problem[cell.tensor].shape
    if index != cell.index and all(0 <= i < size for i, size in zip(index, shape, strict=True)):
        other = Cell(cell.tensor, index)
        yield _right(problem, other), other


def _rows_and_columns_swapped(problem: Problem, cell: Cell) -> Found:
    *front, row, column = cell.index
    yield from _at(problem, cell, *front, column, row)


def _other_head(problem: Problem, cell: Cell) -> Found:
    """The same place of another head; in concat the heads stand side by side."""
    if len(cell.index) == 3:
        for head in range(len(problem[cell.tensor])):
            yield from _at(problem, cell, head, *cell.index[1:])
    elif cell.tensor == "concat":
        t, c = cell.index
        width = problem["mixed"].shape[-1]
        for head in range(problem.heads):
            yield from _at(problem, cell, t, head * width + c % width)


def _next_row(problem: Problem, cell: Cell) -> Found:
    *front, row, column = cell.index
    for step in (-1, 1):
        yield from _at(problem, cell, *front, row + step, column)


def _next_column(problem: Problem, cell: Cell) -> Found:
    *front, column = cell.index
    for step in (-1, 1):
        yield from _at(problem, cell, *front, column + step)


def _pairs(problem: Problem, cell: Cell) -> list[tuple[float, float]]:
    """What is multiplied pairwise, without the pairs that give 0."""
    pair = factors(problem, cell)
    pairs = [] if pair is None else zip(pair[0].tolist(), pair[1].tolist(), strict=True)
    return [(left, right) for left, right in pairs if left * right != 0]


def _product_dropped(problem: Problem, cell: Cell) -> Found:
    for left, right in _pairs(problem, cell):
        yield _right(problem, cell) - left * right, None


def _sign_lost(problem: Problem, cell: Cell) -> Found:
    if np.isfinite(right := _right(problem, cell)):
        yield -right, None
    for one, other in _pairs(problem, cell):
        if min(one, other) < 0:
            yield right - 2 * one * other, None


def has_minus(problem: Problem, cell: Cell) -> bool:
    """Whether a minus sign stands in the number, or in those it is multiplied from."""
    return _right(problem, cell) < 0 or any(min(pair) < 0 for pair in _pairs(problem, cell))


def _exp_left_out(problem: Problem, cell: Cell) -> Found:
    if cell.tensor != "weights":
        return
    head, t, s = cell.index
    row = problem[problem.before_softmax][head, t]
    if np.isneginf(row[s]):
        return
    exps = np.exp(row - row.max())
    for other, left_out in enumerate(exps):
        rest = np.delete(exps, other).sum()
        if other != s and left_out > 0 and rest > 0:
            yield float(exps[s] / rest), None


def _head_left_out(problem: Problem, cell: Cell) -> Found:
    if cell.tensor != "output":
        return
    t, d = cell.index
    e = problem.w_q.shape[-1]
    for head in range(problem.heads):
        part = slice(head * e, (head + 1) * e)
        yield _right(problem, cell) - float(problem["concat"][t, part] @ problem.w_o[part, d]), None


SLIPS = {
    slip.id: slip
    for slip in (
        Slip("S01", _rows_and_columns_swapped),
        Slip("S02", _other_head),
        Slip("S03", _next_row),
        Slip("S04", _next_column),
        Slip("S05", _product_dropped),
        Slip("S06", _sign_lost),
        Slip("S07", _exp_left_out),
        Slip("S08", _head_left_out),
    )
}
