"""A pointer on the numbers of a page: where it can stand, how it moves, how it is seen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from ..addresses import Cell
from ..views.page import Block, FirstFit, Page, Table, tables_among

MOVES = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}


class Point(NamedTuple):
    """A place on a page: the table, its row and its column, counted from 0."""

    table: int
    row: int
    column: int


def tables(page: Page) -> list[Table]:
    """The tables of a page that have numbers to point at, as they stand where room is scarce."""
    return [table for table in tables_among(page.blocks, -1) if next(_places(table), None)]


def start(page: Page) -> Point | None:
    """Where the pointer starts: on the largest number of the chosen row; None without any number."""
    for t, table in enumerate(tables(page)):
        row = table.chosen if table.chosen is not None else 0
        places = [(i, j) for i, j in _places(table) if i == row] or list(_places(table))
        i, j = max(places, key=lambda place: float(table.values[place]))
        return Point(t, i, j)
    return None


def moved(page: Page, point: Point, key: str) -> Point:
    """The next place that way that has a number; the same place at the edge. Tab goes to the next table."""
    found = tables(page)
    if key in {"tab", "shift-tab"}:
        t = (point.table + (1 if key == "tab" else -1)) % len(found)
        i, j = next(_places(found[t]))
        return Point(t, i, j) if t != point.table else point
    down, right = MOVES.get(key, (0, 0))
    table = found[point.table]
    i, j = point.row + down, point.column + right
    while 0 <= i < len(table.rows) and 0 <= j < len(table.columns) and (down or right):
        if table.cell(i, j) is not None:
            return Point(point.table, i, j)
        i, j = i + down, j + right
    return point


def cell_at(page: Page, point: Point) -> tuple[Cell, str] | None:
    """The place in the trace that the pointer is on, and its number as the page writes it."""
    found = tables(page)
    if point.table >= len(found):
        return None
    table = found[point.table]
    inside = point.row < len(table.rows) and point.column < len(table.columns)
    cell = table.cell(point.row, point.column) if inside else None
    if cell is None:
        return None
    band = next(b for b in table.bands if b.start <= point.column < b.stop)
    return cell, band.form(float(table.values[point.row, point.column]))


def marked(page: Page, cell: Cell) -> Page:
    """The page with that number marked wherever it stands."""

    def mark(table: Table) -> Table:
        return table._replace(marked=frozenset(_places(table, cell.__eq__)))

    def block(old: Block) -> Block:
        if isinstance(old, Table):
            return mark(old)
        if isinstance(old, FirstFit):
            return old.each(mark)
        return old

    return page._replace(blocks=tuple(block(old) for old in page.blocks))


def _places(table: Table, wanted: Callable[[Cell], bool] = bool) -> Iterator[tuple[int, int]]:
    """Rows and columns of the numbers that stand for a place in the trace that is wanted."""
    for i in range(len(table.rows)):
        for j in range(len(table.columns)):
            cell = table.cell(i, j)
            if cell is not None and wanted(cell):
                yield i, j
