"""Who may ask whom, as booleans: True means that the token of the row may ask that of the column.

The causal mask itself is ``attention.causal_mask``.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import numpy as np

from .attention import Mask, causal_mask


def padding(n: int, m: int, places: Collection[int]) -> Mask:
    """Nobody may ask the tokens in ``places``, counted from 0: (n, m)."""
    allowed = np.ones((n, m), dtype=bool)
    allowed[:, list(places)] = False
    return allowed


def mask(n: int, m: int, kind: MaskKind) -> Mask:
    """The mask that does what ``kind`` says: (n, m)."""
    allowed = padding(n, m, kind.padding)
    return allowed & causal_mask(n, m) if kind.causal else allowed


class MaskKind(NamedTuple):
    """What a mask does: whether it hides what comes later, and which tokens nobody may ask."""

    causal: bool
    padding: tuple[int, ...]


def kind_of(allowed_ts: Mask) -> MaskKind:
    """Read a mask back from its places."""
    asked = allowed_ts.any(axis=0)
    square = allowed_ts.shape[0] == allowed_ts.shape[1]
    later_ts = np.triu(np.ones_like(allowed_ts), 1)
    hides_later = square and bool((later_ts & asked).any()) and not (later_ts & allowed_ts).any()
    return MaskKind(hides_later, tuple(np.flatnonzero(~asked).tolist()))
