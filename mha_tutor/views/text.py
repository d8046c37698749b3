"""A page as plain lines with aligned tables: what a notebook falls back to, and Python prints.

Lines may be long: whoever prints them decides where to break. Digits are never cut.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap
from unicodedata import east_asian_width

from ..texts import head_name
from .chart import chart_lines, listing_lines
from .page import Band, Block, FirstFit, Formula, HeadBars, Listing, Page, Ribbons, Table, Terms, Text

WIDTH = 88
MARK = ">"


def page_text(page: Page) -> str:
    """The page, from its title to where its numbers come from."""
    corner = f"   ({page.corner})" if page.corner else ""
    lines = [f"{page.title}{corner}"]
    for block in page.blocks:
        lines += _block(block)
    return "\n".join([*lines, f"({page.source})"])


def _block(block: Block) -> Iterator[str]:
    if isinstance(block, Text):
        label = f"{block.label}: " if block.label else ""
        for i, line in enumerate(block.text.split("\n")):
            lead = label if i == 0 else " " * len(label)
            yield from wrap(lead + line, WIDTH, subsequent_indent=" " * len(label), break_long_words=False)
    elif isinstance(block, Formula):
        yield f"{block.text}   [{block.shapes}]"
    elif isinstance(block, Table):
        yield from _table(block)
    elif isinstance(block, FirstFit):
        for table in block.options[-1]:
            yield from _table(table)
    elif isinstance(block, HeadBars):
        names = [head_name(h) for h in range(len(block.weights))]
        rows = [[block.form(w) for w in column] for column in block.weights.T.tolist()]
        yield from _grid("", names, [f" {s + 1} {name}" for s, name in enumerate(block.rows)], rows)
    elif isinstance(block, Terms):
        yield f"{block.title}:"
        for name, meaning in block.rows:
            yield f"  {name}: {meaning}"
    elif isinstance(block, Ribbons):
        return  # the bars have said these numbers already
    else:
        title, *lines = (
            listing_lines(block, WIDTH) if isinstance(block, Listing) else chart_lines(block, WIDTH)
        )
        yield from ["", *([title] if title else []), *lines]


def _table(table: Table) -> Iterator[str]:
    """Each band by itself: its title, its columns' names, and its rows."""
    for band in table.bands:
        yield ""
        yield f"{band.title}   {band.axis}".rstrip()
        columns = table.columns[band.start : band.stop]
        rows = _written(table, band)
        shown = [i for i, row in enumerate(rows) if any(row)]
        names = [_row_name(table, i) for i in shown]
        yield from _grid(table.row_axis, columns, names, [rows[i] for i in shown])
    yield ""


def _written(table: Table, band: Band) -> list[list[str]]:
    """The band's numbers; a star marks those that a change has made others."""
    values = table.values[:, band.start : band.stop]
    before = values if table.old is None else table.old[:, band.start : band.stop]
    return [
        [_number(band, x, old) for x, old in zip(row, olds, strict=True)]
        for row, olds in zip(values.tolist(), before.tolist(), strict=True)
    ]


def _number(band: Band, x: float, old: float) -> str:
    if x != x:
        return ""
    star = "*" if band.form.before(x, old) else ""
    return star + band.form.aligned(x)


def _row_name(table: Table, i: int) -> str:
    lead = MARK if i == table.chosen else " "
    if number := table.row_number(i):
        lead += f"{number:>{len(str(len(table.rows) - table.total))}} "
    return lead + table.rows[i]


def _grid(
    corner: str, columns: Sequence[str], names: Sequence[str], rows: Sequence[Sequence[str]]
) -> Iterator[str]:
    """Names at the left, numbers under the columns' names, every column as wide as it needs."""
    left = max(map(_cells, [corner, *names]))
    spare = min((len(text) - len(text.rstrip()) for row in rows for text in row if text), default=0)
    widths = [max(_cells(column), *(len(row[j]) - spare for row in rows)) for j, column in enumerate(columns)]
    if any(columns):
        yield _padded(corner, left) + "".join(
            f"  {_right(c, w)}" for c, w in zip(columns, widths, strict=True)
        )
    for name, row in zip(names, rows, strict=True):
        texts_of = (text[: len(text) - spare] for text in row)
        numbers = "".join(f"  {text:>{w}}" for text, w in zip(texts_of, widths, strict=True))
        yield (_padded(name, left) + numbers).rstrip()


def _cells(text: str) -> int:
    return len(text) + sum(east_asian_width(c) in "WF" for c in text) if not text.isascii() else len(text)


def _padded(text: str, width: int) -> str:
    return text + " " * (width - _cells(text))


def _right(text: str, width: int) -> str:
    return " " * (width - _cells(text)) + text
