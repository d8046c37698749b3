"""Whose a notebook is, by its folders: a folder a student, or a folder a lesson with students in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from ...course.lesson import lessons
from ...errors import InputError
from .names import plain, student_of, without_lesson
from .wording import say

NBGRADER = "submitted"
_LESSON_WORDS = r"(lesson|lektion|leçon|lección|lezione|week|unit|chapter|module|part|l)?[ _.-]*0*"


class Placed(NamedTuple):
    """A notebook by its path, and the lesson it is, "" for none."""

    path: PurePosixPath
    lesson: str


def owners_of(placed: Sequence[Placed], whole: str) -> list[str]:
    """The student of each notebook; ``whole`` is the name of all that was handed in.

    Raises InputError where the folders do not say whether they are students or lessons.
    """
    top = _top([one.path for one in placed])
    inner = [Placed(one.path.relative_to(top), one.lesson) for one in placed]
    heads = {one.path.parts[0]: None for one in inner if len(one.path.parts) > 1}
    of_lessons = [head for head in heads if _is_lesson(head, inner)]
    others = [head for head in heads if head not in of_lessons]
    if of_lessons and others:
        raise InputError(say("mixed_folders", "collecting", lesson=of_lessons[0], other=others[0]))
    if not of_lessons and _look_like_lessons(list(heads), inner):
        raise InputError(say("unclear_folders", "collecting", one=others[0], two=others[1]))
    if of_lessons:
        _check_named(of_lessons, inner)
    skipped = 1 if of_lessons else 0
    return [_owner(one, skipped if len(one.path.parts) > 1 else 0, whole) for one in inner]


def _owner(one: Placed, skipped: int, whole: str) -> str:
    """The first folder's name after those to be skipped, else what the file's name says beside the lesson."""
    parts = one.path.parts[skipped:]
    if len(parts) > 1:
        return student_of(parts[0])
    return _named_in_file(one) or whole


def _named_in_file(one: Placed) -> str:
    left = without_lesson(one.path.stem, one.lesson)
    return left if any(map(str.isalpha, left)) else ""


def _check_named(folders: Iterable[str], inner: Sequence[Placed]) -> None:
    """Two files without a student's name in one lesson's folder may be two students'."""
    for folder in folders:
        files = [one for one in inner if one.path.parts[0] == folder and len(one.path.parts) == 2]
        nameless = [one.path.name for one in files if not _named_in_file(one)]
        if len(nameless) > 1:
            raise InputError(say("nameless_files", "collecting", folder=folder, name=nameless[1]))


def _top(paths: list[PurePosixPath]) -> PurePosixPath:
    """The folder whose folders are the students: the top one, or the one folder that holds them all."""
    top = PurePosixPath()
    while all(len(path.parts) > len(top.parts) + 2 for path in paths):
        at = len(top.parts)
        heads = {path.parts[at] for path in paths}
        below = {path.parts[at + 1] for path in paths}
        ones = all(map(names_lesson, below)) and not _hold_students(paths, at + 1)
        if heads != {NBGRADER} and (len(heads) > 1 or len(below) < 2 or ones):
            break
        top = top / heads.pop()
    return top


def _hold_students(paths: list[PurePosixPath], at: int) -> bool:
    """Whether one of the folders at that depth holds several folders."""
    found: dict[str, set[str]] = {}
    for path in paths:
        if len(path.parts) > at + 2:
            found.setdefault(path.parts[at], set()).add(path.parts[at + 1])
    return any(len(folders) > 1 for folders in found.values())


def names_lesson(name: str) -> str:
    """The lesson that a folder is called like: "03-scores", "Lesson 3", "week_03", "3"; "" for none."""
    low = plain(name).casefold()
    for lesson in lessons():
        if lesson.name in low or re.fullmatch(f"{_LESSON_WORDS}{lesson.number}", low):
            return lesson.name
    return ""


def _is_lesson(head: str, inner: Sequence[Placed]) -> bool:
    """Whether a folder is a lesson's: by its name, and where that is a bare number by what is in it too."""
    name = names_lesson(head)
    if not plain(head).isdecimal():
        return bool(name)
    there = {one.lesson for one in inner if one.path.parts[0] == head}
    return bool(name) and there <= {name, ""}


def _look_like_lessons(heads: list[str], inner: Sequence[Placed]) -> bool:
    """Whether each folder holds another lesson, and the same several folders are in them."""
    taught = [{one.lesson for one in inner if one.path.parts[0] == head} - {""} for head in heads]
    below = [
        {one.path.parts[1] for one in inner if one.path.parts[0] == head and len(one.path.parts) > 2}
        for head in heads
    ]
    different = (
        len(heads) > 1 and all(len(one) == 1 for one in taught) and len(set.union(*taught)) == len(heads)
    )
    return different and all(len(one) > 1 for one in below) and len(set.intersection(*below)) > 1
