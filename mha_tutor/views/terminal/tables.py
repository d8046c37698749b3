"""Matrices as lines: number cells shaded by value, names cut where they must be, digits never."""

from __future__ import annotations

import numpy as np
from rich.cells import cell_len
from rich.segment import Segment

from ..page import Band, Table
from .canvas import Canvas, Line, fit
from .theme import level

MARK = ">"
AIRY_CELL, MOST_CELL = 5, 12  # what a cell takes where there is room, and at most


def table_lines(table: Table, canvas: Canvas) -> list[Line]:
    """The table in as many pieces, one under another, as its columns need at this width.

    Where the canvas pages by columns (``canvas.window``), only the piece that starts there.
    """
    grid = _Grid(table, canvas)
    first = 0 if canvas.window is None else canvas.window
    pieces = grid.pieces(0)
    if first and len(pieces) > 1:
        pieces = grid.pieces(min(first, len(table.columns) - 1))
    if canvas.window is not None:
        pieces = pieces[:1]
    lines: list[Line] = []
    for start, stop in pieces:
        lines += [*([[]] if lines else []), *grid.piece(start, stop)]
    return lines


def table_width(table: Table, canvas: Canvas) -> int:
    """The width at which every column fits in one piece, each with a few letters of its name."""
    grid = _Grid(table, canvas)
    cells = (
        max(needed, min(AIRY_CELL, cell_len(name) + 1))
        for needed, name in zip(grid.needed, table.columns, strict=True)
    )
    return grid.names + sum(cells) + len(table.bands) - 1


class _Grid:
    """A table measured: every number written once, every width known."""

    def __init__(self, table: Table, canvas: Canvas) -> None:
        self.table = table
        self.canvas = canvas
        self.band_of: list[Band] = [band for band in table.bands for _ in range(band.start, band.stop)]
        forms = [band.form for band in self.band_of]
        self.values: list[list[float]] = table.values.tolist()
        self.texts = [
            ["" if x != x else form.aligned(x) for x, form in zip(row, forms, strict=True)]
            for row in self.values
        ]
        longest = [max(map(len, column)) + 1 for column in zip(*self.texts, strict=True)]
        self.names = self._name_width()
        alike = [max(longest[band.start : band.stop]) for band in self.band_of]
        self.needed = alike if sum(alike) <= self.room else longest

    @property
    def room(self) -> int:
        return self.canvas.width - self.names

    def _name_width(self) -> int:
        """The row names' width: marker, number, name and a space; a third of the page at most."""
        lead = self._lead_width()
        longest = max(cell_len(self.canvas.text(name)) for name in self.table.rows)
        longest = max(longest, cell_len(self.table.row_axis) + 1 - lead, 4)
        return min(lead + longest, max(self.canvas.width // 3, 8)) + 1

    def _lead_width(self) -> int:
        return len(MARK) + (len(str(len(self.table.rows))) + 1 if self.table.counted else 0)

    def pieces(self, first: int) -> list[tuple[int, int]]:
        """Cut the columns from ``first`` on into runs that fit; a run ends with a band if it can."""
        pieces: list[tuple[int, int]] = []
        start = first
        while start < len(self.needed):
            stop, used = start, 0
            while stop < len(self.needed) and (stop == start or used + self.needed[stop] <= self.room):
                used += self.needed[stop]
                stop += 1
            if stop < len(self.needed):
                ends = [band.stop for band in self.table.bands if start < band.stop <= stop]
                stop = ends[-1] if ends else start + self._even(start, stop)
            pieces.append((start, stop))
            start = stop
        return pieces

    def _even(self, start: int, stop: int) -> int:
        """How many columns a piece takes so that the pieces of a band are about as wide."""
        left = self.band_of[start].stop - start
        count = -(-left // (stop - start))
        return -(-left // count)

    def _widths(self, start: int, stop: int) -> tuple[list[int], int]:
        """The cells' widths in one piece, and the gap between its bands.

        Spare room goes first to gaps, then to long column names.
        """
        widths = self.needed[start:stop]
        inner = len({band.start for band in self.band_of[start:stop]}) - 1
        gap = 1 if sum(widths) + inner <= self.room else 0
        spare = (self.room - sum(widths) - inner * gap) // len(widths)
        wanted = max(AIRY_CELL, *(cell_len(name) + 1 for name in self.table.columns[start:stop]))
        return [max(w, min(w + spare, wanted, MOST_CELL)) for w in widths], gap

    def piece(self, start: int, stop: int) -> list[Line]:
        """The heading and the rows of one run of columns."""
        widths, gap = self._widths(start, stop)
        gaps = [gap if k and self.band_of[j].start == j else 0 for k, j in enumerate(range(start, stop))]
        largest = {band: self._largest(band) for band in dict.fromkeys(self.band_of[start:stop])}
        lines = self._heading(start, widths, gaps)
        bottom = len(self.table.rows) - self.table.total
        for i in range(len(self.table.rows)):
            if self.table.total and i == bottom:
                rule = "─" * (sum(widths) + sum(gaps) - 1)
                lines.append([self.canvas.put(" " * (self.names + 1)), self.canvas.put(rule)])
            line = self._row_name(i)
            for k, width in enumerate(widths):
                if gaps[k]:
                    line.append(self.canvas.put(" "))
                line.append(self._cell(i, start + k, width, largest[self.band_of[start + k]]))
            lines.append(line)
        return lines

    def _largest(self, band: Band) -> float:
        values = np.abs(self.table.values[:, band.start : band.stop])
        finite = values[np.isfinite(values)]
        return float(finite.max()) if finite.size else 0.0

    def _cell(self, i: int, j: int, width: int, largest: float) -> Segment:
        text = " " * (width - len(self.texts[i][j])) + self.texts[i][j]
        x = self.values[i][j]
        if x != x or x == -np.inf:
            return self.canvas.put(text)
        paint = self.band_of[j].paint
        style = self.canvas.theme.style(f"{paint}.{level(x, largest, paint)}")
        if i == self.table.chosen:
            style += self.canvas.theme.style("strong")
        return Segment(text, style)

    def _row_name(self, i: int) -> Line:
        table, put = self.table, self.canvas.put
        chosen = i == table.chosen
        lead = MARK if chosen else " "
        if table.counted:
            number = str(i + 1) if i < len(table.rows) - table.total else ""
            lead += f"{number:>{len(str(len(table.rows)))}} "
        name = fit(self.canvas.text(table.rows[i]), self.names - len(lead) - 1)
        head = table.heads[i] if table.heads else None
        style = "chosen" if chosen else "text" if head is None else f"chip.{head}"
        return [put(lead, "strong" if chosen else "text"), put(name, style), put(" ")]

    def _heading(self, start: int, widths: list[int], gaps: list[int]) -> list[Line]:
        """The bands' titles over their columns, then the columns' names on one line or two."""
        stop = start + len(widths)
        titles: Line = [self.canvas.put(" " * self.names)]
        for band in dict.fromkeys(self.band_of[start:stop]):
            first, last = max(band.start, start), min(band.stop, stop)
            width = sum(widths[first - start : last - start])
            if gaps[first - start]:
                titles.append(self.canvas.put(" "))
            part = "" if last - first == band.stop - band.start else self._part(band, first, last)
            if last == stop:  # the last title may run on to the edge
                width = max(width, self.canvas.width - sum(cell_len(piece.text) for piece in titles))
            titles += self._band_title(band, part, width)
        return [titles, *self._column_names(start, widths, gaps)]

    @staticmethod
    def _part(band: Band, first: int, last: int) -> str:
        return f" {first - band.start + 1}-{last - band.start}/{band.stop - band.start}"

    def _band_title(self, band: Band, part: str, width: int) -> Line:
        """A title that starts one column in, so that neighbours stay apart; then the axis."""
        title = self.canvas.text(band.title) + part
        text = fit(f" {title} ", min(width - 1, cell_len(title) + 2))
        rest = width - 1 - cell_len(text)
        axis = f"  {band.axis}"
        return [
            self.canvas.put(" "),
            self.canvas.put(text, "label" if band.head is None else f"chip.{band.head}"),
            self.canvas.put(fit(axis if cell_len(axis) <= rest else "", rest), "axis"),
        ]

    def _column_names(self, start: int, widths: list[int], gaps: list[int]) -> list[Line]:
        names = [self.canvas.text(name) for name in self.table.columns[start : start + len(widths)]]
        pairs = [two_lines(name, width - 1) for name, width in zip(names, widths, strict=True)]
        lines: list[Line] = []
        for row in (0, 1):
            if row == 0 and not any(upper for upper, _ in pairs):
                continue
            axis = f" {self.table.row_axis}" if row else ""
            line = [self.canvas.put(fit(axis, self.names), "axis")]
            for pair, width, gap in zip(pairs, widths, gaps, strict=True):
                line.append(self.canvas.put(" " * gap + fit(pair[row], width, right=True), "label"))
            lines.append(line)
        return lines


def two_lines(name: str, width: int) -> tuple[str, str]:
    """A column's name on one line, or on two where it has a space or is much too long."""
    if cell_len(name) <= width:
        return "", name
    upper, space, lower = name.partition(" ")
    if space and max(cell_len(upper), cell_len(lower)) <= width:
        return upper, lower
    upper = fit(name, width).rstrip()
    rest = name[len(upper) :]
    if cell_len(rest) <= 2:
        return "", upper
    return upper, fit(rest, width).rstrip()
