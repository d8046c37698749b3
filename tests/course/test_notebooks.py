"""The committed notebooks: built from the lessons, run, and failing just where they should."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from learner import added, answered, cell, fresh, save, solved

from mha_tutor.course import material
from mha_tutor.course.build import build
from mha_tutor.course.lesson import Lesson, lessons
from mha_tutor.course.notebook import IGNORE

LESSONS = pytest.mark.parametrize("lesson", lessons(), ids=[lesson.name for lesson in lessons()])


def notebooks(lesson: Lesson) -> tuple[dict[str, Any], dict[str, Any]]:
    """The committed notebook to work in, and the solved one."""
    texts = (material.notebook(lesson.name, solved=s).read_text(encoding="utf-8") for s in (False, True))
    blank, done = map(json.loads, texts)
    return blank, done


@LESSONS
@pytest.mark.filterwarnings("ignore")  # of the libraries that run notebooks
def test_the_committed_notebooks_are_those_that_the_lesson_gives(lesson: Lesson) -> None:
    for solution in (False, True):
        committed = material.notebook(lesson.name, solved=solution).read_text(encoding="utf-8")
        assert build(lesson, solved=solution) == committed, (
            f"{lesson.name} has changed: run 'python -m mha_tutor.course.build {lesson.number}' and commit"
        )


@LESSONS
def test_every_code_cell_was_run_in_order(lesson: Lesson) -> None:
    for notebook in notebooks(lesson):
        counts = [c["execution_count"] for c in notebook["cells"] if c["cell_type"] == "code"]
        assert counts == list(range(1, len(counts) + 1))


@LESSONS
def test_nothing_of_this_machine_is_in_the_files(lesson: Lesson) -> None:
    for notebook in notebooks(lesson):
        text = json.dumps(notebook)
        for trace in ("/home", "/tmp", "\\Users", "site-packages", "ipykernel", "iopub", str(Path.home())):
            assert trace not in text
        assert notebook["metadata"]["kernelspec"]["name"] == "python3"
        assert "version" not in notebook["metadata"]["language_info"]


@LESSONS
def test_only_work_and_check_cells_of_the_blank_notebook_go_uncompared(lesson: Lesson) -> None:
    blank, done = notebooks(lesson)
    for notebook, marked in ((blank, ("work", "check")), (done, ())):
        for c in notebook["cells"]:
            tags = c["metadata"].get("tags", [])
            assert tags == ([IGNORE] if c["metadata"]["mha_tutor"]["part"] in marked else [])
            assert not c["source"] or "NBVAL" not in "".join(c["source"])
            assert c["cell_type"] != "code" or not any(line.startswith("%") for line in c["source"])


@LESSONS
def test_blank_cells_fail_at_their_checks_in_short_words(lesson: Lesson) -> None:
    blank, _ = notebooks(lesson)
    for c in blank["cells"]:
        if c["cell_type"] != "code":
            continue
        errors = [out for out in c["outputs"] if out["output_type"] == "error"]
        if c["metadata"]["mha_tutor"]["part"] == "check":
            (error,) = errors
            assert error["ename"] == "NotStarted"
            assert " ".join(error["traceback"]) == error["evalue"]
        else:
            assert not errors


@LESSONS
def test_cells_carry_what_nbgrader_asks_for(lesson: Lesson) -> None:
    blank, _ = notebooks(lesson)
    graded = [c for c in blank["cells"] if "nbgrader" in c["metadata"]]
    ids = [c["metadata"]["nbgrader"]["grade_id"] for c in graded]
    assert len(set(ids)) == len(ids) == 2 * len(lesson.exercises)
    for c in graded:
        is_check = c["metadata"]["mha_tutor"]["part"] == "check"
        grader = c["metadata"]["nbgrader"]
        assert (grader["grade"], grader["locked"], grader["solution"]) == (is_check, is_check, not is_check)
        assert ("points" in grader) == is_check


def nbval(*paths: Path) -> tuple[int, dict[str, set[int]]]:
    """Run plain nbval in strict mode; the exit code, and the numbers of the failing cells of each file."""
    report = paths[0].parent / "report.txt"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:randomly"]
    found = subprocess.run(
        [*command, "-c", "/dev/null", "--nbval", "--nbval-current-env", "--tb=no", "-rf", *map(str, paths)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
        check=False,
        cwd=paths[0].parent,
    )
    report.unlink(missing_ok=True)
    failed: dict[str, set[int]] = {path.name: set() for path in paths}
    for line in found.stdout.splitlines():
        if line.startswith("FAILED "):
            file, _, cell_name = line.removeprefix("FAILED ").partition("::Cell ")
            failed[Path(file).name].add(int(cell_name.split()[0]))
    return found.returncode, failed


def check_cells(notebook: dict[str, Any]) -> set[int]:
    """The numbers that nbval gives to the check cells."""
    code = [c for c in notebook["cells"] if c["cell_type"] == "code"]
    return {i for i, c in enumerate(code) if c["metadata"].get("mha_tutor", {}).get("part") == "check"}


def test_blank_notebooks_fail_at_their_checks_and_nowhere_else(tmp_path: Path) -> None:
    paths = [save(fresh(one.number), tmp_path / f"{one.name}.ipynb") for one in lessons()]
    code, failed = nbval(*paths)
    assert code == 1
    for lesson, path in zip(lessons(), paths, strict=True):
        assert failed[path.name] == check_cells(fresh(lesson.number)), lesson.name


def test_solved_notebooks_pass_strictly() -> None:
    paths = [material.notebook(lesson.name, solved=True) for lesson in lessons()]
    assert nbval(*paths) == (0, {path.name: set() for path in paths})


def test_plain_nbval_goes_by_the_answers_whatever_outputs_were_saved(tmp_path: Path) -> None:
    """Never run, right, stale and failing outputs; one wrong answer; all with no command of ours."""
    never_run = solved(4)
    right = _with_outputs(solved(4), "4.3 done.")
    stale = _with_outputs(fresh(4), "4.3 done.")
    failing = solved(4)
    one_wrong = answered(solved(4), e4_8="of_nine = 0\nof_four = 0")
    helped = answered(solved(4), e4_3="def softmax(s):\n    return my_softmax(s)")
    helped["cells"].insert(
        2,
        added(
            "import numpy\ndef my_softmax(s):\n    e = numpy.exp(s - s.max(-1, keepdims=True))\n"
            "    return e / e.sum(-1, keepdims=True)"
        ),
    )
    for c in never_run["cells"]:
        if c["cell_type"] == "code":
            c |= {"execution_count": None, "outputs": []}
    files = {"never": never_run, "right": right, "stale": stale, "failing": failing, "wrong": one_wrong}
    files["helped"] = helped
    code, failed = nbval(*(save(notebook, tmp_path / f"{name}.ipynb") for name, notebook in files.items()))
    assert code == 1
    for name in ("never", "right", "failing", "helped"):
        assert failed[f"{name}.ipynb"] == set(), name
    assert failed["stale.ipynb"] == check_cells(stale)
    code_cells = [c for c in one_wrong["cells"] if c["cell_type"] == "code"]
    assert failed["wrong.ipynb"] == {code_cells.index(cell(one_wrong, "4.8", "check"))}


def _with_outputs(notebook: dict[str, Any], text: str) -> dict[str, Any]:
    for c in notebook["cells"]:
        if c["cell_type"] == "code" and c["metadata"]["mha_tutor"]["part"] == "check":
            c["outputs"] = [{"output_type": "stream", "name": "stdout", "text": text}]
    return notebook
