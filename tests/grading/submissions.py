"""What a class hands in, made for tests."""

from __future__ import annotations

import hashlib
import json
import random
from pathlib import Path
from typing import Any

from course.learner import added, cell, fresh

from mha_tutor.classroom.grading.grade import Graded, Options, grade
from mha_tutor.classroom.grading.job import Limits, Verdict
from mha_tutor.course import blanks
from mha_tutor.course.lesson import find_lesson

Notebook = dict[str, Any]
LIMITS = Limits(timeout=2, memory=700)


def graded(submissions: Path, out: Path, **more: Any) -> Graded:
    """Grade a class under short limits."""
    return grade(submissions, out, Options(**({"limits": LIMITS, "jobs": 2} | more)), lambda news: None)


def verdicts(found: Graded, student: str, lesson: int = 0) -> dict[str, Verdict]:
    """A student's verdicts in one lesson."""
    (sheet,) = (one for one in found.view.marks.sheets[student] if one.lesson.number == lesson)
    return sheet.verdicts


def states(found: Graded, student: str, lesson: int = 0) -> dict[str, str]:
    return {number: one.state for number, one in verdicts(found, student, lesson).items()}


def remarks(found: Graded, student: str) -> set[str]:
    """What was noted about a student's notebooks, by the keys."""
    return {remark.key for sheet in found.view.marks.sheets[student] for remark in sheet.remarks}


def attempted(number: int, chance: random.Random, level: float) -> Notebook:
    """A lesson as a student may leave it: each exercise done, wrong in a known way, or blank, by chance."""
    notebook = fresh(number)
    for exercise in find_lesson(number).exercises:
        drawn = chance.random()
        work = cell(notebook, exercise.number, "work")
        if drawn < level:
            work["source"] = blanks.solved(exercise.work)
        elif drawn < level + 0.6 * (1 - level) and exercise.wrongs:
            work["source"] = chance.choice(exercise.wrongs).code.text
    notebook["cells"].append(added(f"# {chance.random()}"))  # so that no two files are the same
    return notebook


def write(notebook: Notebook | bytes, path: Path) -> Path:
    """The notebook as a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(notebook if isinstance(notebook, bytes) else json.dumps(notebook).encode())
    return path


def fingerprint(folder: Path) -> dict[str, tuple[str, int]]:
    """Every file below a folder with what is in it and when it was changed."""
    return {
        str(path.relative_to(folder)): (
            hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "",
            path.lstat().st_mtime_ns,
        )
        for path in sorted(folder.rglob("*"))
    }
