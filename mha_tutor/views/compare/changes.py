"""The two things that change between cuts: the dots are added, and the divisor is another one."""

from __future__ import annotations

import numpy as np

from ...cuts import Comparison, Cut, entropy
from ...texts import listed
from .. import noticing
from ..page import Band, Block, Table, Text
from ..pages.maker import shortened
from ..working import bracketed, with_rounding
from .making import Making


def added_blocks(m: Making, comparison: Comparison) -> list[Block]:
    """Each cut's dots for the chosen token, their sum, and the one head's."""
    cuts = [cut for cut in comparison.cuts if cut.heads > 1]
    names = [f"dots_{h + 1}" for h in range(cuts[0].heads)]
    parts = shortened(names, " + ") if len(cuts) == 1 else "dots_1 + ... + dots_h"
    blocks: list[Block] = [m.lead(), m.formula(parts=parts)]
    blocks += [_dots_table(m, comparison, cut) for cut in cuts]
    blocks.append(_one_sum(m, comparison, cuts[0]))
    for cut in cuts:
        told = {"cut": m.cut_name(cut.heads), "count": cut.summed_dots_ts.size}
        blocks.append(m.equal(comparison.off(cut), **told))
    if "allowed" in comparison.one.trace:
        blocks.append(m.look("mask"))
    return [*blocks, *_orders(m, comparison, cuts[0]), m.look("product")]


def _dots_table(m: Making, comparison: Comparison, cut: Cut) -> Table:
    dots_hs = cut.trace["dots"].values[:, m.t]
    values = np.concatenate(
        [dots_hs, cut.summed_dots_ts[None, m.t], comparison.one.summed_dots_ts[None, m.t]]
    )
    title = m.say("table", cut=m.cut_name(cut.heads))
    form = m.form(cut.trace["dots"].values, cut.summed_dots_ts)
    return Table(
        title=title,
        values=values,
        rows=(*(f"dots_{h + 1}" for h in range(cut.heads)), m.all["sum"], m.all["one_head"]),
        columns=m.tokens,
        bands=(Band(title, 0, len(m.tokens), form),),
        heads=(*range(cut.heads), None, None),
        total=2,
    )


def _one_sum(m: Making, comparison: Comparison, cut: Cut) -> Text:
    """The one head's largest dot product as the sum of the heads'."""
    s = noticing.winners(comparison.one.weights_hts[0, m.t]).places[0]
    terms = cut.trace["dots"].values[:, m.t, s].tolist()
    total = float(cut.summed_dots_ts[m.t, s])
    form = m.form(cut.trace["dots"].values, cut.summed_dots_ts)
    line = f"dots[{m.tokens[m.t]}, {m.tokens[s]}]: "
    line += f"{' + '.join(bracketed(form(term)) for term in terms)} = {form(total)}"
    return m.number(with_rounding(line, sum(form.rounded(term) for term in terms), total, form))


def _orders(m: Making, comparison: Comparison, cut: Cut) -> list[Block]:
    """Which token each head's dots put first, and which their sum does."""
    if cut.heads > noticing.MOST_NAMED:
        return []
    blocks: list[Block] = []
    for h, row in enumerate(cut.trace["dots"].values[:, m.t]):
        best = noticing.winners(row)
        if not best.flat and len(best.places) <= noticing.MOST_NAMED:
            told = {"asked": m.named(best.places), "head": m.head_name(h, cut.heads)}
            blocks.append(m.look("largest", **told))
    best = noticing.winners(comparison.one.summed_dots_ts[m.t])
    if blocks and not best.flat and len(best.places) <= noticing.MOST_NAMED:
        blocks.append(m.look("in_sum", asked=m.named(best.places)))
    return blocks


def divisor_blocks(m: Making, comparison: Comparison) -> list[Block]:
    """The one head's weights with its own divisor, and with each other cut's."""
    one, others = comparison.one, [cut for cut in comparison.cuts if cut.heads > 1]
    known = [one, *others]
    weights = {cut.heads: one.weights_over(cut.divisor)[0] for cut in known}
    form = m.form(*weights.values())
    rows = [
        (m.say("own" if cut is one else "series", divisor=m.divisor(cut.divisor)), weights[cut.heads][m.t])
        for cut in known
    ]
    each = [
        m.say("each", width=cut.width, divisor=m.divisor(cut.divisor), cut=m.cut_name(cut.heads))
        for cut in known
    ]
    return [
        m.lead(divisors=listed(each)),
        m.formula(),
        m.weights_chart(m.say("chart"), rows, form),
        m.spread(m.say("spread"), "divisor", rows, form),
        _scores(m, comparison, known),
        *(block for cut in others for block in _sharper(m, one, cut)),
    ]


def _scores(m: Making, comparison: Comparison, known: list[Cut]) -> Text:
    """The largest weight's score with each divisor."""
    s = noticing.winners(comparison.one.weights_hts[0, m.t]).places[0]
    dots_ts = comparison.one.summed_dots_ts
    form = m.form(dots_ts, *(dots_ts / cut.divisor for cut in known))
    lines = []
    for cut in known:
        dot, divisor = float(dots_ts[m.t, s]), cut.divisor
        line = f"{form(dot)} / {m.divisor(divisor)} = {form(dot / divisor)}"
        digits = form.rounded(dot) / float(m.divisor(divisor))
        lines.append(with_rounding(line, digits, dot / divisor, form))
    head = f"scores[{m.tokens[m.t]}, {m.tokens[s]}]"
    return m.number("\n".join([head, *lines]))


def _sharper(m: Making, one: Cut, cut: Cut) -> list[Block]:
    """What the other divisor does to the one head, and what it leaves different."""
    own_s, other_s = one.weights_hts[0, m.t], one.weights_over(cut.divisor)[0, m.t]
    form = m.form(one.weights_hts, one.weights_over(cut.divisor))
    best = noticing.winners(own_s)
    told = {"divisor": m.divisor(cut.divisor), "cut": m.cut_name(cut.heads)}
    dots_s = one.summed_dots_ts[m.t]
    if "allowed" in one.trace:
        dots_s = dots_s[one.trace["allowed"].values[m.t].astype(bool)]
    if noticing.winners(dots_s).flat:
        return [m.look("flat")]
    own_places, places = (2 ** entropy(np.stack([own_s, other_s]))).tolist()
    form_places = m.form(np.array([own_places, places]))
    kind, s = "sharper" if len(best.places) == 1 else "sharper_each", best.places[0]
    values = {"asked": m.named(best.places), "value": form(other_s[s]), "own_value": form(own_s[s])}
    went = {"own_places": form_places(own_places), "places": form_places(places)}
    left = float(np.abs(cut.weights_hts[:, m.t] - other_s).max())
    return [
        m.look(kind, **told, **values, **went),
        m.look("rest" if left > noticing.TIE else "rest_same", **told),
    ]
