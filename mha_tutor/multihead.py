"""The whole of multi-head attention in one call: masks, shared heads, another sentence, a cache.

Built from the functions of ``attention``, whose alphabet of axes the names follow. It is the fast
way through: d x d products, views for the heads, and only those arrays kept that are asked for.
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, Literal, NamedTuple, Required, TypedDict, Unpack, overload

import numpy as np

from .attention import (
    Array,
    Mask,
    causal_mask,
    concat_heads,
    dot_products,
    mask_scores,
    mix,
    softmax,
    split_heads,
    widen,
)
from .fitting import check_mask, check_past, check_weights

if TYPE_CHECKING:
    Cache = tuple[Array, Array]


class Steps(NamedTuple):
    """One pass, every stage of it: seven arrays kept, the others derived when asked for.

    Only ``scores`` and ``weights`` have h n m numbers. All are as wide as they were computed:
    float32 where float16 was given, since a score may be larger than a float16 can be.
    """

    q: Array  # hte
    k: Array  # gse, with the cache's tokens in front
    v: Array  # gse
    scores: Array  # hts, before the mask
    weights: Array  # hts
    mixed: Array  # hte
    output: Array  # td
    mask: Array | Mask | None = None  # ts or in front of it more axes; the causal mask is part of it

    @property
    def dots(self) -> Array:
        """Q_i K_i^T, (heads, n, m): the scores before the division by sqrt(d_k)."""
        return dot_products(self.q, self.k)

    @property
    def masked(self) -> Array:
        """What the softmax reads, (heads, n, m): the scores, -inf where a token may not be asked."""
        return self.scores if self.mask is None else mask_scores(self.scores, self.mask)

    @property
    def concat(self) -> Array:
        """The heads side by side, (n, heads*e)."""
        return concat_heads(self.mixed)

    @property
    def present(self) -> Cache:
        """The keys and values so far, (kv_heads, m, e) each: the next call's ``past``."""
        return self.k, self.v


def weigh(scores_hts: Array, mask: Array | Mask | None = None, *, keep: bool = True) -> Array:
    """The attention weights, softmax of the masked scores, (heads, n, m).

    Without ``keep`` they may be written over the scores, which saves an array of that size.
    """
    if mask is None:
        return softmax(scores_hts, out=None if keep else scores_hts)
    masked_hts = mask_scores(scores_hts, mask)
    return softmax(masked_hts, out=masked_hts)


class _Options(TypedDict, total=False):
    """The keywords of ``multi_head_attention``, for the type checker."""

    heads: Required[int]
    kv_heads: int | None
    mask: Array | Mask | None
    causal: bool
    memory: Array | None
    past: Cache | None
    b_q: Array | None
    b_k: Array | None
    b_v: Array | None
    b_o: Array | None


@overload
def multi_head_attention(
    x: Array, w_q: Array, w_k: Array, w_v: Array, w_o: Array, **options: Unpack[_Options]
) -> Array: ...
@overload
def multi_head_attention(
    x: Array,
    w_q: Array,
    w_k: Array,
    w_v: Array,
    w_o: Array,
    *,
    return_weights: Literal[True],
    **options: Unpack[_Options],
) -> tuple[Array, Array]: ...
@overload
def multi_head_attention(
    x: Array,
    w_q: Array,
    w_k: Array,
    w_v: Array,
    w_o: Array,
    *,
    return_trace: Literal[True],
    **options: Unpack[_Options],
) -> Steps: ...
def multi_head_attention(
    x: Array,
    w_q: Array,
    w_k: Array,
    w_v: Array,
    w_o: Array,
    *,
    heads: int,
    kv_heads: int | None = None,
    mask: Array | Mask | None = None,
    causal: bool = False,
    memory: Array | None = None,
    past: Cache | None = None,
    b_q: Array | None = None,
    b_k: Array | None = None,
    b_v: Array | None = None,
    b_o: Array | None = None,
    return_weights: bool = False,
    return_trace: bool = False,
) -> Array | tuple[Array, Array] | Steps:
    """Concat(head_1 ... head_h) W^O, head_i = softmax(Q_i K_i^T / sqrt(d_k)) V_i: (n, d_out).

    x (n, d) asks, and ``memory`` (m, d_memory) is asked in its place in cross-attention; batch axes
    may stand in front of both. The matrices are packed, one block of columns a head:
    w_q (d, heads*d_k), w_k (d_memory, kv_heads*d_k), w_v (d_memory, kv_heads*d_v),
    w_o (heads*d_v, d_out); a bias is as long as its matrix has columns.

    ``kv_heads`` fewer than heads are shared by equal groups of neighbouring query heads.
    ``mask`` broadcasts against the scores (..., heads, n, m): booleans, True = may be asked, or
    numbers to add. ``causal``: row t asks s <= t + the tokens in ``past``, which are the keys and
    values (kv_heads, p, e) of earlier tokens, as in an earlier call's ``Steps.present``.

    Gives the output; with ``return_weights`` also the weights (heads, n, m) of every head; with
    ``return_trace`` all of it as Steps. The output has the type of float given.
    Raises ValueError for shapes that do not fit.

    Vaswani et al. 2017, section 3.2.2; for kv_heads, Ainslie et al. 2023, section 2.2.
    """
    kv_heads = heads if kv_heads is None else kv_heads
    kept_type = x.dtype
    x, w_q, w_k, w_v, w_o = widen(x), widen(w_q), widen(w_k), widen(w_v), widen(w_o)
    asked = x if memory is None else widen(memory)
    check_weights(x, asked, (w_q, w_k, w_v, w_o), (b_q, b_k, b_v, b_o), heads, kv_heads)

    q_hte = split_heads(_linear(x, w_q, b_q), heads)
    k_gse = split_heads(_linear(asked, w_k, b_k), kv_heads)
    v_gse = split_heads(_linear(asked, w_v, b_v), kv_heads)
    past_tokens = 0
    if past is not None:
        check_past(past, k_gse, v_gse)
        past_tokens = past[0].shape[-2]
        k_gse, v_gse = (np.concatenate(pair, axis=-2) for pair in zip(past, (k_gse, v_gse), strict=True))
    n, m = x.shape[-2], k_gse.shape[-2]
    if mask is not None:
        check_mask(mask, (*x.shape[:-2], heads, n, m))
    if causal:
        mask = _causal_too(mask, causal_mask(n, m, past_tokens))

    # Q has n e numbers a head and the dots n m, so it is cheaper to scale Q.
    scores_hts = dot_products(q_hte * (1 / sqrt(q_hte.shape[-1])), k_gse)
    weights_hts = weigh(scores_hts, mask, keep=return_trace)
    mixed_hte = mix(weights_hts, v_gse)
    output_td = _linear(concat_heads(mixed_hte), w_o, b_o)
    if kept_type == np.float16:
        output_td = output_td.astype(np.float16)
    if return_trace:
        return Steps(q_hte, k_gse, v_gse, scores_hts, weights_hts, mixed_hte, output_td, mask)
    return (output_td, weights_hts) if return_weights else output_td


def _linear(x_td: Array, w_dc: Array, b_c: Array | None) -> Array:
    """x W + b."""
    projected_tc: Array = x_td @ w_dc
    return projected_tc if b_c is None else projected_tc + b_c


def _causal_too(mask: Array | Mask | None, allowed_ts: Mask) -> Array | Mask:
    """The mask with what lies in the future forbidden as well."""
    if mask is None:
        return allowed_ts
    if mask.dtype == np.bool_:
        return np.logical_and(mask, allowed_ts)
    return np.where(allowed_ts, mask, -np.inf)
