"""The ways in which a number is rightly worked out on paper, and the range of what they give.

Nobody keeps all digits on paper. Whoever takes exp from the table or from a calculator, and rounds or
cuts off after two decimals at every step, or keeps three, or all, or makes the rounded weights of a
row add to 1, works rightly: a range holds what comes out in each of these ways.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import exp, trunc
from typing import NamedTuple

import numpy as np

from ...addresses import Cell
from ...answers import half_unit
from ...attention import Array, concat_heads, mix
from ...mistakes import Problem
from ...numbers import DECIMALS, NumberForm
from .drawing import SCORES

NOISE = 1e-9
HUNDRED = 10.0**DECIMALS
Rounding = Callable[[float], float]

FULL_EXPS = {score: exp(score) for score in SCORES}
E_TABLE = {score: NumberForm(DECIMALS).rounded(number) for score, number in FULL_EXPS.items()}


class Range(NamedTuple):
    """The numbers that are accepted, both ends with two decimals."""

    low: float
    high: float

    def holds(self, number: float) -> bool:
        """Whether ``number`` is in it, to half a unit of the last place."""
        unit = half_unit() + NOISE
        return self.low - unit <= number <= self.high + unit


def cut_off(number: float) -> float:
    """The first two decimals, whatever comes after."""
    return trunc(number * HUNDRED + (NOISE if number > 0 else -NOISE)) / HUNDRED


def on_paper(
    problem: Problem, rounding: Rounding, exps: Mapping[int, float] = E_TABLE, *, to_one: bool = False
) -> Mapping[str, Array]:
    """Weights, mixed, concat and output with those exps, every number rounded as it is written.

    With ``to_one`` the largest weight of a row is then changed so that the row adds to 1.
    """
    written = np.vectorize(rounding, otypes=[float])
    raised = np.array([exps[score] for score in SCORES])[problem["scores"].round().astype(int)]
    weights = written(raised / raised.sum(-1, keepdims=True))
    if to_one:
        largest = weights.argmax(-1)[..., None]
        rest = 1 - weights.sum(-1, keepdims=True)
        np.put_along_axis(weights, largest, np.take_along_axis(weights, largest, -1) + rest, -1)
    mixed = written(mix(weights, problem["V"]))
    concat = concat_heads(mixed)
    return {"weights": weights, "mixed": mixed, "concat": concat, "output": written(concat @ problem.w_o)}


def ranges(problem: Problem) -> Callable[[Cell], Range]:
    """The range that is accepted at each cell."""
    two, three = NumberForm(DECIMALS).rounded, NumberForm(DECIMALS + 1).rounded
    ways = [
        on_paper(problem, rounding, exps, to_one=to_one)
        for exps in (E_TABLE, FULL_EXPS)
        for rounding, to_one in ((two, False), (two, True), (cut_off, False), (three, False), (float, False))
    ]

    def accepted(cell: Cell) -> Range:
        found = [two(float(way.get(cell.tensor, problem[cell.tensor])[cell.index])) for way in ways]
        return Range(min(found), max(found))

    return accepted
