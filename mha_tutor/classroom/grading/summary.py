"""What a class has done: lesson by lesson, and which mistakes it makes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ...course.flow import joined
from ...course.lesson import Exercise, Lesson, find_exercise, find_lesson
from ...course.prose import filled
from ...mistakes import REGISTRY
from ...mistakes.wording import text, text_ids
from .job import WRONG, Verdict
from .marks import Marks, Sheet
from .wording import say

COMMON = 8


class Known(NamedTuple):
    """A known mistake: its id, what it is, what to say about it, and the lesson and page that treat it.

    ``page`` is a stage of the walk, empty where there is none.
    """

    id: str
    title: str
    advice: str
    lesson: int
    page: str = ""


class Common(NamedTuple):
    """A mistake of a class: who makes it, and in which exercises it was seen."""

    known: Known
    students: tuple[str, ...]
    exercises: tuple[str, ...]


class Share(NamedTuple):
    """A lesson in a class: notebooks handed in, exercises done of all there are, who should read it again."""

    lesson: Lesson
    handed_in: int
    done: int
    most: int
    revisit: tuple[str, ...]


def known_mistakes(number: str, verdict: Verdict) -> Iterator[Known]:
    """The mistakes behind a verdict, in words."""
    exercise = find_exercise(number)[1]
    for id in verdict.ids:
        if id in text_ids():
            words = text(id)
            mistake = REGISTRY.get(id)
            lesson = mistake.lesson if mistake else _lesson(number)
            yield Known(id, words.title, words.advice, lesson, mistake.stage if mistake else "")
        else:
            title, advice = _own_words(exercise, id)
            yield Known(f"{number} {id}", title, advice, _lesson(number))


def _own_words(exercise: Exercise, id: str) -> tuple[str, str]:
    """A mistake of one exercise alone, and what to say: its cause, or the claim that was chosen."""
    for answer in exercise.wrongs:
        if answer.name == id and (cause := answer.code.attributes.get("cause")):
            return cause[:1].upper() + cause[1:], ""
    for claim in exercise.claims:
        if claim.letter == id:
            parts = (
                joined(filled(part, claim.source)).replace("**", "") for part in (claim.text, claim.behind)
            )
            return say("claim", "class", letter=id, number=exercise.number), " ".join(parts)
    return id, ""


def _lesson(number: str) -> int:
    return int(number.partition(".")[0])


def common_mistakes(marks: Marks) -> list[Common]:
    """The mistakes of a class, those of most students first."""
    who: dict[str, dict[str, None]] = {}
    where: dict[str, dict[str, None]] = {}
    known: dict[str, Known] = {}
    for student, _, number, verdict in _verdicts(marks):
        for mistake in known_mistakes(number, verdict):
            known.setdefault(mistake.id, mistake)
            who.setdefault(mistake.id, {})[student] = None
            where.setdefault(mistake.id, {})[number] = None
    found = [Common(known[id], tuple(who[id]), tuple(sorted(where[id], key=_place))) for id in known]
    return sorted(found, key=lambda one: (-len(one.students), _place(one.exercises[0]), one.known.id))


def _place(number: str) -> tuple[int, int]:
    lesson, _, place = number.partition(".")
    return int(lesson), int(place)


def shares(marks: Marks) -> list[Share]:
    """Every lesson of the marks, in order."""
    again = _to_revisit(marks)
    return [
        Share(
            lesson,
            sum(sheet.handed_in for sheet in marks.all(lesson)),
            sum(sheet.points for sheet in marks.all(lesson)),
            len(lesson.exercises) * len(marks.sheets),
            tuple(again.get(lesson.number, ())),
        )
        for lesson in marks.lessons
    ]


def revisit_first(marks: Marks) -> tuple[Lesson, int] | None:
    """The lesson that treats what most students have wrong, and how many; None where nothing is wrong."""
    again = _to_revisit(marks)
    if not again:
        return None
    number = min(again, key=lambda one: (-len(again[one]), one))
    return find_lesson(number), len(again[number])


def _to_revisit(marks: Marks) -> dict[int, list[str]]:
    """By lesson, the students with an answer that is wrong by a mistake which that lesson treats."""
    found: dict[int, dict[str, None]] = {}
    for student, sheet, number, verdict in _verdicts(marks):
        treated = {known.lesson for known in known_mistakes(number, verdict)} or {sheet.lesson.number}
        for lesson in treated if verdict.state == WRONG else ():
            found.setdefault(lesson, {})[student] = None
    return {lesson: list(students) for lesson, students in found.items()}


def _verdicts(marks: Marks) -> Iterator[tuple[str, Sheet, str, Verdict]]:
    for student, sheets in marks.sheets.items():
        for sheet in sheets:
            for number, verdict in sheet.verdicts.items():
                yield student, sheet, number, verdict
