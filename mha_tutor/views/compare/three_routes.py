"""The pages of one projection by three routes, side by side."""

from __future__ import annotations

import numpy as np

from ...explain import Cell
from ...routes import MADE_BY, Routes
from .. import noticing
from ..page import Band, Block, Table, Text
from ..working import bracketed, with_rounding, worked
from .making import Making


def made_blocks(letter: str, m: Making, routes: Routes) -> list[Block]:
    """One projection by the three routes, side by side for the chosen head."""
    route, head = routes.made[letter], m.view.head
    told = {"letter": letter, "count": route.wide_hte.size}
    seen, e = routes.seen(head), routes.trace.sizes["d_k"]
    spans = {
        "columns": _span(m, head * e, (head + 1) * e),
        "slice": _span(m, seen.start, seen.stop),
        "small": f"{routes.width}x{e}",
    }
    return [
        m.lead(**told),
        m.formula(**told, **spans),
        _table(m, routes, letter),
        _number(m, routes, letter),
        m.equal(route.off_own, **told),
        *_differs(m, routes, letter),
        m.look("why_equal"),
        m.look("why_wrong"),
    ]


def _differs(m: Making, routes: Routes, letter: str) -> list[Block]:
    """How often and how far the third route is off: in all heads, in this one, and in its chosen row."""
    if routes.heads == 1:
        return [m.look("one_slice")]
    route, head = routes.made[letter], m.view.head
    off_hte = np.abs(route.sliced_hte - route.wide_hte) > noticing.TIE
    if not off_hte.any():
        return [m.look("same", letter=letter)]
    told = {"letter": letter, "count": off_hte.size, "different": int(off_hte.sum())}
    here = {"here": int(off_hte[head].sum()), "here_count": off_hte[head].size}
    difference = m.form(route.wide_hte, route.sliced_hte)(route.off_sliced)
    wrong = m.look("differs", difference=difference, **told, **here)
    return [wrong] if off_hte[head, m.t].any() else [wrong, m.look("row_same")]


def _span(m: Making, start: int, stop: int) -> str:
    """Columns counted from 1: columns 5 to 8."""
    return m.say("column" if stop - start == 1 else "columns", first=start + 1, last=stop)


def _table(m: Making, routes: Routes, letter: str) -> Table:
    """The chosen head's rows by each route; routes with one column each share a band."""
    parts = [array[m.view.head] for array in routes.made[letter]]
    e = parts[0].shape[1]
    form = m.form(*routes.made[letter])
    names = [m.all["routes"]["route"].format(number=i + 1) for i in range(3)]
    bands: tuple[Band, ...] = tuple(
        Band(name, i * e, (i + 1) * e, form, m.view.head) for i, name in enumerate(names)
    )
    columns = [str(j + 1) for _ in parts for j in range(e)]
    if e == 1:
        bands, columns = (Band(f"{letter}_{m.view.head + 1}", 0, 3, form, m.view.head),), names
    return Table(
        title=f"{letter}_{m.view.head + 1}",
        values=np.concatenate(parts, axis=1),
        rows=m.tokens,
        columns=tuple(columns),
        bands=bands,
        chosen=m.t,
        counted=True,
    )


def _number(m: Making, routes: Routes, letter: str) -> Text:
    """The number of the chosen row in which the third route is furthest off, by both readings."""
    head, route = m.view.head, routes.made[letter]
    off_e = np.abs(route.sliced_hte - route.wide_hte)[head, m.t]
    wide_e = route.wide_hte[head, m.t]
    e = int(np.argmax(off_e)) if off_e.max() > noticing.TIE else noticing.largest_column(wide_e)
    lines = worked(routes.trace, Cell(letter, (head, m.t, e)), m.view.decimals)
    if routes.heads == 1:
        return m.number("\n".join(lines))
    return m.number("\n".join([*lines, _sliced(m, routes, letter, e)]))


def _sliced(m: Making, routes: Routes, letter: str, e: int) -> str:
    """What the third route adds up for that number: the products of its slice."""
    example, head = routes.example, m.view.head
    seen, small = routes.seen(head), routes.small[MADE_BY[letter]]
    x_d, w_d = example.X[m.t, seen], small[head, :, e]
    form_x, form_w = m.form(example.X), m.form(getattr(example, MADE_BY[letter]))
    form = m.form(*routes.made[letter])
    pairs = [(a, b) for a, b in zip(x_d.tolist(), w_d.tolist(), strict=True) if a * b != 0]
    pairs = pairs or [(float(x_d[0]), float(w_d[0]))]
    terms = " + ".join(f"{bracketed(form_x(a))} x {bracketed(form_w(b))}" for a, b in pairs)
    total = float(routes.made[letter].sliced_hte[head, m.t, e])
    line = m.say("only", features=m.features(range(seen.start, seen.stop)), terms=terms, value=form(total))
    digits = sum(form_x.rounded(a) * form_w.rounded(b) for a, b in pairs)
    return with_rounding(line, digits, total, form)
