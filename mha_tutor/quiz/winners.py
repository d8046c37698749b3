"""Questions about the largest number of a row: which token gets it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ..attention import Array
from ..mistakes import SLIPS, Mistake, Slip
from ..mistakes.mistake import wrong_arrays
from ..texts import listed
from ..views.noticing import winners
from ..views.page import Table
from .desk import Desk
from .given import Part, beside, fact, head_names, numbered_columns, to_axis
from .question import Question
from .wording import say

MOST_PRODUCTS = 2  # places of the query that are not 0, so that it can be done by hand
Places = tuple[int, ...]


def winner_question(desk: Desk, page: str, tensor: str) -> Question | None:
    """From one token, which one has the largest dot product or weight. Any of those that tie is right."""
    tokens = desk.trace.memory_tokens
    if any(token.isdecimal() for token in tokens):  # a word could be taken for a place
        return None
    pairs = [(h, t) for h in desk.heads for t in desk.tokens]
    for h, t in desk.drawn(pairs):
        if places := _clear_winners(desk, tensor, h, t):
            break
    else:
        return None
    value = desk.form(tensor)(float(desk[tensor][h, t, places[0]]))
    tables, facts = _given(desk, tensor, h, t)
    named = listed([desk.asked(s) for s in places])
    return desk.question(
        f"winner {tensor}", page, tensor,
        desk.fill(h, token=desk.asks(t), winners=named, value=value),
        view=desk.view._replace(head=h, token=t), right=tuple(map(float, places)), accepts=say("word"),
        words=tokens, tables=tables, facts=facts, known=lambda: _known(desk, tensor, h, t, places),
    )  # fmt: skip


def _clear_winners(desk: Desk, tensor: str, h: int, t: int) -> Places:
    """The winners of a row, if a reader of the printed numbers finds the same ones; else none."""
    row, m = desk[tensor][h, t], desk.sizes["m"]
    best, form = winners(row), desk.form(tensor)
    printed_row = _printed_row(desk, tensor, h, t)
    if printed_row is None or best.flat or 2 * len(best.places) > m:
        return ()
    printed = winners(printed_row).places
    as_shown = [s for s in range(m) if form(float(row[s])) == form(best.value)]
    return best.places if best.places == printed == tuple(as_shown) else ()


def _printed_row(desk: Desk, tensor: str, h: int, t: int) -> Array | None:
    """What decides, as worked out from the printed numbers; None where that is too much by hand."""
    if tensor == "weights":
        source = desk.problem.before_softmax
        return _printed(desk, source, desk[source][h, t])
    q_e = _printed(desk, "Q", desk["Q"][h, t])
    if np.count_nonzero(q_e) > MOST_PRODUCTS:
        return None
    products: Array = _printed(desk, "K", desk["K"][desk.trace.kv_of_head[h]]) @ q_e
    return products


def _printed(desk: Desk, name: str, values: Array) -> Array:
    form = desk.form(name)
    rounded: Array = np.vectorize(form.rounded, otypes=[float])(values)
    return rounded


def _given(desk: Desk, tensor: str, h: int, t: int) -> tuple[tuple[Table, ...], tuple[str, ...]]:
    return _given_scores(desk, h, t) if tensor == "weights" else _given_rows(desk, h, t)


def _given_scores(desk: Desk, h: int, t: int) -> tuple[tuple[Table, ...], tuple[str, ...]]:
    """The scores from the token in every head: the row of the head asked for is to be found."""
    source, tokens = desk.problem.before_softmax, desk.trace.memory_tokens
    form, token = desk.form(source), desk.asks(t)
    part = Part(f"{source}, {token}", desk[source][:, t], form, tokens, "signed", to_axis())
    table = beside(head_names(desk.sizes["heads"]), [part])
    return (table,), (fact(f"{source}_{h + 1}, {token}", tokens, desk[source][h, t], form),)


def _given_rows(desk: Desk, h: int, t: int) -> tuple[tuple[Table, ...], tuple[str, ...]]:
    """The query, and all keys of its head."""
    kv, tokens = desk.trace.kv_of_head[h], desk.trace.memory_tokens
    q_e, k_se = desk["Q"][h, t], desk["K"][kv]
    columns = numbered_columns(len(q_e))
    name = f"Q_{h + 1}, {desk.asks(t)}"
    query = beside([desk.trace.tokens[t]], [Part(f"Q_{h + 1}", q_e[None], desk.form("Q"))])
    keys = beside(tokens, [Part(f"K_{kv + 1}", k_se, desk.form("K"))], counted=True)
    facts = [fact(name, columns, q_e, desk.form("Q"))]
    facts += [
        fact(f"K_{kv + 1}, {desk.asked(s)}", columns, k_se[s], desk.form("K")) for s in range(len(tokens))
    ]
    return (query, keys), tuple(facts)


def _known(
    desk: Desk, tensor: str, h: int, t: int, right: Sequence[int]
) -> Iterator[tuple[Mistake | Slip, float]]:
    """The tokens that a wrong array, or a wrong row of the right one, leads to."""
    array = desk[tensor]
    for mistake, wrong in wrong_arrays(desk.problem, tensor):
        if wrong.shape == array.shape:
            yield from ((mistake, float(s)) for s in _single(wrong[h, t]) if s not in right)
    square = array.shape[1] == array.shape[2]
    rows = {
        "S01": [array[h, :, t]] if square else [],
        "S02": [array[other, t] for other in range(len(array)) if other != h],
        "S03": [array[h, other] for other in (t - 1, t + 1) if 0 <= other < array.shape[1]],
    }
    for id, given in rows.items():
        for row in given:
            yield from ((SLIPS[id], float(s)) for s in _single(row) if s not in right)


def _single(row: Array) -> Places:
    """The one place where a row is largest; none when it ties."""
    places = () if np.isnan(row).any() else winners(row).places
    return places if len(places) == 1 else ()
