"""What there is to notice in a run: small findings computed from its numbers, never assumed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..attention import Array

TIE = 1e-9
MOST_NAMED = 4


class Winners(NamedTuple):
    """The places of a row's largest number: several where they tie, all where the row is flat."""

    places: tuple[int, ...]
    value: float
    flat: bool


def winners(row: Array) -> Winners:
    """Where a row is largest, ties included."""
    top = float(row.max())
    places = tuple(int(i) for i in np.flatnonzero(row >= top - TIE * max(1.0, abs(top))))
    return Winners(places, top, flat=len(places) == len(row))


def largest_column(row: Array) -> int:
    """The first column whose number is furthest from 0."""
    return int(np.argmax(np.abs(row)))


def looks_back(weights_ts: Array) -> tuple[int, int]:
    """How many tokens after the first give most to the token before them, and how many there are."""
    n = weights_ts.shape[0]
    if weights_ts.shape[1] != n:
        return 0, n - 1
    hits = sum(winners(weights_ts[t]).places == (t - 1,) for t in range(1, n))
    return hits, n - 1


def twins(tokens: Sequence[str]) -> tuple[int, int] | None:
    """The first two places with the same word, whatever the case."""
    seen: dict[str, int] = {}
    for place, token in enumerate(tokens):
        if token.lower() in seen:
            return seen[token.lower()], place
        seen[token.lower()] = place
    return None


def rows_read(w_de: Array) -> tuple[int, ...]:
    """The features that a matrix reads: its rows that are not all 0."""
    return tuple(int(i) for i in np.flatnonzero(np.any(w_de != 0, axis=1)))


def main_share(row: Array, enough: float = 0.85) -> tuple[int, ...]:
    """The fewest places that hold ``enough`` of a row of weights together, largest first."""
    order = np.argsort(-row, kind="stable")
    count = int(np.searchsorted(np.cumsum(row[order]), enough - TIE)) + 1
    return tuple(int(i) for i in order[:count])
