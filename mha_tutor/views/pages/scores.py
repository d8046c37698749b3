"""The pages between queries and weights: dot products, scaling, the mask."""

from __future__ import annotations

import numpy as np

from ... import masks
from ...addresses import Cell, address
from .. import noticing
from ..page import Block, FirstFit
from .maker import Maker, joined


def dots_blocks(m: Maker) -> list[Block]:
    dots_ts = m.values["dots"][m.head]
    form = m.form(m.values["dots"])
    best = noticing.winners(dots_ts[m.t])
    s = best.places[0]
    q = m.side_by_side("t", ("Q", m.head, f"Q_{m.i}"))
    k = m.side_by_side("s", ("K", m.kv, f"K_{m.kv + 1}"))
    dots = m.score_table("dots")
    blocks: list[Block] = [
        m.lead(),
        m.formula(kv=m.kv + 1),
        FirstFit(((joined(q, dots), k), (joined(q, dots),), (dots,))),
        m.number("dots", m.head, m.t, s),
    ]
    if best.flat:
        return [*blocks, m.look("all_equal", value=form(best.value))]
    blocks.append(m.look("largest", value=form(best.value), asked=m.named(best.places)))
    if not m.cross and form(dots_ts[m.t, s]) != form(dots_ts[s, m.t]):
        there, back = (address(m.trace, Cell("dots", (m.head, *places))) for places in ((m.t, s), (s, m.t)))
        values = {"ab": form(dots_ts[m.t, s]), "ba": form(dots_ts[s, m.t])}
        blocks.append(m.look("not_symmetric", there=there, back=back, **values))
    return blocks


def scale_blocks(m: Maker) -> list[Block]:
    dots, scores = m.values["dots"], m.values["scores"]
    divisor = float(np.sqrt(m.trace.sizes["d_k"]))
    shown = m.form(np.array([divisor]))(divisor)
    best = noticing.winners(scores[m.head, m.t])
    old, new = m.form(dots), m.form(scores)
    row = {"low": old(dots[m.head, m.t].min()), "high": old(dots[m.head, m.t].max())}
    before, after = m.score_table("dots"), m.score_table("scores")
    row |= {"new_low": new(scores[m.head, m.t].min()), "new_high": new(scores[m.head, m.t].max())}
    blocks: list[Block] = [
        m.lead("lead_single" if m.trace.sizes["d_k"] == 1 else "lead", divisor=shown),
        m.formula(divisor=shown),
        FirstFit(((joined(before, after),), (after,))),
        m.number("scores", m.head, m.t, best.places[0]),
    ]
    if not best.flat:
        blocks.append(m.look("range", **row))
    if m.trace.sizes["d_k"] != m.trace.sizes["d_model"]:
        blocks.append(m.look("width"))
    return blocks


def mask_blocks(m: Maker) -> list[Block]:
    """-inf where a token may not be asked."""
    allowed = m.values["allowed"].astype(bool)
    kind = masks.kind_of(allowed)
    before, after = m.score_table("scores"), m.score_table("masked")
    may = np.flatnonzero(allowed[m.t]).tolist()
    blocks: list[Block] = [
        m.lead(),
        m.formula(),
        FirstFit(((joined(before, after),), (after,))),
        *([m.look("causal")] if kind.causal else []),
        *([m.look("padding", tokens=m.named(kind.padding))] if kind.padding else []),
    ]
    if len(may) <= 2 * noticing.MOST_NAMED:
        blocks.append(m.look("may", count=len(may), asked=m.named(may)))
    return [*blocks, m.look("counted", blocked=int(np.logical_not(allowed).sum()), all=allowed.size)]
