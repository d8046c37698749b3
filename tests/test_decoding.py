"""Decoding with a cache gives the rows of the full causal pass, and counts what it says it counts."""

import json
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mha_tutor.attention import causal_mask
from mha_tutor.decoding import decode
from mha_tutor.examples import NAMES, find
from mha_tutor.stages import walk


@pytest.mark.parametrize("name", NAMES)
def test_the_rows_are_those_of_the_full_causal_pass(name: str) -> None:
    example = find(name)
    full = walk(example, allowed=causal_mask(len(example.tokens), len(example.tokens)))
    decoding = decode(example)
    for step in decoding.steps:
        np.testing.assert_allclose(step.output, full["output"].values[step.place], atol=1e-12)
        np.testing.assert_allclose(
            step.weights, full["weights"].values[:, step.place, : step.place + 1], atol=1e-12
        )
    assert decoding.difference < 1e-12


@given(st.integers(0, 10_000), st.sampled_from([1, 2, 3, 4, 6, 12]))
@settings(max_examples=40, deadline=None)
def test_any_number_of_shared_heads_decodes_to_the_full_pass(seed: int, heads: int) -> None:
    for kv_heads in (g for g in range(1, heads + 1) if heads % g == 0):
        assert decode(find("random", seed=seed), heads=heads, kv_heads=kv_heads).difference < 1e-12


@pytest.mark.parametrize(("heads", "kv_heads"), [(3, 3), (3, 1), (6, 2), (1, 1)])
def test_the_counts_are_the_sizes_of_what_is_made_read_and_kept(heads: int, kv_heads: int) -> None:
    d_k = 12 // heads
    for step in decode(find("robot"), heads=heads, kv_heads=kv_heads).steps:
        assert step.made == heads * d_k + 2 * kv_heads * d_k
        assert step.read == 2 * kv_heads * d_k * step.place
        assert step.kept == 2 * kv_heads * d_k * (step.place + 1) == step.keys.size + step.values.size


def test_the_first_token_gets_its_own_value_through_the_output_matrix() -> None:
    decoding = decode(find("robot"))
    first, full = decoding.steps[0], decoding.full
    own = np.concatenate(list(full["V"].values[:, 0]))
    np.testing.assert_allclose(first.output, own @ full["W_O"].values, atol=1e-12)


def test_the_command_prints_a_page_a_token_and_its_json_holds_the_full_trace() -> None:
    def run(*options: str) -> str:
        command = [sys.executable, "-m", "mha_tutor", "decode", *options]
        return subprocess.run(command, capture_output=True, text=True, check=True, encoding="utf-8").stdout

    pages = run()
    for place, token in enumerate(find("robot").tokens, 1):
        assert f"Token {place} of 9: `{token}`" in pages
    data = json.loads(run("--format", "json"))
    assert data["full"]["tensors"]["output"]["values"][-1] == pytest.approx(
        data["steps"][-1]["output"], abs=1e-12
    )
