"""Questions about the output as a sum over heads: all of them, or without those that are removed."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..ablation import head_terms
from ..explain import Cell
from ..mistakes import SLIPS, Slip
from ..texts import listed
from .desk import Desk
from .given import Part, beside, fact, head_names
from .question import Question


def sum_over_heads_question(desk: Desk, page: str) -> Question | None:
    """One number of the output, from what each head adds to it."""
    if desk.sizes["heads"] == 1 or desk.trace.removed:
        return None
    everyone = tuple(range(desk.sizes["heads"]))
    if (cell := _cell(desk, everyone)) is None:
        return None
    return _question(desk, page, "number sum", cell, everyone)


def without_question(desk: Desk, page: str) -> Question | None:
    """One number of the output once some heads are removed, from what each head would add."""
    removed = desk.trace.removed
    left = tuple(h for h in range(desk.sizes["heads"]) if h not in removed)
    if not removed or not left or (cell := _cell(desk, left)) is None:
        return None
    return _question(desk, page, "number without", cell, left)


def _cell(desk: Desk, heads: tuple[int, ...]) -> Cell | None:
    """A number that these heads give in full and as printed; of all heads, several have a part in it."""
    form, adds_htd = desk.form("output"), head_terms(desk["mixed"], desk["W_O"])
    for cell in desk.cells("output"):
        t, d = cell.index
        adds_h = adds_htd[:, t, d]
        digits = sum(form.rounded(x) for x in adds_h[list(heads)].tolist())
        full = cell.value(desk.trace)
        several = np.count_nonzero(np.abs(adds_h) > desk.unit) > 1
        changed = len(heads) == len(adds_h) or abs(adds_h.sum() - full) > 2 * desk.unit
        fits = form(digits) == form(full) and abs(digits - full) <= desk.unit
        if (
            several
            and changed
            and fits
            and form(full).strip("-0.")
            and abs(adds_h[list(heads)].sum() - full) < 1e-9
        ):
            return cell
    return None


def _question(desk: Desk, page: str, topic: str, cell: Cell, heads: tuple[int, ...]) -> Question:
    t, d = cell.index
    adds_hd = head_terms(desk["mixed"], desk["W_O"])[:, t]
    form, full = desk.form("output"), cell.value(desk.trace)
    names, features = head_names(len(adds_hd)), desk.trace["output"].axis("d").labels
    terms = " + ".join(form(x) for x in adds_hd[list(heads), d].tolist()).replace("+ -", "- ")
    removed = listed([names[h] for h in desk.trace.removed])
    whole = float(adds_hd[:, d].sum())
    fill = desk.fill(
        0, token=desk.asks(t), address=desk.address(cell), removed=removed, terms=terms,
        value=form(full), whole=form(whole),
    )  # fmt: skip

    def known() -> Iterator[tuple[Slip, float]]:
        if not desk.trace.removed:  # then the registry is asked
            return
        for h in heads:
            if abs(adds_hd[h, d]) > desk.unit:
                yield SLIPS["S08"], full - float(adds_hd[h, d])

    return desk.question(
        topic, page, "output", fill, view=desk.view._replace(token=t), right=(full,),
        cell=None if desk.trace.removed else cell, known=known,
        tables=(beside(names, [Part(desk.asks(t), adds_hd, form, features)]),),
        facts=(fact(features[d], names, adds_hd[:, d], form),),
    )  # fmt: skip
