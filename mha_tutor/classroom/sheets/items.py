"""What is asked on a sheet: the stages, and the numbers of each that are left blank.

An item is named by the letter of its stage and its number there: W10 is the tenth attention
weight. So an item has the same name whatever other stages a sheet asks.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from ...addresses import Cell
from ...errors import InputError, check_choice
from ...mistakes import Problem
from .drawing import SIZES

TENSOR_OF = {
    "dots": "dots", "scale": "scores", "softmax": "weights", "mix": "mixed", "concat": "concat",
    "output": "output",
}  # fmt: skip
STAGES = tuple(TENSOR_OF)
LETTER_OF = {"dots": "D", "scale": "S", "softmax": "W", "mix": "M", "concat": "C", "output": "O"}
OUTPUT_COLUMNS = 4  # how many numbers of an output row are asked
ROWS_ASKED = 2  # of each head's tokens by tokens table; the rows above are printed


class Item(NamedTuple):
    """A number that is left blank: its name on the sheet, its stage, and its place."""

    name: str
    stage: str
    cell: Cell


def chosen_stages(text: str | None, size: str) -> tuple[str, ...]:
    """The stages of a list such as "dots,scale", in their order; all where nothing was given.

    With one head the concatenation is that head, and is not asked. Raises InputError.
    """
    possible = [s for s in STAGES if s != "concat" or SIZES[size].heads > 1]
    if text is None:
        return tuple(possible)
    names = [name.strip().lower() for name in text.split(",") if name.strip()]
    for name in names:
        check_choice("--stages", name, STAGES)
    if not names:
        raise InputError(f"--stages '{text}' names no stage. Choose from {', '.join(possible)}.")
    if not (chosen := tuple(s for s in possible if s in names)):
        raise InputError(
            f"--stages {text}: size '{size}' has one head, so there is nothing to concatenate. "
            f"Choose from {', '.join(possible)}."
        )
    return chosen


def items(problem: Problem, stages: Sequence[str] = STAGES) -> list[Item]:
    """The blanks of those stages, in the order in which a sheet is filled in."""
    every = _every_item(problem.heads, problem.n, problem.w_q.shape[-1])
    return [item for item in every if item.stage in stages]


@cache
def _every_item(heads: int, tokens: int, width: int) -> tuple[Item, ...]:
    return tuple(
        Item(f"{LETTER_OF[stage]}{i + 1}", stage, Cell(TENSOR_OF[stage], index))
        for stage in STAGES
        for i, index in enumerate(_places(stage, heads, tokens, width))
    )


def _places(stage: str, heads: int, tokens: int, width: int) -> list[tuple[int, ...]]:
    last = tokens - 1
    if stage in ("dots", "scale", "softmax"):
        rows = range(tokens - ROWS_ASKED, tokens)
        return [(h, t, s) for h in range(heads) for t in rows for s in range(tokens)]
    if stage == "mix":
        return [(h, last, e) for h in range(heads) for e in range(width)]
    if stage == "concat":
        return [(last, c) for c in range(heads * width)] if heads > 1 else []
    return [(last, d) for d in range(OUTPUT_COLUMNS)]


def telling_items(problem: Problem, stages: Sequence[str] = STAGES) -> list[Item]:
    """One item a stage, where every known mistake gives a number of its own (see ``telling``).

    It is the same one in all variants of a size, so that a teacher can ask the whole class for it.
    """
    h, t = problem.heads - 1, problem.n - 1
    square = (h, t, 0)
    places = {"dots": square, "scale": square, "softmax": square, "mix": (h, t, 2), "concat": (t, 1),
              "output": (t, 0)}  # fmt: skip
    return [item for item in items(problem, stages) if item.cell.index == places[item.stage]]


def find_item(problem: Problem, name: str) -> Item:
    """The item of that name, such as W10. Raises InputError."""
    found = {item.name: item for item in items(problem)}
    if name.strip().upper() in found:
        return found[name.strip().upper()]
    groups: dict[str, list[str]] = {}
    for item in found.values():
        groups.setdefault(item.stage, []).append(item.name)
    known = ", ".join(f"{names[0]} to {names[-1]} ({stage})" for stage, names in groups.items())
    raise InputError(f"There is no item '{name}' on this sheet. Choose one of {known}.")
