"""Matrices as lines: number cells shaded by value, names cut where they must be, digits never."""

from __future__ import annotations

from itertools import pairwise
from math import isinf

from rich.cells import cell_len
from rich.segment import Segment

from ...texts import texts
from ..colours import level
from ..page import Band, Table
from .canvas import Canvas, Line, fit

MARK = ">"
AIRY_CELL, MOST_CELL = 5, 13  # what a cell takes where there is room, and at most
CROWDED = 3  # a narrower cell has its neighbour's number beside its own
SHORT_NAME, LEAST_NAME = 4, 6  # letters that row names take at least, and where they are cut
BLANK = "__"  # where a number will be
TITLE_CELL = 9  # a cell is not made wider than this for its band's title alone


class Grid:
    """A table measured for a canvas: every number written once, every width known.

    ``pieces`` are the runs of columns that fit side by side; ``lines`` draws all of them, one
    under another, or the one that the canvas has its window on.
    """

    def __init__(self, table: Table, canvas: Canvas) -> None:
        self.table = table
        self.canvas = canvas
        self.band_of: list[Band] = [band for band in table.bands for _ in range(band.start, band.stop)]
        self.values: list[list[float]] = table.values.tolist()
        self.was = [""] * len(self.band_of)  # what stood in the chosen row before a change
        self.texts = self._written()
        self._tight = [
            max(max(map(len, column)) + 1, self._heading_width(j))
            for j, column in enumerate(zip(*self.texts, self.was, strict=True))
        ]
        self._uniform = [max(self._tight[band.start : band.stop]) for band in self.band_of]
        self.names = self._name_width()

    def _written(self) -> list[list[str]]:
        """Every number's text; decimals that no number of a band has take no room."""
        written = [self._row(row) for row in self.values]
        if self.table.old is not None:
            self._compare(written, [self._row(row) for row in self.table.old.tolist()])
        rows = [*written, self.was]
        for band in self.table.bands:
            bare = [text for row in rows for text in row[band.start : band.stop] if text]
            spare = min((len(text) - len(text.rstrip()) for text in bare), default=0)
            if spare:
                for row in rows:
                    row[band.start : band.stop] = [text[:-spare] for text in row[band.start : band.stop]]
        return written

    def _row(self, row: list[float]) -> list[str]:
        return ["" if x != x else band.form.aligned(x) for x, band in zip(row, self.band_of, strict=True)]

    def _compare(self, written: list[list[str]], before: list[list[str]]) -> None:
        """Put a star before every number that a change has made another, as written."""
        for i, (row, old) in enumerate(zip(written, before, strict=True)):
            for j, was in enumerate(old):
                if was != row[j]:
                    row[j] = f"*{row[j]}"
                    if i == self.table.chosen:
                        self.was[j] = was

    def _heading_width(self, j: int) -> int:
        """What a column needs so that no digit above it is cut: its number, its share of a title."""
        band, name = self.band_of[j], self.table.columns[j]
        title = -(-(cell_len(self.canvas.text(band.title)) + 3) // (band.stop - band.start))
        return max(len(name) + 1 if _is_number(name) else 0, min(title, TITLE_CELL))

    @property
    def room(self) -> int:
        """What the row names leave for cells."""
        return self.canvas.width - self.names

    @property
    def _airy(self) -> int:
        """The width of a cell with room around its number."""
        return AIRY_CELL + 4 * self.canvas.spacious

    @property
    def width(self) -> int:
        """The width at which every column fits in one piece, with a few letters of its name."""
        named = zip(self._uniform, self.table.columns, strict=True)
        cells = [max(width, min(self._airy, cell_len(name) + 1)) for width, name in named]
        if self.canvas.spacious:  # then all names of a band stand in full, in cells of one width
            cells = [max(cells[band.start : band.stop]) for band in self.band_of]
        return self.names + sum(cells) + len(self.table.bands) - 1

    def resized(self, width: int) -> Grid:
        """The same table for another width; nothing is written anew."""
        grid = object.__new__(Grid)
        grid.__dict__.update(self.__dict__)
        grid.canvas = self.canvas._replace(width=width)
        return grid

    def _name_width(self) -> int:
        """The row names' width: marker, number, name and a space; a third of the page at most."""
        lead = self._lead_width()
        longest = max(cell_len(self.canvas.text(name)) for name in self.table.rows)
        numbers = max((len(name) for name in self.table.rows if _is_number(name)), default=0)
        longest = max(longest, cell_len(self.table.row_axis) + 1 - lead)
        most = max(self.canvas.width // 3, lead + max(LEAST_NAME, numbers))
        return min(lead + max(longest, SHORT_NAME), most) + 1

    def _lead_width(self) -> int:
        return len(MARK) + (len(str(len(self.table.rows))) + 1 if self.table.counted else 0)

    @property
    def needed(self) -> list[int]:
        """Each column's least width: as wide as the others of its band, unless that is too wide."""
        fits_tight = sum(self._tight) <= self.room < sum(self._uniform)
        return self._tight if fits_tight else self._uniform

    def pieces(self) -> list[tuple[int, int]]:
        """The columns in runs that fit. A run ends with a band if it can; else all get about as many."""
        needed, room = self.needed, self.room
        pieces: list[tuple[int, int]] = []
        start = 0
        while start < len(needed):
            stop, used = start, 0
            while stop < len(needed) and (stop == start or used + needed[stop] <= room):
                used += needed[stop]
                stop += 1
            band = self.band_of[start]
            if band.stop <= stop < len(needed):
                stop = max(b.stop for b in self.table.bands if start < b.stop <= stop)
            elif stop < band.stop:
                left = band.stop - start
                runs = -(-left // (stop - start))
                stop = start + -(-left // runs)
            pieces.append((start, stop))
            start = stop
        return pieces

    def lines(self) -> list[Line]:
        """The pieces, or the one that the window is on."""
        pieces = self.pieces()
        if self.canvas.window is not None:
            pieces = [pieces[min(self.canvas.window, len(pieces) - 1)]]
        lines: list[Line] = []
        for start, stop in pieces:
            lines += [*([[]] if lines else []), *self._piece(start, stop)]
        return lines

    def _piece(self, start: int, stop: int) -> list[Line]:
        """The heading and the rows of one run of columns."""
        if self.needed[start] > self.room:  # then it is alone
            return self._tall_piece(start)
        widths, gaps, pads = self._widths(start, stop)
        largest = {band: self.table.largest(band) for band in dict.fromkeys(self.band_of[start:stop])}
        lines = self._heading(start, widths, gaps, pads)
        bottom = len(self.table.rows) - self.table.total
        for i in range(len(self.table.rows)):
            if self.table.total and i == bottom:
                rule = "─" * (sum(widths) + sum(gaps) - 1)
                lines.append([self.canvas.put(" " * (self.names + 1)), self.canvas.put(rule)])
            elif i and (self.canvas.air > 1 or (self.canvas.air and self._next_head(i))):
                lines.append([])
            line = self._row_name(i, self.names)
            for k, width in enumerate(widths):
                if gaps[k]:
                    line.append(self.canvas.put(" "))
                line.append(self._cell(i, start + k, width, pads[k], largest[self.band_of[start + k]]))
            lines.append(line)
            if i == self.table.chosen and any(self.was):
                lines.append(self._was_row(start, widths, gaps, pads))
        return lines

    def _next_head(self, i: int) -> bool:
        """Whether row i belongs to another head than the row before."""
        heads = self.table.heads
        return bool(heads) and heads[i] != heads[i - 1]

    def _was_row(self, start: int, widths: list[int], gaps: list[int], pads: list[int]) -> Line:
        """Under the chosen row: the numbers that stood there before a change."""
        line = [self.canvas.put(fit(f"  {texts('pages')['was']}", self.names))]
        hidden = {j for i, j in self.table.hidden if i == self.table.chosen}
        for k, (width, gap, pad) in enumerate(zip(widths, gaps, pads, strict=True)):
            text = fit("" if start + k in hidden else self.was[start + k], width - pad, right=True)
            line.append(self.canvas.put(" " * gap + text + " " * pad))
        return line

    def _widths(self, start: int, stop: int) -> tuple[list[int], list[int], list[int]]:
        """The cells' widths in one piece, the gap before each, and the space after each number.

        Spare room goes first to gaps between bands, then to the bands whose names lack most.
        """
        widths, bands = self.needed[start:stop], self.band_of[start:stop]
        inner = list(dict.fromkeys(bands))
        gap = 1 if sum(widths) + len(inner) - 1 <= self.room else 0
        spare = self.room - sum(widths) - (len(inner) - 1) * gap
        added = dict.fromkeys(inner, 0)
        counts = {band: bands.count(band) for band in inner}
        least = {band: min(w for w, b in zip(widths, bands, strict=True) if b == band) for band in inner}
        wanted = {band: max(self._wanted(band, start, stop), least[band] + 1) for band in inner}
        # A cell of two columns is crowded, so it comes before all names.
        lacking = {b: MOST_CELL if least[b] < CROWDED else wanted[b] - least[b] for b in inner}
        while (most := max(lacking.values())) > 0:
            poorest = [band for band in inner if lacking[band] == most]  # all of them or none
            cost = sum(counts[band] for band in poorest)
            for band in poorest:
                added[band] += cost <= spare
                lacking[band] = wanted[band] - least[band] - added[band] if cost <= spare else 0
            spare -= cost if cost <= spare else 0
        gaps = [0, *(gap if before != band else 0 for before, band in pairwise(bands))]
        wide = [width + added[band] for width, band in zip(widths, bands, strict=True)]
        return wide, gaps, [min(added[band], 1) for band in bands]

    def _wanted(self, band: Band, start: int, stop: int) -> int:
        """The width of a band's cells at which its title and its columns' names stand in full."""
        columns = self.table.columns[max(band.start, start) : min(band.stop, stop)]
        longest = max(cell_len(self.canvas.text(name)) for name in columns) + 2
        title = -(-(cell_len(self.canvas.text(band.title)) + 3) // len(columns))
        return min(max(self._airy, longest, title), MOST_CELL)

    def _cell(self, i: int, j: int, width: int, pad: int, largest: float) -> Segment:
        hidden = (i, j) in self.table.hidden
        text = BLANK[: width - pad] if hidden else self.texts[i][j]
        text = self._signed(i, j, " " * (width - pad - len(text)) + text + " " * pad)
        x = self.values[i][j]
        if x != x:
            return Segment(text)
        paint = self.band_of[j].paint
        name = "text" if isinf(x) or hidden else f"{paint}.{level(x, largest, paint)}"
        if (i, j) in self.table.marked:
            name = "marked"
        elif i == self.table.chosen:
            name = "strong" if name == "text" else f"strong.{name}"
        return Segment(text, self.canvas.theme.style(name))

    def _signed(self, i: int, j: int, text: str) -> str:
        """The text of a cell in brackets where what is pointed at begins and ends, if there is room."""
        marked = self.table.marked
        if not self.canvas.spacious or (i, j) not in marked:
            return text
        number = text.strip()
        begin = text.index(number) - 1
        if begin >= 0 and not (j > 0 and (i, j - 1) in marked):
            text = f"{text[:begin]}[{text[begin + 1 :]}"
        if text.endswith(" ") and (i, j + 1) not in marked:
            end = len(text.rstrip())
            text = f"{text[:end]}]{text[end + 1 :]}"
        return text

    def _row_name(self, i: int, width: int) -> Line:
        table, put = self.table, self.canvas.put
        chosen = i == table.chosen
        lead = MARK if chosen else " "
        if table.counted:
            number = str(table.row_number(i) or "")
            lead += f"{number:>{len(str(len(table.rows) - table.total))}} "
        name = shortened(self.canvas.text(table.rows[i]), width - len(lead) - 1)
        head = table.heads[i] if table.heads else None
        style = "chosen" if chosen else "text" if head is None else f"chip.{head}"
        return [put(lead, "strong" if chosen else "text"), put(name, style), put(" ")]

    def _heading(self, start: int, widths: list[int], gaps: list[int], pads: list[int]) -> list[Line]:
        """The bands' titles over their columns, then the columns' names on one line or two."""
        stop = start + len(widths)
        titles: Line = [self.canvas.put(" " * self.names)]
        for band in dict.fromkeys(self.band_of[start:stop]):
            first, last = max(band.start, start), min(band.stop, stop)
            if gaps[first - start]:
                titles.append(self.canvas.put(" "))
            width = sum(widths[first - start : last - start])
            if last == stop:  # the last title may run on to the edge
                width = self.canvas.width - sum(cell_len(piece.text) for piece in titles)
            titles += self._band_title(band, first, last, width)
        return [titles, *self._column_names(start, widths, gaps, pads)]

    def _band_title(self, band: Band, first: int, last: int, width: int) -> Line:
        """A title that starts one column in, so that neighbours stay apart; then the axis."""
        title = self.canvas.text(band.title)
        if last - first < band.stop - band.start:
            part = f" {first - band.start + 1}-{last - band.start}/{band.stop - band.start}"
            title = fit(title, max(min(cell_len(title), width - 3 - len(part)), 0)) + part
        text = fit(f" {title} ", min(width - 1, cell_len(title) + 2))
        rest = width - 1 - cell_len(text)
        axis = f"  {self.canvas.text(band.axis)}"
        return [
            self.canvas.put(" "),
            self.canvas.put(text, "label" if band.head is None else f"chip.{band.head}"),
            self.canvas.put(fit(axis if cell_len(axis) <= rest else "", rest), "axis"),
        ]

    def _column_names(self, start: int, widths: list[int], gaps: list[int], pads: list[int]) -> list[Line]:
        """Names end where the numbers do, unless a long one of the band needs that place too."""
        names = [self.canvas.text(name) for name in self.table.columns[start : start + len(widths)]]
        bands = self.band_of[start : start + len(widths)]
        crowded = {
            band
            for band, name, width, pad in zip(bands, names, widths, pads, strict=True)
            if cell_len(name) >= width - pad
        }
        pads = [0 if band in crowded else pad for band, pad in zip(bands, pads, strict=True)]
        pairs = [
            two_lines(name, width - 1 - pad) for name, width, pad in zip(names, widths, pads, strict=True)
        ]
        lines: list[Line] = []
        for row in (0, 1):
            if row == 0 and not any(upper for upper, _ in pairs):
                continue
            axis = f" {self.table.row_axis}" if row else ""
            line = [self.canvas.put(fit(axis, self.names), "axis")]
            for pair, width, gap, pad in zip(pairs, widths, gaps, pads, strict=True):
                name = " " * gap + fit(pair[row], width - pad, right=True) + " " * pad
                line.append(self.canvas.put(name, "label"))
            lines.append(line)
        return lines

    def _tall_piece(self, j: int) -> list[Line]:
        """One column whose numbers need the whole width: each stands under its row's name."""
        band, width = self.band_of[j], self.canvas.width
        name = self.canvas.text(self.table.columns[j])
        lines = [self._band_title(band, j, j + 1, width)]
        if name:
            lines.append([self.canvas.put(fit(f" {name}", width), "label")])
        largest = self.table.largest(band)
        for i in range(len(self.table.rows)):
            lines.append(self._row_name(i, width))
            if self.texts[i][j]:
                lines.append([self._cell(i, j, min(self.needed[j], width), 0, largest)])
            if i == self.table.chosen and self.was[j]:
                lines.append([self.canvas.put(f"  {texts('pages')['was']}")])
                lines.append([self.canvas.put(fit(self.was[j], min(self.needed[j], width), right=True))])
        return lines


def _is_number(name: str) -> bool:
    """Whether a name is a place, such as 12 or 3.1: then no digit of it may be cut."""
    return name.isascii() and name.replace(".", "").isdigit()


def shortened(name: str, width: int) -> str:
    """A name in exactly ``width`` cells; the number at the end of one that is too long stays."""
    words, _, number = name.rpartition(" ")
    if cell_len(name) > width and words and _is_number(number) and len(number) < width:
        return f"{fit(words, width - len(number) - 1)} {number}"
    return fit(name, width)


def two_lines(name: str, width: int) -> tuple[str, str]:
    """A column's name on one line, or on two where it has a space or is much too long."""
    if cell_len(name) <= width:
        return "", name
    upper, space, lower = name.rpartition(" ")
    if space and (cell_len(lower) <= width or _is_number(lower)):
        return fit(upper, min(width, cell_len(upper))).rstrip(), lower
    upper = fit(name, width).rstrip()
    rest = name[len(upper) :]
    if cell_len(rest) <= 2:
        return "", upper
    return upper, fit(rest, width).rstrip()
