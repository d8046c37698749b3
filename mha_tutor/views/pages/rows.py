"""The pages of rows: X, and its projections Q, K and V."""

from __future__ import annotations

import numpy as np

from ...attention import Array
from ...texts import head_name, listed
from .. import noticing
from ..page import Block, Formula, Text
from ..working import tick
from .maker import Maker, have_names


def embed_blocks(m: Maker) -> list[Block]:
    x_td = m.values["X"]
    row, features = x_td[m.t], m.labels("d")
    named = have_names(features)
    form = m.form(x_td)
    best = noticing.largest_column(row)
    blocks: list[Block] = [
        Text(m.trace.sentence, "lead", m.say("sentence")),
        m.lead(),
        Formula("X", f"X {x_td.shape[0]}x{x_td.shape[1]}"),
        m.table("X", x_td, "td"),
        m.number("X", m.t, best),
    ]
    if m.cross:
        blocks.append(m.look("memory", m=len(m.asked)))
    carried = [f"{features[j]} {form(row[j])}" for j in np.flatnonzero(row)]
    if not carried:
        blocks.append(m.look("empty"))
    elif named and len(carried) <= 2 * noticing.MOST_NAMED:
        blocks.append(m.look("carries", features=listed(carried)))
    if pair := noticing.twins(m.trace.tokens):
        a, b = pair
        differ = [features[j] for j in np.flatnonzero(x_td[a] != x_td[b])]
        names = {"first": m.named([a], m.trace.tokens), "second": m.named([b], m.trace.tokens)}
        if not differ:
            blocks.append(m.look("twins_equal", **names))
        elif named:
            blocks.append(m.look("twins", features=listed(differ), **names))
    if m.example.other_sentence and m.example.words:
        blocks.append(m.look("other_sentence"))
    if m.example.unknown:
        tokens = listed([tick(token) for token in m.example.unknown])
        blocks.append(m.look("unknown" if m.example.position else "unknown_nothing", tokens=tokens))
    if m.cross:
        blocks.append(m.table("X_memory", m.values["X_memory"], "sd"))
    return blocks + [Text(note, "look", m.all["look"]) for note in m.example.notes]


def project_blocks(m: Maker) -> list[Block]:
    w_q, w_k = m.values["W_Q"][m.head], m.values["W_K"][m.kv]
    q, k = m.values["Q"][m.head], m.values["K"][m.kv]
    i, g = m.i, m.kv + 1
    own = [("Q", m.head, f"Q_{i}")]
    shared = [("K", m.kv, f"K_{g}"), ("V", m.kv, f"V_{g}")]
    matrices = m.side_by_side(
        "d", ("W_Q", m.head, f"W_{i}^Q"), ("W_K", m.kv, f"W_{g}^K"), ("W_V", m.kv, f"W_{g}^V")
    )
    made = [m.side_by_side("t", *own), m.side_by_side("s", *shared)]
    if not m.cross:
        made = [m.side_by_side("t", *own, *shared)]
    column = noticing.largest_column(q[m.t])
    blocks: list[Block] = [
        m.lead(*_lead_names(m)),
        m.formula(kv=g),
        *made,
        m.number("Q", m.head, m.t, column),
    ]
    features = m.labels("d")
    read = [noticing.rows_read(w) for w in (w_q, w_k)]
    if all(len(rows) == len(features) for rows in read):
        blocks.append(m.look("reads_all"))
    elif all(0 < len(rows) <= 2 * noticing.MOST_NAMED for rows in read):
        query, key = (listed([features[j] for j in rows]) for rows in read)
        blocks.append(m.look("reads_some", query_features=query, key_features=key))
    if not q[m.t].any():
        blocks.append(m.look("no_query"))
    else:
        blocks += _best_fit(m, q[m.t], k)
    if m.cross:
        blocks.append(m.look("cross"))
    if m.biased:
        blocks.append(m.look("biased"))
    return [*blocks, *_sharing(m), matrices]


def _lead_names(m: Maker) -> list[str]:
    """What is said first: whose rows become what, and what the other heads do."""
    lead = "lead_cross" if m.cross else "lead"
    if m.heads == 1:
        return [lead]
    return [lead, "others" if m.trace.sizes["kv_heads"] == m.heads else "others_shared"]


def _best_fit(m: Maker, q_e: Array, k_se: Array) -> list[Block]:
    """In which column the query meets its best key, where that decides the largest dot product."""
    s, e = (int(i) for i in np.unravel_index(int(np.argmax(q_e * k_se)), k_se.shape))
    if q_e[e] * k_se[s, e] <= 0 or s not in noticing.winners(q_e @ k_se.T).places:
        return []
    q, k = m.form(m.values["Q"])(q_e[e]), m.form(m.values["K"])(k_se[s, e])
    return [m.look("meets", asked=m.named([s]), column=e + 1, q=q, k=k)]


def _sharing(m: Maker) -> list[Block]:
    """Which heads read the same keys and values, and what that saves."""
    sizes = m.trace.sizes
    if sizes["kv_heads"] == m.heads:
        return []
    sharing = [h for h, kv in enumerate(m.trace.kv_of_head) if kv == m.kv]
    who = listed([head_name(h) for h in sharing])
    kept, full = (count * (sizes["d_k"] + sizes["d_v"]) for count in (sizes["kv_heads"], m.heads))
    return [
        m.look("shared", heads=who, count=len(sharing)),
        m.look("pooled"),
        m.look("saves", kept=kept, full=full),
    ]
