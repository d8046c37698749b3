"""One number of a page, worked out as a line that the reader can check."""

from __future__ import annotations

from math import exp

from ..addresses import address
from ..explain import Cell, Why, why
from ..numbers import NumberForm, form_for
from ..texts import texts
from ..trace import Trace

MOST_TERMS = 6


def tick(token: str) -> str:
    """A token as texts show it."""
    return f"`{token}`"


def in_numbers(cell: Cell) -> str:
    """The address of a cell in numbers, counted from 1: weights[2, 7, 2]."""
    return f"{cell.tensor}[{', '.join(str(i + 1) for i in cell.index)}]"


def worked(trace: Trace, cell: Cell, decimals: int) -> tuple[str, ...]:
    """The cell's address, then how its number comes about, at the precision of the page."""
    reason = why(trace, cell)
    lines = [f"{address(trace, cell)}, that is {in_numbers(cell)}"]
    if reason.rule == "product":
        lines += _worked_product(trace, reason, decimals)
    elif reason.rule == "scale":
        dots, score = form_of(trace, "dots", decimals), form_of(trace, "scores", decimals)
        part, divisor = reason.parts[0][0].value(trace), form_for([reason.divisor], decimals)
        value = cell.value(trace)
        lines.append(f"{dots(part)} / {divisor(reason.divisor)} = {score(value)}")
        lines += _rounding_note(dots.rounded(part) / divisor.rounded(reason.divisor), value, score)
    elif reason.rule == "softmax":
        lines += _worked_softmax(trace, reason, decimals)
    elif reason.rule == "mask":
        form = form_of(trace, "scores", decimals)
        lines.append(form(cell.value(trace)))
    else:
        lines[0] += f" = {form_of(trace, cell.tensor, decimals)(cell.value(trace))}"
    return tuple(lines)


def form_of(trace: Trace, name: str, decimals: int) -> NumberForm:
    """How the numbers of that tensor are written."""
    return form_for(trace[name].values, decimals)


def _worked_product(trace: Trace, reason: Why, decimals: int) -> list[str]:
    """a x b + c x d ... + bias = sum; factors that make the product 0 are left out and counted."""
    left, right = (form_of(trace, reason.parts[0][side].tensor, decimals) for side in (0, 1))
    result = form_of(trace, reason.cell.tensor, decimals)
    products = [(a.value(trace), b.value(trace)) for a, b in reason.parts]
    shown = [(a, b) for a, b in products if a * b != 0]
    rest: list[tuple[float, float]] = []
    if len(shown) > MOST_TERMS:
        by_size = sorted(shown, key=lambda pair: -abs(pair[0] * pair[1]))
        keep = set(by_size[: MOST_TERMS - 1])
        shown, rest = [p for p in shown if p in keep], [p for p in shown if p not in keep]
    if not shown:
        a, b = products[0]
        shown = [(a, b)]
    say = texts("pages")
    total = reason.cell.value(trace)
    line = " + ".join(f"{bracketed(left(a))} x {bracketed(right(b))}" for a, b in shown)
    digits = sum(left.rounded(a) * right.rounded(b) for a, b in shown)
    if rest:
        rest_sum = sum(a * b for a, b in rest)
        line += " + (" + say["more_products"].format(count=len(rest), sum=result(rest_sum)) + ")"
        digits += result.rounded(rest_sum)
    if reason.bias is not None:
        bias = reason.bias.value(trace)
        line += f" + {bracketed(result(bias))}"
        digits += result.rounded(bias)
    line += f" = {result(total)}"
    zeros = len(products) - len(shown) - len(rest)
    if zeros and len(products) > 1:
        line += f"   ({say['others_zero'].format(count=zeros)})"
    return [line, *_rounding_note(digits, total, result)]


def bracketed(number: str) -> str:
    """A number as a part of a sum: negative ones in brackets."""
    return f"({number})" if number.startswith("-") else number


def _rounding_note(digits: float, full: float, form: NumberForm) -> list[str]:
    """A sentence where the printed digits, worked by hand, do not give the printed result."""
    if form(digits) == form(full):
        return []
    return [texts("pages")["rounding"].format(digits=form(digits), full=form(full))]


def with_rounding(line: str, digits: float, full: float, form: NumberForm) -> str:
    """The line, and that sentence where it is needed."""
    return "\n".join([line, *_rounding_note(digits, full, form)])


def _worked_softmax(trace: Trace, reason: Why, decimals: int) -> list[str]:
    """exp(s) / (exp(s) + ...) with equal scores taken together, then the sums, then the weight."""
    source = reason.parts[0][0].tensor
    score, weight = form_of(trace, source, decimals), form_of(trace, "weights", decimals)
    row = [part[0].value(trace) for part in reason.parts]
    own = row[reason.place]
    top = max(row)
    # Past this size exp is no number for a page; the row's maximum comes off first, as in the engine.
    shift = top if top > 20 else 0.0
    counts: dict[float, int] = {}  # of equal scores, up to the computer's rounding
    for s in row:
        if s != float("-inf"):
            counts[round(s - shift, 9)] = counts.get(round(s - shift, 9), 0) + 1
    groups = sorted(counts.items(), key=lambda item: (item[0] != round(own - shift, 9), -item[0]))
    terms = [f"exp({score(s)})" if n == 1 else f"{n} exp({score(s)})" for s, n in groups]
    if len(terms) > MOST_TERMS:
        terms = [*terms[: MOST_TERMS - 1], "..."]
    total = sum(exp(s - shift) for s in row)
    number = NumberForm(decimals)
    value = reason.cell.value(trace)
    lines = [
        f"exp({score(own - shift)}) / ({' + '.join(terms)})",
        f"= {number(exp(own - shift))} / {number(total)} = {weight(value)}",
    ]
    if shift:
        lines.insert(0, texts("pages")["softmax"]["shift"].format(top=score(top)))
    from_digits = number(exp(score.rounded(own - shift)))
    if from_digits != number(exp(own - shift)):
        told = {"score": score(own - shift), "digits": from_digits, "full": number(exp(own - shift))}
        lines.append(texts("pages")["softmax"]["exp_note"].format_map(told))
    digits = number.rounded(exp(own - shift)) / max(number.rounded(total), 1e-300)
    return lines + _rounding_note(digits, value, weight)
