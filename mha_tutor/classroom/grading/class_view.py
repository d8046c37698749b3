"""What the pages of a class show, for the terminal and for the browser."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from .marks import Marks
from .summary import revisit_first
from .unpacking import Refused
from .wording import say


class Look(NamedTuple):
    """Something a teacher should look at: whose notebook, of which lesson, and what was noted."""

    student: str
    lesson: str
    note: str


class ClassView(NamedTuple):
    """What the page shows: the marks, students' names or codes, files of theirs, and what was refused."""

    marks: Marks
    names: Mapping[str, str]
    files: Mapping[str, str]
    refused: tuple[Refused, ...]
    coded: bool

    @property
    def looks(self) -> list[Look]:
        return [look for student in self.marks.sheets for look in self._looks_of(student)]

    @property
    def refusals(self) -> list[tuple[str, str]]:
        """What was refused and why; with codes without the path, which may hold a name."""
        return [(told("a_file") if self.coded else one.path, one.reason) for one in self.refused]

    def _looks_of(self, student: str) -> Iterator[Look]:
        for sheet in self.marks.sheets[student]:
            lesson = str(sheet.lesson.number)
            for remark in sheet.remarks:
                yield Look(self.names[student], lesson, remark.words)
            if sheet.handed_in and len(sheet.copies) > 1:
                key = "counted_coded" if self.coded else "counted"
                name = sheet.copies[sheet.taken - 1]
                yield Look(self.names[student], lesson, told(key, name=name, count=len(sheet.copies)))
        for path, trouble in self.marks.strays[student]:
            yield Look(self.names[student], "", trouble if self.coded else f"{path}: {trouble}")


def told(key: str, **values: object) -> str:
    """The sentence of that key from the class's part of the texts."""
    return say(key, "class", **values)


def percent(done: int, count: int) -> str:
    """A share in whole per cent."""
    return f"{done / count:.0%}" if count else "-"


def totals(marks: Marks) -> tuple[int, int, int]:
    """Notebooks that count, exercises done, and exercises in all."""
    sheets = [sheet for some in marks.sheets.values() for sheet in some]
    done = sum(sheet.points for sheet in sheets)
    return sum(one.handed_in for one in sheets), done, sum(len(one.verdicts) for one in sheets)


def advice(marks: Marks) -> str:
    """Which lesson to revisit first, in a sentence."""
    first = revisit_first(marks)
    if first is None:
        return told("nothing_wrong")
    lesson, count = first
    return told("first", number=lesson.number, title=lesson.title, count=count, students=len(marks.sheets))
