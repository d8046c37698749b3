"""A page as linear text for screen readers and logs: no boxes, no colour, one fact a line."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..texts import head_name, texts
from .page import (
    Band,
    Block,
    Chart,
    FirstFit,
    Formula,
    HeadBars,
    Listing,
    Page,
    Ribbons,
    Table,
    Terms,
    Text,
    place_after,
)  # fmt: skip


def plain_lines(page: Page, token: int | None = None) -> Iterator[str]:
    """The page, line by line; with ``token``, only that token's rows of tables with a chosen row."""
    say = texts("plain")
    place = say["page"].format(number=page.number, count=page.total) if page.total else ""
    yield f"{place}{page.title}"
    if page.corner:
        yield f"{page.corner}."
    yield f"{page.source}."
    for block in page.blocks:
        yield from _block(block, token)
    yield ""


def _block(block: Block, token: int | None) -> Iterator[str]:
    say = texts("plain")
    if isinstance(block, Text):
        for i, line in enumerate(block.text.split("\n")):
            yield f"{block.label}: {line}" if block.label and i == 0 else line
    elif isinstance(block, Formula):
        yield say["formula"].format(text=" ".join(block.text.split()))
        yield say["shapes"].format(shapes=_spoken(block.shapes))
    elif isinstance(block, Table):
        yield from _table(block, token)
    elif isinstance(block, FirstFit):
        for table in block.options[-1]:
            yield from _table(table, token)
    elif isinstance(block, HeadBars):
        for h, row in enumerate(block.weights):
            for s, weight in enumerate(row.tolist()):
                yield say["weight"].format(
                    head=h + 1,
                    token=block.token,
                    asked=block.rows[s] + place_after(block.rows, s),
                    value=block.form(weight),
                )
    elif isinstance(block, Listing):
        if block.title:
            yield say["table"].format(title=block.title)
        yield from _listing(block)
    elif isinstance(block, Chart):
        yield say["table"].format(title=block.title)
        for bars in block.series:
            for x, written in zip(block.xs, bars.written, strict=True):
                if written:
                    yield f"{bars.name}, {block.x_name} {x}, {written}"
    elif isinstance(block, Terms):
        yield f"{block.title}:"
        for name, meaning in block.rows:
            yield f"{name}: {meaning}"
    else:
        assert isinstance(block, Ribbons)  # the bars have said these numbers already


def _spoken(shapes: str) -> str:
    """Shapes in words, as signs are read aloud badly: 9 by 4 times 4 by 9 gives ..."""
    say = texts("plain")
    by = re.sub(r"(?<=\d)x(?=\d)", f" {say['by']} ", shapes)
    return by.replace("·", say["times"]).replace("->", say["gives"])


def _listing(block: Listing) -> Iterator[str]:
    """A cell a line with its column's name; a row a line where columns have no names."""
    named = all(block.columns[1:])
    for name, *cells in block.rows:
        pairs = [(column, cell) for column, cell in zip(block.columns[1:], cells, strict=True) if cell]
        if named:
            yield from (f"{name}, {column}, {cell}" for column, cell in pairs)
        else:
            yield ", ".join([name.strip(), *(cell for _, cell in pairs)])


def _table(table: Table, token: int | None) -> Iterator[str]:
    say = texts("plain")
    titles = ", ".join(dict.fromkeys(band.title for band in table.bands if band.title))
    yield say["table"].format(title=table.title or titles)
    rows = range(len(table.rows))
    if token is not None and table.chosen is not None:
        rows = range(table.chosen, table.chosen + 1)
    for i in rows:
        for band in table.bands:
            for j in range(band.start, band.stop):
                x = float(table.values[i, j])
                if x == x:
                    yield say[_kind(table)].format(**_parts(table, band, i, j))


def _kind(table: Table) -> str:
    return "asked" if table.row_axis else "cell"


def _parts(table: Table, band: Band, i: int, j: int) -> dict[str, str]:
    """What a cell is called: its matrix, its row, its column, and the number as written."""
    column = table.columns[j] + place_after(table.columns[band.start : band.stop], j - band.start)
    head = "" if band.head is None else head_name(band.head)
    return {
        "matrix": band.title,
        "head": head,
        "row": table.rows[i] + place_after(table.rows, i),
        "column": column or band.title,
        "value": band.form(float(table.values[i, j])),
    }
