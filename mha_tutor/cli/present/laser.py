"""The teacher's pointer: on a number, a whole row or a whole column of a slide's table."""

from __future__ import annotations

from collections.abc import Callable

from ...addresses import Cell
from ...texts import texts
from ...views.page import Band, Table
from ..pointing import MOVES, Point

ALL = -1  # as a row or a column of a Point: all of them


def start(table: Table) -> Point:
    """Where the pointer starts: on the whole row of the chosen token, or the first one."""
    return Point(0, table.chosen or 0, ALL)


def moved(table: Table, point: Point, key: str) -> Point:
    """The next number that way; past the first column the whole row, past the first row the column."""
    down, right = MOVES[key]
    at = Point(point.table, point.row + down, point.column + right)
    while _inside(table, at):
        if _whole(at) or _number(table, at.row, at.column):
            return at
        at = Point(at.table, at.row + down, at.column + right)
    return point


def cells_at(table: Table, point: Point) -> frozenset[tuple[int, int]]:
    """The places that are pointed at."""
    rows, columns = span(table, point)
    return frozenset((i, j) for i in rows for j in columns if _number(table, i, j))


def span(table: Table, point: Point) -> tuple[range, range]:
    """The rows and the columns that are pointed at."""
    n, m = len(table.rows), len(table.columns)
    rows = range(n) if point.row == ALL else range(point.row, min(point.row + 1, n))
    return rows, range(m) if point.column == ALL else range(point.column, min(point.column + 1, m))


def where(table: Table, point: Point, address: Callable[[Cell], str], *, covered: bool) -> str:
    """What is pointed at in words, as the foot of the slide says it."""
    say = texts("present")["where"]
    if point.column == ALL:
        return str(say["row"]).format(row=_row(table, point.row))
    name = table.columns[point.column]
    if point.row == ALL:
        return str(say["column"]).format(column=name, band=_band(table, point.column).title)
    cell = table.cell(point.row, point.column)
    band = _band(table, point.column)
    told = address(cell) if cell else f"{band.title}[{table.rows[point.row]}, {name}]"
    number = texts("present")["blank"] if covered else band.form(float(table.values[point.row, point.column]))
    return f"{told} = {number}"


def _row(table: Table, i: int) -> str:
    number = table.row_number(i)
    return f"{number} {table.rows[i]}" if number else table.rows[i]


def _band(table: Table, j: int) -> Band:
    return next(band for band in table.bands if band.start <= j < band.stop)


def _whole(point: Point) -> bool:
    return ALL in (point.row, point.column)


def _inside(table: Table, point: Point) -> bool:
    """Whether there is such a place; a whole row and column at once is none."""
    inside = ALL <= point.row < len(table.rows) and ALL <= point.column < len(table.columns)
    return inside and not point.row == point.column == ALL


def _number(table: Table, i: int, j: int) -> bool:
    x = float(table.values[i, j])
    return x == x
