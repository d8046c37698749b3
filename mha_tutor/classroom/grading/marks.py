"""The marks of a class: for each student and lesson one notebook, and a verdict an exercise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ...course.lesson import Lesson, lessons
from .collecting import Copy
from .job import DONE, NOT_STARTED, UNREADABLE, Found, Verdict
from .names import plain
from .wording import say

REMARKS = (
    "patched", "changed check", "changed given", "language", "asks", "looks", "write",
    "read", "start", "kill", "network", "native", "limits", "inside", "solutions",
    "magics", "printed", "late cell", "lost cell", "judge lost",
)  # fmt: skip
FOR_STUDENTS = ("changed check", "changed given", "language", "magics", "printed", "late cell", "lost cell")


class Remark(NamedTuple):
    """Something to know about a notebook: which kind it is, and in words."""

    key: str
    words: str

    @property
    def for_student(self) -> bool:
        """Whether it helps the one who wrote the notebook too."""
        return self.key in FOR_STUDENTS


class Sheet(NamedTuple):
    """One student's lesson: a verdict an exercise, remarks for the teacher, and the notebook that counts.

    ``copies`` are all that were handed in, ``taken`` is the number of the one that counts, from 1.
    """

    lesson: Lesson
    verdicts: dict[str, Verdict]
    remarks: tuple[Remark, ...] = ()
    copies: tuple[str, ...] = ()
    taken: int = 0

    @property
    def points(self) -> int:
        return sum(verdict.points for verdict in self.verdicts.values())

    @property
    def handed_in(self) -> bool:
        return bool(self.copies)


class Marks(NamedTuple):
    """By student, in order, all sheets, and the files that belong to no lesson with why; the lessons."""

    sheets: dict[str, tuple[Sheet, ...]]
    strays: dict[str, tuple[tuple[str, str], ...]]
    lessons: tuple[Lesson, ...]

    def all(self, lesson: Lesson) -> list[Sheet]:
        """The sheets of one lesson."""
        return [
            sheet for sheets in self.sheets.values() for sheet in sheets if sheet.lesson.name == lesson.name
        ]


def marks_of(
    copies: Sequence[Copy], found: Mapping[str, Found], wanted: Sequence[Lesson] | None = None
) -> Marks:
    """The marks out of all results; ``found`` has them by the notebook's path.

    Of several notebooks of one lesson the best counts: the one with most exercises done, then the newest.
    """
    names = {copy.reading.lesson for copy in copies}
    taught = tuple(wanted or [lesson for lesson in lessons() if lesson.name in names])
    students = list(dict.fromkeys(copy.student for copy in copies))
    sheets, strays = {}, {}
    for student in students:
        mine = [copy for copy in copies if copy.student == student]
        sheets[student] = tuple(_sheet(lesson, mine, found) for lesson in taught)
        left = [copy for copy in mine if not copy.reading.lesson]
        strays[student] = tuple((copy.path, copy.reading.trouble) for copy in left)
    return Marks(sheets, strays, taught)


def _sheet(lesson: Lesson, mine: Sequence[Copy], found: Mapping[str, Found]) -> Sheet:
    copies = [copy for copy in mine if copy.reading.lesson == lesson.name]
    if not copies:
        verdict = Verdict(NOT_STARTED, say("not_handed_in"))
        return Sheet(lesson, {one.number: verdict for one in lesson.exercises})

    def rank(copy: Copy) -> tuple[bool, int, float]:
        points = found[copy.path].points if copy.path in found else 0
        return not copy.reading.trouble, points, copy.changed

    best = max(copies, key=rank)
    return Sheet(
        lesson, _verdicts(lesson, best, found), _all_remarks(best, found),
        tuple(copy.path for copy in copies), copies.index(best) + 1,
    )  # fmt: skip


def _verdicts(lesson: Lesson, copy: Copy, found: Mapping[str, Found]) -> dict[str, Verdict]:
    verdicts = {}
    for exercise in lesson.exercises:
        number = exercise.number
        if copy.reading.trouble:
            verdicts[number] = Verdict(UNREADABLE, copy.reading.trouble)
            continue
        verdict = found[copy.path].verdicts[number]
        if verdict.state != DONE and number in copy.reading.missing:
            verdict = Verdict(NOT_STARTED, say("cell_missing"))
        verdicts[number] = verdict
    return verdicts


def _all_remarks(copy: Copy, found: Mapping[str, Found]) -> tuple[Remark, ...]:
    noted = found[copy.path].remarks if copy.path in found else ()
    return tuple(_remark(one) for one in (*copy.reading.remarks, *noted))


def _remark(noted: str) -> Remark:
    """A remark in words: what was noted starts with a key of the texts, the rest is filled in."""
    for key in REMARKS:
        if noted == key or noted.startswith(f"{key} "):
            what = plain(noted[len(key) :])
            return Remark(key, say(key.replace(" ", "_"), "remark", what=what or "-"))
    return Remark("other", say("other", "remark"))
