"""Laws of multi-head attention, each for random layers. A lesson may state any of these."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mha_tutor import attention
from mha_tutor.multihead import Steps, multi_head_attention

CLOSE = {"rtol": 0, "atol": 1e-12}
same = np.testing.assert_allclose


@dataclass(frozen=True)
class Layer:
    """A random problem: tokens, packed matrices, and how many heads cut them."""

    x: Any
    w_q: Any
    w_k: Any
    w_v: Any
    w_o: Any
    heads: int
    rng: np.random.Generator

    @property
    def n(self) -> int:
        return len(self.x)

    @property
    def d(self) -> int:
        return self.x.shape[1]

    @property
    def d_k(self) -> int:
        return self.d // self.heads

    def columns(self, head: int) -> slice:
        """Head ``head``'s columns of W^Q, W^K, W^V, and its rows of W^O."""
        return slice(head * self.d_k, (head + 1) * self.d_k)

    def run(self, x: Any = None, **options: Any) -> Any:
        """The output; x and any argument may be another than the layer's own."""
        matrices = {name: options.pop(name, getattr(self, name)) for name in ("w_q", "w_k", "w_v", "w_o")}
        x = self.x if x is None else x
        return multi_head_attention(x, **matrices, **{"heads": self.heads} | options)

    def steps(self, x: Any = None, **options: Any) -> Steps:
        return self.run(x, return_trace=True, **options)


def make(n: int, heads: int, d_k: int, seed: int) -> Layer:
    rng = np.random.default_rng([n, heads, d_k, seed])
    d = heads * d_k
    matrices = (rng.standard_normal((d, d)) / np.sqrt(d) for _ in range(4))
    return Layer(rng.standard_normal((n, d)), *matrices, heads, rng)


def layers(tokens: int = 1, heads: int = 1, width: int = 1) -> st.SearchStrategy[Layer]:
    """Layers with at least so many tokens, heads and columns a head."""
    return st.builds(
        make, st.integers(tokens, 7), st.integers(heads, 5), st.integers(width, 4), st.integers(0, 9999)
    )


def law(strategy: st.SearchStrategy[Layer]) -> Callable[[Callable[[Layer], None]], Callable[[], None]]:
    """Try the law on fifty layers, the same fifty each time."""
    return lambda test: settings(max_examples=50, deadline=None, derandomize=True)(given(strategy)(test))


@law(layers(tokens=2))
def test_permuting_the_tokens_permutes_the_rows(layer: Layer) -> None:
    order = layer.rng.permutation(layer.n)
    same(layer.run(layer.x[order]), layer.run()[order], **CLOSE)


@law(layers(tokens=2))
def test_the_tokens_asked_may_stand_in_any_order(layer: Layer) -> None:
    same(layer.run(memory=layer.rng.permutation(layer.x)), layer.run(), **CLOSE)


@law(layers())
def test_the_tokens_asked_may_all_be_there_twice(layer: Layer) -> None:
    same(layer.run(memory=np.concatenate([layer.x, layer.x])), layer.run(), **CLOSE)


@law(layers())
def test_softmax_ignores_a_number_added_to_a_row(layer: Layer) -> None:
    scores = layer.steps().scores
    added = layer.rng.standard_normal((*scores.shape[:-1], 1)) * 100
    same(attention.softmax(scores + added), attention.softmax(scores), **CLOSE)


@law(layers())
def test_every_row_of_weights_sums_to_one(layer: Layer) -> None:
    weights = layer.steps().weights
    assert np.all(weights >= 0)
    same(weights.sum(-1), 1, **CLOSE)


@law(layers())
def test_concat_and_w_o_is_the_sum_over_heads_of_each_head_times_its_rows(layer: Layer) -> None:
    steps = layer.steps()
    parts = (steps.mixed[i] @ layer.w_o[layer.columns(i)] for i in range(layer.heads))
    same(sum(parts), steps.output, **CLOSE)


@law(layers(heads=2))
def test_heads_may_change_places_if_their_rows_of_w_o_do(layer: Layer) -> None:
    order = layer.rng.permutation(layer.heads)
    columns = np.arange(layer.d).reshape(layer.heads, layer.d_k)[order].reshape(-1)
    moved = {name: getattr(layer, name)[:, columns] for name in ("w_q", "w_k", "w_v")}
    same(layer.run(**moved, w_o=layer.w_o[columns]), layer.run(), **CLOSE)


@law(layers(heads=2))
def test_zeros_in_a_heads_rows_of_w_o_remove_the_head(layer: Layer) -> None:
    gone = layer.columns(int(layer.rng.integers(layer.heads)))
    zeroed = layer.w_o.copy()
    zeroed[gone] = 0
    left = {name: np.delete(getattr(layer, name), gone, axis=1) for name in ("w_q", "w_k", "w_v")}
    fewer = layer.run(**left, w_o=np.delete(layer.w_o, gone, axis=0), heads=layer.heads - 1)
    same(layer.run(w_o=zeroed), fewer, **CLOSE)


@law(layers())
def test_towards_temperature_zero_a_row_asks_its_best_token_and_ties_share(layer: Layer) -> None:
    scores = np.round(layer.steps().scores * 2)  # so that ties happen
    best = scores == scores.max(-1, keepdims=True)
    same(attention.softmax(scores / 1e-3), best / best.sum(-1, keepdims=True), **CLOSE)


@law(layers())
def test_towards_an_infinite_temperature_every_row_is_the_mean_of_the_values(layer: Layer) -> None:
    steps = layer.steps(w_q=layer.w_q / 1e14)
    same(steps.mixed, np.broadcast_to(steps.v.mean(1, keepdims=True), steps.mixed.shape), **CLOSE)


@law(layers())
def test_block_diagonal_matrices_are_separate_layers_on_slices_of_x(layer: Layer) -> None:
    blocks = np.kron(np.eye(layer.heads), np.ones((layer.d_k, layer.d_k)))
    whole = layer.run(**{name: getattr(layer, name) * blocks for name in ("w_q", "w_k", "w_v", "w_o")})
    for i in range(layer.heads):
        c = layer.columns(i)
        alone = {name: getattr(layer, name)[c, c] for name in ("w_q", "w_k", "w_v", "w_o")}
        same(whole[:, c], layer.run(layer.x[:, c], **alone, heads=1), **CLOSE)


@law(layers(heads=2))
def test_equal_key_value_heads_are_one_shared_by_all(layer: Layer) -> None:
    first = layer.columns(0)
    one = {"w_k": layer.w_k[:, first], "w_v": layer.w_v[:, first]}
    tiled = {name: np.tile(w, layer.heads) for name, w in one.items()}
    same(layer.run(**one, kv_heads=1), layer.run(**tiled), **CLOSE)


@pytest.mark.parametrize(("heads", "kv_heads"), [(6, 6), (6, 3), (6, 2), (6, 1), (4, 2)])
def test_shared_heads_equal_heads_that_are_repeated(heads: int, kv_heads: int) -> None:
    layer = make(5, heads, 3, 0)
    c = kv_heads * layer.d_k
    shared = {"w_k": layer.w_k[:, :c], "w_v": layer.w_v[:, :c]}
    repeated = {
        name: attention.pack_columns(attention.share_heads(attention.split_columns(w, kv_heads), heads))
        for name, w in shared.items()
    }
    same(layer.run(**shared, kv_heads=kv_heads), layer.run(**repeated), **CLOSE)


@law(layers(tokens=2))
def test_causal_earlier_outputs_ignore_later_tokens_to_the_last_bit(layer: Layer) -> None:
    t = int(layer.rng.integers(1, layer.n))
    changed = layer.x.copy()
    changed[t:] = layer.rng.standard_normal(changed[t:].shape) * 100
    np.testing.assert_array_equal(layer.run(changed, causal=True)[:t], layer.run(causal=True)[:t])


@law(layers())
def test_causal_the_first_output_is_the_first_value_times_w_o(layer: Layer) -> None:
    same(layer.run(causal=True)[0], layer.x[0] @ layer.w_v @ layer.w_o, **CLOSE)


@law(layers(tokens=2))
def test_decoding_in_chunks_with_a_cache_equals_the_full_causal_pass(layer: Layer) -> None:
    cuts = np.flatnonzero(layer.rng.random(layer.n - 1) < 0.5) + 1
    past, outputs = None, []
    for chunk in np.split(layer.x, cuts):
        steps = layer.steps(chunk, causal=True, past=past)
        past = steps.present
        outputs.append(steps.output)
    same(np.concatenate(outputs), layer.run(causal=True), **CLOSE)


@law(layers(tokens=2))
def test_a_padded_batch_equals_its_sentences_alone(layer: Layer) -> None:
    lengths = layer.rng.integers(1, layer.n + 1, size=3)
    batch = layer.rng.standard_normal((3, layer.n, layer.d))
    allowed = np.arange(layer.n) < lengths[:, None, None, None]
    padded = layer.run(batch, mask=allowed)
    for row, sentence, length in zip(padded, batch, lengths, strict=True):
        same(row[:length], layer.run(sentence[:length]), **CLOSE)


@law(layers(tokens=2))
def test_a_row_that_may_ask_nobody_gives_zeros_and_leaves_the_others_alone(layer: Layer) -> None:
    t = int(layer.rng.integers(layer.n))
    allowed = np.ones((layer.n, layer.n), dtype=bool)
    allowed[t] = False
    steps = layer.steps(mask=allowed)
    assert np.all(steps.weights[:, t] == 0) and np.all(steps.output[t] == 0)
    same(np.delete(steps.output, t, 0), np.delete(layer.run(), t, 0), **CLOSE)


def test_any_number_of_heads_has_the_same_4_d_squared_parameters() -> None:
    x, w = np.ones((2, 12)), np.ones((12, 12))
    for heads in (1, 2, 3, 4, 6, 12):
        multi_head_attention(x, w, w, w, w, heads=heads)  # the very same matrices fit
        by_head = attention.split_columns(w, heads)
        assert 3 * by_head.size + w.size == 4 * 12**2


@law(layers(tokens=2, heads=2))
def test_a_heads_dots_have_a_rank_of_at_most_its_width(layer: Layer) -> None:
    for head in layer.steps().dots:
        assert np.linalg.matrix_rank(head, tol=1e-10) <= layer.d_k


@law(layers())
def test_the_dots_depend_on_w_q_and_w_k_only_through_their_product(layer: Layer) -> None:
    dots = layer.steps().dots
    for i in range(layer.heads):
        product = layer.w_q[:, layer.columns(i)] @ layer.w_k[:, layer.columns(i)].T
        same(dots[i], layer.x @ product @ layer.x.T, **CLOSE)


def changes_of_basis(layer: Layer) -> list[Any]:
    """An invertible matrix for each head, never far from a rotation."""
    return [
        np.linalg.qr(layer.rng.standard_normal((layer.d_k, layer.d_k)))[0] * layer.rng.uniform(0.5, 2)
        for _ in range(layer.heads)
    ]


def block_diagonal(blocks: list[Any]) -> Any:
    size = len(blocks[0])
    out = np.zeros((size * len(blocks),) * 2)
    for i, block in enumerate(blocks):
        out[i * size : (i + 1) * size, i * size : (i + 1) * size] = block
    return out


@law(layers())
def test_a_change_of_basis_of_queries_undone_by_the_keys_changes_nothing(layer: Layer) -> None:
    basis = block_diagonal(changes_of_basis(layer))
    turned = {"w_q": layer.w_q @ basis, "w_k": layer.w_k @ np.linalg.inv(basis).T}
    same(layer.run(**turned), layer.run(), **CLOSE)


@law(layers())
def test_a_change_of_basis_of_values_undone_by_w_o_changes_nothing(layer: Layer) -> None:
    basis = block_diagonal(changes_of_basis(layer))
    turned = {"w_v": layer.w_v @ basis, "w_o": np.linalg.inv(basis) @ layer.w_o}
    same(layer.run(**turned), layer.run(), **CLOSE)


@law(layers())
def test_a_heads_output_lies_within_the_range_of_its_values(layer: Layer) -> None:
    steps = layer.steps()
    assert np.all(steps.mixed >= steps.v.min(1, keepdims=True) - 1e-12)
    assert np.all(steps.mixed <= steps.v.max(1, keepdims=True) + 1e-12)


@law(layers())
def test_a_key_bias_has_no_effect(layer: Layer) -> None:
    same(layer.run(b_k=layer.rng.standard_normal(layer.d)), layer.run(), **CLOSE)


@law(layers())
def test_a_value_bias_only_adds_itself_times_w_o(layer: Layer) -> None:
    b_v = layer.rng.standard_normal(layer.d)
    same(layer.run(b_v=b_v), layer.run() + b_v @ layer.w_o, **CLOSE)


@law(layers())
def test_identical_tokens_are_asked_alike(layer: Layer) -> None:
    weights = layer.steps(np.tile(layer.x[:1], (layer.n, 1))).weights
    same(weights, np.full_like(weights, 1 / layer.n), **CLOSE)


@law(layers())
def test_one_head_is_plain_attention(layer: Layer) -> None:
    one = replace(layer, heads=1)
    q, k, v = (layer.x @ w for w in (layer.w_q, layer.w_k, layer.w_v))
    plain = attention.softmax(q @ k.T / np.sqrt(layer.d)) @ v @ layer.w_o
    same(one.run(), plain, **CLOSE)


@pytest.mark.parametrize("d_k", [1, 4, 16, 64, 256])
def test_the_variance_of_a_dot_product_is_its_width(d_k: int) -> None:
    rng = np.random.default_rng(d_k)
    q, k = rng.standard_normal((2, 20_000, d_k))
    assert np.var((q * k).sum(-1)) == pytest.approx(d_k, rel=0.05)
