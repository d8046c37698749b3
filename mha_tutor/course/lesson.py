"""A lesson: its text, its questions and its exercises, as data."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

from ..errors import InputError
from . import material
from .flow import accidental_item
from .lists import Item, items_of
from .source import Cell, Source, read_source

KINDS = ("predict", "implement", "shape", "choose", "bug")
QUESTION_PARTS = ("recall", "warmup", "questions", "exit")
BOX_PARTS = ("card", "misconception", "reading")
EXERCISE_PARTS = ("given", "claims", "work", "check", "hints", "why", "right", "wrong")
KNOWN_PARTS = ("", "setup", *QUESTION_PARTS, *BOX_PARTS, *EXERCISE_PARTS)
HINTS = 3
FACTS = ("title", "summary", "minutes")


class Answer(NamedTuple):
    """Another answer to an exercise, for the tests: a right route, or a wrong one with its name."""

    name: str
    code: Cell


class Exercise(NamedTuple):
    """One exercise. ``wrongs`` that carry a ``cause`` are known mistakes of this exercise alone."""

    number: str
    title: str
    kind: str
    task: Cell
    given: tuple[Cell, ...]
    claims: tuple[Item, ...]
    work: Cell
    check: Cell
    hints: tuple[Item, ...]
    why: Cell
    rights: tuple[Answer, ...]
    wrongs: tuple[Answer, ...]

    @property
    def slug(self) -> str:
        """The number as part of a name: 4-2."""
        return self.number.replace(".", "-")


class Questions(NamedTuple):
    """Questions with an answer each, which the reader sees a step later."""

    part: str
    lead: str
    cell: Cell
    items: tuple[Item, ...]


Piece = Cell | Questions | Exercise


class Lesson(NamedTuple):
    """One lesson, in the order in which it is read."""

    number: int
    name: str
    title: str
    summary: str
    minutes: int
    pieces: tuple[Piece, ...]

    @property
    def exercises(self) -> tuple[Exercise, ...]:
        return tuple(piece for piece in self.pieces if isinstance(piece, Exercise))

    def exercise(self, number: str) -> Exercise:
        """The exercise of that number. Raises InputError with those there are."""
        for exercise in self.exercises:
            if exercise.number == number:
                return exercise
        there = ", ".join(exercise.number for exercise in self.exercises) or "none"
        raise InputError(f"There is no exercise {number}. Lesson {self.number} has: {there}.")


@cache
def lessons() -> tuple[Lesson, ...]:
    """All lessons, in order."""
    return tuple(read_lesson(path) for path in material.sources())


def find_lesson(number: int) -> Lesson:
    """The lesson of that number. Raises InputError with those there are."""
    paths = {_number(path): path for path in material.sources()}
    if number not in paths:
        raise InputError(f"There is no lesson {number}. Choose one of {', '.join(map(str, paths))}.")
    return read_lesson(paths[number])  # to read all of them takes ten times as long


def find_exercise(number: str) -> tuple[Lesson, Exercise]:
    """The exercise of that number, such as 4.2, and its lesson. Raises InputError."""
    lesson, point, _ = number.partition(".")
    if not point or not lesson.isdecimal():
        raise InputError(f"'{number}' is not the number of an exercise. Write it like 4.2.")
    found = find_lesson(int(lesson))
    return found, found.exercise(number)


def _number(path: Path) -> int:
    return int(path.stem[:2])


@cache
def read_lesson(path: Path) -> Lesson:
    """The lesson in that file. Raises LessonError where it is not written as a lesson must be."""
    source = read_source(path)
    facts = source.head
    if missing := [name for name in FACTS if not facts.get(name)]:
        raise InputError(f"{path.name}, line 1: the facts at the top lack '{missing[0]}'.")
    number = _number(path)
    return Lesson(
        number, path.stem, facts["title"], facts["summary"], int(facts["minutes"]), _pieces(source, number)
    )


def _pieces(source: Source, number: int) -> tuple[Piece, ...]:
    pieces: list[Piece] = []
    group: list[Cell] = []  # the cells of the exercise that is being read
    for cell in source.cells:
        if cell.markdown and (at := accidental_item(cell.text)) is not None:
            raise cell.error(
                "Markdown takes this line for an item of a list. Break the line elsewhere; "
                "a list begins after an empty line, with '- ' or '1. '.",
                at,
            )
        if cell.part not in KNOWN_PARTS:
            raise cell.error(f'part="{cell.part}" is not known; choose one of {", ".join(KNOWN_PARTS[1:])}.')
        if "exercise" in cell.attributes or (group and cell.part not in EXERCISE_PARTS):
            pieces += [_exercise(group, number)] if group else []
            group = []
        if "exercise" in cell.attributes:
            group = [cell]
        elif group:
            group.append(cell)
        elif cell.part in QUESTION_PARTS:
            lead, items = items_of(cell)
            pieces.append(Questions(cell.part, lead, cell, items))
        elif cell.part in EXERCISE_PARTS:
            raise cell.error(
                f'part="{cell.part}" belongs to an exercise; begin one with exercise="{number}.1".'
            )
        else:
            pieces.append(cell)
    return (*pieces, *([_exercise(group, number)] if group else []))


def _exercise(group: list[Cell], lesson: int) -> Exercise:
    task, *rest = group
    name = task.attributes["exercise"]
    if not name.startswith(f"{lesson}.") or not name.partition(".")[2].isdecimal():
        raise task.error(f'exercise="{name}" does not belong to lesson {lesson}; write it like {lesson}.1.')
    if task.attributes.get("kind") not in KINDS or not task.attributes.get("title"):
        raise task.error(f'exercise {name} needs a title="..." and a kind="...": one of {", ".join(KINDS)}.')

    def one(part: str) -> Cell:
        found = [cell for cell in rest if cell.part == part]
        if len(found) != 1:
            raise task.error(f'exercise {name} needs one cell with part="{part}"; it has {len(found)}.')
        return found[0]

    def answers(part: str) -> tuple[Answer, ...]:
        found = [cell for cell in rest if cell.part == part]
        if nameless := [cell for cell in found if not cell.attributes.get("name")]:
            raise nameless[0].error(f'a cell with part="{part}" needs a name="...".')
        return tuple(Answer(cell.attributes["name"], cell) for cell in found)

    hints = items_of(one("hints"))[1]
    if len(hints) != HINTS:
        raise one("hints").error(
            f"exercise {name} needs {HINTS} hints, a list item each; found {len(hints)}."
        )
    claims = [cell for cell in rest if cell.part == "claims"]
    return Exercise(
        number=name,
        title=task.attributes["title"],
        kind=task.attributes["kind"],
        task=task,
        given=tuple(cell for cell in rest if cell.part == "given"),
        claims=items_of(claims[0])[1] if claims else (),
        work=one("work"),
        check=one("check"),
        hints=hints,
        why=one("why"),
        rights=answers("right"),
        wrongs=answers("wrong"),
    )
