"""Problems to practise on: all sizes different, so that no mistake hides."""

from __future__ import annotations

import numpy as np

from ..attention import causal_mask
from .problem import Problem


def practice_problem(
    seed: int = 0,
    *,
    n: int = 5,
    d: int = 6,
    heads: int = 2,
    kv_heads: int | None = None,
    causal: bool = False,
    asked: int | None = None,
    size: float = 1.0,
) -> Problem:
    """A problem with numbers of one decimal, drawn from ``seed``.

    ``asked`` is the number of other rows that are asked (cross-attention); with ``causal`` the
    tokens that ask are the last of them, as when decoding. ``size`` makes the rows larger.
    """
    draw = np.random.default_rng(seed)
    kv_columns = d // heads * (kv_heads or heads)
    x, memory = (np.round(draw.normal(size=(rows, d)), 1) * size for rows in (n, asked or n))
    w_q, w_k, w_v, w_o = (
        np.round(draw.normal(size=(d, columns)), 1) for columns in (d, kv_columns, kv_columns, d)
    )
    return Problem.packed(
        x, w_q, w_k, w_v, w_o, heads,
        kv_heads=kv_heads,
        allowed=causal_mask(n, asked or n, (asked or n) - n) if causal else None,
        memory=None if asked is None else memory,
    )  # fmt: skip
