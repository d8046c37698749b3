"""A class graded from beginning to end: collect, judge what is new, put the marks together, write."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from ...course.lesson import Lesson, find_lesson, lessons
from ...errors import InputError
from .class_view import ClassView
from .collecting import Collected, Copy, collect
from .job import Found, Limits
from .judges import LOST, Judges, Work
from .kept import Kept
from .marks import marks_of
from .wording import say
from .writing import claim, write_all


class Options(NamedTuple):
    """What a teacher chose: limits, how many at a time, codes, all again, which lessons (none: all)."""

    limits: Limits
    jobs: int
    coded: bool = False
    again: bool = False
    lessons: tuple[int, ...] = ()


class News(NamedTuple):
    """A notebook that is done: the how manieth of how many, and its points of so many."""

    number: int
    total: int
    copy: Copy
    points: int
    most: int


Tell = Callable[[News], None]


class Graded(NamedTuple):
    """What came of it: what the pages show, and how many notebooks were run and how many were known."""

    view: ClassView
    run: int
    known: int


def grade(submissions: Path, out: Path, options: Options, tell: Tell) -> Graded:
    """Grade all that was handed in. ``tell`` hears of each notebook. Raises InputError.

    Whenever it is stopped, the notebooks that were done are kept in ``out`` and not run again.
    """
    collected = collect(submissions)
    wanted = _wanted(collected, options.lessons)
    claim(out, submissions)
    kept = Kept(out, options.limits)
    names = {lesson.name for lesson in wanted}
    ready = [copy for copy in collected.copies if copy.reading.lesson in names and not copy.reading.trouble]
    by_name: dict[str, list[Copy]] = {}
    for copy in ready:
        by_name.setdefault(kept.name(copy.reading), []).append(copy)
    known = {} if options.again else {name: one for name in by_name if (one := kept.find(name))}
    found = {copy.path: one for name, one in known.items() for copy in by_name[name]}
    new = [name for name in by_name if name not in known]
    _run(new, by_name, kept, options, found, tell)
    marks = marks_of(collected.copies, found, wanted)
    view = write_all(out, marks, collected.refused, coded=options.coded)
    return Graded(view, len(new), len(ready) - sum(len(by_name[name]) for name in new))


def _run(
    new: Sequence[str],
    by_name: dict[str, list[Copy]],
    kept: Kept,
    options: Options,
    found: dict[str, Found],
    tell: Tell,
) -> None:
    """Judge what is new and keep it; two students' notebooks that are the same file are judged once."""
    if not new:
        return
    works = [Work(name, by_name[name][0].reading.lesson, by_name[name][0].reading.steps) for name in new]
    with Judges(min(options.jobs, len(works)), options.limits) as judges:
        for number, (name, one) in enumerate(judges.graded(works), 1):
            if LOST not in one.remarks:
                kept.keep(name, one)
            found |= {copy.path: one for copy in by_name[name]}
            tell(News(number, len(works), by_name[name][0], one.points, len(one.verdicts)))


def _wanted(collected: Collected, numbers: Sequence[int]) -> list[Lesson]:
    """The lessons to grade: those asked for, or all that were handed in. Raises InputError."""
    there = {copy.reading.lesson for copy in collected.copies}
    handed_in = [lesson for lesson in lessons() if lesson.name in there]
    wanted = [find_lesson(number) for number in dict.fromkeys(numbers)]
    for lesson in wanted:
        if lesson not in handed_in:
            named = ", ".join(str(one.number) for one in handed_in) or "-"
            raise InputError(say("no_lesson", "collecting", number=lesson.number, there=named))
    return sorted(wanted, key=lambda lesson: lesson.number) or handed_in
