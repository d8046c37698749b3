"""The judge finds what the checks find in one process, for every exercise and every known attempt."""

from __future__ import annotations

import fractions
import io
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from course.learner import cell, fresh, solved
from hypothesis import given, settings
from hypothesis import strategies as st
from submissions import Notebook

from mha_tutor.classroom.grading import sitting
from mha_tutor.classroom.grading.job import Job, Limits, Verdict
from mha_tutor.classroom.grading.judge import Grading
from mha_tutor.classroom.grading.plain import packed, unpacked
from mha_tutor.classroom.grading.reading import read_notebook_of
from mha_tutor.course import blanks
from mha_tutor.course.comparing import given_of
from mha_tutor.course.failing import CheckFailed, without_code
from mha_tutor.course.lesson import Exercise, Lesson, lessons

LIMITS = Limits(timeout=30, memory=1500)
TRAINING = (7, 8)  # lessons whose given cells train heads, each time anew: there two rounds must do


def judged(notebook: Notebook, folder: Path) -> dict[str, Verdict]:
    """What a judge in this process finds, with a desk of its own."""
    import json

    reading = read_notebook_of(json.dumps(notebook).encode(), "test.ipynb")
    assert not reading.trouble
    return Grading(Job(reading.lesson, reading.steps, str(folder), LIMITS)).found().verdicts


def in_one_process(exercise: Exercise, code: str) -> Verdict | None:
    """The same attempt, with check and answer in one process; None where the answer's cell itself stops."""
    space = dict(given_of(exercise.number))
    with redirect_stdout(io.StringIO()):
        try:
            exec(compile(code, "<work>", "exec"), space)
            exec(compile(exercise.check.text, "<check>", "exec"), space)
        except CheckFailed as failure:
            return Verdict(failure.state, without_code(str(failure))[0], failure.ids)
        except Exception:
            return None
    return Verdict("done")


def rounds(lesson: Lesson) -> Iterator[dict[str, str]]:
    """Notebooks as answers by exercise, so that every known attempt is in one of them; of TRAINING some."""
    attempts = {
        exercise.number: [answer.code.text for answer in (*exercise.wrongs, *exercise.rights)]
        for exercise in lesson.exercises
    }
    count = max(map(len, attempts.values()))
    for at in (0, count - 1) if lesson.number in TRAINING else range(count):
        yield {
            exercise.number: attempts[exercise.number][at]
            if at < len(attempts[exercise.number])
            else blanks.solved(exercise.work)
            for exercise in lesson.exercises
        }


@pytest.mark.skipif(sitting.HOW != "fork", reason="a desk is slow to start here")
@pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.name)
def test_two_processes_find_what_one_finds(lesson: Lesson, tmp_path: Path) -> None:
    seen = set()
    for answers in rounds(lesson):
        notebook = fresh(lesson.number)
        for number, source in answers.items():
            cell(notebook, number, "work")["source"] = source
        found = judged(notebook, tmp_path)
        for exercise in lesson.exercises:
            expected = in_one_process(exercise, answers[exercise.number])
            if expected is not None:
                assert found[exercise.number] == expected, answers[exercise.number]
                seen.add(expected.state)
    assert {"done", "wrong"} <= seen


def test_blanks_are_not_started_and_solutions_are_done(tmp_path: Path) -> None:
    for make, state in ((fresh, "not started"), (solved, "done")):
        found = judged(make(4), tmp_path)
        assert {one.state for one in found.values()} == {state}


def test_where_no_process_can_be_forked_a_new_one_is_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sitting, "HOW", "spawn")
    assert {one.state for one in judged(solved(0), tmp_path).values()} == {"done"}


def _no_handle(_: Any) -> list[Any]:
    raise AssertionError("no function was given")


numbers = st.one_of(
    st.none(), st.just(...), st.booleans(), st.integers(), st.floats(), st.text(), st.fractions().map(float)
)
values = st.recursive(
    numbers,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.lists(inner, max_size=4).map(tuple),
        st.dictionaries(st.text(max_size=3), inner, max_size=3),
    ),
    max_leaves=12,
)


@given(values)
@settings(max_examples=60)
def test_a_value_comes_over_as_it_is(value: object) -> None:
    import json

    back = unpacked(json.loads(json.dumps(packed(value, _no_handle))), _no_handle)
    assert repr(back) == repr(value) and type(back) is type(value)


@given(
    st.sampled_from(["f8", "f4", "f2", "i8", "u1", "?", "c16"]),
    st.lists(st.integers(0, 3), max_size=3),
    st.randoms(use_true_random=False),
)
def test_an_array_comes_over_with_its_shape_and_dtype(dtype: str, shape: list[int], chance: Any) -> None:
    size = int(np.prod(shape))
    array = np.array([chance.randint(0, 1) for _ in range(size)]).astype(dtype).reshape(shape)
    for value in (array, array.T, np.asfortranarray(array), np.broadcast_to(array, (2, *array.shape))):
        back = unpacked(packed(value, _no_handle), _no_handle)
        assert back.dtype == value.dtype and back.shape == value.shape and np.array_equal(back, value)
    if array.size:
        scalar = array.ravel()[0]
        assert type(unpacked(packed(scalar, _no_handle), _no_handle)) is type(scalar)


def test_an_object_of_an_unknown_type_comes_over_as_a_number_or_as_its_name() -> None:
    assert unpacked(packed(fractions.Fraction(1, 4), _no_handle), _no_handle) == 0.25
    odd = unpacked(packed(object(), _no_handle), _no_handle)
    assert type(odd).__name__ == "object" and repr(odd).startswith("<object")


@pytest.mark.parametrize(
    "data",
    [
        ["array", "<f8", [2, 2], "AAAA"], ["array", "|O", [1], "AAAAAAAAAAA="],
        ["array", "<f8", [-1, -1], "AAAAAAAAAAA="],
        ["what", 1], ["value", [1]], [], None, ["function"], ["odd"],
    ],
)  # fmt: skip
def test_data_that_is_no_value_is_refused(data: Any) -> None:
    def no_function(rest: list[Any]) -> Any:
        return int(rest[0])

    with pytest.raises((ValueError, TypeError, LookupError)):
        unpacked(data, no_function)


@pytest.mark.parametrize("fault", [MemoryError(), OSError("no file"), ImportError("no memory for it")])
def test_a_judge_that_fails_gives_no_verdict(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    def fails(*_: object) -> Any:
        raise fault

    monkeypatch.setattr(sitting.Sitting, "_unpacked", fails)
    with pytest.raises(type(fault)):
        judged(solved(0), tmp_path)
