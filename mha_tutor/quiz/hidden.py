"""One number of a worked line hidden, to be found before ``why`` shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import exp, isfinite, sqrt

from ..explain import Cell, Why
from ..mistakes import REGISTRY, SLIPS, Mistake, Slip
from ..numbers import form_for
from ..views.working import bracketed
from .by_hand import LARGEST_SCORE, MOST_TERMS, effort
from .desk import Desk
from .question import Known, Question
from .wording import say


def hidden_product(desk: Desk, reason: Why) -> Question | None:
    """What the hidden product, divisor or sum in the making of a number is.

    None where nothing can be hidden: a given number, a copy, a sum of one product, or digits that
    do not add up as printed.
    """
    if effort(desk, reason.cell) == float("inf"):
        return None
    return {"product": _product, "scale": _divisor, "softmax": _total}.get(reason.rule, _none)(desk, reason)


def _none(desk: Desk, reason: Why) -> None:
    return None


def blank_hint(desk: Desk, reason: Why) -> str | None:
    """The formula with its numbers and one blank; None where it would say no more than the question."""
    blank = say("blank")
    if reason.rule == "product" and len(pairs := _not_zero(desk, reason)) > 1:
        terms = [*(_term(desk, pair) for pair in pairs[:-1]), blank]
        return say("terms_blank", terms=" + ".join(terms))
    if reason.rule == "scale":
        (part,) = reason.parts[0]
        return say("terms_blank", terms=f"{_written(desk, part)} / {blank}")
    if reason.rule == "softmax":
        own = exp(reason.parts[reason.place][0].value(desk.trace))
        return say("terms_blank", terms=f"{form_for([own], desk.view.decimals)(own)} / {blank}")
    return None


def _written(desk: Desk, cell: Cell) -> str:
    return bracketed(desk.form(cell.tensor)(cell.value(desk.trace)))


def _term(desk: Desk, pair: tuple[Cell, ...]) -> str:
    return " x ".join(_written(desk, cell) for cell in pair)


def _not_zero(desk: Desk, reason: Why) -> list[tuple[Cell, ...]]:
    """The pairs whose product is not 0 as printed."""

    def printed(cell: Cell) -> float:
        return desk.form(cell.tensor).rounded(cell.value(desk.trace))

    return [pair for pair in reason.parts if printed(pair[0]) * printed(pair[1]) != 0]


def _product(desk: Desk, reason: Why) -> Question | None:
    """One product that is not 0; the others and the sum are shown."""
    pairs = _not_zero(desk, reason)
    if not 2 <= len(pairs) <= MOST_TERMS:
        return None
    chosen = desk.chance.choice(pairs)
    left, right = chosen
    number = left.value(desk.trace) * right.value(desk.trace)
    terms = " + ".join(say("blank") if pair is chosen else _term(desk, pair) for pair in pairs)
    known: list[tuple[Mistake | Slip, float]] = [(SLIPS["S06"], -number)]
    return _question(
        desk, reason, "product", f"{terms} = {_result(desk, reason)}", number, lambda: known,
        f"{_term(desk, chosen)} = {form_for([number], desk.view.decimals)(number)}",
        left=desk.address(left), right=desk.address(right),
    )  # fmt: skip


def _divisor(desk: Desk, reason: Why) -> Question | None:
    """The square root of d_k."""
    (part,) = reason.parts[0]
    dot = desk.form("dots")(part.value(desk.trace))
    sizes, root = desk.sizes, reason.divisor
    wrong = {"B17": sqrt(sizes["d_model"]), "B18": sqrt(sizes["heads"]), "B20": float(sizes["d_k"])}

    def known() -> Iterator[tuple[Mistake | Slip, float]]:
        for id, number in wrong.items():
            if abs(number - root) > desk.unit:
                yield REGISTRY[id], number

    line = f"{dot} / {say('blank')} = {_result(desk, reason)}"
    found = f"sqrt({sizes['d_k']}) = {form_for([root], desk.view.decimals)(root)}"
    return _question(desk, reason, "divisor", line, root, known, found)


def _total(desk: Desk, reason: Why) -> Question | None:
    """The sum below the line of a softmax; all scores of the row are shown."""
    scores = [part[0].value(desk.trace) for part in reason.parts]
    finite = [score for score in scores if isfinite(score)]
    if max(finite) > LARGEST_SCORE:
        return None
    form, total = form_for([exp(s) for s in finite], desk.view.decimals), sum(map(exp, finite))
    if abs(sum(form.rounded(exp(s)) for s in finite) - total) > desk.unit:
        return None
    source = desk.form(reason.parts[0][0].tensor)
    listed = " + ".join(f"exp({source(s)})" for s in finite)
    values = " + ".join(form(exp(s)) for s in finite)
    own = form(exp(scores[reason.place]))
    known = [(SLIPS["S07"], total - exp(s)) for s in finite if exp(s) > desk.unit]
    line = f"{own} / {say('blank')} = {_result(desk, reason)}\n{listed} = {values}"
    return _question(desk, reason, "total", line, total, lambda: known, f"{values} = {form(total)}")


def _result(desk: Desk, reason: Why) -> str:
    return desk.form(reason.cell.tensor)(reason.cell.value(desk.trace))


def _question(
    desk: Desk, reason: Why, topic: str, line: str, number: float, known: Callable[[], Known], found: str,
    **more: object,
) -> Question:  # fmt: skip
    fill = desk.fill(0, address=desk.address(reason.cell), line=line, blank=say("blank"), **more)
    return desk.question(
        topic, "why", reason.cell.tensor, fill, right=(number,), known=known, worked=(found,)
    )
