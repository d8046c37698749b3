"""The page of a walk without some heads: exactly their terms leave the sum."""

from __future__ import annotations

import numpy as np

from ...ablation import Ablation, ablate
from ...attention import Array
from ...numbers import NumberForm
from ...texts import head_name, listed
from .. import noticing
from ..page import Band, Bars, Block, Chart, Table, Text
from ..working import bracketed, with_rounding
from .maker import Maker, shortened

SAYS_REMOVED = ("concat", "output", "sum", "after")


def head_label(m: Maker, head: int) -> str:
    """What a table calls a head; a removed one says that it is 0."""
    name = m.all["without"]["removed"] if head in m.trace.removed else m.all["head_name"]
    return str(name).format(head=head + 1)


def removed_heads(m: Maker) -> str:
    """head 2; head 1 and head 3."""
    return listed([head_name(h) for h in m.trace.removed])


def with_removed(m: Maker, blocks: list[Block]) -> list[Block]:
    """The blocks of a page that comes after the removal, with a note of it under the lead."""
    if not m.trace.removed or m.key not in SAYS_REMOVED:
        return blocks
    say = m.all["without"]
    note = say["note_all" if len(m.trace.removed) == m.heads else "note"].format(heads=removed_heads(m))
    return [blocks[0], Text(note, "look", say["label"]), *blocks[1:]]


def without_blocks(m: Maker) -> list[Block]:
    """With all heads, without, the difference, and the terms of the removed heads."""
    found = ablate(m.trace)
    parts = shortened([f"mixed_{h + 1} W_{h + 1}^O" for h in found.removed], " + ")
    return [
        m.lead(heads=removed_heads(m)),
        m.formula(parts=parts),
        _rows(m, found),
        _one_number(m, found),
        _same_as_terms(m, found),
        _same_as_zeroed(m, found),
        *([m.look("all")] if len(found.removed) == m.heads else []),
        m.look("before"),
        *_most(m, found),
        _chart(m, found),
    ]


def _rows(m: Maker, found: Ablation) -> Table:
    """The chosen token's rows: the last ones, under a line, must be equal."""
    say = m.all["without"]
    terms = found.terms_htd[list(found.removed), m.t]
    values = [found.full_td[m.t], found.without_td[m.t], found.change_td[m.t], *terms]
    names = [
        say["full"],
        say["less"],
        say["missing"],
        *(say["term"].format(head=h + 1) for h in found.removed),
    ]
    heads: list[int | None] = [None, None, None, *found.removed]
    if len(terms) > 1:
        values, names, heads = [*values, terms.sum(axis=0)], [*names, say["terms"]], [*heads, None]
    rows = np.stack(values)
    title = m.say("table")
    return m.table(
        title,
        rows,
        "td",
        rows=tuple(names),
        bands=(Band(title, 0, rows.shape[1], m.form(rows)),),
        heads=tuple(heads),
        chosen=None,
        counted=False,
        total=len(rows) - 2,
    )


def _one_number(m: Maker, found: Ablation) -> Text:
    """The feature in which most is missing: with, minus without."""
    rows = [array[m.t] for array in (found.full_td, found.without_td, found.change_td)]
    form = m.form(np.stack([*rows, *found.terms_htd[list(found.removed), m.t]]))
    d = noticing.largest_column(rows[2])
    full, less, change = (float(row[d]) for row in rows)
    address = f"output[{m.trace.tokens[m.t]}, {m.labels('d')[d]}]"
    text = f"{address}: {form(full)} - {bracketed(form(less))} = {form(change)}"
    text = with_rounding(text, form.rounded(full) - form.rounded(less), change, form)
    return Text(text, "number", m.all["one_number"])


def _same_as_terms(m: Maker, found: Ablation) -> Text:
    what = m.say("the_term" if len(found.removed) == 1 else "the_terms", heads=removed_heads(m))
    told = {"what": what, "count": found.full_td.size}
    if found.off_term:
        return m.look("rounded", difference=f"{found.off_term:.0e}", **told)
    return m.look("equal", **told)


def _same_as_zeroed(m: Maker, found: Ablation) -> Text:
    d_v, labels = m.trace.sizes["d_v"], m.labels("c")
    blocks = [labels[h * d_v : (h + 1) * d_v] for h in found.removed]
    rows = listed(
        [block[0] if d_v == 1 else m.say("row", first=block[0], last=block[-1]) for block in blocks]
    )
    if found.off_zeroed:
        return m.look("zeroed_rounded", rows=rows, difference=f"{found.off_zeroed:.0e}")
    return m.look("zeroed", rows=rows)


def _lengths(m: Maker, found: Ablation) -> tuple[Array, Array, NumberForm]:
    """How long the missing row and the full row are for each token, and how both are written."""
    full_t = np.linalg.norm(found.full_td, axis=1)
    return found.lengths_t, full_t, m.form(np.stack([found.lengths_t, full_t]))


def _most(m: Maker, found: Ablation) -> list[Block]:
    missing_t, full_t, form = _lengths(m, found)
    best = noticing.winners(missing_t)
    if best.value == 0:
        return [m.look("nothing")]
    told = {"tokens": m.named(best.places, m.trace.tokens), "length": form(best.value)}
    if len(best.places) > 1:
        return [m.look("most_tie", **told)]
    return [m.look("most", full=form(full_t[best.places[0]]), **told)]


def _chart(m: Maker, found: Ablation) -> Chart:
    missing_t, full_t, form = _lengths(m, found)
    order = np.argsort(-missing_t.round(9), kind="stable").tolist()  # ties stay in the order of the sentence
    series = (("chart_missing", missing_t), ("chart_full", full_t))
    return Chart(
        m.say("chart"),
        m.say("chart_token"),
        tuple(f"{t + 1} {m.trace.tokens[t]}" for t in order),
        tuple(
            Bars(
                m.say(name),
                tuple(float(lengths[t]) for t in order),
                tuple(form(lengths[t]) for t in order),
                "length",
            )
            for name, lengths in series
        ),
        here=order.index(m.t),
    )
