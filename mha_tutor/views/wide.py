"""Tables as wide as a real model, folded: some columns and rows of them, and a line that says so.

Which columns: the first ones, the last one, and the one that the page works out (see ``_focus``).
Every number keeps its address, so that it can still be pointed at and taken apart.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ..addresses import Cell
from ..texts import texts
from .page import Band, Block, FirstFit, Page, Table, Text

MOST = 24  # columns of a band, or rows, that are shown as they are
COLUMNS, ROWS = 9, 7  # what is shown of more
MOST_TITLED = 3  # bands that have room to say how many of their columns are shown


def folded(page: Page, note: str = "note") -> Page:
    """The page with its wide tables folded, and the note of that name; the same page where none is wide."""
    blocks = [_folded_block(block) for block in page.blocks]
    if all(new is old for new, old in zip(blocks, page.blocks, strict=True)):
        return page
    last = max((i for i, block in enumerate(blocks) if isinstance(block, Text)), default=len(blocks) - 1)
    say = texts("pages")["folded"]
    said = Text(say[note], "look", say["label"])
    return page._replace(blocks=(*blocks[: last + 1], said, *blocks[last + 1 :]))


def _folded_block(block: Block) -> Block:
    if isinstance(block, Table):
        return fold(block)
    if isinstance(block, FirstFit):
        options = tuple(tuple(map(fold, option)) for option in block.options)
        same = all(
            new is old
            for news, olds in zip(options, block.options, strict=True)
            for new, old in zip(news, olds, strict=True)
        )
        return block if same else FirstFit(options)
    return block


def fold(table: Table) -> Table:
    """The table with some of its columns and rows; itself where it is not wide."""
    wide = any(band.stop - band.start > MOST for band in table.bands)
    tall = len(table.rows) - table.total > MOST
    if not (wide or tall):
        return table
    columns = [_columns(table, band) for band in table.bands]
    rows = _rows(table) if tall else list(range(len(table.rows)))
    return _picked(table, columns, rows)


def _columns(table: Table, band: Band) -> list[int]:
    """The columns of the table that stay, of one band."""
    size = band.stop - band.start
    if size <= MOST:
        return list(range(band.start, band.stop))
    wide = [b for b in table.bands if b.stop - b.start > MOST]
    count = max(1, COLUMNS // len(wide))
    focus = _focus(table, band)
    rest = [j for j in (*range(count), size - 1) if j not in focus]
    if count > len(focus) + 1:
        rest = [*rest[: count - len(focus) - 1], size - 1]
    chosen = sorted({*focus, *rest[: max(count - len(focus), 0)]})
    return [band.start + j for j in chosen]


def _focus(table: Table, band: Band) -> list[int]:
    """The columns of the band that a reader must see, from 0: marked, changed, or largest.

    Largest in the first row under the line, else in the chosen row, else in the last one. A band
    that has no numbers there takes the last band's.
    """
    marked = sorted({j - band.start for _, j in table.marked if band.start <= j < band.stop})
    if marked:
        return marked[:1] if len(marked) <= MOST else []
    if table.old is not None:
        differs = (table.values != table.old)[:, band.start : band.stop].any(axis=0)
        if 0 < (count := int(differs.sum())) <= COLUMNS // 3:
            return [int(j) for j in np.flatnonzero(differs)][:count]
    i = len(table.rows) - table.total if table.total else table.chosen
    row = np.abs(table.values[len(table.rows) - 1 if i is None else i])
    for each in (band, table.bands[-1]):
        numbers = row[each.start : each.stop]
        if not np.isnan(numbers).all() and each.stop - each.start == band.stop - band.start:
            return [int(np.nanargmax(numbers))]
    return []


def _rows(table: Table) -> list[int]:
    """The rows that stay: a head's first one each where rows have heads, else the first and the last."""
    size = len(table.rows) - table.total
    marked = sorted({i for i, _ in table.marked})
    if table.heads:
        firsts = [i for i in range(size) if i == 0 or table.heads[i] != table.heads[i - 1]]
    else:
        firsts = list(range(ROWS - 1))
    extra = marked[:1] if len(marked) <= MOST else []
    if table.chosen is not None:
        extra.append(table.chosen)
    return [*sorted({*firsts, *extra, size - 1}), *range(size, len(table.rows))]


def _picked(table: Table, columns: Sequence[Sequence[int]], rows: list[int]) -> Table:
    bands, start = [], 0
    for band, kept in zip(table.bands, columns, strict=True):
        title, size = band.title, band.stop - band.start
        if len(kept) < size and title and len(table.bands) <= MOST_TITLED:
            title = texts("pages")["folded"]["title"].format(title=title, shown=len(kept), all=size)
        inside = [j - band.start for j in kept]
        cell = None if band.cell is None else _moved(band.cell, rows, inside)
        bands.append(band._replace(title=title, start=start, stop=start + len(kept), cell=cell))
        start += len(kept)
    flat = [j for kept in columns for j in kept]
    place_i = {old: new for new, old in enumerate(rows)}
    place_j = {old: new for new, old in enumerate(flat)}
    return table._replace(
        values=table.values[np.ix_(rows, flat)],
        rows=tuple(table.rows[i] for i in rows),
        columns=tuple(table.columns[j] for j in flat),
        bands=tuple(bands),
        chosen=None if table.chosen is None else place_i[table.chosen],
        heads=tuple(table.heads[i] for i in rows) if table.heads else (),
        old=None if table.old is None else table.old[np.ix_(rows, flat)],
        marked=frozenset((place_i[i], place_j[j]) for i, j in table.marked if i in place_i and j in place_j),
    )


def _moved(
    cell: Callable[[int, int], Cell], rows: list[int], columns: list[int]
) -> Callable[[int, int], Cell]:
    """The same places, found from where they stand now."""
    return lambda i, j: cell(rows[i], columns[j])
