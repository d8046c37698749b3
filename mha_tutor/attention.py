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

    Array = NDArray[np.floating[Any]]
    Mask = NDArray[np.bool_]
else:
    Array = Mask = np.ndarray


WIDE = (np.dtype(np.float32), np.dtype(np.float64))


def widen(values: Array) -> Array:
    """float32 and float64 as they are, float16 as float32, whole numbers as float64.

    A float16 ends at 65504, which a dot product soon passes.
    """
    if values.dtype in WIDE:
        return values
    return values.astype(np.float32 if values.dtype == np.float16 else np.float64)


# A softmax reads its numbers five times over. This many at a time stay in a processor's cache.
BLOCK = 1 << 17
SMALL = 1 << 12  # up to here a pass over all numbers costs less than the call that starts it


def softmax(scores: Array, out: Array | None = None) -> Array:
    """Turn each row (the last axis) into weights of at least 0 that sum to 1.

    exp(s_i) / sum_j exp(s_j), after the row's maximum is taken off: that changes nothing in the
    result and keeps exp from overflowing. A row of nothing but -inf has no token left to ask and
    gives zeros. ``out`` may be ``scores`` itself, which spares an array of that size.
    """
    scores = widen(scores)
    if scores.size <= SMALL:
        limits = np.finfo(scores.dtype)
        exps: Array = np.exp(scores - scores.max(axis=-1, keepdims=True, initial=limits.min), out=out)
        exps /= exps.sum(axis=-1, keepdims=True) + limits.tiny
        return exps
    weights = np.empty(scores.shape, scores.dtype) if out is None else out
    if scores.size <= BLOCK or not weights.flags.c_contiguous:
        _softmax_rows(scores, weights)
        return weights
    m = scores.shape[-1]
    rows, places, step = scores.reshape(-1, m), weights.reshape(-1, m), max(1, BLOCK // m)
    for start in range(0, len(rows), step):
        _softmax_rows(rows[start : start + step], places[start : start + step])
    return weights


def _softmax_rows(scores: Array, weights: Array) -> None:
    """Write the softmax of each row of ``scores`` into ``weights``."""
    limits = np.finfo(scores.dtype)
    # The two limits matter to a row of -inf alone: its top stays finite, its total is not 0.
    top = scores.max(axis=-1, keepdims=True, initial=limits.min)
    np.subtract(scores, top, out=weights)
    np.exp(weights, out=weights)
    # A product with ones adds up long rows several times faster than sum does.
    totals = weights @ np.ones((weights.shape[-1], 1), weights.dtype)
    weights /= totals + limits.tiny


def split_columns(w_dc: Array, heads: int) -> Array:
    """Cut a packed matrix (d, heads*e) into one column block a head: (heads, d, e)."""
    d, c = w_dc.shape
    return w_dc.reshape(d, heads, c // heads).swapaxes(0, 1)


def pack_columns(w_hde: Array) -> Array:
    """Put the heads' matrices (heads, d, e) side by side: (d, heads*e)."""
    h, d, e = w_hde.shape
    return w_hde.swapaxes(0, 1).reshape(d, h * e)


def project(x_td: Array, w_hde: Array, b_he: Array | None = None) -> Array:
    """Every head reads all of x: x W_i + b_i for each head, (heads, n, e)."""
    projected_hte = x_td[..., None, :, :] @ w_hde
    return projected_hte if b_he is None else projected_hte + b_he[:, None, :]


def split_heads(q_tc: Array, heads: int) -> Array:
    """Cut each row (n, heads*e) into the heads' parts: (heads, n, e), a view.

    ``split_heads(x W)`` is ``project(x, split_columns(W))`` in one large product instead of many.
    """
    *before, c = q_tc.shape
    return q_tc.reshape((*before, heads, c // heads)).swapaxes(-3, -2)


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


def _head_by_head(left_h: Array, right_g: Array) -> Array:
    """left_i @ right_i for every head, where a group of heads may share one right, uncopied."""
    heads, kv_heads = left_h.shape[-3], right_g.shape[-3]
    if heads == kv_heads:
        return left_h @ right_g
    if heads % kv_heads:
        raise ValueError(f"{heads} heads {left_h.shape} cannot share {kv_heads} evenly {right_g.shape}")
    *batch, _, rows, inner = left_h.shape
    groups = left_h.reshape(*batch, kv_heads, heads // kv_heads, rows, inner)
    product = groups @ right_g[..., None, :, :]
    return product.reshape(*product.shape[:-4], heads, *product.shape[-2:])


def dot_products(q_hte: Array, k_gse: Array) -> Array:
    """Q_i K_i^T: every asking row against every asked row, (heads, n, m).

    There may be fewer key heads than query heads; see ``share_heads`` for who reads which.
    Raises ValueError when they cannot be shared evenly.
    """
    return _head_by_head(widen(q_hte), widen(k_gse).swapaxes(-1, -2))


def mask_scores(scores_hts: Array, allowed_ts: Array | Mask) -> Array:
    """-inf wherever a token may not be asked; True in ``allowed_ts`` means it may.

    Numbers instead of booleans are added to the scores: 0 allows, -inf forbids.
    """
    if allowed_ts.dtype == np.bool_:
        return np.where(allowed_ts, scores_hts, -np.inf)
    with np.errstate(over="ignore"):  # the lowest float64, a common stand-in, is -inf in float32
        return scores_hts + allowed_ts.astype(scores_hts.dtype)


def causal_mask(n: int, m: int, past: int = 0) -> Mask:
    """Who may ask whom when nobody sees what comes later: booleans (n, m).

    ``past`` tokens were there before the first row, so row t may ask s <= t + past. With a cache
    the last row therefore sees every key: aligned at the bottom right.
    """
    return np.tri(n, m, k=past, dtype=np.bool_)


def mix(weights_hts: Array, v_gse: Array) -> Array:
    """weights_i V_i: each token's weighted average of the values, (heads, n, e).

    Raises ValueError when the heads cannot share the value heads evenly.
    """
    return _head_by_head(weights_hts, v_gse)


def leave_out(mixed_hte: Array, removed: Collection[int]) -> Array:
    """The heads' rows, with those of the heads in ``removed`` (from 0) set to 0: (heads, n, e)."""
    kept = [i not in removed for i in range(mixed_hte.shape[-3])]
    return np.where(np.array(kept)[:, None, None], mixed_hte, 0.0)


def concat_heads(mixed_hte: Array) -> Array:
    """[head_1 ... head_h]: a token's rows from all heads side by side, (n, heads*e)."""
    *batch, h, n, e = mixed_hte.shape
    return mixed_hte.swapaxes(-3, -2).reshape(*batch, n, h * e)


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
