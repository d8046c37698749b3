"""The pages of three routes to Q, K and V."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from ...attention import Array
from ...explain import Cell
from ...numbers import counted
from ...routes import MADE_BY, Routes
from .. import noticing
from ..page import Band, Block, Listing, Page, Table, Text
from ..pages.maker import View
from ..working import worked
from .making import Making, bracketed, with_rounding
from .slices import seen_blocks

ROUTE_KEYS = ("q", "k", "v", "seen", "effect", "count")
PER_HEAD = ROUTE_KEYS[:-1]


def route_page(key: str, routes: Routes, view: View) -> Page:
    """The page of that key."""
    sizes = routes.trace.sizes
    told = {**sizes, "head": view.head + 1, "e": sizes["d_k"], "d": sizes["d_model"], "width": routes.width}
    section = "made" if key in _LETTERS else key
    m = Making(section, routes.example, view, told)
    per_head = key in PER_HEAD and routes.heads > 1
    return m.page(key, ROUTE_KEYS, _BLOCKS[key](m, routes), view.head if per_head else None)


def made_blocks(letter: str, m: Making, routes: Routes) -> list[Block]:
    """One projection by the three routes, side by side for the chosen head."""
    route, head = routes.made[letter], m.view.head
    differs_hte = ~np.isclose(route.sliced_hte, route.wide_hte, rtol=0, atol=noticing.TIE)
    told = {"letter": letter, "count": route.wide_hte.size}
    seen = routes.seen(head)
    e = routes.trace.sizes["d_k"]
    spans = {
        "columns": _span(m, head * e, (head + 1) * e),
        "slice": _span(m, seen.start, seen.stop),
        "small": f"{routes.width}x{e}",
    }
    if routes.heads == 1:
        wrong = m.look("one_slice")
    elif differs_hte.any():
        here = {"here": int(differs_hte[head].sum()), "here_count": differs_hte[head].size}
        difference = m.form(route.wide_hte, route.sliced_hte)(route.off_sliced)
        wrong = m.look("differs", different=int(differs_hte.sum()), difference=difference, **told, **here)
    else:
        wrong = m.look("same", **told)
    return [
        m.lead(**told),
        m.formula(**told, **spans),
        _table(m, routes, letter),
        _number(m, routes, letter),
        m.equal(route.off_own, **told),
        wrong,
        *([] if differs_hte[head, m.t].any() or routes.heads == 1 else [m.look("row_same")]),
        m.look("why_equal"),
        m.look("why_wrong"),
    ]


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


def effect_blocks(m: Making, routes: Routes) -> list[Block]:
    """The chosen head's weights by the right routes and by the third."""
    right_hts, sliced_hts = routes.weights("wide_hte"), routes.weights("sliced_hte")
    right_s, sliced_s = right_hts[m.view.head, m.t], sliced_hts[m.view.head, m.t]
    form = m.form(right_hts, sliced_hts)
    rows = [(m.say("whole"), right_s), (m.say("sliced"), sliced_s)]
    blocks: list[Block] = [m.lead(), m.formula(), m.weights_chart(m.say("chart"), rows, form)]
    if np.abs(right_s - sliced_s).max() <= noticing.TIE:
        blocks.append(m.look("one_slice" if routes.heads == 1 else "unchanged"))
    else:
        blocks.append(_most(m, right_s, sliced_s))
    weights = float(np.abs(right_hts - sliced_hts).max())
    output_td = routes.output("wide_hte") - routes.output("sliced_hte")
    output = float(np.abs(output_td).max())
    if max(weights, output) <= noticing.TIE:
        return [*blocks, m.look("nothing")]
    written = {"weights": form(weights), "output": m.form(output_td)(output)}
    return [*blocks, m.look("largest", **written)]


def _most(m: Making, right_s: Array, sliced_s: Array) -> Text:
    """Where the chosen token gives most by either reading."""
    form = m.form(right_s, sliced_s)
    right, sliced = noticing.winners(right_s), noticing.winners(sliced_s)
    return m.look(
        "most",
        asked=m.most_on(right),
        value=form(right.value),
        other=m.most_on(sliced),
        other_value=form(sliced.value),
    )


def count_blocks(m: Making, routes: Routes) -> list[Block]:
    """The sizes of the matrices that each route needs."""
    say, example = m.all["routes"], routes.example
    counts = routes.parameters()
    d, packed = example.W_Q.shape
    e = packed // routes.heads
    shapes = {"wide_hte": (1, d, packed), "own_hte": (routes.heads, d, e)}
    shapes["sliced_hte"] = (routes.heads, routes.width, e)
    rows = [
        (
            f"{i + 1}: {say[field.removesuffix('_hte')]}",
            m.say("block", heads=heads, rows=inner, columns=outer),
            f"{packed}x{d}",
            counted(counts[field]),
        )
        for i, (field, (heads, inner, outer)) in enumerate(shapes.items())
    ]
    columns = tuple(m.say(name) for name in ("route", "each", "output", "numbers"))
    right, wrong = counted(counts["wide_hte"]), counted(counts["sliced_hte"])
    blocks: list[Block] = [m.lead(), Listing(m.say("table"), columns, tuple(rows), right=(3,))]
    if example.fixed_heads:
        return [*blocks, m.look("right_fixed", count=right, wrong=wrong)]
    blocks += [m.look("right", count=right), m.look("wrong", count=wrong)]
    return [*blocks, *([m.look("one_slice")] if routes.heads == 1 else [])]


_LETTERS = {"q": "Q", "k": "K", "v": "V"}
_BLOCKS: dict[str, Callable[[Making, Routes], list[Block]]] = {
    **{key: partial(made_blocks, letter) for key, letter in _LETTERS.items()},
    "seen": seen_blocks,
    "effect": effect_blocks,
    "count": count_blocks,
}
