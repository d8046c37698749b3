"""Multi-head attention as plain functions on arrays, leaf to root.

A name's suffix carries its axes, here and everywhere in mha-tutor:

    t  the token that asks (query position), size n
    s  the token that is asked (key position), size m; n in self-attention
    d  model width, d_model
    h  query head            g  key/value head
    e  width of one head, d_k = d_v
    c  the heads side by side, c = h e

Rows are tokens and we write ``x W``. Axes not named by a suffix (a batch) may stand in front.
The formulas are those of Vaswani et al. 2017, "Attention Is All You Need", section 3.2.
"""

from __future__ import annotations

from collections.abc import Collection
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:  # numpy.typing costs start-up time and is for the checker alone
    from numpy.typing import NDArray

    from .masks import Mask

    Array = NDArray[np.floating[Any]]
else:
    Array = np.ndarray


def softmax(scores: Array) -> Array:
    """Turn each row (the last axis) into weights of at least 0 that sum to 1.

    exp(s_i) / sum_j exp(s_j), after the row's maximum is taken off: that changes nothing in the
    result and keeps exp from overflowing. A row of nothing but -inf has no token left to ask and
    gives zeros.
    """
    top = scores.max(axis=-1, keepdims=True)
    exps = np.exp(scores - np.where(np.isneginf(top), 0, top))
    weights: Array = exps / np.maximum(exps.sum(axis=-1, keepdims=True), np.finfo(exps.dtype).tiny)
    return weights


def split_columns(w_dc: Array, heads: int) -> Array:
    """Cut a packed matrix (d, heads*e) into one column block a head: (heads, d, e)."""
    d, c = w_dc.shape
    return w_dc.reshape(d, heads, c // heads).swapaxes(0, 1)


def pack_columns(w_hde: Array) -> Array:
    """Put the heads' matrices (heads, d, e) side by side: (d, heads*e)."""
    h, d, e = w_hde.shape
    return w_hde.swapaxes(0, 1).reshape(d, h * e)


def project(x_td: Array, w_hde: Array) -> Array:
    """Every head reads all of x: x W_i for each head, (heads, n, e)."""
    return x_td @ w_hde


def share_heads(k_gse: Array, heads: int) -> Array:
    """Hand each key/value head to its group of query heads: (heads, m, e).

    Query head i reads key/value head i // (heads / kv_heads): k0 k0 k1 k1, not k0 k1 k0 k1
    (grouped-query attention, Ainslie et al. 2023, section 2.2).
    """
    kv_heads = k_gse.shape[-3]
    return k_gse if kv_heads == heads else np.repeat(k_gse, heads // kv_heads, axis=-3)


def pool_heads(w_hde: Array, kv_heads: int) -> Array:
    """The mean of each group of heads' matrices, (kv_heads, d, e), as in Ainslie et al. 2023, 2.1."""
    h, d, e = w_hde.shape
    pooled: Array = w_hde.reshape(kv_heads, h // kv_heads, d, e).mean(axis=1)
    return pooled


def dot_products(q_hte: Array, k_hse: Array) -> Array:
    """Q_i K_i^T: every asking row against every asked row, (heads, n, m)."""
    return q_hte @ k_hse.swapaxes(-1, -2)


def mask_scores(scores_hts: Array, allowed_ts: Mask) -> Array:
    """-inf wherever a token may not be asked; True in ``allowed_ts`` means it may."""
    return np.where(allowed_ts, scores_hts, -np.inf)


def mix(weights_hts: Array, v_hse: Array) -> Array:
    """weights_i V_i: each token's weighted average of the values, (heads, n, e)."""
    return weights_hts @ v_hse


def leave_out(mixed_hte: Array, removed: Collection[int]) -> Array:
    """The heads' rows, with those of the heads in ``removed`` (from 0) set to 0: (heads, n, e)."""
    kept = [i not in removed for i in range(mixed_hte.shape[-3])]
    return np.where(np.array(kept)[:, None, None], mixed_hte, 0.0)


def concat_heads(mixed_hte: Array) -> Array:
    """[head_1 ... head_h]: a token's rows from all heads side by side, (n, heads*e)."""
    h, n, e = mixed_hte.shape
    return mixed_hte.swapaxes(0, 1).reshape(n, h * e)


def textbook_attention(
    x_td: Array, w_q_dc: Array, w_k_dc: Array, w_v_dc: Array, w_o_cd: Array, heads: int
) -> Array:
    """Multi-head self-attention, the version to learn from: (n, d) in, (n, d) out."""
    head_outputs = []
    for w_q_de, w_k_de, w_v_de in zip(
        *(np.split(w_dc, heads, axis=1) for w_dc in (w_q_dc, w_k_dc, w_v_dc)), strict=True
    ):
        q_te, k_se, v_se = x_td @ w_q_de, x_td @ w_k_de, x_td @ w_v_de
        scores_ts = q_te @ k_se.T / sqrt(q_te.shape[1])
        weights_ts = softmax(scores_ts)
        head_outputs.append(weights_ts @ v_se)
    return np.concatenate(head_outputs, axis=1) @ w_o_cd
