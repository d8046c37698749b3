"""Weights in and out of the layouts of others: what each place holds, and that nothing is lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from mha_tutor import layouts
from mha_tutor.layouts import Weights
from mha_tutor.multihead import multi_head_attention
from tests.engine_checks import drawn

HEADS, D, BATCH = 3, 6, 2


def weights(biases: bool = True, d: int = D) -> Weights:
    made = Weights(**{f"w_{name}": drawn(i, d, d) for i, name in enumerate("qkvo")})  # type: ignore[typeddict-item]
    if biases:
        made |= {f"b_{name}": drawn(i + 4, d) for i, name in enumerate("qkvo")}  # type: ignore[typeddict-item]
    return made


def to_keras(made: Weights, prefix: str = "") -> dict[str, Any]:
    return layouts.to_keras(made, prefix, heads=HEADS)


PAIRS: dict[str, tuple[Callable[..., Weights], Callable[..., dict[str, Any]]]] = {
    "torch": (layouts.from_torch, layouts.to_torch),
    "keras": (layouts.from_keras, to_keras),
    "bert": (layouts.from_bert, layouts.to_bert),
    "gpt2": (layouts.from_gpt2, layouts.to_gpt2),
}


@pytest.mark.parametrize("biases", [True, False])
@pytest.mark.parametrize("name", PAIRS)
def test_nothing_is_lost_on_the_way_out_and_in(name: str, biases: bool) -> None:
    read, write = PAIRS[name]
    made = weights(biases)
    back = read(write(made, "layer.0."), "layer.0.")
    assert back.keys() == made.keys()
    for key, value in made.items():
        np.testing.assert_array_equal(back[key], value, err_msg=key)  # type: ignore[literal-required]
    x = drawn(9, BATCH, 5, D)
    np.testing.assert_array_equal(
        multi_head_attention(x, **back, heads=HEADS), multi_head_attention(x, **made, heads=HEADS)
    )


@pytest.mark.parametrize("name", PAIRS)
def test_a_missing_bias_among_others_is_written_as_zeros(name: str) -> None:
    read, write = PAIRS[name]
    made = weights()
    del made["b_k"]
    back = read(write(made))
    np.testing.assert_array_equal(back["b_k"], np.zeros(D))
    np.testing.assert_array_equal(back["b_v"], made["b_v"])


def test_torch_stacks_the_transposed_matrices_and_head_i_has_its_rows() -> None:
    made = weights()
    stored = layouts.to_torch(made)
    assert {key: value.shape for key, value in stored.items()} == {
        "in_proj_weight": (3 * D, D),
        "in_proj_bias": (3 * D,),
        "out_proj.weight": (D, D),
        "out_proj.bias": (D,),
    }
    w_k_rows = stored["in_proj_weight"].reshape(3, D, D)[1]
    np.testing.assert_array_equal(w_k_rows[2:4].T, made["w_k"][:, 2:4])  # head 2 of 3, width 2
    np.testing.assert_array_equal(stored["out_proj.weight"][:, 2:4].T, made["w_o"][2:4])


def test_keras_keeps_the_heads_as_an_axis_fewer_for_keys_and_values() -> None:
    d, heads, kv_heads, d_k, d_v = 7, 6, 2, 3, 5
    made = Weights(
        w_q=drawn(1, d, heads * d_k),
        w_k=drawn(2, d, kv_heads * d_k),
        w_v=drawn(3, d, kv_heads * d_v),
        w_o=drawn(4, heads * d_v, d),
    )
    stored = layouts.to_keras(made, heads=heads, kv_heads=kv_heads)
    assert {key: value.shape for key, value in stored.items()} == {
        "query/kernel": (d, heads, d_k),
        "key/kernel": (d, kv_heads, d_k),
        "value/kernel": (d, kv_heads, d_v),
        "attention_output/kernel": (heads, d_v, d),
    }
    np.testing.assert_array_equal(stored["query/kernel"][:, 4], made["w_q"][:, 12:15])
    back = layouts.from_keras(stored)
    for key, value in made.items():
        np.testing.assert_array_equal(back[key], value, err_msg=key)  # type: ignore[literal-required]


def test_bert_transposes_and_gpt2_does_not() -> None:
    made = weights()
    np.testing.assert_array_equal(layouts.to_bert(made)["self.value.weight"], made["w_v"].T)
    gpt2 = layouts.to_gpt2(made)
    np.testing.assert_array_equal(gpt2["c_attn.weight"][:, 2 * D :], made["w_v"])
    np.testing.assert_array_equal(gpt2["c_proj.weight"], made["w_o"])


def test_a_missing_name_and_a_wrong_shape_are_said() -> None:
    with pytest.raises(ValueError, match=r"no 'h.0.c_attn.weight' among 2 arrays: c_attn.weight"):
        layouts.from_gpt2(layouts.to_gpt2(weights(biases=False)), "h.0.")
    with pytest.raises(ValueError, match=r"in_proj_weight: shape \(18,\), expected 2 axes"):
        layouts.from_torch({"in_proj_weight": drawn(0, 18)})
    with pytest.raises(ValueError, match=r"cut in three from \(6, 20\)"):
        layouts.from_gpt2({"c_attn.weight": drawn(0, 6, 20)})
    shared = weights(biases=False) | {"w_k": drawn(0, D, 2), "w_v": drawn(0, D, 2)}
    for write in (layouts.to_torch, layouts.to_gpt2):
        with pytest.raises(ValueError, match=r"\(6, 6\), \(6, 2\), \(6, 2\)"):
            write(shared)  # type: ignore[arg-type]
