"""A single number, worked out on paper, held against the right one and the known wrong ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..answers import agree, half_unit, read_number, tolerance
from ..explain import Cell
from ..numbers import DECIMALS
from .diagnosis import MOST_NAMED, Diagnosis, told
from .mistake import REGISTRY, Mistake, wrong_arrays
from .problem import Problem
from .slips import SLIPS, Slip
from .whole import wrong_outputs
from .wording import say

NEAR = 3  # half units: what rounding on the way may cost


@dataclass(frozen=True)
class WrongNumber:
    """A number that a known mistake gives at one cell, and for a slip the cell it was taken from."""

    mistake: Mistake | Slip
    number: float
    source: Cell | None = None


def wrong_numbers(
    problem: Problem, cell: Cell, *, decimals: int = DECIMALS, earlier: bool = False
) -> tuple[WrongNumber, ...]:
    """What the known mistakes, then the slips, give at ``cell`` where a reader can see the difference."""
    right = float(problem[cell.tensor][cell.index])
    found = [*_formulas(problem, cell, earlier), *_slips(problem, cell)]
    return tuple(wrong for wrong in found if not agree(wrong.number, right, half_unit(decimals)))


def diagnose_number(
    given: float | str, cell: Cell, problem: Problem, *, decimals: int = DECIMALS, earlier: bool = False
) -> Diagnosis:
    """Say whether ``given`` is the number at ``cell``, to half a unit of the last printed place.

    ``given`` may be text: 0.33, 1/3, 33 %. With ``earlier``, a mistake made at an earlier stage is
    looked for when none of this stage gives the number. Raises InputError for text that is no
    number, and KeyError when the problem has no such tensor.
    """
    number = read_number(given) if isinstance(given, str) else float(given)
    right, unit = float(problem[cell.tensor][cell.index]), half_unit(decimals)
    accepted = say("tolerance", tolerance=tolerance(decimals))
    if agree(number, right, unit):
        return Diagnosis("right", say("right_number"), advice=accepted)

    matches = [
        wrong
        for wrong in wrong_numbers(problem, cell, decimals=decimals)
        if agree(number, wrong.number, unit)
    ]
    formulas = [wrong for wrong in matches if isinstance(wrong.mistake, Mistake)]
    slips = [wrong for wrong in matches if isinstance(wrong.mistake, Slip)]
    if not formulas and earlier:
        before = [
            wrong
            for wrong in wrong_numbers(problem, cell, decimals=decimals, earlier=True)
            if isinstance(wrong.mistake, Mistake) and agree(number, wrong.number, unit)
        ]
        formulas = before if len({wrong.mistake.id for wrong in before}) == 1 else []
    if formulas:
        return _named(problem, cell, formulas, accepted)
    if agree(number, right, NEAR * unit):
        return Diagnosis("near", say("near"), advice=accepted, where=cell.index)
    if slips:
        return _named(problem, cell, slips, accepted)
    return Diagnosis("number", say("unknown_number"), advice=accepted, where=cell.index)


def _named(problem: Problem, cell: Cell, wrongs: list[WrongNumber], accepted: str) -> Diagnosis:
    mistakes = tuple(dict.fromkeys(wrong.mistake for wrong in wrongs))
    if len(mistakes) > MOST_NAMED:
        return Diagnosis("number", say("many_numbers"), advice=accepted, where=cell.index)
    cause, advice = told("number_cause", mistakes)
    sources = {wrong.source for wrong in wrongs}
    if len(sources) == 1 and (source := sources.pop()) is not None:
        advice = say("source", place=problem.place(source.tensor, source.index)) + " " + advice
    return Diagnosis("number", "", cause, advice, mistakes, cell.index)


def _formulas(problem: Problem, cell: Cell, earlier: bool) -> Iterator[WrongNumber]:
    right = problem[cell.tensor]
    for mistake, wrong in wrong_arrays(problem, cell.tensor):
        if wrong.shape == right.shape and mistake.single:
            yield WrongNumber(mistake, float(wrong[cell.index]))
    for mistake in REGISTRY.values() if earlier else ():
        if mistake.single and not mistake.applies(problem, cell.tensor):
            for wrong in wrong_outputs(problem, mistake, cell.tensor):
                if wrong.shape == right.shape:
                    yield WrongNumber(mistake, float(wrong[cell.index]))


def _slips(problem: Problem, cell: Cell) -> Iterator[WrongNumber]:
    for slip in SLIPS.values():
        for number, source in slip.numbers(problem, cell):
            if not np.isnan(number):
                yield WrongNumber(slip, number, source)
