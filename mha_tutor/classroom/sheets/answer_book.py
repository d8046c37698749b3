"""The answer sheets of a class as data: one line a sheet, what to say, then every item of every sheet."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from io import StringIO
from typing import NamedTuple

from ...mistakes import REGISTRY, SLIPS
from ...texts import texts
from .answers import Answer, AnswerSheet

Rows = tuple[tuple[str, ...], ...]
MOST_WRONG = 8  # numbers a row without a star; with one, all

CSV_COLUMNS = (
    "code", "student", "item", "place", "answer", "in_full", "from", "to", "worked", "wrong_numbers"
)  # fmt: skip


class Row(NamedTuple):
    """One item; ``wrong`` has pairs of a number and the mistakes that give it.

    ``more`` says how many are left out.
    """

    item: str
    place: str
    worked: str
    answer: str
    accept: str
    wrong: tuple[tuple[str, str], ...]
    more: str


class Leaf(NamedTuple):
    """The answers of one sheet."""

    code: str
    name: str
    notes: tuple[str, ...]
    rows: tuple[Row, ...]


class AnswerBook(NamedTuple):
    """All a teacher needs beside the sheets: the strip, the legend of mistakes, and a leaf a sheet."""

    title: str
    lead: tuple[str, ...]
    strip_columns: tuple[str, ...]
    strip: Rows
    legend: Rows
    leaves: tuple[Leaf, ...]


def answer_book(sheets: Sequence[AnswerSheet], names: Sequence[str]) -> AnswerBook:
    """The book of those sheets, which all ask the same stages; ``names`` may be empty texts."""
    say = texts("sheet")["answers"]
    count = say["sheets_one"] if len(sheets) == 1 else say["sheets"].format(count=len(sheets))
    telling = [[answer for answer in sheet.answers if answer.telling] for sheet in sheets]
    strip = tuple(
        (sheet.variant.code, name, *(answer.number for answer in told))
        for sheet, name, told in zip(sheets, names, telling, strict=True)
    )
    return AnswerBook(
        say["title"],
        (say["lead"].format(size=sheets[0].variant.size, count=count), say["strip_note"]),
        (say["code"], say["student"], *(answer.item.name for answer in telling[0])),
        strip,
        _legend(sheets),
        tuple(_leaf(sheet, name) for sheet, name in zip(sheets, names, strict=True)),
    )


def answers_csv(sheets: Sequence[AnswerSheet], names: Sequence[str]) -> str:
    """One line an item: code, student, item, place, answer, range, wrong numbers with their mistakes."""
    file = StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(CSV_COLUMNS)
    for sheet, name in zip(sheets, names, strict=True):
        start = sheet.variant.code, _harmless(name)
        writer.writerows([*start, *_csv_cells(answer)] for answer in sheet.answers)
    return file.getvalue()


def _csv_cells(answer: Answer) -> tuple[str, ...]:
    it = answer
    return it.item.name, it.place, it.number, it.full, it.low, it.high, it.worked, _wrongs(it)


def _harmless(name: str) -> str:
    """A name that no spreadsheet takes for a formula."""
    return f"'{name}" if name[:1] in ("=", "+", "-", "@", "\t") else name


def _leaf(sheet: AnswerSheet, name: str) -> Leaf:
    say = texts("sheet")["answers"]
    code = sheet.variant.code
    item = next(answer.item.name for answer in sheet.answers if answer.telling)
    notes = (say["walk"].format(code=code), say["judge"].format(code=code, item=item))
    return Leaf(code, name, notes, tuple(_row(answer) for answer in sheet.answers))


def _row(answer: Answer) -> Row:
    star = " *" if answer.telling else ""
    shown = answer.wrong if answer.telling else answer.wrong[:MOST_WRONG]
    wrong = tuple((wrong.number, wrong.ids) for wrong in shown)
    left = len(answer.wrong) - len(shown)
    more = texts("sheet")["answers"]["more"].format(count=left) if left else ""
    name = f"{answer.item.name}{star}"
    return Row(name, answer.place, answer.worked, answer.number, answer.accepted, wrong, more)


def _wrongs(answer: Answer) -> str:
    """Each usual wrong number and its mistakes: 6 B16; 1.50 B20."""
    return "; ".join(f"{wrong.number} {wrong.ids}" for wrong in answer.wrong)


def _legend(sheets: Sequence[AnswerSheet]) -> Rows:
    """The mistakes that occur, in the registry's order, each with its cause and what to say."""
    named = {
        mistake.id for sheet in sheets for answer in sheet.answers for wrong in answer.wrong
        for mistake in wrong.mistakes
    }  # fmt: skip
    known = [*REGISTRY.values(), *SLIPS.values()]
    return tuple(
        (mistake.id, mistake.text.cause, mistake.text.advice) for mistake in known if mistake.id in named
    )
