"""The checks: nothing is broadcast, blanks are told apart, right answers of any kind pass."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from attempts import attempt

from mha_tutor.attention import softmax
from mha_tutor.course import blanks, check
from mha_tutor.course.comparing import run_given
from mha_tutor.course.failing import CheckFailed, NotStarted
from mha_tutor.course.lesson import find_exercise, lessons
from mha_tutor.course.trials import Signature, problems

STAGE = "scores_hts -> weights_hts"


def failure(run: Callable[[], None]) -> CheckFailed:
    with pytest.raises(CheckFailed) as caught:
        run()
    assert caught.value._render_traceback_() == str(caught.value).split("\n")
    return caught.value


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda w: w[:, :, :1], "the shape must be (2, 5, 5); yours is (2, 5, 1)"),
        (lambda w: w[:, :1], "the shape must be"),
        (lambda w: w.mean(), "the shape must be (2, 5, 5); yours is ()"),
        (lambda w: w[None], "the shape must be (2, 5, 5); yours is (1, 2, 5, 5)"),
        (lambda w: np.full(w.shape, np.nan), "nan at weights[head 1, row 1, column 1]"),
        (lambda w: (w * 100).astype(int), "whole numbers (dtype int64)"),
        (lambda w: w * 1.01, "rows must sum to 1"),
        (lambda w: 0.99 * w + 0.01 / w.shape[-1], "The first is weights[head 1, row 1"),
        (lambda w: "weights", "an array of numbers is expected; yours is a str"),
        (lambda w: {"a": w}, "an array of numbers is expected; yours is a dict"),
        (lambda w: [[1.0, 2.0], [3.0]], "the rows have different lengths"),
    ],
)
def test_what_is_wrong_is_said_in_order(change: Callable[[Any], Any], said: str) -> None:
    assert said in str(failure(lambda: check.stage("4.3", lambda s: change(softmax(s)), STAGE)))


def _raises(scores: Any) -> Any:
    missing = scores[17]
    return missing


@pytest.mark.parametrize(
    ("function", "kind", "said"),
    [
        (None, NotStarted, "missing"),
        (..., NotStarted, "missing"),
        (lambda s: ..., NotStarted, "Three dots"),
        (lambda s: s / ..., NotStarted, "Three dots"),
        (lambda s: s.sum(axis=...), NotStarted, "Three dots"),
        (lambda s: [..., 1], NotStarted, "Three dots"),
        (lambda s: None, CheckFailed, "returns None"),
        (5, CheckFailed, "this is a int"),
        (_raises, CheckFailed, "IndexError"),
        (lambda: None, CheckFailed, "TypeError"),
    ],
)
def test_a_blank_is_told_from_a_fault(function: Any, kind: type[CheckFailed], said: str) -> None:
    found = failure(lambda: check.stage("4.3", function, STAGE))
    assert type(found) is kind and said in str(found)


def test_a_fault_names_its_line() -> None:
    code = "def softmax(scores_hts):\n    top = 1\n    return scores_hts[17]"
    lesson, exercise = find_exercise("4.3")
    assert "(line 3 of its cell)" in str(attempt(lesson, exercise, code))


@pytest.mark.parametrize("how", [np.float32, np.ndarray.tolist, np.asfortranarray])
def test_right_numbers_in_another_form_pass(how: Callable[[Any], Any]) -> None:
    check.stage("4.3", lambda s: how(softmax(s)), STAGE)


def test_a_function_that_changes_its_input_is_judged_by_what_it_returns() -> None:
    def in_place(scores: Any) -> Any:
        scores -= scores.max(axis=-1, keepdims=True)
        np.exp(scores, out=scores)
        scores /= scores.sum(axis=-1, keepdims=True)
        return scores

    check.stage("4.3", in_place, STAGE)
    check.stage("4.3", in_place, STAGE)


@pytest.mark.parametrize("answer", [0.92, "0.92", "92 %", "0,918", "90.02/98.02", np.float64(0.9184), 0.918])
def test_a_number_counts_in_any_form(answer: object) -> None:
    check.numbers("4.1", {"weights[head 2, it, robot]": answer})


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (..., NotStarted),
        (None, NotStarted),
        ("much", CheckFailed),
        ([1, 2], CheckFailed),
        (float("nan"), CheckFailed),
    ],
)
def test_no_number_is_told(answer: object, kind: type[CheckFailed]) -> None:
    assert type(failure(lambda: check.numbers("4.1", {"weights[head 2, it, robot]": answer}))) is kind
    assert type(failure(lambda: check.numbers("4.1", {"1 / 3": answer}))) is kind


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ((9, 9), "has 2 axes; there are 3"),
        ((9, 3, 9), "their order is not"),
        ((3, 9, 8), "size number 3 (token that is asked)"),
        (27, "is not a shape"),
        ((3, ..., 9), "not started"),
    ],
)
def test_a_wrong_shape_is_told(answer: object, said: str) -> None:
    assert said in str(failure(lambda: check.shape("4.11", answer, "weights")))


@pytest.mark.parametrize(
    ("answer", "said"),
    [("Z", "Answer with one of A, B, C, D"), ("AB", "A: "), ("", "not started"), (3, "Answer with one of")],
)
def test_a_wrong_letter_is_told(answer: object, said: str) -> None:
    assert said in str(failure(lambda: check.choice("4.4", answer)))


def _demands_rows(function: Any) -> None:
    assert np.allclose(function(np.array([[1.0, 2.0]])).sum(axis=-1), 1)


def test_a_learners_test_must_accept_the_right_and_refuse_the_broken() -> None:
    def broken(scores: Any) -> Any:
        return np.exp(scores)

    check.catches("4.6", _demands_rows, softmax, broken)
    accepts_all = failure(lambda: check.catches("4.6", lambda function: None, softmax, broken))
    assert "accepts broken function number 1 of 1" in str(accepts_all)
    refuses = failure(lambda: check.catches("4.6", lambda function: 1 / 0, softmax, broken))
    assert "does not accept a right function" in str(refuses)


@pytest.mark.parametrize("text", ["scores_hts", "scores_hts -> nothing_hts", "scores_hts -> weights"])
def test_a_signature_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="write it like"):
        Signature.read(text)


def test_problems_differ_in_all_sizes_have_ties_and_large_scores() -> None:
    for masked in (False, True):
        found = dict(problems(masked)[1:]) | {"first": problems(masked)[0][1]}
        for problem in found.values():
            sizes = [problem.n, problem.x.shape[1], problem.heads, problem.w_q.shape[2]]
            assert len(set(sizes)) == 4, sizes
            assert (problem.allowed is not None) == masked
        assert np.abs(found["large"]["scores"]).max() > 1e4
        assert np.ptp(found["ties"]["scores"], axis=-1).max() < 1e-9


@pytest.mark.parametrize("lesson", lessons(), ids=[lesson.name for lesson in lessons()])
def test_cells_run_in_any_order_and_twice(lesson: Any) -> None:
    space = run_given(lesson, lesson.exercises[-1].number)
    space.pop("np", None)
    space.update(dict.fromkeys(("numpy", "other_name"), np))
    for exercise in [*reversed(lesson.exercises), *lesson.exercises]:
        exec(blanks.solved(exercise.work).replace("np.", "other_name."), space)
    space["np"] = "not numpy"
    given = run_given(lesson, lesson.exercises[-1].number)
    for exercise in [*reversed(lesson.exercises), *lesson.exercises]:
        exec(exercise.check.text, given | {k: v for k, v in space.items() if k not in given})
