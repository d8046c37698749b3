"""The pages of attention weights: one head's softmax, then all heads side by side."""

from __future__ import annotations

import numpy as np

from ...attention import Array
from ...numbers import NumberForm
from .. import noticing
from ..page import Block, FirstFit, HeadBars, Ribbons, place_after
from .maker import Maker, joined, shortened

MOST_HEADS = 2 * noticing.MOST_NAMED  # of which the page says a line each, and has ribbons


def softmax_blocks(m: Maker) -> list[Block]:
    weights_ts = m.values["weights"][m.head]
    form = m.form(m.values["weights"])
    row = weights_ts[m.t]
    best = noticing.winners(row)
    source = m.before_softmax
    before, after = m.score_table(source), m.score_table("weights", "weights")
    blocks: list[Block] = [
        m.lead(),
        m.formula(source=source),
        FirstFit(((joined(before, after),), (after,))),
        m.number("weights", m.head, m.t, best.places[0]),
    ]
    if "masked" in m.trace:
        blocks += _blocked(m)
    if best.flat and len(row) > 1:
        blocks.append(m.look("tie_all", count=len(row)))
    elif len(best.places) <= noticing.MOST_NAMED:
        kind = "by_hand" if m.as_built and m.trace.tokens[m.t] == m.example.start else "winner"
        kind += "s" if len(best.places) > 1 else ""
        blocks.append(m.look(kind, value=form(best.value), asked=m.named(best.places)))
    off = [t for t in (m.t, *range(len(weights_ts))) if not _digits_add_up(weights_ts[t], form)]
    if off:
        digits = sum(form.rounded(w) for w in weights_ts[off[0]])
        token = m.named([off[0]], m.trace.tokens)
        blocks.append(m.look("digits", token=token, digits=form(digits)))
    hits, of = (0, 1) if m.cross else noticing.looks_back(weights_ts)
    if hits >= 0.75 * of:
        blocks.append(m.look("previous", count=hits, of=of))
        first = noticing.winners(weights_ts[0])
        told = {"value": form(first.value), "asked": m.named(first.places)}
        kind = "first" if len(first.places) == 1 else "firsts"
        if "masked" not in m.trace:
            blocks.append(m.look(kind, token=m.named([0], m.trace.tokens), **told))
    return blocks


def _blocked(m: Maker) -> list[Block]:
    """What the mask took from the chosen token."""
    hidden = np.flatnonzero(np.logical_not(m.values["allowed"][m.t]))
    if not len(hidden):
        return [m.look("free")]
    return [m.look("blocked", count=len(hidden), m=len(m.asked))]


def _digits_add_up(row: Array, form: NumberForm) -> bool:
    return form(sum(form.rounded(w) for w in row)) == form(1.0)


def heads_blocks(m: Maker) -> list[Block]:
    weights_hs = m.values["weights"][:, m.t]
    form = m.form(m.values["weights"])
    tokens, token = m.asked, m.trace.tokens[m.t] + place_after(m.trace.tokens, m.t)
    blocks: list[Block] = [
        m.lead("lead" if m.heads > 1 else "lead_one"),
        m.formula(parts=shortened([f"weights_{h + 1}" for h in range(m.heads)], ", ")),
        HeadBars(weights_hs, tokens, form, m.head, token),
    ]
    if m.heads <= MOST_HEADS:  # of more, the same numbers again would fill screens
        blocks.append(Ribbons(weights_hs, tokens, form, token))
    if m.heads == 1:
        share = noticing.main_share(weights_hs[0])
        if len(share) > 1:
            together = form(float(weights_hs[0][list(share)].sum()))
            blocks.append(m.look("spread", asked=m.named(share), value=together))
        return blocks
    bests = [noticing.winners(row) for row in weights_hs]
    said = m.heads if m.heads <= MOST_HEADS + 1 else MOST_HEADS
    for h, best in enumerate(bests[:said]):
        told = {"head": h + 1, "value": form(best.value)}
        if best.flat:
            blocks.append(m.look("flat", **told))
        elif len(best.places) <= noticing.MOST_NAMED:
            blocks.append(m.look("most", asked=m.named(best.places), **told))
        else:
            blocks.append(m.look("tied", count=len(best.places), **told))
    if said < m.heads:
        blocks.append(m.look("more", first=said + 1, last=m.heads))
    if len({best.places for best in bests}) == 1:
        blocks.append(m.look("same", asked=m.named(bests[0].places)))
    return blocks
