"""The page of a class for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...views.page import Block, Listing, Page, Text
from .class_view import ClassView, advice, percent, told, totals
from .marks import Sheet
from .summary import COMMON, Common, Share, common_mistakes, shares

LESSONS_ABREAST = 4


def class_text(view: ClassView) -> Page:
    """The page of a class."""
    marks = view.marks
    notebooks, done, count = totals(marks)
    blocks: list[Block] = [
        Text(advice(marks), "lead"),
        _lesson_listing(shares(marks)),
        _mistake_listing(common_mistakes(marks)[:COMMON]),
        *_student_listings(view),
        *_looks(view),
    ]
    title = told("summary", students=len(marks.sheets), notebooks=notebooks, percent=percent(done, count))
    return Page("class", title, told("source"), tuple(blocks))


def _mistake_listing(found: Sequence[Common]) -> Block:
    if not found:
        return Text(told("no_mistake"))
    head = (told("mistake"), told("count"), told("lesson"))
    rows = tuple((one.known.title, str(len(one.students)), str(one.known.lesson)) for one in found)
    return Listing(told("mistakes"), head, rows, right=(1, 2))


def _looks(view: ClassView) -> Iterator[Listing]:
    if looks := view.looks:
        head = (told("student"), told("lesson"), told("note"))
        yield Listing(told("looks"), head, tuple(map(tuple, looks)))
    if view.refused:
        yield Listing(told("refused"), (told("refused_file"), told("refused_why")), tuple(view.refusals))


def _lesson_listing(found: Sequence[Share]) -> Listing:
    head = (told("lesson"), told("handed_in"), told("done"), told("again"))
    rows = [
        (
            f"{one.lesson.number} {one.lesson.title}",
            str(one.handed_in),
            percent(one.done, one.most),
            str(len(one.revisit)),
        )
        for one in found
    ]
    return Listing(told("lessons"), head, tuple(rows), right=(1, 2, 3))


def _student_listings(view: ClassView) -> Iterator[Listing]:
    """Every student's points, some lessons at a time, so that a row fits the terminal."""
    for start in range(0, len(view.marks.lessons), LESSONS_ABREAST):
        some = slice(start, start + LESSONS_ABREAST)
        head = (told("student"), *(f"{told('lesson')} {one.number}" for one in view.marks.lessons[some]))
        rows = tuple(
            (view.names[student], *map(_score, sheets[some])) for student, sheets in view.marks.sheets.items()
        )
        yield Listing(told("grid"), head, rows, right=tuple(range(1, len(head))))


def _score(sheet: Sheet) -> str:
    return f"{sheet.points}/{len(sheet.verdicts)}" if sheet.handed_in else "-"
