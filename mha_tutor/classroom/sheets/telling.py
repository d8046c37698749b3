"""Whether a variant tells the known mistakes apart: at one item of each stage, each has its own number."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from ...addresses import Cell
from ...attention import Array
from ...mistakes import REGISTRY, Problem
from .items import Item, telling_items
from .ways import ranges

# The mistakes that are told apart. They are listed, and not taken from the registry, since the same
# seed must choose the same sheets for ever: a mistake found later belongs to a later kind of sheet.
TOLD_APART = {
    "dots": ("B24", "F04", "F09"),
    "scores": ("B16", "B17", "B18", "B20", "F03"),
    "weights": ("B26", "B27", "B28", "B29", "B34", "F05", "F11", "B54", "B52", "B57"),
    "mixed": ("B07", "F06", "F12", "F13"),
    "concat": ("B47", "F07"),
    "output": ("B49b", "B50", "F10", "F02"),
}
# How far apart numbers must be so that rounding on the way cannot make one of the other.
GAP = {"dots": 0.5, "scores": 0.015, "weights": 0.015, "mixed": 0.03, "concat": 0.03, "output": 0.06}


def may_tell(q_tc: Array, k_tc: Array, heads: int) -> bool:
    """Whether the dots leave hope: a quick test that spares most of the draws the long one.

    At the telling place the dot product must not be 0, which hides most mistakes, and must differ
    from the one with rows and columns exchanged and from the sum over the heads.
    """
    pairs = zip(np.hsplit(q_tc, heads), np.hsplit(k_tc, heads), strict=True)
    dots = [(float(q[-1] @ k[0]), float(q[0] @ k[-1])) for q, k in pairs]
    (right, exchanged), summed = dots[-1], sum(dot for dot, _ in dots)
    return right > 0 and right != exchanged and (heads == 1 or summed not in (right, exchanged))


def is_telling(problem: Problem) -> bool:
    """Whether, at the telling item of each stage, the right number and every known mistake's differ."""
    asked = telling_items(problem)
    return all(_tells(problem, item) for item in asked) and _outside_ranges(problem, asked)


def _tells(problem: Problem, item: Item) -> bool:
    cell = item.cell
    numbers = sorted([float(problem[cell.tensor][cell.index]), *numbers_of_mistakes(problem, cell)])
    return all(after - before > GAP[cell.tensor] for before, after in pairwise(numbers))


def _outside_ranges(problem: Problem, asked: Sequence[Item]) -> bool:
    """Whether no wrong number would be accepted."""
    accepted = ranges(problem)
    return not any(
        accepted(item.cell).holds(number)
        for item in asked
        for number in numbers_of_mistakes(problem, item.cell)
    )


def numbers_of_mistakes(problem: Problem, cell: Cell) -> list[float]:
    """What each mistake that is told apart gives at ``cell``, in each of the ways it is written."""
    right = problem[cell.tensor]
    found = []
    for id in TOLD_APART[cell.tensor]:
        mistake = REGISTRY[id]
        if mistake.applies(problem, cell.tensor):
            variants = (np.asarray(wrong) for wrong in mistake.variants(problem, cell.tensor))
            found += [float(wrong[cell.index]) for wrong in variants if wrong.shape == right.shape]
    return found
