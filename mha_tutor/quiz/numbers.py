"""Questions about one number of the walk, chosen so that it can be worked out by hand."""

from __future__ import annotations

from math import inf

import numpy as np

from .. import masks
from ..explain import Cell, why
from ..texts import listed
from ..views.pages import View
from ..views.working import worked
from .by_hand import effort
from .desk import Desk
from .hidden import blank_hint
from .question import Question
from .starts import GIVEN, Place, given_scores
from .wording import say


def number_question(desk: Desk, page: str, tensor: str) -> Question | None:
    """What one number of ``tensor`` is; None where none is worth asking."""
    if tensor == "concat" and desk.sizes["heads"] == 1:
        return None
    cell = _best(desk, tensor)
    if cell is None:
        return None
    place = _place(desk, cell)
    tables, facts = GIVEN[tensor](desk, place, cell)
    fill = desk.fill(
        place.h,
        token=desk.asks(place.t),
        asked=desk.asked(place.s),
        column=cell.index[-1] + 1,
        address=desk.address(cell),
    )
    hint = blank_hint(desk, why(desk.trace, cell))
    return desk.question(
        f"number {tensor}", page, tensor, fill, [hint] if hint else [], view=_view(desk, place, cell),
        right=(cell.value(desk.trace),), cell=cell, tables=tables, facts=facts,
        worked=worked(desk.trace, cell, desk.view.decimals),
    )  # fmt: skip


def mask_question(desk: Desk, page: str, hidden: bool) -> Question | None:
    """What stands in the masked scores where a token may not be asked, or where it may."""
    if "masked" not in desk.trace or (rule := _mask_rule(desk)) is None:
        return None
    allowed = desk["allowed"].astype(bool)
    for cell in desk.cells("masked"):
        h, t, s = cell.index
        if allowed[t, s] == hidden or allowed[t].all() or desk["scores"][cell.index] == 0:
            continue
        place, form = _place(desk, cell), desk.form("scores")
        tables, facts = given_scores(desk, place, "scores")
        fill = desk.fill(
            h, token=desk.asks(t), asked=desk.asked(s), rule=rule, address=desk.address(cell),
            value=form(float(desk["scores"][cell.index])),
        )  # fmt: skip
        return desk.question(
            "number hidden" if hidden else "number allowed", page, "masked", fill,
            view=_view(desk, place, cell), right=(cell.value(desk.trace),), cell=cell,
            tables=tables, facts=facts, accepts=desk.accepts("number_or_inf"),
        )  # fmt: skip
    return None


def _best(desk: Desk, tensor: str) -> Cell | None:
    """The first cell, in an order of chance, that is little work; failing that, the least work."""
    best, least = None, inf
    for cell in desk.cells(tensor):
        work = effort(desk, cell) if desk.is_plain(cell) else inf
        if work == 0:
            return cell
        if work < least:
            best, least = cell, work
    return best


def _place(desk: Desk, cell: Cell) -> Place:
    at = dict(zip(desk.trace[cell.tensor].letters, cell.index, strict=True))
    if "c" in at:
        at["h"], at["e"] = divmod(at["c"], desk.sizes["d_v"])
    h = at["h"] if "h" in at else next((h for h in desk.heads if _reads(desk, h, at.get("g"))), desk.heads[0])
    return Place(h, desk.trace.kv_of_head[h], at.get("t", 0), at.get("s", 0), at.get("e", 0))


def _reads(desk: Desk, head: int, kv: int | None) -> bool:
    return kv is None or desk.trace.kv_of_head[head] == kv


def _view(desk: Desk, place: Place, cell: Cell) -> View:
    """The view in which the page shows that cell in its chosen row."""
    letters = desk.trace[cell.tensor].letters
    token = place.t if "t" in letters else desk.view.token if desk.cross else place.s
    return desk.view._replace(head=place.h, token=token)


def _mask_rule(desk: Desk) -> str | None:
    """The mask in words; None when it is not one that can be said so."""
    allowed = desk["allowed"].astype(bool)
    kind = masks.kind_of(allowed)
    n, m = allowed.shape
    if not np.array_equal(masks.mask(n, m, kind), allowed):
        return None
    padded = say("padding", tokens=listed([desk.asked(s) for s in kind.padding])) if kind.padding else ""
    return "\n".join(line for line in (say("causal") if kind.causal else "", padded) if line)
