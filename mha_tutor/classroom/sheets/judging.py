"""A student's number held against the right one and those of the known mistakes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ...addresses import Cell
from ...answers import half_unit, read_number
from ...mistakes import Diagnosis, Mistake, Slip
from ...mistakes.diagnosis import MOST_NAMED, told
from ...mistakes.single import NEAR
from ...mistakes.wording import say
from ...texts import texts
from .answers import Answer, AnswerSheet
from .items import Item, find_item

_DECIMALS = re.compile(r"[-+\N{MINUS SIGN}]?[0-9]*(?:[.,]([0-9]*))?")

Known = Sequence[tuple[Mistake | Slip, float]]


def judged(sheet: AnswerSheet, name: str, given: str) -> Diagnosis:
    """Whether ``given`` is accepted for the item of that name, or the number of which known mistake.

    Looked for, in this order: the right number rounded to one decimal, a mistake of this stage, one of an
    earlier stage carried on rightly, a number that is nearly right, a slip; then mistakes again, with
    numbers rounded on the way, and last the right number rounded to a whole one. Raises InputError for
    an item that is not there and for text that is no number.
    """
    item, number = find_item(sheet.problem, name), read_number(given)
    cell, accepted, unit = item.cell, sheet.range(item.cell), half_unit()
    if accepted.holds(number):
        words = texts("sheet")["judged"]
        return Diagnosis("right", words["right"].format(item=item.name), advice=in_range(sheet.answer(name)))
    if shorter := _rounded(sheet, item, given, 1):
        return shorter
    here, earlier = list(sheet.here(cell)), list(sheet.earlier(cell))
    found = _named(here, number, unit) or _named(earlier, number, unit, most=1)
    if not found and accepted.low - NEAR * unit <= number <= accepted.high + NEAR * unit:
        return Diagnosis("near", say("near"), advice=in_range(sheet.answer(name)), where=cell.index)
    found = found or _named(sheet.slips(cell), number, unit)
    reach = unit + _slack(sheet, cell)
    found = found or _nearest(here, number, reach) or _nearest(earlier, number, reach)
    found = found or _rounded(sheet, item, given, 0)
    return found or Diagnosis("number", say("unknown_number"), where=cell.index)


def in_range(answer: Answer) -> str:
    """The right number, and where it is not exact, the range that is accepted."""
    ranging = "range_same" if answer.full == answer.number else "range"
    key = "exact" if answer.low == answer.high else ranging
    sentence: str = texts("sheet")["judged"][key]
    return sentence.format(number=answer.number, full=answer.full, low=answer.low, high=answer.high)


def _rounded(sheet: AnswerSheet, item: Item, given: str, decimals: int) -> Diagnosis | None:
    """Whether ``given``, written with that many decimals, is an accepted number rounded to them."""
    written = _DECIMALS.fullmatch(given.strip())
    if written is None or len(written[1] or "") != decimals:
        return None
    accepted, reach = sheet.range(item.cell), half_unit(decimals)
    if not accepted.low - reach <= read_number(given) <= accepted.high + reach:
        return None
    words = texts("sheet")["judged"]["rounded_one" if decimals else "rounded_none"]
    found = words.format(given=given.strip())
    return Diagnosis("near", found, advice=in_range(sheet.answer(item.name)), where=item.cell.index)


def _slack(sheet: AnswerSheet, cell: Cell) -> float:
    """How far rounding on the way may lead at that cell."""
    accepted = sheet.range(cell)
    return accepted.high - accepted.low


def _named(
    known: Iterable[tuple[Mistake | Slip, float]], number: float, reach: float, most: int = MOST_NAMED
) -> Diagnosis | None:
    """The mistakes whose numbers lie within ``reach``, in words; None where there is none, or too many."""
    near = [mistake for mistake, wrong in known if abs(wrong - number) <= reach + 1e-9]
    mistakes = tuple(dict.fromkeys(near))
    if not 1 <= len(mistakes) <= most:
        return None
    cause, advice = told("number_cause", mistakes)
    return Diagnosis("number", "", cause, advice, mistakes)


def _nearest(known: Known, number: float, reach: float) -> Diagnosis | None:
    """The one mistake whose number is nearest, if it lies within ``reach``."""
    distances = [abs(wrong - number) for _, wrong in known if abs(wrong - number) <= reach]
    return _named(known, number, min(distances), most=1) if distances else None
