"""Broken, endless, killed and cheating notebooks get a message, and the others their results."""

from __future__ import annotations

import json

import pytest
from learner import added, answered, cell, fresh, save, solution, solved

from mha_tutor.course.lesson import find_lesson
from mha_tutor.course.results import LessonResult
from mha_tutor.course.running import Job, run_jobs

TIMEOUT = 4
ENDLESS = "def total(weights_ts):\n    while True:\n        pass"
STUBBORN = """
import time
def total(weights_ts):
    while True:
        try:
            time.sleep(1)
        except KeyboardInterrupt:
            pass
"""


def _without(part: str) -> dict[str, object]:
    notebook = solved(0)
    notebook["cells"] = [c for c in notebook["cells"] if c["metadata"]["mha_tutor"]["part"] != part]
    return notebook


def _edited_checks() -> dict[str, object]:
    notebook = fresh(0)
    for c in notebook["cells"]:
        if c["metadata"]["mha_tutor"]["part"] == "check":
            c["source"] = "print('done')"
            c["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "0.1 done."}]
    notebook["cells"].insert(3, added("class check:\n    choice = numbers = function = print"))
    return notebook


def _other_ids() -> dict[str, object]:
    notebook = solved(0)
    for number, c in enumerate(notebook["cells"]):
        c["id"] = f"other-{number}"
    return notebook


def _loose_cells() -> dict[str, object]:
    """Work cells without ids as an old program saves them, and helper cells around them."""
    notebook = answered(solved(0), e0_2="def total(weights_ts):\n    return helper(weights_ts)")
    place = notebook["cells"].index(cell(notebook, "0.2", "work"))
    notebook["cells"].insert(
        place, added("import numpy as zahlen\ndef helper(a):\n    return zahlen.sum(a, axis=1)")
    )
    notebook["cells"].append(added("1 / 0", id="also-mine"))
    for c in notebook["cells"]:
        c.pop("id", None)
    return notebook


NOTEBOOKS = {
    "solved": lambda: solved(0),
    "endless": lambda: answered(solved(0), e0_2=ENDLESS),
    "stubborn": lambda: answered(solved(0), e0_2=STUBBORN),
    "killed": lambda: answered(solved(0), e0_2="import os\ndef total(w):\n    os._exit(1)"),
    "exits": lambda: answered(solved(0), e0_2="raise SystemExit"),
    "loud": lambda: answered(solved(0), e0_2=f"print('x' * 5_000_000)\n{solution('0.2')}"),
    "syntax": lambda: answered(solved(0), e0_2="def total(weights_ts)\n    return 1"),
    "skipped": lambda: answered(solved(0), e0_2=f"# NBVAL_SKIP\n{solution('0.2')}"),
    "no work cells": lambda: _without("work"),
    "no checks": lambda: _without("check"),
    "no cells": lambda: {"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5},
    "edited checks": _edited_checks,
    "other ids": _other_ids,
    "loose cells": _loose_cells,
}
BROKEN = {
    "half": json.dumps(solved(0))[:3000].encode(),
    "empty": b"",
    "binary": bytes(range(256)) * 40,
    "a list": b"[1, 2]",
    "no list of cells": b'{"cells": {"a": 1}}',
    "deep": b"[" * 100_000,
}


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, LessonResult]:
    """All of them, checked in one go."""
    folder = tmp_path_factory.mktemp("a folder with spaces and é")
    paths = [save(make(), folder / f"{name} ü.ipynb") for name, make in NOTEBOOKS.items()]  # type: ignore[no-untyped-call]
    for name, data in BROKEN.items():
        paths.append(folder / f"{name} ü.ipynb")
        paths[-1].write_bytes(data)
    heard: list[LessonResult] = []
    found = run_jobs(
        [Job(find_lesson(0), path) for path in paths],
        timeout=TIMEOUT,
        tell=lambda part, result: heard.append(result) if result else None,
    )
    assert len(heard) == len(paths)
    return dict(zip([*NOTEBOOKS, *BROKEN], found, strict=True))


def states(result: LessonResult) -> dict[str, str]:
    return {one.number: one.state for one in result.exercises}


def reason(result: LessonResult, number: str) -> str:
    return next(one.reason for one in result.exercises if one.number == number)


ALL = ("0.1", "0.2", "0.3", "0.4")


@pytest.mark.parametrize("name", ["solved", "loud", "skipped", "no checks", "other ids", "loose cells"])
def test_right_answers_are_done_whatever_else_is_in_the_file(
    results: dict[str, LessonResult], name: str
) -> None:
    assert states(results[name]) == dict.fromkeys(ALL, "done"), results[name]
    assert results[name].done


@pytest.mark.parametrize("name", ["endless", "syntax", "exits"])
def test_a_fault_in_one_exercise_leaves_the_others_their_results(
    results: dict[str, LessonResult], name: str
) -> None:
    assert states(results[name]) == dict.fromkeys(ALL, "done") | {"0.2": "wrong"}, results[name]
    said = {"endless": "loop", "syntax": "SyntaxError", "exits": ""}[name]
    assert said in reason(results[name], "0.2")


@pytest.mark.parametrize("name", ["killed", "stubborn"])
def test_what_comes_after_a_stopped_kernel_is_not_run(results: dict[str, LessonResult], name: str) -> None:
    assert states(results[name]) == {"0.1": "done", "0.2": "wrong", "0.3": "not run", "0.4": "not run"}
    assert not results[name].done


@pytest.mark.parametrize("name", ["no work cells", "no cells"])
def test_an_exercise_without_its_cell_is_not_started(results: dict[str, LessonResult], name: str) -> None:
    assert states(results[name]) == dict.fromkeys(ALL, "not started")
    assert "course reset 0.1" in reason(results[name], "0.1")


def test_edited_checks_and_saved_outputs_count_for_nothing(results: dict[str, LessonResult]) -> None:
    assert states(results["edited checks"]) == dict.fromkeys(ALL, "not started")


@pytest.mark.parametrize("name", list(BROKEN))
def test_a_file_that_is_no_notebook_gets_a_message(results: dict[str, LessonResult], name: str) -> None:
    assert states(results[name]) == dict.fromkeys(ALL, "not run")
    assert f"{name} ü.ipynb is no" in results[name].trouble


def test_an_answer_that_never_ends_is_told_so_whatever_its_check_says_then() -> None:
    from mha_tutor.course.lesson import find_lesson
    from mha_tutor.course.results import WRONG, result_of

    lesson = find_lesson(0)
    number = lesson.exercises[0].number
    report = [
        {"exercise": number, "part": "work", "error": "Timeout", "text": ""},
        {"exercise": number, "part": "check", "error": "NameError", "text": "name 'how_many' is not defined"},
    ]
    first = result_of(lesson, "00.ipynb", report, (), "").exercises[0]
    assert first.state == WRONG
    assert "did not end in time" in first.reason
