"""A matrix as shaded rectangles with their digits, for a slide."""

from __future__ import annotations

from math import isfinite

import numpy as np

from ..colours import level
from ..page import Band, Table
from .pen import BOLD, END, ITALIC, Pen, cells, cut

MARK = "▸"
GAP = 1.2  # letters between bands
MOST_ROW_NAME = 14


class TablePart:
    """A table to draw; column names longer than ``most`` letters are cut, digits never."""

    def __init__(self, table: Table, most: int) -> None:
        self.table, self.most = table, most
        self.spare = {band: _spare(band, table) for band in table.bands}
        self.largest = {band: table.largest(band) for band in table.bands}
        self.columns, self.names = self._columns(), self._names()

    def _columns(self) -> list[float]:
        """The width of each column in letters."""
        widths = []
        for band in self.table.bands:
            texts = self._texts(band)
            digits = max(map(len, texts), default=1) + (self.table.old is not None)  # with a star
            for name in self.table.columns[band.start : band.stop]:
                widths.append(max(digits + 1.0, min(cells(name), self.most) + 0.8, 4.2))
            title = cells(band.title) + 2 - sum(widths[band.start :])
            if band.stop - band.start == 1 and title > 0:
                widths[-1] += min(title, 6)
        return widths

    def _texts(self, band: Band) -> set[str]:
        """The numbers of a band as they are written, without places that none of them has."""
        numbers = self.table.values[:, band.start : band.stop]
        written = (band.form.aligned(x) for x in numbers[~np.isnan(numbers)].tolist())
        return {text[: max(len(text.rstrip()), len(text) - self.spare[band])] for text in written}

    def _names(self) -> float:
        """The width of the rows' names in letters, with mark and number."""
        longest = max(*(min(cells(name), MOST_ROW_NAME) for name in self.table.rows), 4)
        axis = cells(self.table.row_axis) * 0.85 + 1
        return max(longest + 2.5 + (len(str(len(self.table.rows))) + 1 if self.table.counted else 0), axis)

    def width(self, pen: Pen) -> float:
        return (self.names + sum(self.columns) + GAP * (len(self.table.bands) - 1)) * pen.letter

    def height(self, pen: Pen, width: float) -> float:
        return (len(self.table.rows) + 1 + any(self.table.columns)) * pen.line

    def draw(self, pen: Pen, x: float, y: float, width: float) -> str:
        """The titles, the columns' names, then row by row."""
        table, top = self.table, y + pen.line
        starts = self._starts(x, pen)
        parts = [self._title(band, pen, starts[band.start], y) for band in table.bands]
        if any(table.columns):
            small = pen._replace(size=pen.size * 0.85)
            parts.append(small.text(x, top + pen.size * 0.15, table.row_axis, look=ITALIC, colour="muted"))
            for name, start, wide in zip(table.columns, starts, self.columns, strict=True):
                end = start + (wide - 0.5) * pen.letter
                short = cut(name, max(self.most, int(wide)))
                parts.append(pen.text(end, top, short, look=BOLD + END))
            top += pen.line
        for i in range(len(table.rows)):
            parts.append(self._row(i, pen, x, top + i * pen.line, starts))
        return "".join(parts)

    def _starts(self, x: float, pen: Pen) -> list[float]:
        at, starts = x + self.names * pen.letter, []
        band_starts = {band.start for band in self.table.bands[1:]}
        for j, wide in enumerate(self.columns):
            at += GAP * pen.letter if j in band_starts else 0
            starts.append(at)
            at += wide * pen.letter
        return starts

    @staticmethod
    def _title(band: Band, pen: Pen, x: float, y: float) -> str:
        if band.head is None or not band.title:
            title = pen.text(x, y, band.title, look=BOLD)
        else:
            title = pen.chip(x, y, band.title, band.head)
        after = x + (cells(band.title) + 2) * pen.letter
        return title + (pen.text(after, y, band.axis, look=ITALIC, colour="muted") if band.axis else "")

    def _row(self, i: int, pen: Pen, x: float, y: float, starts: list[float]) -> str:
        table, widths = self.table, self.columns
        parts = [self._name(i, pen, x, y)]
        for band in table.bands:
            for j in range(band.start, band.stop):
                number = float(table.values[i, j])
                if number == number:
                    wide = widths[j] * pen.letter
                    parts.append(self._cell((i, j), band, number, pen, (starts[j], y, wide)))
        last = len(table.rows) - table.total
        if table.total and i == last:
            parts.append(pen.box(x, y, starts[-1] + widths[-1] * pen.letter - x, 1.5, "muted"))
        if i == table.chosen:
            for top in (y, y + pen.line - 1.5):
                parts.append(
                    pen.box(starts[0], top, starts[-1] + widths[-1] * pen.letter - starts[0], 1.5, "ink")
                )
        return "".join(parts)

    def _name(self, i: int, pen: Pen, x: float, y: float) -> str:
        table = self.table
        name = cut(table.rows[i], MOST_ROW_NAME)
        if number := table.row_number(i):
            name = f"{number:>{len(str(len(table.rows)))}} {name}"
        head = table.heads[i] if table.heads else None
        if head is not None:
            return pen.chip(x, y, name, head)
        start = x + 1.5 * pen.letter
        if i == table.chosen:
            return pen.text(x, y, MARK, look=BOLD) + pen.text(start, y, name, look=BOLD)
        return pen.text(start, y, name)

    def _cell(
        self,
        where: tuple[int, int],
        band: Band,
        x: float,
        pen: Pen,
        place: tuple[float, float, float],
    ) -> str:
        left, top, wide = place
        text = band.form(x)
        before = x if self.table.old is None else float(self.table.old[where])
        star = "*" if band.form.before(x, before) else ""
        pad = max(len(band.form.aligned(x)) - len(text) - self.spare[band], 0)
        step = level(x, self.largest[band], band.paint) if isfinite(x) else 0
        colour, ink = pen.cell(band.paint if isfinite(x) else "signed", step)
        look = END + (BOLD if where[0] == self.table.chosen or where in self.table.marked else "")
        edge = f' stroke="{pen.ui("ink")}" stroke-width="2"' if where in self.table.marked else ""
        end = left + wide - (0.5 + pad) * pen.letter
        box = pen.box(left, top, wide - 1, pen.line - 1, colour, edge)
        return box + pen.text(end, top, star + text, look=look, colour=ink)


def _spare(band: Band, table: Table) -> int:
    """The decimal places that no number of the band has."""
    numbers = table.values[:, band.start : band.stop]
    written = {band.form.aligned(x) for x in numbers[np.isfinite(numbers)].tolist()}
    return min((len(text) - len(text.rstrip()) for text in written), default=0)
