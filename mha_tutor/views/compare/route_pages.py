"""The pages of three routes to Q, K and V, what the wrong one does, and what it would cost."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from ...attention import Array
from ...numbers import counted
from ...routes import Routes
from .. import noticing
from ..page import Block, Listing, Page, Text
from ..pages.maker import View
from .making import Making
from .slices import seen_blocks
from .three_routes import made_blocks

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
