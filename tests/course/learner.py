"""What a learner does to a notebook, done to its data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from mha_tutor.course import blanks
from mha_tutor.course.lesson import find_exercise, find_lesson
from mha_tutor.course.merging import pristine

Notebook = dict[str, Any]


def fresh(number: int) -> Notebook:
    """The notebook of a lesson as `course start` gives it."""
    return pristine(find_lesson(number).name)


def cell(notebook: Notebook, exercise: str, part: str) -> dict[str, Any]:
    """The cell of an exercise with that part."""
    wanted = {"exercise": exercise, "part": part}
    (found,) = (c for c in notebook["cells"] if c["metadata"].get("mha_tutor") == wanted)
    return found


def answered(notebook: Notebook, **answers: str) -> Notebook:
    """The notebook with answers in the work cells: ``e0_1="how_many = 9"``."""
    for name, source in answers.items():
        cell(notebook, name[1:].replace("_", "."), "work")["source"] = source
    return notebook


def solved(number: int) -> Notebook:
    """The notebook with every solution typed in, saved without having been run."""
    notebook = fresh(number)
    for exercise in find_lesson(number).exercises:
        cell(notebook, exercise.number, "work")["source"] = blanks.solved(exercise.work)
    return notebook


def solution(exercise: str) -> str:
    return blanks.solved(find_exercise(exercise)[1].work)


def added(source: str, **more: Any) -> dict[str, Any]:
    """A code cell that a learner adds."""
    return {
        "cell_type": "code",
        "id": "mine",
        "metadata": {},
        "execution_count": None,
        "outputs": [],
        "source": source,
    } | more


def save(notebook: Notebook, path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(notebook), encoding="utf-8")
    return path
