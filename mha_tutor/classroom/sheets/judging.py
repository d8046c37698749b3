"""A student's number held against the right one and those of the known mistakes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...addresses import Cell
from ...answers import half_unit, read_number
from ...mistakes import Diagnosis, Mistake, Slip
from ...mistakes.diagnosis import MOST_NAMED, told
from ...mistakes.single import NEAR
from ...mistakes.wording import say
from ...texts import texts
from .answers import Answer, AnswerSheet
from .items import find_item

Known = Sequence[tuple[Mistake | Slip, float]]


def judged(sheet: AnswerSheet, name: str, given: str) -> Diagnosis:
    """Whether ``given`` is accepted for the item of that name, or the number of which known mistake.

    Looked for, in this order: a mistake of this stage, one of an earlier stage carried on rightly, a
    number that is nearly right, a slip; then mistakes again, with numbers rounded on the way. Raises
    InputError for an item that is not there and for text that is no number.
    """
    item, number = find_item(sheet.problem, name), read_number(given)
    cell, accepted, unit = item.cell, sheet.range(item.cell), half_unit()
    if accepted.holds(number):
        words = texts("sheet")["judged"]
        return Diagnosis("right", words["right"].format(item=item.name), advice=in_range(sheet.answer(name)))
    here, earlier = list(sheet.here(cell)), list(sheet.earlier(cell))
    found = _named(here, number, unit) or _named(earlier, number, unit, most=1)
    if not found and accepted.low - NEAR * unit <= number <= accepted.high + NEAR * unit:
        return Diagnosis("near", say("near"), advice=in_range(sheet.answer(name)), where=cell.index)
    found = found or _named(sheet.slips(cell), number, unit)
    reach = unit + _slack(sheet, cell)
    found = found or _nearest(here, number, reach) or _nearest(earlier, number, reach)
    return found or Diagnosis("number", say("unknown_number"), where=cell.index)


def in_range(answer: Answer) -> str:
    """The right number, and where it is not exact, the range that is accepted."""
    key = "exact" if answer.low == answer.high else "range"
    sentence: str = texts("sheet")["judged"][key]
    return sentence.format(number=answer.number, full=answer.full, low=answer.low, high=answer.high)


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
