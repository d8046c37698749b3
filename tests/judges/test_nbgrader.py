"""Judged by nbgrader: the course's notebooks make their way through it, and the points are right."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from course.learner import added, answered, cell

from mha_tutor.classroom.grading.grade import Options, grade
from mha_tutor.classroom.grading.job import Limits
from mha_tutor.course import blanks
from mha_tutor.course.lesson import find_lesson

pytest.importorskip("nbgrader", reason="needs nbgrader: see tests/judges/README.md")

LESSON = find_lesson(0)
ROOT = str(Path(__file__).parents[2])
SOLUTIONS = {f"e0_{n}": blanks.solved(one.work) for n, one in enumerate(LESSON.exercises, 1)}


def run(folder: Path, *command: str) -> None:
    """Run a Python module; it must succeed."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"  # nbgrader calls alembic
    environ = {**os.environ, "PATH": path, "PYTHONPATH": ROOT, "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=folder, env=environ, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()


def test_the_three_commands_give_each_student_the_points(tmp_path: Path) -> None:
    school, name = tmp_path / "school", LESSON.name
    run(tmp_path, "mha_tutor", "class", "nbgrader", "--out", "school", "--lesson", "0")
    run(school, "nbgrader", "generate_assignment", name)
    released = (school / "release" / name / f"{name}.ipynb").read_text(encoding="utf-8")
    assert "how_many = ..." in released, "the blanks of the course are not nbgrader's"
    solved, cheat = answered(json.loads(released), **SOLUTIONS), json.loads(released)
    for each in cheat["cells"]:
        if each["metadata"]["mha_tutor"]["part"] == "check":
            each["source"] = "print('done')"
    cheat["cells"].insert(2, added("class check:\n    choice = numbers = function = print"))
    half = answered(
        json.loads(released), e0_1="how_many = 9", e0_2=SOLUTIONS["e0_2"], e0_3="what_it_does = 'A'"
    )
    assert cell(half, "0.4", "work")
    notebooks = {"solved": solved, "blank": json.loads(released), "cheat": cheat, "half": half}
    for student, notebook in notebooks.items():
        path = school / "submitted" / student / name / f"{name}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(notebook), encoding="utf-8")
    run(school, "nbgrader", "autograde", name)
    run(school, "nbgrader", "export")
    with (school / "grades.csv").open(encoding="utf-8", newline="") as file:
        points = {row["student_id"]: float(row["score"]) for row in csv.DictReader(file)}
    ours = grade(school, tmp_path / "out", Options(Limits(10, 1000), jobs=2), lambda news: None)
    mine = {student: sheets[0].points for student, sheets in ours.view.marks.sheets.items()}
    assert points == mine == {"solved": 4, "blank": 0, "cheat": 0, "half": 2}
    assert [remark.key for remark in ours.view.marks.sheets["cheat"][0].remarks] == ["changed check"]
