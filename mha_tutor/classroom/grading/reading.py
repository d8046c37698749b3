"""A notebook that was handed in, as the cells to run; all else of it is forgotten at once."""

from __future__ import annotations

import ast
import hashlib
import re
from functools import cache
from typing import Any, NamedTuple, Self

from ...course.blanks import solved
from ...course.lesson import find_lesson, lessons
from ...course.merging import FIRST_LINE, lesson_name, merged, parse_notebook, places, pristine, text_of
from ...errors import InputError
from .job import Step
from .wording import say

PRINT = 16  # hex digits of a fingerprint
OLD_FORMAT = "worksheets"
# What an added cell may look for answers with. The line that a lesson begins with is none of it.
_LOOKS = re.compile(
    r"mha_tutor\s*\.\s*course(?!\s+import\s+check\s*$)|mha_tutor\s+import\s+course"
    r"|\bimportlib\b|\bimport_module\b|__import__|\bsys\s*\.\s*modules\b",
    re.MULTILINE,
)


class Reading(NamedTuple):
    """A notebook's lesson by name ("" for none), its cells, and what is to be said about it.

    ``trouble`` says why it cannot be graded; ``missing`` are exercises without a work cell.
    """

    lesson: str
    fingerprint: str
    steps: tuple[Step, ...] = ()
    missing: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    trouble: str = ""

    @classmethod
    def broken(cls, name: str, trouble: str, fingerprint: str = "") -> Self:
        """A file that cannot be graded; its name may still say which lesson it was to be."""
        return cls(_lesson_in(name), fingerprint, trouble=trouble)


def read_notebook_of(data: bytes, name: str) -> Reading:
    """Read a notebook; whatever is wrong with it becomes its ``trouble``."""
    fingerprint = hashlib.sha256(data).hexdigest()[:PRINT]
    try:
        notebook = parse_notebook(data, say("the_file"))
    except InputError as error:
        old = OLD_FORMAT.encode() in data
        return Reading.broken(name, say("old_format") if old else str(error), fingerprint)
    lesson = lesson_name(notebook) or ""
    known = any(one.name == lesson for one in lessons())
    lesson = lesson if known else _lesson_of_cells(notebook)
    if not lesson:
        return Reading.broken(name, say("other_course"), fingerprint)
    made = merged(lesson, notebook)
    steps = tuple(_step(cell) for cell in made.notebook["cells"] if cell["cell_type"] == "code")
    return Reading(lesson, fingerprint, steps, made.missing, tuple(_remarks(lesson, notebook, steps)))


def _step(cell: dict[str, Any]) -> Step:
    ours = cell["metadata"].get("mha_tutor", {})
    return Step(ours.get("part", "added"), ours.get("exercise"), text_of(cell))


def _lesson_in(name: str) -> str:
    """The lesson that a file's name tells, such as "anna 04-softmax (1).ipynb"."""
    low = name.casefold()
    return next((lesson.name for lesson in lessons() if lesson.name in low), "")


def _lesson_of_cells(notebook: dict[str, Any]) -> str:
    """The lesson whose exercises are in the notebook: a copy may have lost what a notebook says of itself."""
    counts = {lesson.name: len(_exercise_cells(lesson.name, notebook)) for lesson in lessons()}
    best = max(counts, key=lambda name: counts[name])
    return best if counts[best] else ""


def _exercise_cells(lesson: str, notebook: dict[str, Any]) -> list[str]:
    cells = _shipped(lesson)
    ids = set(places(cells, notebook["cells"]).values())
    return [
        cell["id"] for cell in cells if cell["id"] in ids and cell["metadata"]["mha_tutor"]["part"] == "work"
    ]


@cache
def _shipped(lesson: str) -> list[dict[str, Any]]:
    cells: list[dict[str, Any]] = pristine(lesson)["cells"]
    return cells


def _remarks(lesson: str, notebook: dict[str, Any], steps: tuple[Step, ...]) -> list[str]:
    """What a teacher may want to know: cells of the lesson that were changed, answers that ask mha_tutor."""
    cells = _shipped(lesson)
    there = {id: notebook["cells"][at] for at, id in places(cells, notebook["cells"]).items()}
    changed: dict[str, list[str]] = {"check": [], "given": []}
    for cell in cells:
        ours = cell["metadata"]["mha_tutor"]
        part = "given" if ours["part"] in ("given", "setup") else ours["part"]
        mine = there.get(cell["id"])
        if part in changed and mine is not None and _words(mine) != _words(cell):
            changed[part].append(ours.get("exercise") or "")
    language = _language(notebook)
    found = [f"language {language}"] if language else []
    found += [
        f"changed {part} {' '.join(filter(None, which))}".strip() for part, which in changed.items() if which
    ]
    asks = [step.exercise for step in steps if step.part == "work" and step.exercise and _asks_us(step)]
    looks = [step.source for step in steps if step.part == "added" and _LOOKS.search(step.source)]
    return found + ([f"asks {' '.join(asks)}"] if asks else []) + (["looks"] if looks else [])


def _language(notebook: dict[str, Any]) -> str:
    """The language that a notebook says it is in, where that is not Python."""
    metadata = notebook.get("metadata")
    named = []
    for part, key in (("kernelspec", "language"), ("language_info", "name")):
        told = metadata.get(part) if isinstance(metadata, dict) else None
        named.append(told.get(key) if isinstance(told, dict) else None)
    languages = [one for one in named if isinstance(one, str) and one]
    return "" if any("python" in one.casefold() for one in languages) else "".join(languages[:1])


def _words(cell: dict[str, Any]) -> str:
    """A cell's text, without the line that checks have for nbgrader."""
    return text_of(cell).strip().removeprefix(FIRST_LINE)


@cache
def _borrowed(lesson: str) -> tuple[str, ...]:
    """What a lesson's given cells import from mha_tutor under another name, to hold answers against."""
    given = [cell for cell in _shipped(lesson) if cell["metadata"]["mha_tutor"]["part"] == "given"]
    trees = [ast.parse(text_of(cell)) for cell in given if cell["cell_type"] == "code"]
    return tuple(
        alias.asname
        for node in (node for tree in trees for node in ast.walk(tree))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("mha_tutor")
        for alias in node.names
        if alias.asname
    )


def _asks_us(step: Step) -> bool:
    """Whether an answer names mha_tutor, or what given code has from it, where the lesson's own does not."""
    lesson = find_lesson(int(str(step.exercise).partition(".")[0]))
    exercise = lesson.exercise(str(step.exercise))
    word = re.compile(rf"\b({'|'.join(('mha_tutor', *_borrowed(lesson.name)))})\b")
    return bool(word.search(step.source)) and not word.search(solved(exercise.work))
