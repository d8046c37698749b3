"""The engine against loops over Python floats, its leaves against each other, and what it refuses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mha_tutor import attention
from mha_tutor.examples import find
from mha_tutor.multihead import Steps, multi_head_attention
from mha_tutor.stages import walk
from tests.engine_checks import CHECKS, HEADS, Check, D, N, allowed_places, drawn, problem, square_problem


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_engine(check: Check) -> None:
    check(multi_head_attention)


def test_the_textbook_version_equals_the_engine_and_the_walk() -> None:
    robot = find("robot")
    matrices = robot.W_Q, robot.W_K, robot.W_V, robot.W_O
    for heads in (1, 3, 4):
        textbook = attention.textbook_attention(robot.X, *matrices, heads)
        trace = walk(robot, heads=heads)
        steps = multi_head_attention(robot.X, *matrices, heads=heads, return_trace=True)
        np.testing.assert_allclose(textbook, trace["output"].values, rtol=0, atol=1e-12)
        for name, kept in (
            ("Q", steps.q),
            ("K", steps.k),
            ("V", steps.v),
            ("dots", steps.dots),
            ("scores", steps.scores),
            ("weights", steps.weights),
            ("mixed", steps.mixed),
            ("concat", steps.concat),
            ("output", steps.output),
        ):
            np.testing.assert_allclose(kept, trace[name].values, rtol=0, atol=1e-12, err_msg=name)


def test_a_trace_holds_every_stage_and_the_stages_fit_each_other() -> None:
    given = problem(30, heads=6, kv_heads=2) | {"mask": allowed_places(30, N, N), "causal": True}
    steps = multi_head_attention(**given, return_trace=True)
    output, weights = multi_head_attention(**given, return_weights=True)
    np.testing.assert_array_equal(steps.output, output)
    np.testing.assert_array_equal(steps.weights, weights)
    k_hse = attention.share_heads(steps.k, 6)
    np.testing.assert_allclose(steps.dots, steps.q @ k_hse.swapaxes(-1, -2), atol=1e-12)
    np.testing.assert_allclose(steps.scores, steps.dots / np.sqrt(2), atol=1e-12)
    np.testing.assert_array_equal(np.isneginf(steps.masked), np.broadcast_to(steps.weights == 0, (6, N, N)))
    np.testing.assert_array_equal(attention.softmax(steps.masked), steps.weights)
    np.testing.assert_allclose(steps.weights @ attention.share_heads(steps.v, 6), steps.mixed, atol=1e-12)
    np.testing.assert_allclose(steps.concat @ given["w_o"] + given["b_o"], steps.output, atol=1e-12)


def test_a_trace_keeps_at_most_three_arrays_of_heads_times_n_squared() -> None:
    n, d, heads = 128, 32, 4
    x, *matrices = (drawn(31, rows, d) for rows in (n, d, d, d, d))
    steps = multi_head_attention(x, *matrices, heads=heads, causal=True, return_trace=True)
    large = {id(array) for array in steps if array is not None and array.size >= heads * n * n}
    assert len(large) == 2


def test_a_trace_cannot_be_changed() -> None:
    steps = multi_head_attention(**square_problem(), return_trace=True)
    with pytest.raises(AttributeError):
        steps.output = steps.concat  # type: ignore[misc]


def test_the_present_cache_is_the_past_of_the_next_call() -> None:
    given = square_problem() | {"causal": True}
    x = given.pop("x")
    whole = multi_head_attention(x, **given)
    first: Steps = multi_head_attention(x[:4], **given, return_trace=True)
    rest = multi_head_attention(x[4:], **given, past=first.present)
    np.testing.assert_allclose(np.concatenate([first.output, rest]), whole, rtol=0, atol=1e-13)


def test_what_is_given_is_never_changed() -> None:
    given = problem(32) | {"mask": allowed_places(32, N, N)}
    before = {name: value.copy() for name, value in given.items() if isinstance(value, np.ndarray)}
    multi_head_attention(**given, causal=True)
    for name, value in before.items():
        np.testing.assert_array_equal(given[name], value, err_msg=name)


def test_packing_undoes_splitting() -> None:
    w_dc = drawn(33, D, 6)
    w_hde = attention.split_columns(w_dc, 3)
    np.testing.assert_array_equal(attention.pack_columns(w_hde), w_dc)
    np.testing.assert_array_equal(w_hde[1], w_dc[:, 2:4])


def test_projecting_head_by_head_equals_one_large_product() -> None:
    x, w_dc, b_c = drawn(34, 2, N, D), drawn(35, D, 6), drawn(36, 6)
    by_head = attention.project(x, attention.split_columns(w_dc, 3), b_c.reshape(3, 2))
    np.testing.assert_allclose(by_head, attention.split_heads(x @ w_dc + b_c, 3), atol=1e-13)
    np.testing.assert_array_equal(attention.concat_heads(attention.split_heads(x, D)), x)


def test_large_softmaxes_equal_small_ones() -> None:
    scores = drawn(37, 3, 401, 307)
    assert scores.size > 2 * attention.BLOCK
    in_one = attention.softmax(scores)
    by_row = np.array([[attention.softmax(row) for row in head] for head in scores])
    np.testing.assert_allclose(in_one, by_row, rtol=1e-14)
    reused = np.asfortranarray(scores)
    assert attention.softmax(reused, out=reused) is reused
    np.testing.assert_allclose(reused, by_row, rtol=1e-14)


def test_a_softmax_of_no_tokens_is_empty_and_whole_numbers_are_read_as_numbers() -> None:
    assert attention.softmax(np.zeros((2, 3, 0))).shape == (2, 3, 0)
    np.testing.assert_array_equal(attention.softmax(np.array([2, 2])), [0.5, 0.5])


def test_float16_scores_give_float32_weights_that_sum_to_one() -> None:
    weights = attention.softmax(drawn(38, 5, 4099).astype(np.float16))
    assert weights.dtype == np.float32
    np.testing.assert_allclose(weights.sum(-1), 1, atol=1e-6)


def test_the_lowest_float64_as_a_mask_is_minus_infinity_in_float32() -> None:
    given = {k: v.astype(np.float32) if isinstance(v, np.ndarray) else v for k, v in square_problem().items()}
    numbers = np.where(allowed_places(39, N, N), 0, np.finfo(np.float64).min)
    _, weights = multi_head_attention(**given, mask=numbers, return_weights=True)
    np.testing.assert_array_equal(weights == 0, np.broadcast_to(numbers < 0, weights.shape))
    assert weights.dtype == np.float32


def test_a_mask_may_differ_by_sentence_or_by_head() -> None:
    given = problem(40)
    x = drawn(40, 2, N, D)
    padding = np.ones((2, 1, 1, N), dtype=bool)
    padding[1, ..., 5:] = False
    by_head = np.stack([allowed_places(i, N, N) for i in range(HEADS)])
    _, weights = multi_head_attention(**given | {"x": x}, mask=padding, return_weights=True)
    assert np.all(weights[1, ..., 5:] == 0) and np.all(weights[0] > 0)
    _, weights = multi_head_attention(**given, mask=by_head, return_weights=True)
    np.testing.assert_array_equal(weights == 0, ~by_head)


def test_one_memory_serves_a_whole_batch() -> None:
    given = problem(41) | {"memory": drawn(41, 5, D)}
    x = drawn(41, 2, N, D)
    output = multi_head_attention(**given | {"x": x})
    np.testing.assert_allclose(output[1], multi_head_attention(**given | {"x": x[1]}), atol=1e-12)


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "heads that cannot be shared": ({"kv_heads": 2}, "3 heads cannot share 2 key/value heads evenly"),
    "no heads": ({"heads": 0}, "0 heads"),
    "columns that cannot be cut": ({"heads": 5, "kv_heads": 5}, r"w_q \(11, 6\), expected \(11, 5\)"),
    "a matrix for another width": ({"w_k": drawn(0, 13, 6)}, r"w_k \(13, 6\), expected \(11, 6\)"),
    "a transposed W^O": ({"w_o": drawn(0, 17, 57)}, r"w_o \(17, 57\), expected \(57, 57\)"),
    "a matrix that is not packed": ({"w_q": drawn(0, 3, 11, 2)}, r"\(3, 11, 2\)"),
    "a row alone": ({"x": drawn(0, D)}, r"\(11,\)"),
    "a bias of another length": ({"b_v": drawn(0, 3)}, r"b_v \(3,\), expected \(57,\)"),
    "a mask of another shape": ({"mask": np.ones((7, 6), bool)}, r"\(7, 6\).*\(3, 7, 7\)"),
    "a mask of whole numbers": ({"mask": np.ones((7, 7), int)}, "int64"),
    "a cache of another width": ({"past": (drawn(0, 3, 5, 4), drawn(0, 3, 5, 19))}, r"\(3, 5, 4\)"),
    "values that do not go with the keys": (
        {"past": (drawn(0, 3, 5, 2), drawn(0, 3, 4, 19))},
        r"\(3, 4, 19\)",
    ),
    "batches that do not go together": (
        {"x": drawn(0, 2, 7, 11), "memory": drawn(0, 4, 7, 11)},
        r"\(4, 7, 11\)",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_shapes_that_do_not_fit_are_refused_with_the_shapes(case: str) -> None:
    changed, message = REFUSED[case]
    with pytest.raises(ValueError, match=message):
        multi_head_attention(**problem() | changed)


def test_heads_that_cannot_be_shared_are_refused_in_the_leaves_too() -> None:
    with pytest.raises(ValueError, match=r"6 heads \(6, 7, 2\) cannot share 4"):
        attention.dot_products(drawn(0, 6, 7, 2), drawn(0, 4, 7, 2))
