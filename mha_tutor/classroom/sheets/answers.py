"""What is right for an item, what is accepted, and which wrong numbers are usual."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ...addresses import Cell
from ...attention import Array
from ...mistakes import REGISTRY, SLIPS, Mistake, Slip, wrong_outputs
from ...mistakes.mistake import wrong_arrays
from ...numbers import DECIMALS, NumberForm
from ...texts import texts
from .items import STAGES, TENSOR_OF, Item, find_item, items, telling_items
from .variants import Variant
from .ways import Range, ranges
from .worked import paper_numbers, place, worked_line, written


class Wrong(NamedTuple):
    """A usual wrong number at an item, and the mistakes that give it."""

    number: str
    mistakes: tuple[Mistake | Slip, ...]

    @property
    def ids(self) -> str:
        return ", ".join(mistake.id for mistake in self.mistakes)


class Answer(NamedTuple):
    """An item: its number on paper, the range that is accepted, the working, and what often goes wrong.

    ``full`` is the number without rounding on the way, which the walk shows.
    """

    item: Item
    place: str
    number: str
    full: str
    low: str
    high: str
    worked: str
    wrong: tuple[Wrong, ...]
    telling: bool

    @property
    def accepted(self) -> str:
        """The range in words."""
        if self.low == self.high:
            return self.low
        return str(texts("sheet")["from_to"]).format(low=self.low, high=self.high)


class AnswerSheet:
    """The answers of one variant, for the stages asked."""

    def __init__(self, variant: Variant, stages: Sequence[str] = STAGES) -> None:
        self.variant = variant
        self.problem = variant.problem
        self.stages = tuple(stages)
        self._paper = paper_numbers(self.problem)
        self._telling = telling_items(self.problem)

    @cached_property
    def answers(self) -> tuple[Answer, ...]:
        """One for each item, in the order of the sheet."""
        return tuple(self._answer(item) for item in items(self.problem, self.stages))

    def answer(self, name: str) -> Answer:
        """The answer to the item of that name. Raises InputError."""
        return self._answer(find_item(self.problem, name))

    def range(self, cell: Cell) -> Range:
        """The numbers that are accepted at ``cell``."""
        return self._ranges(cell)

    def here(self, cell: Cell) -> Iterator[tuple[Mistake, float]]:
        """What the known mistakes of that stage give at ``cell``."""
        for mistake, wrong in self._arrays[cell.tensor]:
            yield mistake, float(wrong[cell.index])

    def earlier(self, cell: Cell) -> Iterator[tuple[Mistake, float]]:
        """What comes out at ``cell`` after a known mistake at an earlier stage of the sheet."""
        shape = self.problem[cell.tensor].shape
        on_sheet = set(TENSOR_OF.values())
        for mistake in REGISTRY.values():
            possible = mistake.single and not mistake.applies(self.problem, cell.tensor)
            if possible and set(mistake.tensors) <= on_sheet:
                for wrong in wrong_outputs(self.problem, mistake, cell.tensor):
                    if wrong.shape == shape:
                        yield mistake, float(wrong[cell.index])

    def slips(self, cell: Cell) -> Iterator[tuple[Slip, float]]:
        """What the slips give at ``cell``."""
        for slip in SLIPS.values():
            for number, _ in slip.numbers(self.problem, cell):
                yield slip, number

    @cached_property
    def _ranges(self) -> Callable[[Cell], Range]:
        return ranges(self.problem)

    @cached_property
    def _arrays(self) -> dict[str, list[tuple[Mistake, Array]]]:
        """The wrong arrays of every tensor that is asked, made once."""
        return {
            tensor: [
                (mistake, wrong)
                for mistake, wrong in wrong_arrays(self.problem, tensor)
                if mistake.single and wrong.shape == self.problem[tensor].shape
            ]
            for tensor in TENSOR_OF.values()
        }

    def _answer(self, item: Item) -> Answer:
        cell = item.cell
        accepted = self.range(cell)
        return Answer(
            item,
            place(self.problem, cell),
            written(float(self._paper[cell.tensor][cell.index])),
            written(float(self.problem[cell.tensor][cell.index])),
            written(accepted.low),
            written(accepted.high),
            worked_line(self.problem, cell, self._paper),
            tuple(self._wrong(cell, accepted)),
            item in self._telling,
        )

    def _wrong(self, cell: Cell, accepted: Range) -> Iterator[Wrong]:
        """The wrong numbers as they are written, each once, with the mistakes that give it."""
        found: dict[str, list[Mistake | Slip]] = {}
        usual: list[tuple[Mistake | Slip, float]] = [*self.here(cell), *self.slips(cell)]
        for mistake, number in usual:
            if np.isfinite(number) and not accepted.holds(number):
                known = found.setdefault(_short(number), [])
                if mistake not in known:
                    known.append(mistake)
        for text, mistakes in found.items():
            formulas = tuple(mistake for mistake in mistakes if isinstance(mistake, Mistake))
            yield Wrong(text, formulas or tuple(mistakes))


def _short(number: float) -> str:
    """A number with two decimals, or as a whole number where it is one but for the computer's noise."""
    return NumberForm(0)(number) if abs(number - round(number)) < 1e-9 else NumberForm(DECIMALS)(number)
