"""A matrix as an HTML table: named rows and columns, cells shaded by value, every digit there."""

from __future__ import annotations

from math import isfinite

import numpy as np

from ...texts import texts
from ..colours import level
from ..page import Band, Table
from .dress import Dress
from .writing import marked, safe

MARK = "&#9656;"  # as ASCII, since one wide character doubles the memory of a whole text


def table_html(table: Table, dress: Dress) -> str:
    """The table, in a frame that scrolls sideways where the page is narrower."""
    label = ", ".join(dict.fromkeys(band.title for band in table.bands if band.title)) or table.title
    follow = "" if table.chosen is None else " data-follow"
    columns = "".join(f'<colgroup span="{band.stop - band.start}"></colgroup>' for band in table.bands)
    return (
        f'<div{dress.part("scroll")} role="group" aria-label="{safe(label)}" tabindex="0">'
        f"<table{dress.table(len(table.columns))}{follow}>"
        f"{_caption(table, label, dress)}"
        f"<colgroup><col></colgroup>{columns}"
        f"<thead>{_titles(table, dress)}{_names(table, dress)}</thead>"
        f"<tbody>{_rows(table, dress)}</tbody></table></div>"
    )


def _caption(table: Table, label: str, dress: Dress) -> str:
    text = _caption_text(table, label)
    kind = "caption.title" if len(table.bands) == 1 and text == marked(label) else "caption"
    return f"<caption{dress.part(kind)}>{text}</caption>"


def _caption_text(table: Table, label: str) -> str:
    axes = dict.fromkeys(band.axis for band in table.bands if band.axis)
    if not (table.row_axis and axes):
        return marked(label)
    say = texts("html")["caption"]
    return str(say).format(titles=marked(label), rows=safe(table.row_axis), columns=safe(", ".join(axes)))


def _titles(table: Table, dress: Dress) -> str:
    """The bands' titles over their columns."""
    cells = [f"<td{dress.part('corner')}></td>"]
    for band in table.bands:
        title = marked(band.title)
        if band.head is not None and title:
            title = f"<span{dress.chip(band.head)}>{title}</span>"
        axis = f" <span{dress.part('axis')}>{safe(band.axis)}</span>" if band.axis else ""
        span = band.stop - band.start
        cells.append(f'<th scope="colgroup" colspan="{span}"{dress.part("band")}>{title}{axis}</th>')
    return f"<tr>{''.join(cells)}</tr>"


def _names(table: Table, dress: Dress) -> str:
    """The columns' names; none where no column has one."""
    if not any(table.columns):
        return ""
    corner = f'<th scope="col"{dress.part("axis.rows")}>{safe(table.row_axis)}</th>'
    if not table.row_axis:
        corner = f"<td{dress.part('corner')}></td>"
    starts = {band.start for band in table.bands[1:]}
    names = (
        f'<th scope="col"{dress.part("col.b" if j in starts else "col")}>{safe(name)}</th>'
        if name
        else f"<td{dress.part('col')}></td>"
        for j, name in enumerate(table.columns)
    )
    return f"<tr>{corner}{''.join(names)}</tr>"


def _rows(table: Table, dress: Dress) -> str:
    columns = [_Column(table, band, dress) for band in table.bands]
    first_total = len(table.rows) - table.total
    lines = []
    before = None if table.old is None else table.old.tolist()
    for i, row in enumerate(table.values.tolist()):
        marked_columns = {j for k, j in table.marked if k == i}
        old = row if before is None else before[i]
        cells = "".join(column.cells(row, old, marked_columns) for column in columns)
        kind = "tr.chosen" if i == table.chosen else "tr.total" if i == first_total else "tr"
        lines.append(f"<tr{dress.part(kind)}>{_row_name(table, i, dress)}{cells}</tr>")
    return "".join(lines)


def _row_name(table: Table, i: int, dress: Dress) -> str:
    name = safe(table.rows[i])
    head = table.heads[i] if table.heads else None
    if head is not None:
        name = f"<span{dress.chip(head)}>{name}</span>"
    if number := table.row_number(i):
        name = f"{number} {name}"
    if i == table.chosen:
        return f'<th scope="row" aria-current="true"{dress.part("row")}>{MARK} {name}</th>'
    return f'<th scope="row"{dress.part("row")}>{name}</th>'


class _Column:
    """The cells of one band; equal numbers are written once."""

    def __init__(self, table: Table, band: Band, dress: Dress) -> None:
        self.band, self.dress = band, dress
        numbers = table.values[:, band.start : band.stop]
        finite = set(numbers[np.isfinite(numbers)].tolist())
        self.largest = max(map(abs, finite), default=0.0)
        self.aligned = {x: band.form.aligned(x) for x in finite}
        self.spare = min((len(text) - len(text.rstrip()) for text in self.aligned.values()), default=0)
        self.first = band is not table.bands[0]
        self.known: dict[tuple[float, float, bool, bool], str] = {}

    def cells(self, row: list[float], old: list[float], marked: set[int]) -> str:
        """One row's cells; where ``old`` is written otherwise, the change shows."""
        start, stop = self.band.start, self.band.stop
        if row is old and not marked:
            return "".join(
                [self._cell((x, x, self.first and not j, False)) for j, x in enumerate(row[start:stop])]
            )
        return "".join(
            self._cell((row[j], old[j], self.first and j == start, j in marked)) for j in range(start, stop)
        )

    def _cell(self, given: tuple[float, float, bool, bool]) -> str:
        found = self.known.get(given)
        if found is None:
            found = self.known[given] = self._drawn(*given)
        return found

    def _drawn(self, x: float, old: float, first: bool, marked: bool) -> str:
        if x != x:
            return f"<td{self.dress.part('corner')}></td>"
        form, paint = self.band.form, self.band.paint
        finite = isfinite(x)  # -inf, a masked score, takes the ground of 0
        aligned = self.aligned[x] if finite else form(x)
        text = aligned.rstrip()
        pad = max(len(aligned) - len(text) - self.spare, 0)
        step = level(x, self.largest, paint) if finite else 0
        was = form.before(x, old)
        if was is not None:
            text = f"*{text}<br><del>{was}</del>"
        if marked:
            text = f"<mark{self.dress.part('marked')}>{text}</mark>"
        return f"<td{self.dress.cell(paint if finite else 'signed', step, pad, first)}>{text}</td>"
