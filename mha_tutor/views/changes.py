"""A page after a change beside the same page before it: stars, old numbers, and what was reached."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..addresses import Change
from ..attention import Array
from ..texts import listed, texts
from ..trace import Trace
from ..whatif import sources, told
from .page import Band, Block, FirstFit, HeadBars, Page, Table, Text, tables_among


def with_changes(after: Page, before: Page, trace: Trace, changes: Sequence[Change]) -> Page:
    """``after`` with the numbers of ``before`` in its tables, and lines that say what changed.

    ``trace`` is the walk before the changes; both pages are the same page of the two walks.
    """
    old = list(_tables(before.blocks))
    blocks: list[Block] = []
    bars = False
    for block in after.blocks:
        if isinstance(block, HeadBars):
            bars = bars or _bars_differ(block, before)
        if isinstance(block, Table):
            blocks.append(_beside_old(block, old.pop(0)))
        elif isinstance(block, FirstFit):
            blocks.append(block.each(lambda table: _beside_old(table, old.pop(0))))
        else:
            blocks.append(block)
    changed = any(map(_differs, tables_among(blocks, -1)))
    return after._replace(blocks=(_told(after, trace, changes, changed, bars), *blocks))


def _tables(blocks: Sequence[Block]) -> Iterator[Table]:
    for block in blocks:
        if isinstance(block, Table):
            yield block
        elif isinstance(block, FirstFit):
            for option in block.options:
                yield from option


def _beside_old(table: Table, old: Table) -> Table:
    return table._replace(old=old.values) if table.values.shape == old.values.shape else table


def _differs(table: Table) -> bool:
    """Whether any number of the table is written differently than before."""
    if table.old is None:
        return True
    return any(
        x == x and band.form(x) != band.form(y)
        for band in table.bands
        for x, y in zip(_numbers(table.values, band), _numbers(table.old, band), strict=True)
    )


def _bars_differ(block: HeadBars, before: Page) -> bool:
    """Whether any bar has another number than on the page before the changes."""
    old = next(b for b in before.blocks if isinstance(b, HeadBars))
    pairs = zip(block.weights.ravel().tolist(), old.weights.ravel().tolist(), strict=True)
    return any(block.form(new) != old.form(was) for new, was in pairs)


def _numbers(values: Array, band: Band) -> list[float]:
    numbers: list[float] = values[:, band.start : band.stop].ravel().tolist()
    return numbers


def what_if(trace: Trace, changes: Sequence[Change], *more: str) -> Text:
    """What was changed, each place once, and ``more`` lines. ``trace`` is the walk before."""
    say = texts("whatif")
    last = {change.cell: change for change in changes}.values()
    lines = [
        say["change" if before != after else "same"].format(where=where, before=before, after=after)
        for where, before, after in (told(trace, change) for change in last)
    ]
    return Text("\n".join([*lines, *more]), "look", texts("pages")["what_if"])


def _told(page: Page, trace: Trace, changes: Sequence[Change], changed: bool, bars: bool) -> Text:
    say = texts("whatif")
    if changed or bars:
        return what_if(trace, changes, say["reached" if changed else "reached_bars"])
    return what_if(trace, changes, _why_untouched(page, trace, changes))


def _why_untouched(page: Page, trace: Trace, changes: Sequence[Change]) -> str:
    """Why no number of the page changed: it is not made from what changed, or only from other parts."""
    say = texts("whatif")
    made = [tensor.name for stage in trace.stages if stage.key == page.stage for tensor in stage.outputs]
    made_from = list(dict.fromkeys(source for name in made for source in sources(trace, name)))
    changed = list(dict.fromkeys(change.cell.tensor for change in changes))
    if set(changed) & set(made_from):
        return str(say["other_part"])
    told = {"made": listed(made), "sources": listed(made_from), "changed": listed(changed)}
    return str(say["not_a_source"].format_map(told))
