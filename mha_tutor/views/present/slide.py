"""One slide: a page with one thing on it, of which some is covered."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import NamedTuple

from ...addresses import Cell
from ...texts import texts
from ..page import Block, FirstFit, HeadBars, Page, Ribbons, Table, Text, tables_among

Spot = tuple[object, ...]  # what can be covered: a number of a table, a head's bars, a part of a text
About = tuple[str, int | None, int | None]

_RESULT = re.compile(r"(?<== )\S+(?!.*= )")  # what a worked line comes to
_CARRIED = re.compile(r"(?<=: )\S+$")  # what a line without a sum ends with
_NAME = re.compile(r"(?: =|:) .*")  # what follows the name of a number


class Slide(NamedTuple):
    """``page`` has everything uncovered; each of ``covers`` is what one press uncovers, in order.

    ``about`` is the slide's key, and the head and the token (from 0) that its covered numbers
    belong to, where they do: what was uncovered of one token is still covered of another.
    """

    key: str
    page: Page
    covers: tuple[frozenset[Spot], ...] = ()
    about: About = ("", None, None)

    @property
    def page_key(self) -> str:
        """The page of the walk that it comes from."""
        return self.key.partition(".")[0]

    @property
    def table(self) -> Table | None:
        """The table of the slide, as it stands where room is scarce."""
        return next(tables_among(self.page.blocks, -1), None)

    def covered(self, uncovered: Collection[Spot]) -> frozenset[Spot]:
        """What is still covered."""
        return frozenset().union(*self.covers).difference(uncovered)

    def next(self, uncovered: Collection[Spot]) -> frozenset[Spot]:
        """What the next press uncovers; nothing when all is to be seen."""
        left = (cover.difference(uncovered) for cover in self.covers)
        return next((cover for cover in left if cover), frozenset())

    def spots(self, rows: Collection[int], columns: Collection[int]) -> frozenset[Spot]:
        """What is covered at first of these rows and columns of the table."""
        if self.table is None:
            return frozenset()
        found = {number_spot(self.table, i, j) for i in rows for j in columns}
        return frozenset(found) & self.covered(())


def number_spot(table: Table, i: int, j: int) -> Spot:
    """The place of a number, the same in every table that shows it under the same title."""
    band = next(band for band in table.bands if band.start <= j < band.stop)
    return "number", band.title, i, j - band.start


def as_seen(slide: Slide, uncovered: Collection[Spot], marked: Collection[tuple[int, int]] = ()) -> Page:
    """The page as the room sees it; ``marked`` are places of the table that the teacher points at."""
    covered = slide.covered(uncovered)
    cells = _cells(slide.table, marked)

    def seen(table: Table) -> Table:
        places = [(i, j) for i in range(len(table.rows)) for j in range(len(table.columns))]
        hidden = frozenset(place for place in places if number_spot(table, *place) in covered)
        return table._replace(hidden=hidden, marked=frozenset(p for p in places if _mark(table, *p) in cells))

    blocks = (_seen(i, block, covered, seen) for i, block in enumerate(slide.page.blocks))
    return slide.page._replace(blocks=tuple(block for block in blocks if block is not None))


def _mark(table: Table, i: int, j: int) -> Spot | Cell:
    return table.cell(i, j) or number_spot(table, i, j)


def _cells(table: Table | None, marked: Collection[tuple[int, int]]) -> set[Spot | Cell]:
    return set() if table is None else {_mark(table, *place) for place in marked}


def _seen(i: int, block: Block, covered: Collection[Spot], seen: Callable[[Table], Table]) -> Block | None:
    if isinstance(block, Table):
        return seen(block)
    if isinstance(block, FirstFit):
        return block.each(seen)
    if isinstance(block, HeadBars):
        return block._replace(
            hidden=frozenset(h for h in range(len(block.weights)) if ("head", h) in covered)
        )
    if isinstance(block, Text):
        steps = versions(block)
        left = sum(("part", i, step) in covered for step in range(1, len(steps)))
        return block._replace(text=steps[-1 - left]) if steps[-1 - left] else None
    if ("block", i) not in covered:
        return block
    return (
        block._replace(covered=True)
        if isinstance(block, Ribbons)
        else Text(texts("present")["blank"], "lead")
    )


def versions(block: Text) -> tuple[str, ...]:
    """A text as it grows with each press: a worked number from its name on, any other at once."""
    if block.role != "number":
        return "", block.text
    blank = texts("present")["blank"]
    lines = block.text.split("\n")
    name = _NAME.sub("", lines[0])
    joint = ":" if f"{name}:" in lines[0] else " ="
    sums = [i for i, line in enumerate(lines) if _RESULT.search(line)]
    last, result = (sums[-1], _RESULT) if sums else (0, _CARRIED)
    working = "\n".join([*lines[:last], result.sub(blank, lines[last])])
    return f"{name}{joint} {blank}", working, block.text
