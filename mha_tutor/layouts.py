"""Weights as torch, Keras, BERT and GPT-2 store them, to and from ours. No framework is imported.

Ours are what ``multi_head_attention`` takes: packed w_q, w_k, w_v (d, heads*e) and w_o (heads*e, d),
for rows times matrix, one block of columns a head; a bias is as long as its matrix has columns.
Stored are a checkpoint's names and arrays; ``prefix`` is what stands before the names in it.
A layer of a model then runs as ``multi_head_attention(x, **from_gpt2(arrays, "h.0.attn."), heads=12)``.

Every ``from_`` raises ValueError for a name that is missing or an array that cannot be such a matrix.
Biases may all be missing. If some are given, every ``to_`` writes zeros for the others, as the
layouts have no place for a layer with half its biases.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NotRequired, TypedDict

import numpy as np

from .attention import Array

Stored = Mapping[str, Array]


class Weights(TypedDict):
    """One layer's matrices and biases, by the names ``multi_head_attention`` gives them."""

    w_q: Array
    w_k: Array
    w_v: Array
    w_o: Array
    b_q: NotRequired[Array]
    b_k: NotRequired[Array]
    b_v: NotRequired[Array]
    b_o: NotRequired[Array]


def from_torch(stored: Stored, prefix: str = "") -> Weights:
    """Read the state of a torch ``nn.MultiheadAttention``.

    in_proj_weight (3d, d): W^Q, W^K, W^V, each transposed, one below the other; or, where keys or
    values have a width of their own, q_proj_weight (d, d), k_proj_weight (d, kdim), v_proj_weight
    (d, vdim). out_proj.weight (d, d): W^O transposed. in_proj_bias (3d,), out_proj.bias (d,).
    """
    if prefix + "in_proj_weight" in stored:
        w_q, w_k, w_v = _thirds(_array(stored, prefix + "in_proj_weight", 2), axis=0)
    else:
        w_q, w_k, w_v = (_array(stored, f"{prefix}{name}_proj_weight", 2) for name in "qkv")
    weights = Weights(w_q=w_q.T, w_k=w_k.T, w_v=w_v.T, w_o=_array(stored, prefix + "out_proj.weight", 2).T)
    return _with_biases(weights, stored, prefix + "in_proj_bias", prefix + "out_proj.bias")


def to_torch(weights: Weights, prefix: str = "") -> dict[str, Array]:
    """Write what ``from_torch`` reads. Raises ValueError for shared key/value heads: torch has none."""
    w_q, w_k, w_v = weights["w_q"], weights["w_k"], weights["w_v"]
    if not w_q.shape[1] == w_k.shape[1] == w_v.shape[1]:
        raise ValueError(f"torch needs as many columns in each of {w_q.shape}, {w_k.shape}, {w_v.shape}")
    if w_q.shape == w_k.shape == w_v.shape:
        stored = {prefix + "in_proj_weight": np.concatenate([w_q.T, w_k.T, w_v.T])}
    else:
        stored = {f"{prefix}{name}_proj_weight": w.T for name, w in zip("qkv", (w_q, w_k, w_v), strict=True)}
    stored[prefix + "out_proj.weight"] = weights["w_o"].T
    if biases := _biases(weights):
        stored |= {prefix + "in_proj_bias": np.concatenate(biases[:3]), prefix + "out_proj.bias": biases[3]}
    return stored


def from_keras(stored: Stored, prefix: str = "") -> Weights:
    """Read the variables of a Keras ``MultiHeadAttention`` or ``GroupQueryAttention``, by their paths.

    query/kernel (d, heads, e), key/kernel (d, kv_heads, e), value/kernel (d, kv_heads, e_v),
    attention_output/kernel (heads, e_v, d); query/bias (heads, e), key/bias, value/bias alike,
    attention_output/bias (d,). Mind that Keras calls its layers with query, value, key.
    """
    w_q, w_k, w_v, w_o = (_array(stored, f"{prefix}{name}/kernel", 3) for name in _KERAS)
    weights = Weights(
        w_q=w_q.reshape(len(w_q), -1),
        w_k=w_k.reshape(len(w_k), -1),
        w_v=w_v.reshape(len(w_v), -1),
        w_o=w_o.reshape(-1, w_o.shape[2]),
    )
    if f"{prefix}{_KERAS[0]}/bias" in stored:
        b_q, b_k, b_v = (_array(stored, f"{prefix}{name}/bias", 2).reshape(-1) for name in _KERAS[:3])
        b_o = _array(stored, f"{prefix}{_KERAS[3]}/bias", 1)
        weights |= {"b_q": b_q, "b_k": b_k, "b_v": b_v, "b_o": b_o}
    return weights


def to_keras(
    weights: Weights, prefix: str = "", *, heads: int, kv_heads: int | None = None
) -> dict[str, Array]:
    """Write what ``from_keras`` reads; Keras keeps the heads as an axis, so it must know how many."""
    counts = (heads, kv_heads or heads, kv_heads or heads)
    matrices = (weights["w_q"], weights["w_k"], weights["w_v"])
    stored: dict[str, Array] = {
        f"{prefix}{name}/kernel": w.reshape(len(w), count, -1)
        for name, w, count in zip(_KERAS[:3], matrices, counts, strict=True)
    }
    stored[f"{prefix}{_KERAS[3]}/kernel"] = weights["w_o"].reshape(heads, -1, weights["w_o"].shape[1])
    if biases := _biases(weights):
        for name, bias, count in zip(_KERAS[:3], biases[:3], counts, strict=True):
            stored[f"{prefix}{name}/bias"] = bias.reshape(count, -1)
        stored[f"{prefix}{_KERAS[3]}/bias"] = biases[3]
    return stored


def from_bert(stored: Stored, prefix: str = "") -> Weights:
    """Read a BERT layer's attention, as in a checkpoint after "encoder.layer.0.attention.".

    self.query.weight, self.key.weight, self.value.weight and output.dense.weight, all (d, d) and
    transposed: torch's Linear keeps (out, in). Each has a bias (d,) beside it.
    """
    w_q, w_k, w_v, w_o = (_array(stored, f"{prefix}{name}.weight", 2).T for name in _BERT)
    weights = Weights(w_q=w_q, w_k=w_k, w_v=w_v, w_o=w_o)
    if f"{prefix}{_BERT[0]}.bias" in stored:
        b_q, b_k, b_v, b_o = (_array(stored, f"{prefix}{name}.bias", 1) for name in _BERT)
        weights |= {"b_q": b_q, "b_k": b_k, "b_v": b_v, "b_o": b_o}
    return weights


def to_bert(weights: Weights, prefix: str = "") -> dict[str, Array]:
    """Write what ``from_bert`` reads."""
    matrices = (weights["w_q"], weights["w_k"], weights["w_v"], weights["w_o"])
    stored = {f"{prefix}{name}.weight": w.T for name, w in zip(_BERT, matrices, strict=True)}
    if biases := _biases(weights):
        stored |= {f"{prefix}{name}.bias": bias for name, bias in zip(_BERT, biases, strict=True)}
    return stored


def from_gpt2(stored: Stored, prefix: str = "") -> Weights:
    """Read a GPT-2 layer's attention, as in a checkpoint after "h.0.attn.".

    c_attn.weight (d, 3d): W^Q, W^K, W^V side by side; c_proj.weight (d, d): W^O. Not transposed,
    as GPT-2's Conv1D keeps (in, out). c_attn.bias (3d,), c_proj.bias (d,).
    """
    w_q, w_k, w_v = _thirds(_array(stored, prefix + "c_attn.weight", 2), axis=1)
    weights = Weights(w_q=w_q, w_k=w_k, w_v=w_v, w_o=_array(stored, prefix + "c_proj.weight", 2))
    return _with_biases(weights, stored, prefix + "c_attn.bias", prefix + "c_proj.bias")


def to_gpt2(weights: Weights, prefix: str = "") -> dict[str, Array]:
    """Write what ``from_gpt2`` reads. Raises ValueError for shared key/value heads: GPT-2 has none."""
    matrices = [weights["w_q"], weights["w_k"], weights["w_v"]]
    if len({w.shape for w in matrices}) != 1:
        raise ValueError(f"GPT-2 needs three matrices of one shape, not {[w.shape for w in matrices]}")
    stored = {prefix + "c_attn.weight": np.hstack(matrices), prefix + "c_proj.weight": weights["w_o"]}
    if biases := _biases(weights):
        stored |= {prefix + "c_attn.bias": np.concatenate(biases[:3]), prefix + "c_proj.bias": biases[3]}
    return stored


_KERAS = ("query", "key", "value", "attention_output")
_BERT = ("self.query", "self.key", "self.value", "output.dense")


def _array(stored: Stored, name: str, ndim: int) -> Array:
    """The stored array of that name; ValueError when there is none, or it has other axes."""
    if name not in stored:
        raise ValueError(f"no {name!r} among {len(stored)} arrays: {', '.join(list(stored)[:12])} ...")
    array = np.asarray(stored[name])
    if array.ndim != ndim:
        raise ValueError(f"{name}: shape {array.shape}, expected {ndim} axes")
    return array


def _thirds(packed: Array, axis: int) -> list[Array]:
    if packed.shape[axis] % 3:
        raise ValueError(f"queries, keys and values cannot be cut in three from {packed.shape}")
    return np.split(packed, 3, axis=axis)


def _with_biases(weights: Weights, stored: Stored, packed: str, last: str) -> Weights:
    """The weights, with biases if stored: ``packed`` those of Q, K and V in a row, ``last`` that of W^O."""
    if packed in stored:
        b_q, b_k, b_v = _thirds(_array(stored, packed, 1), axis=0)
        weights |= {"b_q": b_q, "b_k": b_k, "b_v": b_v, "b_o": _array(stored, last, 1)}
    return weights


def _biases(weights: Weights) -> list[Array]:
    """All four biases, zeros where one is missing; nothing when all are."""
    given = weights.get("b_q"), weights.get("b_k"), weights.get("b_v"), weights.get("b_o")
    matrices = (weights["w_q"], weights["w_k"], weights["w_v"], weights["w_o"])
    if all(bias is None for bias in given):
        return []
    return [
        np.zeros(w.shape[1], w.dtype) if bias is None else bias
        for bias, w in zip(given, matrices, strict=True)
    ]
