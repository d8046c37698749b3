"""Judged by Keras, on its torch backend: MultiHeadAttention and GroupQueryAttention in float64."""

from __future__ import annotations

import os
import warnings
from typing import Any

import numpy as np
import pytest

from mha_tutor.layouts import from_keras, to_keras
from mha_tutor.multihead import multi_head_attention

os.environ.setdefault("KERAS_BACKEND", "torch")
pytest.importorskip("torch", reason="the Keras judge runs on torch: pip install '.[judges]'")
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    keras = pytest.importorskip("keras", "3.0", reason="the Keras judge needs keras: pip install '.[judges]'")

PROBLEMS = 50


def variables(layer: Any) -> dict[str, Any]:
    """The layer's arrays by path, without the layer's own name."""
    return {weight.path.split("/", 1)[1]: weight.numpy() for weight in layer.weights}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("shared", [False, True], ids=["MultiHeadAttention", "GroupQueryAttention"])
def test_fifty_layers_of_keras_agree_head_by_head(shared: bool) -> None:
    for seed in range(PROBLEMS):
        rng = np.random.default_rng(seed)
        kv_heads, group, d_k, d_v, d, n, m = (int(size) for size in rng.integers(1, 6, size=7))
        heads = kv_heads * group if shared else kv_heads
        options = {"use_bias": bool(seed % 2), "dtype": "float64"}
        if shared:
            layer = keras.layers.GroupQueryAttention(d_k, heads, kv_heads, **options)
        else:
            layer = keras.layers.MultiHeadAttention(heads, d_k, value_dim=d_v, **options)
        x, memory = rng.standard_normal((2, n, d)), rng.standard_normal((2, m, d))
        allowed = rng.random((n, m)) > 0.4
        allowed[np.arange(n), rng.integers(m, size=n)] = True
        layer(x, memory)
        layer.set_weights([rng.standard_normal(weight.shape) for weight in layer.weights])
        expected, expected_weights = layer(
            x, memory, attention_mask=np.broadcast_to(allowed, (2, n, m)), return_attention_scores=True
        )
        stored = variables(layer)
        weights = from_keras(stored)
        for name, value in to_keras(weights, heads=heads, kv_heads=kv_heads).items():
            np.testing.assert_array_equal(value, stored[name], err_msg=name)
        output, ours = multi_head_attention(
            x, **weights, heads=heads, kv_heads=kv_heads, memory=memory, mask=allowed, return_weights=True
        )
        close = {"rtol": 0, "atol": 1e-12, "err_msg": f"seed {seed}"}
        np.testing.assert_allclose(ours, keras.ops.convert_to_numpy(expected_weights), **close)
        np.testing.assert_allclose(output, keras.ops.convert_to_numpy(expected), **close)
