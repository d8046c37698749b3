"""The pages of the same matrices cut into different numbers of heads."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...attention import pack_columns
from ...cuts import MATRICES, Comparison, Cut
from ...examples import Example
from ...numbers import counted
from ...texts import listed
from .. import noticing
from ..page import Block, Listing, Page, Text
from ..pages.maker import View
from .changes import added_blocks, divisor_blocks
from .making import Making

CUT_KEYS = ("budgets", "added", "divisor", "same")


def cut_page(key: str, comparison: Comparison, example: Example, view: View) -> Page:
    """The page of that key."""
    sizes = comparison.one.trace.sizes
    cuts = listed([str(cut.heads) for cut in comparison.cuts])
    m = Making(key, example, view, {**sizes, "cuts": cuts, "ways": len(comparison.cuts)})
    return m.page(key, CUT_KEYS, _BLOCKS[key](m, comparison))


def budgets_blocks(m: Making, comparison: Comparison) -> list[Block]:
    """Every head's weights side by side, and how spread out they are."""
    cuts = comparison.cuts
    form = m.form(*(cut.weights_hts for cut in cuts))
    rows = [(m.head_name(h, cut.heads), row) for cut in cuts for h, row in enumerate(cut.weights_hts[:, m.t])]
    shapes = "; ".join(f"{m.cut_name(cut.heads)}: d_k = {cut.width}" for cut in cuts)
    return [
        m.lead(),
        m.formula(shapes=shapes),
        m.weights_chart(m.say("chart"), rows, form),
        m.spread(m.say("spread"), "head", rows, form),
        m.words("words"),
        *_gives(m, comparison),
        Text(m.all["not_shown_short"], "look", m.all["not_shown"]),
    ]


def _gives(m: Making, comparison: Comparison) -> list[Block]:
    """What a head's favourites get from it, and what they get in the cut with the fewest heads."""
    base, *others = comparison.cuts
    form = m.form(*(cut.weights_hts for cut in comparison.cuts))
    blocks: list[Block] = []
    for cut in others:
        for h, row in enumerate(cut.weights_hts[:, m.t]):
            best = noticing.winners(row)
            if best.flat or len(best.places) > noticing.MOST_NAMED:
                continue
            most = base.weights_hts[:, m.t, list(best.places)].max(axis=0)
            least = listed([form(w) for w in most])
            kind = ("base_many_" if base.heads > 1 else "") + "gives"
            kind += "_each" if len(best.places) > 1 else ""
            told = {"asked": m.named(best.places), "value": form(best.value), "least": least}
            head = m.head_name(h, cut.heads).capitalize()
            named = m.cut_name(base.heads) if base.heads > 1 else m.say("base_one")
            blocks.append(m.look(kind, head=head, base=named, **told))
    return blocks[: 2 * noticing.MOST_NAMED]


def same_blocks(m: Making, comparison: Comparison) -> list[Block]:
    """The learned numbers of each cut, and what these pages do not show."""
    cuts = comparison.cuts
    example = m.example
    totals = [sum(cut.parameters.values()) for cut in cuts]
    entries = listed(
        [m.say("entry", count=counted(cut.weights_hts.size), cut=m.cut_name(cut.heads)) for cut in cuts]
    )
    blocks: list[Block] = [m.lead(), _counts(m, cuts, totals)]
    if len(set(totals)) == 1 and all(_same_columns(example, cut) for cut in cuts):
        blocks.append(m.look("equal", count=counted(totals[0])))
    drawn = example.row_maker is not None
    kind = "by_hand" if example.built_by_hand else "by_chance" if drawn else "given"
    return [
        *blocks,
        m.look("output"),
        m.look("entries", entries=entries),
        Text(m.say(kind, own=m.cut_name(example.heads)), "look", m.all["not_shown"]),
    ]


def _counts(m: Making, cuts: tuple[Cut, ...], totals: list[int]) -> Listing:
    """Each matrix's shape and size in each cut."""
    columns = [m.say("matrix")]
    for cut in cuts:
        columns += [m.cut_name(cut.heads), m.say("numbers")]
    rows = []
    for name in MATRICES:
        cells = [name.replace("_", "^")]
        for cut in cuts:
            *heads, inner, outer = cut.trace[name].values.shape
            told = {"heads": heads[0] if heads else 1, "rows": inner, "columns": outer}
            cells += [m.say("block" if heads else "whole", **told), counted(cut.parameters[name])]
        rows.append(tuple(cells))
    total = [cell for count in totals for cell in ("", counted(count))]
    rows.append((m.all["sum"], *total))
    right = tuple(range(2, len(columns), 2))
    return Listing(m.say("table"), tuple(columns), tuple(rows), right=right, total=1)


def _same_columns(example: Example, cut: Cut) -> bool:
    """Whether the heads' matrices side by side are the example's own, number for number."""
    return all(
        np.array_equal(pack_columns(cut.trace[name].values), getattr(example, name))
        for name in ("W_Q", "W_K", "W_V")
    )


_BLOCKS: dict[str, Callable[[Making, Comparison], list[Block]]] = {
    "budgets": budgets_blocks,
    "added": added_blocks,
    "divisor": divisor_blocks,
    "same": same_blocks,
}
