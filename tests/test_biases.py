"""A layer with biases: walked, taken apart, changed, written to a file; and what has no place for them."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import oracle
import pytest

from mha_tutor import show, walk
from mha_tutor.ablation import ablate
from mha_tutor.choose import WalkOptions
from mha_tutor.cli.book import ShowOptions
from mha_tutor.cli.compare import CompareOptions, run_compare
from mha_tutor.cli.decode import run_decode
from mha_tutor.cli.step import StepOptions, run_step
from mha_tutor.errors import InputError
from mha_tutor.examples import Example, find, read_example, write_example
from mha_tutor.examples.example import BIASES
from mha_tutor.explain import Cell, why, worked
from mha_tutor.stages import walk as walk_stages
from mha_tutor.views.html import fragment
from mha_tutor.views.html.writing import marked
from mha_tutor.views.pages import View, page, page_keys
from mha_tutor.views.plain import plain_lines
from mha_tutor.views.tex import latex
from mha_tutor.whatif import changed_example, parse_change


def biased(name: str = "robot") -> Example:
    """An example with biases put to it."""
    example, draw = find(name), np.random.default_rng(5)
    biases = {
        f"b_{w[-1]}": draw.normal(size=getattr(example, w).shape[1]) for w in ("W_Q", "W_K", "W_V", "W_O")
    }
    return replace(example, biases=biases)


@pytest.mark.parametrize("heads", [1, 2, 3])
@pytest.mark.parametrize("memory", [None, "The chef cooked"])
def test_biases_are_added_to_every_product_with_a_matrix(heads: int, memory: str | None) -> None:
    example = biased()
    other = None if memory is None else example.with_sentence(memory)
    trace = walk_stages(example, heads=heads, memory=other)
    arrays = {f"b_{name[-1].lower()}": array for name, array in example.biases.items()}
    output, weights = oracle.attention(
        example.X,
        example.W_Q,
        example.W_K,
        example.W_V,
        example.W_O,
        heads=heads,
        memory=None if other is None else other.X,
        **arrays,
    )
    np.testing.assert_allclose(trace["output"].values, output, rtol=0, atol=1e-12)
    np.testing.assert_allclose(trace["weights"].values, weights, rtol=0, atol=1e-12)


def test_shared_heads_share_the_mean_of_their_biases() -> None:
    example = biased()
    trace = walk_stages(example, heads=6, kv_heads=2)
    means = example.biases["b_K"].reshape(2, 3, 2).mean(axis=1)
    np.testing.assert_allclose(trace["b_K"].values, means, atol=1e-15)
    expected = example.X @ trace["W_K"].values[1] + means[1]
    np.testing.assert_allclose(trace["K"].values[1], expected, atol=1e-12)


def test_every_number_can_be_taken_apart_down_to_its_bias() -> None:
    trace = walk_stages(biased(), heads=3)
    for name in ("Q", "K", "V", "output"):
        for index in np.ndindex(trace[name].values.shape):
            reason = why(trace, Cell(name, index))
            assert reason.bias is not None and reason.bias.tensor == f"b_{'O' if name == 'output' else name}"
            assert worked(trace, reason) == pytest.approx(trace[name].values[index], abs=1e-12)


def test_the_pages_say_the_bias_and_add_it_up() -> None:
    example = biased()
    trace = walk_stages(example, heads=3)
    texts = {key: "\n".join(plain_lines(page(key, trace, example, View(1, 6)))) for key in page_keys(trace)}
    assert "b_2^Q" in texts["project"] and "Each matrix has a bias here" in texts["project"]
    assert "output = concat W^O + b^O" in texts["output"]
    assert "bias b^O" in texts["sum"] and "b^O 12" in texts["after"]
    d = int(np.abs(trace["output"].values[6]).argmax())
    (line,) = [
        line for line in texts["sum"].splitlines() if line.startswith(f"One number: {example.features[d]}")
    ]
    terms = [float(x) for x in re.findall(r"-?\d+(?:\.\d+)?", line.split(": ")[-1].split("=")[0])]
    assert len(terms) == 4  # three heads and the bias
    assert sum(terms) == pytest.approx(trace["output"].values[6, d], abs=0.03)
    for key in page_keys(trace):
        fragment(page(key, trace, example, View(1, 6)), light=True)


def test_without_a_head_its_term_goes_and_the_bias_stays() -> None:
    example = biased()
    trace = walk_stages(example, heads=3, without=[0, 1, 2])
    np.testing.assert_allclose(trace["output"].values, np.tile(example.biases["b_O"], (9, 1)), atol=1e-15)
    found = ablate(walk_stages(example, heads=3), [1])
    np.testing.assert_allclose(found.change_td, found.terms_htd[1], atol=1e-12)
    np.testing.assert_allclose(found.full_td, walk_stages(example, heads=3)["output"].values, atol=1e-12)


def test_a_bias_can_be_changed_and_the_change_is_kept_in_a_file(tmp_path: Path) -> None:
    example = biased()
    trace = walk_stages(example, heads=6, kv_heads=2)
    change = parse_change(trace, "b_K[2, 1] = 4")
    changed = walk_stages(example, heads=6, kv_heads=2, changes=[change])
    assert changed["K"].values[1, 0, 0] != trace["K"].values[1, 0, 0]
    kept = changed_example(example, changed, [change])
    path = tmp_path / "mine.toml"
    path.write_text(write_example(kept), encoding="utf-8")
    read = read_example(path)
    assert sorted(read.biases) == sorted(BIASES)
    for name, bias in kept.biases.items():
        assert read.biases[name].tolist() == bias.tolist()
    again = walk_stages(read, heads=6)
    np.testing.assert_allclose(again["output"].values, changed["output"].values, atol=1e-12)


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ("b_Q = [1, 2]\n", "has b_Q and no b_K"),
        ("b_Q = 1\nb_K = [1]\nb_V = [1]\nb_O = [1]\n", "b_Q is 1; expected a list of numbers"),
        ("b_Q = [1]\nb_K = [1]\nb_V = [1]\nb_O = [1]\n", "b_Q has 1 numbers; expected"),
        ('b_Q = ["x"]\nb_K = [1]\nb_V = [1]\nb_O = [1]\n', "b_Q, number 1, is 'x'"),
    ],
)
def test_biases_in_a_file_must_be_four_lists_that_fit(tmp_path: Path, lines: str, told: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(lines + write_example(find("by-hand")), encoding="utf-8")
    with pytest.raises(InputError, match=re.escape(told)):
        read_example(path)


def test_a_tensor_of_one_axis_is_shown_as_a_row() -> None:
    trace = walk(biased(), heads=3)
    for name in ("b_O", "b_Q"):
        assert f"{trace[name].values.ravel()[0]:.2f}" in repr(show(trace, name))


def test_what_has_no_place_for_biases_says_so() -> None:
    example = biased()
    calls = [
        lambda: run_compare(CompareOptions((), False, None, WalkOptions(example=example), ShowOptions())),
        lambda: run_compare(CompareOptions((), True, None, WalkOptions(example=example), ShowOptions())),
        lambda: run_decode(WalkOptions(example=example), ShowOptions()),
    ]
    for call in calls:
        with pytest.raises(InputError, match=r"has biases .* Choose an example without"):
            call()
    with pytest.raises(InputError, match="has biases and wide rows"):
        run_step(StepOptions(WalkOptions(example=example), ShowOptions(format="plain"), quiz=True))


def test_a_bias_has_its_index_and_power_in_a_browser_and_in_latex() -> None:
    assert marked("Q_2 = X W_2^Q + b_2^Q") == (
        "Q<sub>2</sub> = X W<sub>2</sub><sup>Q</sup> + b<sub>2</sub><sup>Q</sup>"
    )
    assert marked("concat W^O + b^O") == "concat W<sup>O</sup> + b<sup>O</sup>"
    example = biased()
    text = latex([page("project", walk_stages(example, heads=3), example, View(1, 6))], "A walk")
    assert "$b_{2}^{Q}$" in text
