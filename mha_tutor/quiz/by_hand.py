"""Whether a number can be had by hand from what is printed, and how much work it is."""

from __future__ import annotations

from math import exp, inf, isfinite

import numpy as np

from ..explain import Cell, Why, why
from ..numbers import NumberForm, form_for
from .desk import Desk

MOST_TERMS = 6
FEW_TERMS = range(2, 5)
LARGEST_SCORE = 20  # past it, exp is no number for paper


def effort(desk: Desk, cell: Cell) -> float:
    """How much work the number is, less being better: inf for one that must not be asked.

    That is a number which nothing is to be worked out for, which prints as 0, or which comes out
    differently from the printed digits.
    """
    reason = why(desk.trace, cell)
    terms, digits = _from_digits(desk, reason)
    if not terms or not _fits(digits, cell.value(desk.trace), desk.form(cell.tensor), desk.unit):
        return inf
    if reason.rule == "scale" and _is_tie(digits, desk.form("scores")):
        return inf
    if reason.rule == "softmax" and desk.form("weights").rounded(digits) in (0, 1):
        return inf
    return 0 if terms in FEW_TERMS else terms


def _fits(digits: float, full: float, form: NumberForm, unit: float) -> bool:
    """Whether both round to the same number, which is not 0."""
    if not isfinite(digits) or form(full).strip("-0.") == "":
        return False
    return abs(digits - full) <= unit and form(digits) == form(full)


def _is_tie(digits: float, form: NumberForm) -> bool:
    """Whether it lies halfway between two printed numbers, so that some round it up and some down."""
    steps = abs(digits) * 10.0**form.decimals
    return abs(steps % 1 - 0.5) < 1e-6


def _from_digits(desk: Desk, reason: Why) -> tuple[int, float]:
    """How many terms there are to work out, and what the printed digits give; no terms: do not ask."""
    if reason.rule == "product" and reason.bias is None:
        return _product(desk, reason)
    if reason.rule == "scale":
        return _scale(desk, reason)
    if reason.rule == "softmax":
        return _softmax(desk, reason)
    number = reason.cell.value(desk.trace)
    return int(reason.rule == "copy"), desk.form(reason.cell.tensor).rounded(number)


def _product(desk: Desk, reason: Why) -> tuple[int, float]:
    pairs = [tuple(desk.form(c.tensor).rounded(c.value(desk.trace)) for c in pair) for pair in reason.parts]
    terms = [(a, b) for a, b in pairs if a * b != 0]
    trivial = len(terms) == 1 and {abs(x) for x in terms[0]} & {1.0}
    return 0 if trivial or len(terms) > MOST_TERMS else len(terms), sum(a * b for a, b in terms)


def _scale(desk: Desk, reason: Why) -> tuple[int, float]:
    """Whether the root is taken as printed or in full must not matter."""
    dot = desk.form("dots").rounded(reason.parts[0][0].value(desk.trace))
    root, unit = reason.divisor, desk.unit
    printed = form_for([root], desk.view.decimals).rounded(root)
    if printed in (0, 1):
        return 0, 0.0
    form = desk.form("scores")
    same = form(dot / printed) == form(dot / root) and abs(dot / printed - dot / root) <= unit
    return (2 if same else 0), dot / root


def _softmax(desk: Desk, reason: Why) -> tuple[int, float]:
    """The number of different scores; a weight of a token that alone may be asked is no question."""
    scores = np.array([part[0].value(desk.trace) for part in reason.parts])
    kept = scores[np.isfinite(scores)]
    if len(kept) < 2 or kept.max() > LARGEST_SCORE or not np.isfinite(scores[reason.place]):
        return 0, 0.0
    form = form_for(np.exp(kept), desk.view.decimals)
    exps = [form.rounded(exp(score)) for score in kept]
    number = form.rounded(exp(scores[reason.place])) / sum(exps) if sum(exps) else inf
    source = desk.form(reason.parts[0][0].tensor)
    different = len({source(score) for score in kept})
    return (0 if different > MOST_TERMS else 2 if different == 1 else different), number
