"""What a head adds, and what is missing when it is removed before W^O.

``concat W^O = sum_i head_i W_i^O`` (Michel et al. 2019, section 2.2, write multi-head attention as
this sum), so to remove a head is to remove one term.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import numpy as np

from .attention import Array, concat_heads, leave_out
from .trace import Trace


def rows_of_heads(w_o_cd: Array, heads: int) -> Array:
    """W^O cut into one block of rows a head: (heads, e, d)."""
    c, d = w_o_cd.shape
    return w_o_cd.reshape(heads, c // heads, d)


def head_terms(mixed_hte: Array, w_o_cd: Array) -> Array:
    """What each head adds to the output, head_i W_i^O: (heads, n, d)."""
    terms: Array = mixed_hte @ rows_of_heads(w_o_cd, len(mixed_hte))
    return terms


def zero_rows(w_o_cd: Array, heads: int, removed: Collection[int]) -> Array:
    """W^O with the rows that read the heads in ``removed`` (from 0) set to 0: (c, d)."""
    return leave_out(rows_of_heads(w_o_cd, heads), removed).reshape(w_o_cd.shape)


class Ablation(NamedTuple):
    """A walk with and without some heads.

    ``terms_htd`` is what each head adds. ``full_td`` is the output with all heads, ``without_td``
    with the rows of the removed heads set to 0, ``zeroed_td`` with their rows of W^O set to 0.
    """

    removed: tuple[int, ...]
    terms_htd: Array
    full_td: Array
    without_td: Array
    zeroed_td: Array

    @property
    def change_td(self) -> Array:
        """What is missing: the output with all heads minus the output without the removed ones."""
        return self.full_td - self.without_td

    @property
    def lengths_t(self) -> Array:
        """How long each token's change is, (n,)."""
        lengths: Array = np.linalg.norm(self.change_td, axis=1)
        return lengths

    @property
    def off_term(self) -> float:
        """How far the change is from the removed heads' terms, at most: rounding, or nothing."""
        removed_td = self.terms_htd[list(self.removed)].sum(axis=0)
        return float(np.abs(self.change_td - removed_td).max())

    @property
    def off_zeroed(self) -> float:
        """How far the two ways to remove are apart, at most: rounding, or nothing."""
        return float(np.abs(self.zeroed_td - self.without_td).max())


def ablate(trace: Trace, removed: Collection[int] | None = None) -> Ablation:
    """Hold a walk without the heads in ``removed`` (from 0) against the walk with all of them.

    By default the heads that the walk itself is without. Raises IndexError for an unknown head.
    """
    heads = trace.sizes["heads"]
    chosen = trace.removed if removed is None else tuple(sorted(set(removed)))
    if unknown := [i for i in chosen if not 0 <= i < heads]:
        raise IndexError(f"heads {unknown} of {heads}, counted from 0")
    mixed_hte, w_o_cd = trace["mixed"].values, trace["W_O"].values
    concat_tc = concat_heads(mixed_hte)
    b_o_d = trace["b_O"].values if "b_O" in trace else 0.0
    return Ablation(
        removed=chosen,
        terms_htd=head_terms(mixed_hte, w_o_cd),
        full_td=concat_tc @ w_o_cd + b_o_d,
        without_td=concat_heads(leave_out(mixed_hte, chosen)) @ w_o_cd + b_o_d,
        zeroed_td=concat_tc @ zero_rows(w_o_cd, heads, chosen) + b_o_d,
    )
