"""What is given for a question about one number, a tensor at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..explain import Cell
from ..numbers import form_for
from ..views.page import Table
from .desk import Desk
from .given import Part, beside, fact, head_names, numbered_columns, to_axis

Shown = tuple[tuple[Table, ...], tuple[str, ...]]


class Place(NamedTuple):
    """A cell's places by the letters of its axes, with h and g both there."""

    h: int
    kv: int
    t: int
    s: int
    e: int


def _given_projection(name: str) -> Callable[[Desk, Place, Cell], Shown]:
    def given(desk: Desk, place: Place, cell: Cell) -> Shown:
        """The token's row standing up, beside the whole matrix."""
        query = name == "Q"
        rows_name = "X" if query or not desk.cross else "X_memory"
        number, at = (place.h, place.t) if query else (place.kv, place.s)
        row_d, w_de = desk[rows_name][at], desk[f"W_{name}"][number]
        token = desk.asks(at) if query else desk.asked(at)
        features = desk.trace["X"].axis("d").labels
        title = f"W_{number + 1}^{name}"
        row, matrix = desk.form(rows_name), desk.form(f"W_{name}")
        name_of = desk.trace.tokens if query else desk.trace.memory_tokens
        parts = [Part(rows_name, row_d[:, None], row, (name_of[at],)), Part(title, w_de, matrix)]
        column = f"{title}, {place.e + 1}"
        facts = (
            fact(f"{rows_name}, {token}", features, row_d, row),
            fact(column, features, w_de[:, place.e], matrix),
        )
        return (beside(features, parts),), facts

    return given


def _given_dots(desk: Desk, place: Place, cell: Cell) -> Shown:
    """Q and K of the head: both rows are to be found."""
    q, k = desk["Q"][place.h], desk["K"][place.kv]
    names = f"Q_{place.h + 1}", f"K_{place.kv + 1}"
    parts = [Part(names[0], q, desk.form("Q")), Part(names[1], k, desk.form("K"))]
    asks, asked = desk.trace.tokens, desk.trace.memory_tokens
    tables = (
        [beside(asks, parts[:1], counted=True), beside(asked, parts[1:], counted=True)]
        if desk.cross
        else [beside(asks, parts, counted=True)]
    )
    columns = numbered_columns(q.shape[1])
    facts = (
        fact(f"{names[0]}, {desk.asks(place.t)}", columns, q[place.t], desk.form("Q")),
        fact(f"{names[1]}, {desk.asked(place.s)}", columns, k[place.s], desk.form("K")),
    )
    return tuple(tables), facts


def given_scores(desk: Desk, place: Place, name: str) -> Shown:
    """That token's row in every head."""
    tokens, form = desk.trace.memory_tokens, desk.form(name)
    part = Part(f"{name}, {desk.asks(place.t)}", desk[name][:, place.t], form, tokens, axis=to_axis())
    label = f"{name}_{place.h + 1}, {desk.asks(place.t)}"
    line = fact(label, [desk.asked(place.s)], desk[name][place.h, place.t, [place.s]], form)
    return (beside(head_names(desk.sizes["heads"]), [part]),), (line,)


def _given_weights(desk: Desk, place: Place, cell: Cell) -> Shown:
    """The scores of the row, and their exps."""
    source, tokens = desk.problem.before_softmax, desk.trace.memory_tokens
    scores = desk[source][place.h, place.t]
    exps = np.exp(scores)
    form = form_for(exps, desk.view.decimals)
    title = f"{source}_{place.h + 1}, {desk.asks(place.t)}"
    parts = [
        Part(f"{source}_{place.h + 1}", scores[:, None], desk.form(source)),
        Part("exp", exps[:, None], form),
    ]
    facts = (fact(title, tokens, scores, desk.form(source)), fact("exp", tokens, exps, form))
    return (beside(tokens, parts, counted=True),), facts


def _given_mixed(desk: Desk, place: Place, cell: Cell) -> Shown:
    """The row of weights standing up, beside the values."""
    weights_s, v_se = desk["weights"][place.h, place.t], desk["V"][place.kv]
    tokens = desk.trace.memory_tokens
    title, values = f"weights_{place.h + 1}, {desk.asks(place.t)}", f"V_{place.kv + 1}"
    weights = Part(f"weights_{place.h + 1}", weights_s[:, None], desk.form("weights"))
    parts = [weights, Part(values, v_se, desk.form("V"))]
    facts = (
        fact(title, tokens, weights_s, desk.form("weights")),
        fact(f"{values}, {place.e + 1}", tokens, v_se[:, place.e], desk.form("V")),
    )
    return (beside(tokens, parts, counted=True),), facts


def _given_heads(desk: Desk, place: Place, cell: Cell) -> Shown:
    """The token's row from every head."""
    rows, names, form = desk["mixed"][:, place.t], head_names(desk.sizes["heads"]), desk.form("mixed")
    columns = numbered_columns(rows.shape[1])
    facts = tuple(fact(name, columns, row, form) for name, row in zip(names, rows, strict=True))
    return (beside(names, [Part(f"mixed, {desk.asks(place.t)}", rows, form)]),), facts


def _given_output(desk: Desk, place: Place, cell: Cell) -> Shown:
    """The token's row of concat standing up, beside one column of W^O."""
    t, d = cell.index
    labels = desk.trace["concat"].axis("c").labels
    feature, token = desk.trace["output"].axis("d").labels[d], desk.trace.tokens[t]
    forms = desk.form("concat"), desk.form("W_O")
    row, column = desk["concat"][t], desk["W_O"][:, d]
    parts = [
        Part("concat", row[:, None], forms[0], (token,)),
        Part("W^O", column[:, None], forms[1], (feature,)),
    ]
    facts = (
        fact(f"concat, {desk.asks(t)}", labels, row, forms[0]),
        fact(f"W^O, {feature}", labels, column, forms[1]),
    )
    return (beside(labels, parts),), facts


GIVEN: dict[str, Callable[[Desk, Place, Cell], Shown]] = {
    "Q": _given_projection("Q"),
    "K": _given_projection("K"),
    "V": _given_projection("V"),
    "dots": _given_dots,
    "scores": lambda desk, place, _: given_scores(desk, place, "dots"),
    "weights": _given_weights,
    "mixed": _given_mixed,
    "concat": _given_heads,
    "output": _given_output,
}
