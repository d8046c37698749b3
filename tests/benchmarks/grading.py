"""What grading a class costs, beside nbgrader's autograde and bare nbval on the same notebooks.

    python tests/benchmarks/grading.py [STUDENTS] [--with PYTHON]

PYTHON is one with nbgrader, nbval and mha-tutor's requirements; without it only `class grade` is timed.
Three lessons a student, made by chance from answers that the course knows. nbgrader and nbval get fewer
students, as they take long; what counts is the time of one notebook. Wall time is what a teacher waits,
CPU time is what a busy machine does not change.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(ROOT / "tests" / "grading")]

from submissions import attempted, write  # noqa: E402

from mha_tutor.course.lesson import find_lesson  # noqa: E402

LESSONS = (3, 4, 6)
FEWER = 4  # students for nbgrader and nbval
GOALS = {"nbgrader autograde": 3.0, "nbval, one process": 0.5}


class Timed(NamedTuple):
    """Seconds for one notebook."""

    wall: float
    cpu: float

    def __str__(self) -> str:
        return f"{self.wall:9.3f} {self.cpu:9.3f}"


def make_class(folder: Path, students: int) -> None:
    """Notebooks as nbgrader wants them: submitted/STUDENT/LESSON/LESSON.ipynb."""
    for number in range(students):
        chance = random.Random(number)
        level = chance.uniform(0.4, 0.95)
        for lesson in LESSONS:
            name = find_lesson(lesson).name
            path = folder / "submitted" / f"student-{number:02}" / name / f"{name}.ipynb"
            write(attempted(lesson, chance, level), path)


def timed(commands: Sequence[Sequence[str]], folder: Path, notebooks: int, codes: tuple[int, ...]) -> Timed:
    """Run the commands one after another; seconds for each of so many notebooks."""
    path = f"{Path(commands[0][0]).parent}{os.pathsep}{os.environ['PATH']}"  # nbgrader calls alembic
    environ = {**os.environ, "PATH": path, "OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)}
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    for command in commands:
        done = subprocess.run(command, cwd=folder, env=environ, capture_output=True, check=False)
        if done.returncode not in codes:
            raise RuntimeError(f"{command}: exit code {done.returncode}\n{done.stderr.decode()[-2000:]}")
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Timed(wall / notebooks, cpu / notebooks)


def ours(top: Path, students: int) -> Timed:
    """`mha-tutor class grade` on two cores, everything anew."""
    folder = top / "ours"
    make_class(folder, students)
    command = [
        sys.executable,
        "-m",
        "mha_tutor",
        "class",
        "grade",
        "submitted",
        "--out",
        "graded",
        "--jobs",
        "2",
    ]
    return timed([command], folder, students * len(LESSONS), (0,))


def others(top: Path, python: str) -> dict[str, Timed]:
    """nbgrader and nbval on the notebooks of some students."""
    names = [find_lesson(lesson).name for lesson in LESSONS]
    folder = top / "others"
    lessons = [part for lesson in LESSONS for part in ("--lesson", str(lesson))]
    make = [sys.executable, "-m", "mha_tutor", "class", "nbgrader", "--out", "others", *lessons]
    timed([make], top, 1, (0,))
    nbgrader = [python, "-m", "nbgrader"]
    timed([[*nbgrader, "generate_assignment", name] for name in names], folder, 1, (0,))
    make_class(folder, FEWER)
    count = FEWER * len(LESSONS)
    bare = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--nbval-lax", "--nbval-current-env"]
    return {
        "nbgrader autograde": timed([[*nbgrader, "autograde", name] for name in names], folder, count, (0,)),
        "nbval, one process": timed([[*bare, "submitted"]], folder, count, (0, 1)),
    }


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("students", nargs="?", type=int, default=30)
    parser.add_argument("--with", dest="python", help="a Python that has nbgrader and nbval")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as top:
        mine = ours(Path(top), given.students)
        print(f"{'seconds a notebook':22} {'wall':>9} {'CPU':>9} {'x wall':>8} {'x CPU':>8} {'goal':>6}")
        print(f"{'class grade, 2 jobs':22} {mine}")
        for name, one in (others(Path(top), given.python) if given.python else {}).items():
            print(f"{name:22} {one} {one.wall / mine.wall:8.1f} {one.cpu / mine.cpu:8.1f} {GOALS[name]:6.1f}")


if __name__ == "__main__":
    main()
