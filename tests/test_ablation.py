"""Removing heads before W^O: exactly their terms leave the output."""

from __future__ import annotations

import json
from collections.abc import Callable

import numpy as np
import pytest
from drawing import Ran, drawn_example, drawn_examples, few, run_fixture, steady_fixture  # noqa: F401
from hypothesis import given
from hypothesis import strategies as st
from test_golden import same

from mha_tutor.ablation import ablate, zero_rows
from mha_tutor.attention import causal_mask, textbook_attention
from mha_tutor.errors import InputError
from mha_tutor.examples import Example, find
from mha_tutor.stages import walk
from mha_tutor.views.page import Chart, FirstFit, Page, Table
from mha_tutor.views.pages import View, page, page_keys

Run = Callable[..., Ran]
CLOSE = {"rtol": 0, "atol": 1e-12}


@st.composite
def with_removed(draw: st.DrawFn) -> tuple[Example, list[int]]:
    example = draw(drawn_examples)
    return example, draw(st.lists(st.integers(0, example.heads - 1), max_size=5))


@few
@given(with_removed(), st.booleans())
def test_exactly_the_removed_terms_are_missing(drawn: tuple[Example, list[int]], causal: bool) -> None:
    example, removed = drawn
    allowed = causal_mask(len(example.tokens), len(example.tokens)) if causal else None
    full = walk(example, allowed=allowed)
    less = walk(example, allowed=allowed, without=removed)
    found = ablate(less)
    terms = np.zeros_like(full["output"].values)
    for i in set(removed):
        rows = slice(i * less.sizes["d_v"], (i + 1) * less.sizes["d_v"])
        terms += full["mixed"].values[i] @ example.W_O[rows]
    missing = full["output"].values - less["output"].values
    np.testing.assert_allclose(missing, terms, **CLOSE)
    np.testing.assert_allclose(found.change_td, missing, **CLOSE)
    np.testing.assert_allclose(found.full_td, full["output"].values, **CLOSE)
    np.testing.assert_allclose(found.without_td, less["output"].values, **CLOSE)
    np.testing.assert_allclose(found.lengths_t, np.sqrt((terms**2).sum(axis=1)), **CLOSE)
    assert max(found.off_term, found.off_zeroed) < 1e-12


@few
@given(with_removed())
def test_zero_rows_of_the_output_matrix_do_the_same(drawn: tuple[Example, list[int]]) -> None:
    example, removed = drawn
    less = walk(example, without=removed)
    zeroed = zero_rows(example.W_O, example.heads, removed)
    changed = textbook_attention(example.X, example.W_Q, example.W_K, example.W_V, zeroed, example.heads)
    np.testing.assert_allclose(changed, less["output"].values, **CLOSE)
    width = less.sizes["d_v"]
    for c, row in enumerate(zeroed):
        expected = 0 * row if c // width in removed else example.W_O[c]
        np.testing.assert_array_equal(row, expected)


@few
@given(drawn_examples)
def test_the_terms_of_all_heads_add_up_and_without_all_nothing_is_left(example: Example) -> None:
    full = walk(example)
    np.testing.assert_allclose(ablate(full).terms_htd.sum(axis=0), full["output"].values, **CLOSE)
    assert not ablate(full).change_td.any()
    assert not walk(example, without=range(example.heads))["output"].values.any()


def test_nothing_before_the_concatenation_changes() -> None:
    full, less = walk(find("robot")), walk(find("robot"), without=(1,))
    for name in ("Q", "K", "V", "dots", "scores", "weights", "mixed", "W_O"):
        np.testing.assert_array_equal(full[name].values, less[name].values)
    assert not less["concat"].values[:, 4:8].any()
    np.testing.assert_array_equal(less["concat"].values[:, :4], full["concat"].values[:, :4])


def test_the_json_says_which_heads_are_removed_and_else_nothing() -> None:
    full, less = walk(find("robot")).as_json(), walk(find("robot"), without=(2, 0, 2)).as_json()
    assert less["removed_heads"] == [0, 2]
    assert set(less) - set(full) == {"removed_heads"}
    assert set(less["tensors"]) == set(full["tensors"])


@pytest.mark.parametrize("head", [-1, 3])
def test_an_unknown_head_is_refused(head: int) -> None:
    with pytest.raises(InputError, match=rf"There is no head {head + 1} to leave out; choose from 1 to 3\."):
        walk(find("robot"), without=(head,))
    with pytest.raises(IndexError):
        ablate(walk(find("robot")), (head,))


# The pages


def pages(example: Example, removed: tuple[int, ...], token: int) -> dict[str, Page]:
    trace = walk(example, without=removed)
    return {key: page(key, trace, example, View(0, token)) for key in page_keys(trace)}


def words(shown: Page) -> str:
    return " ".join(block.text for block in shown.blocks if hasattr(block, "text"))


def test_only_a_walk_without_a_head_has_the_page() -> None:
    assert "without" not in page_keys(walk(find("robot")))
    keys = page_keys(walk(find("robot"), without=(0,)))
    assert keys[keys.index("sum") + 1] == "without"


@pytest.mark.parametrize("removed", [(0,), (1,), (2,), (0, 2), (0, 1, 2)])
def test_the_pages_after_the_removal_say_it_and_those_before_do_not(removed: tuple[int, ...]) -> None:
    shown = pages(find("robot"), removed, 6)
    named = "all heads" if len(removed) == 3 else " and ".join(f"head {i + 1}" for i in removed)
    for key in shown:
        says = f"Removed before W^O: {named}." in words(shown[key])
        assert says == (key in ("concat", "output", "sum", "after")), key


@few
@given(with_removed().filter(lambda drawn: drawn[1]), st.integers(0, 5))
def test_every_number_of_the_page_is_a_computed_one(drawn: tuple[Example, list[int]], token: int) -> None:
    example, removed = drawn
    t = token % len(example.tokens)
    chosen = tuple(sorted(set(removed)))
    shown = pages(example, chosen, t)["without"]
    full, less = walk(example)["output"].values, walk(example, without=chosen)["output"].values
    table = next(block for block in shown.blocks if isinstance(block, Table))
    np.testing.assert_allclose(table.values[:3], [full[t], less[t], full[t] - less[t]], **CLOSE)
    np.testing.assert_allclose(table.values[-1], full[t] - less[t], **CLOSE)
    chart = next(block for block in shown.blocks if isinstance(block, Chart))
    order = [int(x.split()[0]) - 1 for x in chart.xs]
    lengths = np.linalg.norm(full - less, axis=1)
    np.testing.assert_allclose([v or 0.0 for v in chart.series[0].values], lengths[order], **CLOSE)
    assert chart.series[0].written == tuple(f"{v:.2f}".removesuffix("0.00") or "0.00" for v in lengths[order])
    assert order[chart.here or 0] == t
    assert list(lengths[order]) == sorted(lengths, reverse=True)


def test_a_removed_head_adds_zeros_on_the_page_of_the_sum() -> None:
    shown = pages(find("robot"), (1,), 6)
    table = next(block for block in shown["sum"].blocks if isinstance(block, Table))
    trace = walk(find("robot"), without=(1,))
    assert table.rows == ("head 1", "head 2: 0", "head 3", "sum")
    assert not table.values[1].any()
    np.testing.assert_allclose(table.values[-1], trace["output"].values[6], **CLOSE)


def test_all_heads_removed_is_said_and_is_no_fault() -> None:
    shown = pages(find("by-hand"), (0, 1), 1)
    assert "All heads are removed, so every number of the output is 0." in words(shown["without"])
    for key in ("concat", "output", "sum", "after"):
        for block in shown[key].blocks:
            tables = block.options[-1] if isinstance(block, FirstFit) else (block,)
            assert not any(isinstance(t, Table) and not np.isfinite(t.values).all() for t in tables)


def test_a_head_that_adds_nothing_is_said_to_add_nothing() -> None:
    example = drawn_example(3, 2, 2, 7)
    silent = Example(**{**vars(example), "W_O": zero_rows(example.W_O, 2, (0,))})
    assert "Nothing is missing" in words(pages(silent, (0,), 0)["without"])


# The command line


def test_the_command_shows_the_page(run: Run, steady: None, pytestconfig: pytest.Config) -> None:
    ran = run("step", "--without-head", "2", "--stage", "without")
    assert (ran.code, ran.err) == (0, "")
    same("step-without-head-2", ran.out, bool(pytestconfig.getoption("--update-golden")))


def test_a_head_given_twice_is_removed_once(run: Run) -> None:
    once = run("step", "--without-head", "2", "--stage", "sum")
    assert run("step", "--without-head", "2", "--without-head", "2", "--stage", "sum") == once


def test_plain_text_says_one_number_a_line(run: Run) -> None:
    ran = run("step", "--without-head", "2", "--stage", "without", "--format", "plain")
    value = walk(find("robot"))["output"].values[6, 6]
    assert f"output of `it`, with all, subject*, {value:.2f}" in ran.out.split("\n")
    assert "output of `it`, without, subject*, 0" in ran.out.split("\n")


def test_the_json_of_the_command_is_the_traces(run: Run) -> None:
    data = json.loads(run("step", "--without-head", "3", "--format", "json").out)
    assert data == walk(find("robot"), without=(2,)).as_json()


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--without-head", "4"], "There is no head 4 to leave out; choose from 1 to 3."),
        (["--without-head", "0"], "There is no head 0 to leave out; choose from 1 to 3."),
        (["--heads", "1", "--without-head", "2"], "There is no head 2 to leave out; the only head is 1."),
        (
            ["--stage", "without"],
            "--stage 'without' is not part of this walk. Choose one of embed, project, dots, scale, softmax, "
            "mix, concat, output, heads, sum, after.",
        ),
    ],
)
def test_what_does_not_fit_is_one_message(run: Run, args: list[str], message: str) -> None:
    assert run("step", *args) == (2, "", f"mha-tutor: {message}\n")
