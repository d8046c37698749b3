"""What attention costs: every count against arrays, loops and the published figures."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise, product
from math import prod
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mha_tutor import attention, cost
from mha_tutor.cli.cost import cost_output
from mha_tutor.cost import PRESETS, Shape, choose
from mha_tutor.cost.presets import ROBOT
from mha_tutor.cost.shape import divisors
from mha_tutor.errors import InputError
from mha_tutor.examples import find
from mha_tutor.numbers import bytes_scaled, bytes_written, count_scaled, counted
from mha_tutor.stages import walk
from mha_tutor.texts import texts
from mha_tutor.views.chart import chart_lines, listing_lines, shares
from mha_tutor.views.cost_page import make_cost_page
from mha_tutor.views.page import Bars, Chart, Listing, Text

PRIMES = Shape(d_model=11, heads=6, kv_heads=2, d_k=5, d_v=7, layers=13, tokens=3, batch=2, fixed_width=True)


def many_shapes() -> Iterator[Shape]:
    """Shapes of every kind, with all sizes different where they can be."""
    for d, h in product((1, 4, 6, 12, 60), (1, 2, 3, 4, 6)):
        for g in divisors(h):
            if d % h == 0:
                yield Shape.of(d, h, kv_heads=g, tokens=5, layers=2)
            yield Shape.of(d, h, kv_heads=g, head_width=7, tokens=5)
            yield Shape(d, h, g, d_k=3, d_v=5, tokens=7, batch=2, fixed_width=True)


def allocated(shape: Shape) -> list[np.ndarray[Any, Any]]:
    """The matrices head by head, as the paper writes them."""
    d, h, g = shape.d_model, shape.heads, shape.kv_heads
    return [
        *(np.empty((d, shape.d_k)) for _ in range(h)),
        *(np.empty((d, shape.d_k)) for _ in range(g)),
        *(np.empty((d, shape.d_v)) for _ in range(g)),
        np.empty((h * shape.d_v, d)),
    ]


# Parameters


def test_parameters_are_the_sizes_of_the_arrays_head_by_head() -> None:
    for shape in many_shapes():
        assert cost.parameters(shape) == sum(array.size for array in allocated(shape)), shape


def test_biases_add_one_number_for_each_column() -> None:
    for shape in many_shapes():
        columns = sum(array.shape[1] for array in allocated(shape))
        assert cost.parameters(shape, with_biases=True) == cost.parameters(shape) + columns, shape


@pytest.mark.parametrize("d_model", [1, 4, 12, 512, 720, 12288])
def test_cut_from_d_model_every_number_of_heads_has_4_d_squared_parameters(d_model: int) -> None:
    for heads in divisors(d_model):
        assert cost.parameters(Shape.of(d_model, heads)) == 4 * d_model**2


def test_width_512_has_1048576_parameters_and_with_biases_1050624() -> None:
    for heads in divisors(512):
        shape = Shape.of(512, heads)
        assert cost.parameters(shape) == 1_048_576
        assert cost.parameters(shape, with_biases=True) == 1_050_624


@pytest.mark.parametrize(
    ("d_model", "heads", "right", "wrong", "mqa"),
    [
        (4, 2, 64, 40, 48),
        (6, 2, 144, 90, 108),
        (6, 3, 144, 72, 96),
        (8, 2, 256, 160, 192),
        (8, 4, 256, 112, 160),
        (512, 8, 1_048_576, 360_448, 589_824),
        (12288, 96, 603_979_776, 155_713_536, 305_135_616),
    ],
)
def test_the_checked_table_of_right_wrong_and_shared_parameters_is_met(
    d_model: int, heads: int, right: int, wrong: int, mqa: int
) -> None:
    shape = Shape.of(d_model, heads)
    assert cost.parameters(shape) == right
    assert cost.wrong_parameters(shape) == wrong
    assert cost.parameters(shape.with_kv_heads(1)) == mqa


def test_the_wrong_formula_counts_matrices_that_see_a_slice_of_x() -> None:
    d, h = 12, 3
    slices = [np.empty((d // h, d // h)) for _ in range(3 * h)]
    assert cost.wrong_parameters(Shape.of(d, h)) == sum(a.size for a in slices) + d * d


def test_the_wrong_formula_is_right_for_one_head_alone() -> None:
    for d_model in (2, 12, 512):
        for heads in divisors(d_model):
            shape = Shape.of(d_model, heads)
            assert (cost.wrong_parameters(shape) == cost.parameters(shape)) is (heads == 1)


def test_with_a_fixed_head_width_parameters_grow_with_the_heads() -> None:
    one = cost.parameters(Shape.of(512, 1, head_width=64))
    assert [cost.parameters(Shape.of(512, h, head_width=64)) for h in (2, 3, 8)] == [
        2 * one,
        3 * one,
        8 * one,
    ]
    assert cost.wrong_parameters(Shape.of(512, 8, head_width=64)) is None


# Work


def counted_in_loops(shape: Shape) -> dict[str, int]:
    """Multiply-adds of one layer, counted one by one."""
    count = dict.fromkeys(("project", "dots", "mix", "output"), 0)
    for _text, _t in product(range(shape.batch), range(shape.tokens)):
        for columns in (shape.heads * shape.d_k, shape.kv_heads * shape.d_k, shape.kv_heads * shape.d_v):
            for _column, _d in product(range(columns), range(shape.d_model)):
                count["project"] += 1
        for _head, _s in product(range(shape.heads), range(shape.tokens)):
            for _e in range(shape.d_k):
                count["dots"] += 1
            for _e in range(shape.d_v):
                count["mix"] += 1
        for _d, _c in product(range(shape.d_model), range(shape.heads * shape.d_v)):
            count["output"] += 1
    return count


@pytest.mark.parametrize(
    "shape",
    [
        PRIMES,
        Shape.of(6, 3, tokens=4),
        Shape.of(4, 4, kv_heads=2, tokens=3, batch=2),
        Shape.of(5, 2, head_width=3, tokens=1),
        Shape.of(1, 1),
    ],
)
def test_multiply_adds_are_those_that_loops_count(shape: Shape) -> None:
    assert cost.multiply_adds(shape) == counted_in_loops(shape)


def test_without_shared_heads_the_work_is_4_n_d_squared_and_2_n_squared_d() -> None:
    n, d = 7, 12
    for heads in divisors(d):
        work = cost.multiply_adds(Shape.of(d, heads, tokens=n))
        assert work["project"] + work["output"] == 4 * n * d * d
        assert work["dots"] + work["mix"] == 2 * n * n * d


@pytest.mark.parametrize(("heads", "kv_heads"), [(3, 3), (6, 2), (4, 1), (1, 1)])
def test_shapes_and_numbers_made_are_those_of_the_engine(heads: int, kv_heads: int) -> None:
    trace = walk(find("robot"), heads=heads, kv_heads=kv_heads)
    shape = Shape.of(12, heads, kv_heads=kv_heads, tokens=9)
    made = cost.numbers_made(shape)
    for stage in trace.stages:
        if stage.key != "embed":
            assert made[stage.key] == sum(tensor.values.size for tensor in stage.outputs), stage.key
    learned = [trace[name].values.size for name in cost.matrices(shape)]
    assert learned == [prod(size) for size in cost.matrices(shape).values()]


def test_multiply_adds_follow_the_products_of_the_engine() -> None:
    trace = walk(find("robot"), heads=6, kv_heads=2)
    work = dict.fromkeys(("project", "dots", "mix", "output"), 0)
    for stage in trace.stages:
        for one in stage.products:
            letters = one.spec.split(",")[0]
            summed = letters[-1]  # the left operand's last axis is the one that is summed over
            size = trace[one.left].values.shape[letters.index(summed)]
            work[stage.key] += trace[one.output].values.size * size
    assert cost.multiply_adds(Shape.of(12, 6, kv_heads=2, tokens=9)) == work


def test_the_textbook_function_takes_matrices_of_these_shapes() -> None:
    shape = Shape.of(12, 3, tokens=5)
    w_q, w_k, w_v, w_o = (np.ones(size) for size in cost.matrices(shape).values())
    out = attention.textbook_attention(np.ones((5, 12)), w_q, w_k, w_v, w_o, heads=3)
    assert out.size == cost.numbers_made(shape)["output"]


def test_softmax_entries_are_one_map_a_head_and_grow_with_the_heads() -> None:
    for heads in divisors(12):
        assert cost.softmax_entries(Shape.of(12, heads, tokens=9)) == heads * 81
    assert cost.softmax_entries(Shape.of(12, 3, tokens=9, batch=4)) == 4 * 3 * 81


def test_from_even_tokens_on_scores_take_as_much_work_as_the_matrices() -> None:
    for shape in many_shapes():
        for tokens in (cost.even_tokens(shape) - 1, cost.even_tokens(shape)):
            if tokens:
                one = Shape(**{**vars(shape), "tokens": tokens})
                work = cost.multiply_adds(one)
                enough = work["dots"] + work["mix"] >= work["project"] + work["output"]
                assert enough is (tokens == cost.even_tokens(shape)), one
    assert cost.even_tokens(Shape.of(512, 8)) == 1024


# The cache


def test_the_cache_holds_k_and_v_of_every_token_layer_and_text() -> None:
    for shape in (*many_shapes(), PRIMES):
        kept = cost.cache(shape)
        keys = np.empty((shape.layers, shape.batch, shape.kv_heads, shape.tokens, shape.d_k), np.float16)
        values = np.empty((shape.layers, shape.batch, shape.kv_heads, shape.tokens, shape.d_v), np.float16)
        assert kept.whole == keys.size + values.size
        assert kept.bytes_of(kept.whole) == keys.nbytes + values.nbytes
        assert kept.layer == keys[0].size + values[0].size
        assert kept.token == keys[:, 0, :, 0].size + values[:, 0, :, 0].size
        assert kept.token_layer == keys[0, 0, :, 0].size + values[0, 0, :, 0].size


def test_gpt3_has_603979776_parameters_a_layer_and_4718592_cache_bytes_a_token() -> None:
    shape = PRESETS["gpt3"].shape
    assert cost.parameters(shape) == 603_979_776
    assert cost.parameters(shape) * shape.layers == 57_982_058_496
    kept = cost.cache(shape)
    assert kept.bytes_of(kept.token) == 4_718_592
    assert kept.token == 2 * shape.layers * shape.d_model


def test_sharing_divides_the_cache_by_heads_over_kv_heads() -> None:
    shape = PRESETS["llama2-70b"].shape
    assert cost.cache(shape, shape.heads).token == 8 * cost.cache(shape).token
    assert cost.cache(shape, shape.heads).token == 64 * cost.cache(shape, 1).token


def test_all_heads_of_their_own_is_mha_one_for_all_is_mqa_and_between_is_gqa() -> None:
    kinds = {g: Shape.of(12, 6, kv_heads=g).kind for g in (1, 2, 3, 6)}
    assert kinds == {1: "mqa", 2: "gqa", 3: "gqa", 6: "mha"}
    assert Shape.of(12, 1).kind == "mha"
    assert Shape.of(12, 6) == Shape.of(12, 6, kv_heads=6)


# Sweeps


def test_over_heads_only_softmax_entries_grow() -> None:
    sweep = cost.over_heads(Shape.of(512, 8, tokens=64))
    assert sweep.xs == (1, 2, 4, 8, 16, 32, 64, 128)
    for flat in ("parameters", "multiply_adds", "cache_bytes_a_token"):
        assert len(set(sweep[flat])) == 1, flat
    assert sweep["softmax_entries"] == tuple(h * 64 * 64 for h in sweep.xs)
    wrong = [value for value in sweep["wrong_formula"] if value is not None]
    assert wrong == sorted(wrong, reverse=True)


def test_over_heads_of_a_fixed_width_everything_grows_in_step() -> None:
    sweep = cost.over_heads(Shape.of(512, 5, head_width=64))
    assert 5 in sweep.xs
    for key in ("parameters", "multiply_adds", "softmax_entries", "cache_bytes_a_token"):
        first = sweep[key][0]
        assert first is not None
        assert sweep[key] == tuple(h * first for h in sweep.xs), key


def test_a_sweep_over_heads_always_has_the_shape_itself() -> None:
    assert 256 in cost.over_heads(Shape.of(512, 256)).xs
    assert cost.over_heads(Shape.of(7, 7)).xs == (1, 7)


def test_over_tokens_matrices_double_and_scores_become_four_times_as_many() -> None:
    sweep = cost.over_tokens(PRESETS["gpt3"].shape)
    assert sweep.xs == tuple(2**i for i in range(12))
    for key, factor in {
        "matrix_multiply_adds": 2,
        "score_multiply_adds": 4,
        "softmax_entries": 4,
        "cache_bytes": 2,
    }.items():
        values = [value for value in sweep[key] if value is not None]
        assert [b / a for a, b in pairwise(values)] == [factor] * 11, key


def test_over_kv_heads_runs_from_one_for_all_to_one_for_each() -> None:
    shape = PRESETS["llama2-70b"].shape
    sweep = cost.over_kv_heads(shape)
    assert sweep.xs == (1, 2, 4, 8, 16, 32, 64)
    kept = cost.cache(shape)
    assert sweep["cache_bytes_a_token"][3] == kept.bytes_of(kept.token)
    with pytest.raises(KeyError):
        sweep["nothing"]


# Choosing a shape


def test_without_options_the_shape_is_that_of_the_robot_example() -> None:
    trace = walk(find("robot"))
    assert choose().shape == ROBOT
    sizes = {"d_model": ROBOT.d_model, "heads": ROBOT.heads, "kv_heads": ROBOT.kv_heads}
    sizes |= {"d_k": ROBOT.d_k, "d_v": ROBOT.d_v, "n": ROBOT.tokens, "m": ROBOT.tokens}
    assert trace.sizes == sizes
    assert trace["X"].values.dtype == ROBOT.dtype


def test_options_go_over_the_preset_and_the_rest_stays() -> None:
    chosen = choose("gpt3", heads=48, tokens=10, dtype="fp32")
    assert chosen.shape == Shape.of(12288, 48, layers=96, tokens=10, dtype="float32")
    assert chosen.changed == ("heads", "tokens", "dtype")
    assert choose("gpt3", heads=96).changed == ()
    assert choose("llama2-70b", heads=32).shape.kv_heads == 8
    assert choose("GPT3") == choose("gpt3")


def test_a_head_width_goes_over_the_preset() -> None:
    chosen = choose("bert-base", heads=5, head_width=64)
    assert (chosen.shape.d_k, chosen.shape.d_v, chosen.changed) == (64, 64, ("heads", "d_k"))


@pytest.mark.parametrize(
    ("name", "d_model", "heads", "kv_heads", "width", "layers", "tokens"),
    [
        ("gpt3", 12288, 96, 96, 128, 96, 2048),
        ("gpt2", 768, 12, 12, 64, 12, 1024),
        ("bert-base", 768, 12, 12, 64, 12, 512),
        ("transformer-base", 512, 8, 8, 64, 6, 512),
        ("transformer-big", 1024, 16, 16, 64, 6, 512),
        ("llama2-70b", 8192, 64, 8, 128, 80, 4096),
    ],
)
def test_the_presets_have_the_sizes_of_their_sources(
    name: str, d_model: int, heads: int, kv_heads: int, width: int, layers: int, tokens: int
) -> None:
    shape = PRESETS[name].shape
    assert (shape.d_model, shape.heads, shape.kv_heads) == (d_model, heads, kv_heads)
    assert (shape.d_k, shape.d_v, shape.layers, shape.tokens) == (width, width, layers, tokens)
    assert shape.dtype_bytes == 2


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_4_d_squared_with_its_own_heads_and_names_a_source(name: str) -> None:
    preset = PRESETS[name]
    shape = preset.shape
    assert cost.parameters(shape.with_kv_heads(shape.heads)) == 4 * shape.d_model**2
    assert shape.heads * shape.d_k == shape.d_model
    assert preset.name == name
    assert preset.source and preset.title


@pytest.mark.parametrize(
    ("options", "parts"),
    [
        ({"d_model": 512, "heads": 7}, ["7 heads", "512", "1, 2, 4, 8", "or 512", "--head-width"]),
        ({"d_model": 512}, ["3 heads", "512", "robot example"]),
        ({"preset": "gpt3", "d_model": 100}, ["96 heads", "100", "GPT-3"]),
        ({"d_model": 720_720, "heads": 101}, ["101 heads", "nearest"]),
        ({"heads": 6, "kv_heads": 4}, ["4 key/value heads", "6 heads", "1, 2, 3 or 6"]),
        ({"kv_heads": 0}, ["kv_heads = 0", "from 1 to", "--kv-heads"]),
        ({"tokens": -3}, ["tokens = -3", "--tokens"]),
        ({"layers": 0}, ["layers = 0", "--layers"]),
        ({"batch": 0}, ["batch = 0", "--batch"]),
        ({"heads": 0}, ["heads = 0", "--heads"]),
        ({"d_model": 0}, ["d_model = 0", "--d-model"]),
        ({"head_width": 0}, ["d_k = 0", "--head-width"]),
        ({"tokens": 10**9}, ["more than", "100,000,000"]),
        ({"d_model": 10**6000}, ["2^19931 or so", "more than", "1,000,000"]),
        ({"dtype": "flaot16"}, ["'flaot16'", "Did you mean 'float16'", "bfloat16"]),
        ({"dtype": ""}, ["''", "float32"]),
        ({"preset": "gpt-3"}, ["'gpt-3'", "Did you mean 'gpt3'", "llama2-70b"]),
        ({"format": "jsno"}, ["'jsno'", "Did you mean 'json'", "text, plain, json"]),
    ],
)
def test_a_refusal_says_what_was_given_and_what_is_allowed(options: dict[str, Any], parts: list[str]) -> None:
    with pytest.raises(InputError) as refusal:
        cost_output(**options)
    for part in parts:
        assert part in str(refusal.value)


def test_a_shape_with_widths_that_do_not_follow_must_say_that_they_are_fixed() -> None:
    with pytest.raises(InputError, match="fixed_width=True"):
        Shape(d_model=12, heads=3, kv_heads=3, d_k=5, d_v=4)
    with pytest.raises(InputError, match="is short for 'float16'"):
        Shape(d_model=12, heads=3, kv_heads=3, d_k=4, d_v=4, dtype="fp16")


ANYTHING = st.one_of(
    st.none(),
    st.integers(),
    st.integers(-2, 40),
    st.text("agpt3_-.é{ ", max_size=9),
    st.floats(),
    st.booleans(),
    st.lists(st.none()),
)


@settings(deadline=None)
@given(
    options=st.fixed_dictionaries(
        {},
        optional={
            **dict.fromkeys(("d_model", "heads", "kv_heads", "layers", "tokens", "batch"), ANYTHING),
            "head_width": ANYTHING,
            "dtype": st.one_of(ANYTHING, st.sampled_from(sorted(cost.DTYPE_BYTES))),
            "preset": st.one_of(ANYTHING, st.sampled_from(sorted(PRESETS))),
            "format": st.one_of(ANYTHING, st.just("json")),
        },
    )
)
def test_whatever_is_given_there_is_an_answer_or_an_input_error(options: dict[str, Any]) -> None:
    try:
        answer = cost_output(**options)
    except InputError as refusal:
        assert str(refusal)
        return
    if isinstance(answer, str):
        json.loads(answer)
    else:
        assert answer.blocks


@settings(deadline=None)
@given(
    d_k=st.integers(1, 100_000),
    heads=st.integers(1, 100_000),
    layers=st.integers(1, 10_000),
    tokens=st.integers(1, 100_000_000),
    batch=st.integers(1, 1_000_000),
)
def test_every_size_within_the_limits_has_a_page(
    d_k: int, heads: int, layers: int, tokens: int, batch: int
) -> None:
    page = make_cost_page(choose(heads=heads, head_width=d_k, layers=layers, tokens=tokens, batch=batch))
    for block in page.blocks:
        if isinstance(block, Chart):
            assert chart_lines(block, 80)


# JSON


def test_the_json_keeps_its_keys() -> None:
    data = cost.as_json(PRESETS["llama2-70b"].shape, PRESETS["llama2-70b"])
    assert list(data) == [
        "format_version",
        "preset",
        "source",
        "kind",
        "shape",
        "matrices",
        "biases",
        "parameters",
        "wrong_formula",
        "multiply_adds",
        "numbers_made",
        "softmax_entries",
        "even_tokens",
        "cache",
        "sweeps",
    ]
    assert data["format_version"] == 1
    assert list(data["shape"]) == [
        *("d_model", "heads", "kv_heads", "d_k", "d_v", "layers", "tokens", "batch"),
        *("dtype", "fixed_width", "dtype_bytes"),
    ]
    assert list(data["cache"]) == ["given", "mha", "mqa"]
    for kept in data["cache"].values():
        assert list(kept) == ["kv_heads", "numbers", "bytes"]
        assert list(kept["numbers"]) == list(kept["bytes"]) == ["token_layer", "token", "layer", "whole"]
    assert {key: list(value) for key, value in data["sweeps"].items()} == {
        "over_heads": [
            *("heads", "parameters", "wrong_formula", "multiply_adds", "softmax_entries"),
            "cache_bytes_a_token",
        ],
        "over_kv_heads": ["kv_heads", "parameters", "cache_bytes_a_token"],
        "over_tokens": [
            *("tokens", "matrix_multiply_adds", "score_multiply_adds", "softmax_entries", "cache_bytes")
        ],
    }


def test_the_json_has_the_figures_of_the_functions_and_reads_back() -> None:
    text = cost_output(preset="gpt3", format="json")
    assert isinstance(text, str)
    data = json.loads(text)
    shape = PRESETS["gpt3"].shape
    assert data == cost.as_json(shape, PRESETS["gpt3"])
    assert data["parameters"]["all_layers"] == 57_982_058_496
    assert data["multiply_adds"]["layer"] == sum(cost.multiply_adds(shape).values())
    assert data["cache"]["given"]["bytes"]["token"] == 4_718_592
    assert json.loads(str(cost_output(format="json")))["preset"] is None


# The page


def written(page: Any, width: int = 80) -> str:
    """A page as plain text, more or less."""
    lines = [page.title, page.source]
    for block in page.blocks:
        if isinstance(block, Text):
            lines.append(f"{block.label} {block.text}")
        elif isinstance(block, Listing):
            lines += listing_lines(block, width)
        elif isinstance(block, Chart):
            lines += chart_lines(block, width)
        else:
            lines.append(f"{block.text} {block.shapes}")
    return "\n".join(lines)


PAGES: list[dict[str, Any]] = [
    {},
    {"heads": 1},
    {"heads": 6, "kv_heads": 2},
    {"heads": 6, "kv_heads": 1, "batch": 3},
    {"heads": 5, "head_width": 4},
    *({"preset": name} for name in PRESETS),
    {"preset": "gpt3", "tokens": 100, "dtype": "fp32"},
]


@pytest.mark.parametrize("options", PAGES)
def test_no_placeholder_and_no_word_for_something_else_is_left_on_a_page(options: dict[str, Any]) -> None:
    text = written(cost_output(**options))
    assert "{" not in text and "}" not in text
    for place in range(len(text)):
        if text.startswith("weights", place):
            assert text[:place].split()[-1] == "attention"


@pytest.mark.parametrize("options", PAGES)
def test_listings_and_charts_fit_80_columns_with_all_their_digits(options: dict[str, Any]) -> None:
    page = cost_output(**options)
    assert not isinstance(page, str)
    for block in page.blocks:
        if isinstance(block, Listing):
            lines = listing_lines(block, 80)
            assert all(cell in "\n".join(lines) for row in block.rows for cell in row)
        elif isinstance(block, Chart):
            lines = chart_lines(block, 80)
            for bars in block.series:
                assert all(text in "\n".join(lines) for text in bars.written)
        else:
            continue
        assert max(map(len, lines)) <= 80, "\n".join(lines)


def test_the_page_of_gpt3_has_the_exact_and_the_human_figures() -> None:
    text = written(cost_output(preset="gpt3"))
    for part in ("603,979,776", "155,713,536", "4,718,592", "4.5 MiB", "9 GiB", "57,982,058,496"):
        assert part in text
    for part in ("locally banded sparse", "33% of the 175 billion", "Table 2.1", "Shazeer 2019"):
        assert part in text


def test_a_changed_preset_says_what_was_changed_and_keeps_only_what_is_still_true() -> None:
    text = written(cost_output(preset="gpt3", layers=2, dtype="fp32"))
    assert "GPT-3 175B with layers = 2, dtype = float32" in text
    assert "locally banded sparse" in text
    assert "175 billion" not in text
    assert "float16" not in text


def test_what_is_said_of_a_preset_is_counted_for_the_shape_that_was_asked() -> None:
    assert "stands in 6 layers" in written(cost_output(preset="transformer-big"))
    assert "stands in 12 layers" in written(cost_output(preset="transformer-big", layers=12))


def test_a_context_without_a_row_of_its_own_is_said_to_lie_between_two() -> None:
    assert "n = 9 lies between two rows" in written(cost_output(tokens=9))
    assert "lies between" not in written(cost_output(tokens=128))


def test_a_fixed_head_width_says_that_parameters_grow() -> None:
    text = written(cost_output(heads=5, head_width=4))
    assert "the learned numbers do grow with h" in text
    assert "More heads do not mean more" not in text
    assert "wrong formula  " not in text


def test_every_preset_has_its_notes() -> None:
    assert set(texts("cost")["presets"]) == set(PRESETS)


def test_the_page_of_a_cost_needs_no_numpy_and_no_rich() -> None:
    code = (
        "import sys; from mha_tutor.cli.cost import cost_output; cost_output(preset='gpt3'); "
        "cost_output(format='json'); sys.exit(bool({'numpy', 'rich', 'typer'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# Charts and listings


def two_series(scale: Any) -> Chart:
    flat = Bars("flat", (8, 8, 8, 8), ("8", "8", "8", "8"), "a")
    grows = Bars("grows", (1, 2, 4, 16), ("1", "2", "4", "16"), "a")
    return Chart("Two", "x", ("1", "2", "3", "4"), (flat, grows), scale, here=1)


def test_on_a_linear_scale_series_of_one_unit_share_the_longest_bar() -> None:
    assert shares(two_series("linear")) == [(0.5,) * 4, (1 / 16, 1 / 8, 1 / 4, 1)]


def test_on_the_doublings_scale_a_step_is_a_doubling_in_every_series() -> None:
    assert shares(two_series("doublings")) == [(0.2,) * 4, (0.2, 0.4, 0.6, 1.0)]


def test_a_chart_is_drawn_with_digits_and_a_mark() -> None:
    assert chart_lines(two_series("linear"), 40, ascii=True) == [
        "Two",
        "  x  flat              grows",
        "  1  8 #######          1 #",
        "> 2  8 #######          2 ##",
        "  3  8 #######          4 ####",
        "  4  8 #######         16 ##############",
    ]
    assert chart_lines(two_series("linear"), 10)[1:4] == ["  x  flat", "  1  8", "> 2  8"]


def test_a_listing_that_is_too_wide_is_told_cell_by_cell() -> None:
    listing = Listing(
        "Two", ("", "one", "two"), (("a", "1", "22"), ("all", "", "333")), right=(1, 2), total=1
    )
    assert listing_lines(listing, 40) == [
        "Two",
        "     one  two",
        "a      1   22",
        "-------------",
        "all       333",
    ]
    assert listing_lines(listing, 8) == ["Two", "a", "  one: 1", "  two: 22", "all", "  two: 333"]


def test_counts_and_bytes_are_exact_and_scaled() -> None:
    assert counted(1048576) == "1,048,576"
    assert [count_scaled(x) for x in (7, 57_982_058_496, 175_000_000_000, 999_960_000)] == [
        *("7", "58.0 billion", "175 billion", "1.0 billion")
    ]
    assert [bytes_scaled(x) for x in (1, 1023, 1024, 4_718_592, 1024**2 - 1)] == [
        *("1 byte", "1,023 bytes", "1 KiB", "4.5 MiB", "1.0 MiB")
    ]
    assert bytes_written(4_718_592) == "4,718,592 bytes (4.5 MiB)"
    assert bytes_written(2) == "2 bytes"
