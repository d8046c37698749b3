"""A lesson as a notebook, not yet run: plain data in the form of nbformat 4.5."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

from ..texts import texts
from . import blanks
from .lesson import Exercise, Lesson, Questions
from .prose import filled
from .source import Cell, Source

IGNORE = "nbval-ignore-output"
POINTS = 1


def notebook_of(lesson: Lesson, *, solved: bool = False) -> dict[str, Any]:
    """The notebook to work in, or the solved one."""
    cells = [_title(lesson)]
    for piece in lesson.pieces:
        if isinstance(piece, Exercise):
            cells += _exercise(piece, solved)
        elif isinstance(piece, Questions):
            cells.append(_markdown(questions_text(piece), piece.part))
        else:
            cells.append(_plain(piece))
    return _whole(cells, lesson=lesson.name)


def extra_notebook_of(source: Source) -> dict[str, Any]:
    """An optional notebook: text and code, nothing to be checked, and no outputs.

    What it prints depends on what the reader has, so the reader runs it.
    """
    say = texts("course")["lesson"]
    facts = say["extra"].format(minutes=source.head["minutes"])
    title = f"# {source.head['title']}\n\n{source.head['summary']}\n\n*{facts}*"
    return _whole([_markdown(title, "title"), *map(_plain, source.cells)], extra=source.name)


def _whole(cells: list[dict[str, Any]], **ours: str) -> dict[str, Any]:
    _name_cells(cells)
    return {
        "cells": cells,
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
            "mha_tutor": ours,
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def questions_text(questions: Questions) -> str:
    """Questions in Markdown, each answer folded away under it."""
    answer = texts("course")["lesson"]["answer"]
    parts = [filled(questions.lead, questions.cell)] if questions.lead else []
    for number, item in enumerate(questions.items, 1):
        text = f"**{number}.** {filled(item.text, item.source)}"
        behind = filled(item.behind, item.source)
        parts.append(f"{text}\n\n{_folded(answer, behind)}" if behind else text)
    return "\n\n".join(parts)


def _title(lesson: Lesson) -> dict[str, Any]:
    say = texts("course")["lesson"]
    text = say["title"].format(number=lesson.number, title=lesson.title)
    facts = say["facts"].format(minutes=lesson.minutes, count=len(lesson.exercises))
    return _markdown(f"# {text}\n\n{lesson.summary}\n\n*{facts}*", "title")


def _exercise(exercise: Exercise, solved: bool) -> Iterator[dict[str, Any]]:
    say = texts("course")["lesson"]
    text = f"### {say['exercise'].format(number=exercise.number, title=exercise.title)}\n\n"
    text += filled(exercise.task.text, exercise.task).strip()
    if exercise.claims:
        text += "\n\n" + "\n".join(
            f"- **{claim.letter}.** {filled(claim.text, claim.source)}" for claim in exercise.claims
        )
    if not solved:
        text += "\n\n" + "\n".join(
            _folded(say["hint"].format(number=number), filled(hint.text, hint.source))
            for number, hint in enumerate(exercise.hints, 1)
        )
    yield _markdown(text, "task", exercise)
    for cell in exercise.given:
        yield _plain(cell, exercise)
    work = blanks.solved(exercise.work) if solved else blanks.blanked(exercise.work)
    for part, source in (("work", work), ("check", exercise.check.text)):
        made = _code(source, part, exercise)
        made["metadata"]["nbgrader"] = _nbgrader(exercise, part)
        if not solved:
            made["metadata"]["tags"] = [IGNORE]
        yield made


def _nbgrader(exercise: Exercise, part: str) -> dict[str, Any]:
    """What nbgrader wants to know of a cell."""
    work = part == "work"
    name = f"exercise-{exercise.slug}"
    graded = {} if work else {"points": POINTS}
    return graded | {
        "grade": not work,
        "grade_id": name if work else f"test-{name}",
        "locked": not work,
        "schema_version": 3,
        "solution": work,
        "task": False,
    }


def _folded(summary: str, text: str) -> str:
    """Text that a notebook shows when its summary is clicked."""
    return f"<details><summary>{summary}</summary>\n\n{text}\n\n</details>\n"


def _plain(cell: Cell, exercise: Exercise | None = None) -> dict[str, Any]:
    if cell.markdown:
        return _markdown(filled(cell.text, cell), cell.part or "text", exercise)
    return _code(cell.text, cell.part or "given", exercise)


def _markdown(source: str, part: str, exercise: Exercise | None = None) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": _metadata(part, exercise), "source": source.strip()}


def _code(source: str, part: str, exercise: Exercise | None) -> dict[str, Any]:
    return {
        "cell_type": "code",
        "execution_count": None,
        "metadata": _metadata(part, exercise),
        "outputs": [],
        "source": source.strip(),
    }


def _metadata(part: str, exercise: Exercise | None) -> dict[str, Any]:
    ours = {"part": part} | ({"exercise": exercise.number} if exercise else {})
    return {"mha_tutor": ours}


def _name_cells(cells: list[dict[str, Any]]) -> None:
    """Give every cell an id that stays the same while its text does; exercises by their number."""
    taken: set[str] = set()
    for cell in cells:
        ours = cell["metadata"]["mha_tutor"]
        if ours["part"] in ("task", "work", "check"):
            name = f"{ours['exercise'].replace('.', '-')}-{ours['part']}"
        else:
            name = f"{ours['part']}-{hashlib.sha256(cell['source'].encode()).hexdigest()[:8]}"
        while name in taken:
            name += "x"
        taken.add(name)
        cell["id"] = name
