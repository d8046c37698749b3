"""Judged by onnx: every case of its Attention operator that is not bf16, 88 of 93 with onnx 1.23.2.

The cases have no weight matrices, so they judge the middle of the engine: dots, mask, causal order
with a cache, softmax, mix, shared heads. What the engine does not offer is in the adapter here:
the window, the soft cap, and nonpad_kv_seqlen are turned into a mask or applied between two leaves.
Before onnx 1.22 some expected values were wrong by today's text of the operator.
"""

from __future__ import annotations

import warnings
from math import sqrt
from typing import Any

import numpy as np
import pytest

from mha_tutor import attention
from mha_tutor.multihead import weigh

onnx = pytest.importorskip("onnx", "1.22", reason="the onnx judge needs onnx >= 1.22: pip install '.[test]'")

SLOTS = ("q", "k", "v", "attn_mask", "past_key", "past_value", "nonpad_kv_seqlen")
RESULTS = ("output", "present_key", "present_value", "intermediate")
OTHERS = ("_expanded", "flexattention", "linear_attention")


def load_cases() -> list[Any]:
    """The node tests of Attention that are not bf16."""
    from onnx.backend.test.loader import load_model_tests

    with warnings.catch_warnings():  # making the vectors of other operators warns
        warnings.simplefilter("ignore")
        cases = load_model_tests(kind="node")
    named = [case for case in cases if "attention" in case.name and not any(w in case.name for w in OTHERS)]
    return [case for case in named if "bf16" not in case.name]


CASES = load_cases()


def test_there_are_as_many_cases_as_this_version_has() -> None:
    if onnx.__version__ != "1.23.2":
        pytest.skip(f"counted for onnx 1.23.2; this is {onnx.__version__}, with {len(CASES)} cases")
    assert len(CASES) == 88


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_engine_gives_onnx_expected_values(case: Any) -> None:
    (node,) = case.model.graph.node
    options = {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}
    for arrays, expected in case.data_sets:
        slots = [slot for slot, name in zip(SLOTS, node.input, strict=False) if name]
        results = run(**dict(zip(slots, arrays, strict=True)), options=options)
        asked_for = [result for result, name in zip(RESULTS, node.output, strict=False) if name]
        for name, value in zip(asked_for, expected, strict=True):
            assert results[name].shape == value.shape
            np.testing.assert_allclose(
                results[name].astype(value.dtype), value, rtol=case.rtol, atol=case.atol, err_msg=name
            )


def run(
    q: Any,
    k: Any,
    v: Any,
    attn_mask: Any = None,
    past_key: Any = None,
    past_value: Any = None,
    nonpad_kv_seqlen: Any = None,
    *,
    options: dict[str, Any],
) -> dict[str, Any]:
    """One Attention node, computed by the engine's functions."""
    packed = q.ndim == 3
    if packed:
        heads, kv_heads = options["q_num_heads"], options["kv_num_heads"]
        q, k, v = (attention.split_heads(a, count) for a, count in ((q, heads), (k, kv_heads), (v, kv_heads)))
    past = 0
    if past_key is not None:
        past = past_key.shape[-2]
        k, v = np.concatenate([past_key, k], axis=-2), np.concatenate([past_value, v], axis=-2)
    n, m = q.shape[-2], k.shape[-2]

    allowed = places(n, m, past, nonpad_kv_seqlen, options)
    mask = allowed if attn_mask is None else joined(fit(attn_mask, m), allowed)
    scale = options.get("scale") or 1 / sqrt(q.shape[-1])
    scores = attention.dot_products(attention.widen(q) * scale, k)
    cap = options.get("softcap", 0)
    capped = cap * np.tanh(scores / cap) if cap else scores
    weights = weigh(capped, mask)
    mixed = attention.mix(weights, v)
    shown = (scores, capped, attention.mask_scores(capped, mask), weights)
    return {
        "output": attention.concat_heads(mixed) if packed else mixed,
        "present_key": k,
        "present_value": v,
        "intermediate": shown[options.get("qk_matmul_output_mode", 0)],
    }


def places(n: int, m: int, past: int, lengths: Any, options: dict[str, Any]) -> Any:
    """Who may ask whom by the causal order, the window and the lengths, (batch or 1, 1, n, m)."""
    if lengths is None:
        offsets, allowed = [past], np.ones((1, 1, n, m), dtype=bool)
    else:  # a cache kept outside: the new tokens are the last ones of each sentence's own length
        offsets = [int(length) - n for length in lengths]
        allowed = (np.arange(m) < np.reshape(lengths, (-1, 1, 1, 1))) & np.ones((n, 1), dtype=bool)
    left, right = options.get("left_window_size", -1), options.get("right_window_size", -1)
    for i, offset in enumerate(offsets):
        if options.get("is_causal"):
            allowed[i] &= attention.causal_mask(n, m, offset)
        if left >= 0:
            allowed[i] &= ~attention.causal_mask(n, m, offset - left - 1)
        if right >= 0:
            allowed[i] &= attention.causal_mask(n, m, offset + right)
    return allowed


def fit(mask: Any, m: int) -> Any:
    """A mask shorter than the keys forbids the rest."""
    missing = m - mask.shape[-1] if mask.shape[-1] > 1 else 0
    rest = False if mask.dtype == bool else -np.inf
    return np.pad(mask, [(0, 0)] * (mask.ndim - 1) + [(0, missing)], constant_values=rest)


def joined(mask: Any, allowed: Any) -> Any:
    return mask & allowed if mask.dtype == bool else attention.mask_scores(mask, allowed)
