"""A page of the walk cut into slides: what it is about, one table each, one number, what to notice."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from ...texts import texts
from ...trace import Trace
from ..page import Block, FirstFit, Formula, HeadBars, Page, Table, Text, tables_among
from .slide import Slide, Spot, number_spot, versions

MOST_COLUMNS = 24  # a wider table of several matrices comes one matrix at a time
FEW_ROWS = 6  # a table of no more rows than this is uncovered row by row


def slides_of(page: Page, trace: Trace, token: int) -> tuple[Slide, ...]:
    """The slides of one page, in the order in which a lesson needs them: first what is given.

    ``token`` (from 0) is the chosen one. Their numbers in the sequence are not known here.
    """
    cut = _Cut(page, known_before(page.stage, trace), token)
    return tuple(cut.slides())


def known_before(stage: str, trace: Trace) -> frozenset[str]:
    """The tensors whose numbers are no answer at that stage: the given ones and those made before.

    On the last page, which is no stage of its own, the last stage's numbers are still an answer.
    """
    names = {tensor.name for tensor in trace.given}
    for each in trace.stages[:-1]:
        if each.key == stage:
            break
        names |= {tensor.name for tensor in each.outputs}
    return frozenset(names)


class _Cut:
    """One page on its way to slides."""

    def __init__(self, page: Page, known: Collection[str], token: int) -> None:
        self.page = page
        self.known = known
        self.token = token
        self.blocks = list(_one_table_each(page.blocks))

    def slides(self) -> Iterator[Slide]:
        first = next((i for i, block in enumerate(self.blocks) if not isinstance(block, Text | Formula)), 0)
        rest = self.blocks[first:]
        texts_of = [block for block in rest if isinstance(block, Text)]
        words = [block for block in texts_of if block.role == "words"]
        yield self._slide("lead", [*self.blocks[:first], *words])
        tables = [(block, bool(self._covers_of(block))) for block in rest if not isinstance(block, Text)]
        given, shown = ([block for block, asked in tables if asked == so] for so in (False, True))
        for name, blocks in (("given", given), ("table", shown)):
            for count, block in enumerate(blocks, 1):
                yield self._slide(name if count == 1 else f"{name}-{count}", [block])
        for text in texts_of:
            if text.role == "number":
                yield self._slide("number", [text], _text_covers(0, text, self._is_given(text)))
        if looks := [block for block in texts_of if block.role not in ("number", "words")]:
            asked = Text(texts("present")["notice"], "lead")
            covers = [cover for i, block in enumerate(looks, 1) for cover in _text_covers(i, block)]
            yield self._slide("look", [asked, *looks], covers)

    def _slide(
        self, name: str, blocks: Sequence[Block], covers: Sequence[frozenset[Spot]] | None = None
    ) -> Slide:
        if covers is None:
            covers = [cover for i, block in enumerate(blocks) for cover in self._covers_of(block, i)]
        table = next(tables_among(blocks, -1), None)
        everyones = table is not None and table.chosen is not None
        key = f"{self.page.key}.{name}"
        about = key, self.page.head, None if everyones else self.token
        return Slide(key, self.page._replace(blocks=tuple(blocks)), tuple(covers), about)

    def _covers_of(self, block: Block, i: int = 0) -> list[frozenset[Spot]]:
        """What the presses on this block uncover, in order."""
        if isinstance(block, Table):
            return self._table_covers(block)
        if isinstance(block, FirstFit):
            return self._table_covers(next(tables_among([block], -1)))
        if isinstance(block, HeadBars):
            return [frozenset({("head", h)}) for h in range(len(block.weights))]
        return [] if isinstance(block, Text | Formula) else [frozenset({("block", i)})]

    def _table_covers(self, table: Table) -> list[frozenset[Spot]]:
        groups = [
            frozenset(number_spot(table, i, j) for i in rows for j in range(len(table.columns))
                      if self._is_answer(table, i, j))
            for rows in row_groups(table)
        ]  # fmt: skip
        return [group for group in groups if group]

    def _is_answer(self, table: Table, i: int, j: int) -> bool:
        """Whether this number is one that the page is there to show."""
        x = float(table.values[i, j])
        cell = table.cell(i, j)
        return x == x and (cell is None or cell.tensor not in self.known)

    def _is_given(self, block: Text) -> bool:
        return block.text.partition("[")[0] in self.known


def _one_table_each(blocks: Sequence[Block]) -> Iterator[Block]:
    """The blocks; what the page puts side by side or one under another comes by itself."""
    for block in blocks:
        if isinstance(block, Table):
            yield from _not_too_wide(block)
        elif not isinstance(block, FirstFit):
            yield block
        elif len(block.options[-1]) > 1:
            yield from block.options[-1]
        else:
            yield FirstFit(tuple(option for option in block.options if len(option) == 1))


def _not_too_wide(table: Table) -> Iterator[Table]:
    """The table, or each of its matrices."""
    if len(table.columns) <= MOST_COLUMNS:
        yield table
        return
    for band in table.bands:
        columns = slice(band.start, band.stop)
        yield table._replace(
            values=table.values[:, columns],
            old=None if table.old is None else table.old[:, columns],
            columns=table.columns[columns],
            bands=(band._replace(start=0, stop=band.stop - band.start),),
        )


def row_groups(table: Table) -> list[list[int]]:
    """The rows in the order in which they are uncovered: first the chosen one, then all others.

    Where none is chosen: row by row where there are few, else the rows and then the totals.
    """
    rows = list(range(len(table.rows)))
    if table.chosen is not None:
        return [[table.chosen], [i for i in rows if i != table.chosen]]
    if len(rows) <= FEW_ROWS:
        return [[i] for i in rows]
    body = len(rows) - table.total
    return [rows[:body], rows[body:]]


def _text_covers(i: int, block: Text, given: bool = False) -> list[frozenset[Spot]]:
    steps = range(1, 1 if given else len(versions(block)))
    return [frozenset({("part", i, step)}) for step in steps]
