"""Lesson 10: solutions agree with vectors made elsewhere; each patient has the illness it is said to have."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mha_tutor import attention
from mha_tutor.course import blanks, check
from mha_tutor.course.comparing import run_given
from mha_tutor.course.failing import CheckFailed
from mha_tutor.course.lesson import find_exercise, find_lesson
from mha_tutor.course.trials import problems
from mha_tutor.mistakes import REGISTRY, Mistake, Problem, practice_problem, wrong_output
from mha_tutor.vectors import made_elsewhere

LAYER = "x_td w_q_dc w_k_dc w_v_dc w_o_cd heads -> output_td"
MASKED = "x_td w_q_dc w_k_dc w_v_dc w_o_cd heads allowed_ts -> output_td"
PACKED = ("x_td", "w_q_dc", "w_k_dc", "w_v_dc", "w_o_cd")
HEADS = 2


def solution(number: str) -> dict[str, Any]:
    """What the lesson's given cells and the exercise's solution make."""
    lesson, exercise = find_exercise(number)
    space = run_given(lesson, number)
    exec(compile(blanks.solved(exercise.work), "<solution>", "exec"), space)
    return space


@pytest.fixture(scope="module")
def clinic() -> dict[str, Any]:
    """Everything that the lesson's given cells make, up to the last exercise."""
    lesson = find_lesson(10)
    return run_given(lesson, lesson.exercises[-1].number)


def test_the_core_gives_what_onnx_gives() -> None:
    case = made_elsewhere("onnx_core")
    core = solution("10.3")["attention_core"]
    found = core(*(case.arrays[name] for name in ("q_hte", "k_hse", "v_hse")))
    np.testing.assert_allclose(found, case.arrays["mixed_hte"], rtol=0, atol=case.tolerance)


def test_the_layers_give_what_torch_gives() -> None:
    case = made_elsewhere("torch_layer")
    given = [case.arrays[name] for name in PACKED]
    causal = np.tril(np.ones((len(given[0]),) * 2, dtype=bool))
    plain = solution("10.4")["multi_head_attention"](*given, HEADS)
    masked = solution("10.6")["masked_attention"](*given, HEADS, causal)
    np.testing.assert_allclose(plain, case.arrays["output_td"], rtol=0, atol=case.tolerance)
    np.testing.assert_allclose(masked, case.arrays["causal_td"], rtol=0, atol=case.tolerance)


@pytest.mark.parametrize("kept", range(5))
def test_the_last_rows_with_a_cache_are_those_of_torch_s_causal_pass(kept: int) -> None:
    case = made_elsewhere("torch_layer")
    x, *matrices, w_o = (case.arrays[name] for name in PACKED)
    w_q, w_k, w_v = (attention.split_columns(w, HEADS) for w in matrices)
    last_rows = solution("10.7")["last_rows"]
    rows = last_rows(x[kept:], x[:kept] @ w_k, x[:kept] @ w_v, w_q, w_k, w_v, w_o)
    np.testing.assert_allclose(rows, case.arrays["causal_td"][kept:], rtol=0, atol=case.tolerance)


def test_vectors_are_handed_out_fresh() -> None:
    made_elsewhere("torch_layer").arrays["x_td"][:] = 0
    assert made_elsewhere("torch_layer").arrays["x_td"].any()


def layers_with_mistakes(causal: bool) -> list[str]:
    """The mistakes that a whole layer can make and that change its output."""
    problem = practice_problem(0, causal=causal)
    found = []
    for id, mistake in REGISTRY.items():
        made = wrong_output(problem, mistake)
        if made is not None and not (
            made.shape == problem["output"].shape and np.allclose(made, problem["output"])
        ):
            found.append(id)
    return found


def with_mistake(mistake: Mistake, problem: Problem) -> Any:
    made = wrong_output(problem, mistake)
    return problem["output"] if made is None else made


@pytest.mark.parametrize("id", layers_with_mistakes(causal=False))
def test_the_whole_layer_is_told_every_known_mistake(id: str) -> None:
    def layer(*given: Any) -> Any:
        problem = next(p for _, p in problems() if np.array_equal(p.x, given[0]))
        return with_mistake(REGISTRY[id], problem)

    with pytest.raises(CheckFailed) as caught:
        check.stage("10.4", layer, LAYER)
    assert id in caught.value.ids, str(caught.value)


@pytest.mark.parametrize("id", layers_with_mistakes(causal=True))
def test_the_masked_layer_is_told_every_known_mistake(id: str) -> None:
    def layer(*given: Any) -> Any:
        problem = next(p for _, p in problems(masked=True) if np.array_equal(p.x, given[0]))
        return with_mistake(REGISTRY[id], problem)

    with pytest.raises(CheckFailed) as caught:
        check.stage("10.6", layer, MASKED)
    assert id in caught.value.ids, str(caught.value)


PROBLEM = practice_problem(7)
CAUSAL = practice_problem(7, causal=True)
GIVEN = (
    PROBLEM.x,
    *(attention.pack_columns(w) for w in (PROBLEM.w_q, PROBLEM.w_k, PROBLEM.w_v)),
    PROBLEM.w_o,
    PROBLEM.heads,
)


def wrong(id: str, problem: Problem, tensor: str) -> Any:
    return REGISTRY[id].wrong(problem, tensor)


def head_1(problem: Problem) -> Any:
    return problem["scores"][0], problem.mask


PATIENTS = {
    "patient_1": (lambda f: f(*head_1(PROBLEM)), lambda: wrong("B26", PROBLEM, "weights")[0]),
    "patient_2": (lambda f: f(*head_1(CAUSAL)), lambda: wrong("B36", CAUSAL, "weights")[0]),
    "patient_5": (
        lambda f: f(practice_problem(3, size=40)["scores"][0], PROBLEM.mask),
        lambda: wrong("B31", practice_problem(3, size=40), "weights")[0],
    ),
    "patient_7": (lambda f: f(*GIVEN), lambda: wrong_output(PROBLEM, REGISTRY["B50"])),
    "patient_8": (lambda f: f(PROBLEM["Q"], PROBLEM["K"]), lambda: wrong("B18", PROBLEM, "scores")),
    "patient_9": (lambda f: f(PROBLEM["mixed"]), lambda: wrong("B47", PROBLEM, "concat")),
    "patient_10": (lambda f: f(GIVEN[0], GIVEN[1], 2), lambda: wrong("B14", PROBLEM, "Q")),
    "patient_12": (lambda f: f(*GIVEN), lambda: wrong_output(PROBLEM, REGISTRY["B07"])),
    "patient_13": (lambda f: f(*GIVEN), lambda: wrong_output(PROBLEM, REGISTRY["B02"])),
    "patient_14": (
        lambda f: attention.split_columns(f(GIVEN[0], GIVEN[1]), 2),
        lambda: wrong("B09", PROBLEM, "Q"),
    ),
    "patient_15": (lambda f: f(GIVEN[0], GIVEN[1], 2), lambda: wrong("B01", PROBLEM, "Q")),
    "patient_17": (lambda f: f(*GIVEN), lambda: wrong_output(CAUSAL, REGISTRY["B44b"])),
    "patient_19": (
        lambda f: attention.dot_products(SHARED["Q"], f(SHARED["K"], 4)),
        lambda: wrong("B58", SHARED, "dots"),
    ),
    "patient_20": (lambda f: f(CACHED["scores"][0]), lambda: wrong("B60", CACHED, "weights")[0]),
    "patient_22": (lambda f: f(PROBLEM["scores"]), lambda: wrong("B28", PROBLEM, "weights")),
    "patient_23": (lambda f: f(*GIVEN), lambda: wrong_output(PROBLEM, REGISTRY["B17"])),
}
SHARED = practice_problem(4, d=12, heads=4, kv_heads=2)
CACHED = practice_problem(5, n=2, asked=5, causal=True)


@pytest.mark.parametrize("name", PATIENTS)
def test_a_patient_has_the_illness_of_the_registry(name: str, clinic: dict[str, Any]) -> None:
    run, expected = PATIENTS[name]
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(run(clinic[name]), expected(), rtol=1e-9, atol=1e-12)


def test_patients_4_and_6_and_18_and_21(clinic: dict[str, Any]) -> None:
    scores, allowed = head_1(CAUSAL)
    assert np.allclose(clinic["patient_6"](scores, allowed), attention.softmax(np.where(allowed, scores, 0)))
    with np.errstate(all="ignore"):
        assert np.isnan(clinic["patient_4"](np.full((1, 2), -np.inf))).all()
        assert np.isnan(clinic["patient_18_weights"][-1]).all()
    two = np.random.default_rng(0).normal(size=(2, 3, 4))
    swapped = clinic["patient_21"](two.swapaxes(0, 1)).swapaxes(0, 1)
    assert not np.allclose(clinic["patient_21"](two), swapped)


def test_three_patients_are_healthy(clinic: dict[str, Any]) -> None:
    scores, allowed = head_1(CAUSAL)
    np.testing.assert_allclose(clinic["patient_3"](scores, allowed), CAUSAL["weights"][0], atol=1e-12)
    np.testing.assert_allclose(
        clinic["patient_11"](PROBLEM["mixed"], PROBLEM.w_o), PROBLEM["output"], atol=1e-12
    )
    np.testing.assert_allclose(clinic["patient_16"](scores), CAUSAL["weights"][0], atol=1e-12)


def test_the_healthy_functions_are_healthy(clinic: dict[str, Any]) -> None:
    scores, allowed = head_1(CAUSAL)
    np.testing.assert_allclose(clinic["healthy_weights"](scores, allowed), CAUSAL["weights"][0], atol=1e-12)
    np.testing.assert_allclose(clinic["healthy_queries"](GIVEN[0], GIVEN[1], 2), PROBLEM["Q"], atol=1e-12)
    np.testing.assert_allclose(
        clinic["healthy_last_weights"](CACHED["scores"][0]), CACHED["weights"][0], atol=1e-12
    )
    np.testing.assert_allclose(clinic["causal_layer"]()(*GIVEN), CAUSAL["output"], atol=1e-12)
