"""Lists in a lesson's text: questions with their answers, claims with their reasons, hints.

    - Which axis sums to 1? => The last one: a token spends one budget.
    - [x] A. Every row sums to 1. => Yes: one budget for each token that asks.
    - [ ] B. Every column sums to 1. => No: a token may be asked by all, or by nobody.

An item may go on in lines that start with spaces; an empty line in it starts a paragraph.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from .source import Cell

_ITEM = re.compile(r"- (?:\[(?P<box>[ x])\] (?P<letter>[A-Z])\. )?(?P<text>.*)")
_ARROW = re.compile(r"\s+=>\s+")


class Item(NamedTuple):
    """One item: its text, and what stands behind the arrow; ``right`` is None unless it is a claim.

    ``source`` is the item as a cell of its own, for messages about its text.
    """

    text: str
    behind: str
    source: Cell
    letter: str = ""
    right: bool | None = None


def items_of(cell: Cell) -> tuple[str, tuple[Item, ...]]:
    """The text before the list, and its items. Raises LessonError for text after the list."""
    lead: list[str] = []
    items: list[tuple[re.Match[str], list[str], int]] = []
    for i, line in enumerate(cell.text.split("\n")):
        if match := _ITEM.fullmatch(line):
            items.append((match, [match["text"]], i))
        elif not items:
            lead.append(line)
        elif line.startswith("  ") or not line:
            items[-1][1].append(line[2:])
        else:
            raise cell.error("text after a list; start its line with two spaces, or put it first.", i)
    return "\n".join(lead).strip(), tuple(_item(cell, *item) for item in items)


def _item(cell: Cell, match: re.Match[str], lines: list[str], at: int) -> Item:
    whole = "\n".join(lines)
    text, *behind = _ARROW.split(whole.strip(), maxsplit=1)
    claim = match["box"] is not None
    if claim and not behind:
        raise cell.error("a claim needs its reason behind ' => '.", at)
    right = match["box"] == "x" if claim else None
    source = cell._replace(text=whole, line=cell.line + at)
    return Item(text, behind[0] if behind else "", source, match["letter"] or "", right)
