"""The results as a table for a spreadsheet: a row an exercise of each student."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping

from .job import UNREADABLE
from .marks import Marks

COLUMNS = ("student", "lesson", "exercise", "points", "mistake", "state", "note")
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
BOM = "\ufeff"  # without it Excel takes the file for another encoding, and accents break


def results_csv(marks: Marks, names: Mapping[str, str]) -> str:
    """The whole table, students in the order of ``marks`` under the names they are given."""
    return csv_text([COLUMNS, *_rows(marks, names)])


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """Rows as CSV; a text that a spreadsheet would take for a formula gets an apostrophe in front."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerows([[_harmless(cell) for cell in row] for row in rows])
    return BOM + out.getvalue()


def _rows(marks: Marks, names: Mapping[str, str]) -> Iterator[tuple[object, ...]]:
    for student, sheets in marks.sheets.items():
        for sheet in sheets:
            for number, one in sheet.verdicts.items():
                mistake = " ".join(id.replace(" ", "_") for id in one.ids)
                yield names[student], sheet.lesson.name, number, one.points, mistake, one.state, one.reason
        for _, trouble in marks.strays[student]:
            yield names[student], "", "", 0, "", UNREADABLE, trouble


def as_it_was(text: str) -> str:
    """A text of such a table without the apostrophe that was put in front; one of its own stays."""
    return text[1:] if text.startswith("'") and text[1:].lstrip().startswith(FORMULA) else text


def _harmless(cell: object) -> object:
    if not isinstance(cell, str):
        return cell
    text = "".join(c if c.isprintable() else " " for c in cell)
    return f"'{text}" if cell.lstrip().startswith(FORMULA) or cell.startswith(FORMULA) else text
