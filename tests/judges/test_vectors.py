"""The stored vectors are what onnx and torch say today."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from mha_tutor.vectors import made_elsewhere


def test_onnx_still_says_so() -> None:
    pytest.importorskip("onnx", "1.22", reason="needs onnx >= 1.22")
    from onnx.backend.test.loader import load_model_tests

    with warnings.catch_warnings():  # making the vectors of other operators warns
        warnings.simplefilter("ignore")
        (case,) = (case for case in load_model_tests(kind="node") if case.name == "test_attention_4d")
    inputs, outputs = case.data_sets[0]
    stored = made_elsewhere("onnx_core").arrays
    for name, array in zip(("q_hte", "k_hse", "v_hse", "mixed_hte"), [*inputs, *outputs], strict=True):
        np.testing.assert_allclose(stored[name], array[0], rtol=1e-6)


def test_torch_still_says_so() -> None:
    torch = pytest.importorskip("torch", reason="needs torch")
    stored = made_elsewhere("torch_layer").arrays
    layer = torch.nn.MultiheadAttention(6, 2, bias=False, batch_first=True, dtype=torch.float64)
    packed = [torch.tensor(stored[name].T.copy()) for name in ("w_q_dc", "w_k_dc", "w_v_dc", "w_o_cd")]
    x = torch.tensor(stored["x_td"])[None]
    blocked = torch.triu(torch.ones(5, 5, dtype=torch.bool), 1)
    with torch.no_grad():
        layer.in_proj_weight.copy_(torch.cat(packed[:3]))
        layer.out_proj.weight.copy_(packed[3])
        for name, mask in (("output_td", None), ("causal_td", blocked)):
            output, _ = layer(x, x, x, attn_mask=mask, need_weights=True)
            np.testing.assert_allclose(stored[name], output.numpy()[0], atol=1e-9)
