"""The checks: nothing is broadcast, blanks are told apart, right answers of any kind pass."""

from __future__ import annotations

import linecache
import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from attempts import attempt

from mha_tutor.attention import softmax
from mha_tutor.course import blanks, check, comparing
from mha_tutor.course.comparing import run_given
from mha_tutor.course.failing import CheckFailed, NotStarted, without_code
from mha_tutor.course.flow import WIDTH, joined, wrapped
from mha_tutor.course.lesson import find_exercise, lessons
from mha_tutor.course.trials import Signature, problems

STAGE = "scores_hts -> weights_hts"


def failure(run: Callable[[], None]) -> CheckFailed:
    with pytest.raises(CheckFailed) as caught:
        run()
    lines = caught.value._render_traceback_()
    assert " ".join(" ".join(lines).split()) == " ".join(str(caught.value).split())
    assert all(len(line) <= WIDTH or " " not in line.strip() for line in lines)
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


@pytest.mark.parametrize(
    ("function", "named"),
    [
        (lambda q, k: q @ k.T, True),
        (lambda q, k: q @ np.array([one.swapaxes(0, 1) for one in k]), None),
        (lambda q, k: q @ k, False),
        (lambda q, k: np.array([a @ b.T for a, b in zip(q, k, strict=True)]), None),
    ],
)
def test_all_axes_turned_are_named_when_the_product_stops(function: Any, named: bool | None) -> None:
    if named is None:
        check.stage("3.5", function, "q_hte k_hse -> dots_hts")
        return
    found = failure(lambda: check.stage("3.5", function, "q_hte k_hse -> dots_hts"))
    assert "ValueError" in str(found)
    assert ("Swap only the last two axes" in str(found)) == named == (found.ids == ("B21",))


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


def test_a_number_that_is_given_can_be_asked_for() -> None:
    for reference, right in (("X[it, pronoun]", 1), ("W_Q[head 2, pronoun, col 1]", 3)):
        check.numbers("4.1", {reference: right})
        assert "not the number" in str(failure(lambda: check.numbers("4.1", {reference: 7})))  # noqa: B023


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ((9, 9), "has 2 axes; it needs 3 axes: head, token that asks, token"),
        ((9, 3, 9), "their order is not"),
        ((3, 9, 8), "size number 3 (token that is asked)"),
        (27, "is not a shape"),
        ((3, 9, 9.5), "is not a shape"),
        ((3, 9, float("inf")), "is not a shape"),
        ("399", "is not a shape"),
        ((3, ..., 9), "not started"),
    ],
)
def test_a_wrong_shape_is_told(answer: object, said: str) -> None:
    assert said in str(failure(lambda: check.shape("4.11", answer, "weights")))


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("Z", "Answer with one of A, B, C, D"),
        ("AB", "Answer with one of"),
        ("C or B", "Answer with one of"),
        ("", "not started"),
        (3, "Answer with one of"),
    ],
)
def test_a_wrong_letter_is_told(answer: object, said: str) -> None:
    assert said in str(failure(lambda: check.choice("4.4", answer)))


@pytest.mark.parametrize(
    "answer", ["BC", "cb", "B and C", "b, c", ["B", "C"], ("c", "b"), "B & C.", {"B", "C"}]
)
def test_several_letters_are_written_in_any_way(answer: object) -> None:
    check.choice("2.7", answer)


def test_several_right_claims_are_announced() -> None:
    for answer in (..., "Z", [..., "B"]):
        assert "More than one claim is right." in str(failure(lambda: check.choice("2.7", answer)))  # noqa: B023
    assert "B: right, but more" in str(failure(lambda: check.choice("2.7", "B")))
    assert "Answer with one of" in str(failure(lambda: check.choice("4.4", "sand")))


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
    alias = "numpy_by_another_name"
    space.update(dict.fromkeys(("numpy", alias), np))
    for exercise in [*reversed(lesson.exercises), *lesson.exercises]:
        exec(re.sub(r"\bnp\b", alias, blanks.solved(exercise.work)), space)
    space["np"] = "not numpy"
    given = run_given(lesson, lesson.exercises[-1].number)
    for exercise in [*reversed(lesson.exercises), *lesson.exercises]:
        exec(exercise.check.text, given | {k: v for k, v in space.items() if k not in given})


def _total(row: Any) -> Any:
    return float(np.asarray(row).sum())


def _stops(row: Any) -> Any:
    raise IndexError


@pytest.mark.parametrize(
    ("example", "kind", "said"),
    [
        ([[1.0, 2.0], [3.0]], CheckFailed, "your input: the rows have different lengths"),
        (["it", "robot"], CheckFailed, "your input: an array of numbers is expected"),
        ("it", CheckFailed, "cannot take this input"),
        ([[1.0, ...], [2.0, 3.0]], NotStarted, "three dots"),
        (([1.0, 2.0], ["it"]), CheckFailed, "input 2: an array of numbers"),
        ([float("nan")], CheckFailed, "no ordinary numbers"),
        ([], CheckFailed, "same result"),
        (0.0, CheckFailed, "same result"),
    ],
)
def test_an_input_that_is_none_is_told_in_words(example: object, kind: type[CheckFailed], said: str) -> None:
    def doubled(row: Any, other: Any = 0.0) -> Any:
        return 2 * _total(row)

    def right(row: Any, other: Any = 0.0) -> Any:
        return _total(row)

    found = failure(lambda: check.exposes("5.9", example, doubled, right))
    assert type(found) is kind and said in str(found)


def test_an_input_shows_a_fault_also_by_stopping_the_broken_function() -> None:
    check.exposes("5.9", 1.0, _stops, _total)
    check.exposes("5.9", [1.0], lambda row: "a word", _total)


@pytest.mark.parametrize(
    ("exercise", "code", "said"),
    [
        ("5.5", "tired_column_1 = 0.72\ntired_column_4 = 0", "if the weight on `it` itself"),
        ("7.2", "dot_to_robot = '15.18'\nscore_to_robot = '7.591'", "if it is divided by 2"),
        ("7.3", "score_to_tired = 2.83\nweight_on_tired = '43 %'", "the one of head 3"),
        ("7.4", "arrives_link = 0.12\narrives_subject = 0.92\narrives_alive = 0", "of the three heads"),
        ("2.3", "shape_of_x = shape_of_w = shape_of_q1 = shape_of_all = [9.0, 4]", "when X is cut before"),
    ],
)  # fmt: skip
def test_a_wrong_number_or_shape_of_this_exercise_has_its_reason(exercise: str, code: str, said: str) -> None:
    found = attempt(*find_exercise(exercise), code)
    assert found is not None and said in str(found)


def test_a_reason_of_the_exercise_is_not_blurred_by_a_slip() -> None:
    found = attempt(*find_exercise("3.1"), "dot_2 = 6\nscore_2 = 3")
    assert found is not None and "added, not multiplied. " not in str(found)
    message, code = without_code(str(found))
    assert message.endswith("if the two numbers are added, not multiplied.") and code == "3.1:W6"


def test_every_wrong_number_of_several_is_told_and_no_right_one() -> None:
    labels = {"figures.floor_third": "third", "figures.floor_all": "floor"}

    def said(third: float, floor: float) -> str:
        answers = {"figures.floor_third": third, "figures.floor_all": floor}
        return str(failure(lambda: check.numbers("7.13", answers, labels=labels)))

    both, first, second = said(0.9, np.log(6)), said(0.9, np.log(6) / 3), said(1 / 3, np.log(6))
    assert "third: " in both and "floor: " in both and "not averaged" in both
    assert "third: " in first and "floor: " not in first
    assert "third: " not in second and "not averaged" in second


def test_a_number_just_beside_the_right_one_is_not_taken_for_a_known_wrong_answer() -> None:
    found = attempt(*find_exercise("7.4"), "arrives_link = 0.11\narrives_subject = arrives_alive = 0")
    assert found is not None and "three heads" not in str(found)


def test_the_name_of_a_wrong_number_does_not_give_it_away() -> None:
    answers = {"weights[head 2, it, robot]": 0.92, "1 / 3": 7, "one.weights[head 1, it, robot]": 0.47}
    found = str(failure(lambda: check.numbers("4.1", answers)))
    assert "number 2: That is not the number." in found and "1 / 3" not in found
    found = str(failure(lambda: check.numbers("4.1", answers, labels={"1 / 3": "the share"})))
    assert "the share: That is not the number." in found
    answers |= {"1 / 3": "1/3", "one.weights[head 1, it, robot]": 7}
    assert "one.weights[head 1, it, robot]: " in str(failure(lambda: check.numbers("4.1", answers)))


def test_paragraphs_flow_and_lists_and_code_stay() -> None:
    text = "One\ntwo.\n\n- a\n  b\n- c\n\n```python\nx = 1\n    y\n```\n| a | b |\n|---|---|\nThree\nfour."
    kept = "```python\nx = 1\n    y\n```\n| a | b |\n|---|---|"
    assert joined(text) == f"One two.\n\n- a b\n- c\n\n{kept}\nThree four."
    long = wrapped("- " + "word " * 30 + "well-known " * 10, 40, "  ")
    lines = long.split("\n")
    assert lines[0].startswith("  - word") and all(line.startswith("    w") for line in lines[1:])
    assert max(map(len, lines)) <= 40 and not any(line.endswith("-") for line in lines)


def test_a_claims_reason_and_an_explanation_flow(capsys: pytest.CaptureFixture[str]) -> None:
    assert "\n" not in without_code(str(failure(lambda: check.choice("5.6", "A"))))[0]
    check.choice("5.6", "B")
    paragraphs = capsys.readouterr().out.strip().split("\n\n")
    for paragraph in paragraphs:
        lines = paragraph.split("\n")
        for line, following in pairwise(lines):
            assert len(line) + 1 + len(following.split()[0]) > WIDTH, "a line ends where no width asks for it"


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("return s @ ...", NotStarted),
        ("return np.concatenate(..., axis=0)", NotStarted),
        ("return np.concatenate([s, ...], axis=0)", NotStarted),
        ("return np.einsum(..., s, s)", NotStarted),
        ("exps = ...\n    return np.stack(exps)", NotStarted),
        ("return s.reshape(..., 3)", NotStarted),
        ("return s[..., 0] @ s[..., 1]", CheckFailed),
        ("return s[..., None, 0] @ s", CheckFailed),
    ],
)
def test_dots_inside_an_expression_are_a_blank_too(line: str, kind: type[CheckFailed]) -> None:
    code, name = f"def softmax(s):\n    {line}\n", f"<{line}>"
    linecache.cache[name] = (len(code), None, code.splitlines(keepends=True), name)  # as a notebook does
    space = {"np": np}
    exec(compile(code, name, "exec"), space)
    found = failure(lambda: check.stage("4.3", space["softmax"], STAGE))
    assert type(found) is kind, found


def test_a_case_with_packed_matrices_has_all_heads() -> None:
    for x, w in comparing.ready_cases(("x_td", "w_q_dc")):
        assert w.shape[1] % 2 == 1 or w.shape[1] > 3
        assert x.shape[1] == w.shape[0]
    cases = list(comparing.ready_cases(("x_td", "w_q_dc", "heads")))
    assert [(w.shape[1], heads) for _, w, heads in cases] == [(6, 2), (15, 3), (8, 2), (6, 2)]
    assert len(list(comparing.ready_cases(("x_td", "w_q_de")))) == 9  # here one head at a time


def test_a_row_with_an_axis_too_many_is_told_in_good_order() -> None:
    found = str(failure(lambda: check.shape("4.11", (1, 9), "weights[head 2, it]")))
    assert (
        "(1, 9) has 2 axes; it needs 1 axis: token that is asked. A row alone is written like (5,)." in found
    )


def test_x_itself_is_told_as_such() -> None:
    found = attempt(*find_exercise("2.4"), "def project(x_td, w_q_hde):\n    return x_td")
    assert found is not None and "when X itself is returned" in str(found)


def test_a_cause_is_given_where_the_number_of_axes_differs() -> None:
    for change, said in (
        (lambda q: q[None], "yours is (1, 2, 5, 3). An axis of size 1 is too many."),
        (lambda q: q.sum(axis=1), "It has too few axes; 3 axes are expected."),
    ):
        found = failure(lambda: check.stage("2.4", lambda x, w: change(x @ w), "x_td w_q_hde -> q_hte"))  # noqa: B023
        assert said in str(found)
    found = failure(lambda: check.stage("4.3", lambda s: softmax(s)[None], "scores_ts -> weights_ts"))
    assert "An axis of size 1 is too many." in str(found)
    assert comparing.difference([1.0], 1.0, ()).endswith("An axis of size 1 is too many.")
    assert comparing.difference(1.0, [[1.0]], ()).endswith("An axis of size 1 is missing.")


def _right_weights(scores: Any) -> Any:
    return softmax(scores)


def test_a_test_that_goes_by_calls_or_by_names_catches_nothing() -> None:
    """Each cheat passed when the right function came first, once, under its own name."""
    calls = [0]

    def counts(function: Any) -> None:
        calls[0] += 1
        assert calls[0] == 1

    def asks_for_the_name(function: Any) -> None:
        assert function.__name__ == "_right_weights"

    seen: list[Any] = []

    def knows_the_object(function: Any) -> None:
        seen.append(function)
        assert function is seen[0]

    for cheat in (counts, asks_for_the_name, knows_the_object):
        assert failure(lambda: check.catches("4.6", cheat, _right_weights, lambda s: s))  # noqa: B023
