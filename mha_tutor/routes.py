"""Three routes to Q, K and V: cut the columns of X W, multiply by each head's own W_i, or cut X itself.

The first two are the same (Vaswani et al. 2017, section 3.2.2: every head projects all of X). The
third is a common wrong reading: head i sees only its own slice of X.
"""

from __future__ import annotations

from math import sqrt
from typing import Any, NamedTuple

import numpy as np

from . import attention
from .attention import Array, Mask
from .errors import InputError
from .examples import Example
from .multihead import weigh
from .stages import walk
from .trace import FORMAT_VERSION, Trace

MADE_BY = {"Q": "W_Q", "K": "W_K", "V": "W_V"}


class Route(NamedTuple):
    """Q, K and V by each route, (heads, n, e)."""

    wide_hte: Array
    own_hte: Array
    sliced_hte: Array

    @property
    def off_own(self) -> float:
        """How far the second route is from the first, at most: rounding, or nothing."""
        return float(np.abs(self.own_hte - self.wide_hte).max())

    @property
    def off_sliced(self) -> float:
        """How far the third route is from the first, at most."""
        return float(np.abs(self.sliced_hte - self.wide_hte).max())


class Routes(NamedTuple):
    """The three routes on one example, and the walk to hold them against.

    ``small`` has the third route's matrices, (heads, d/h, e).
    """

    example: Example
    trace: Trace
    made: dict[str, Route]
    small: dict[str, Array]

    @property
    def heads(self) -> int:
        return self.trace.sizes["heads"]

    @property
    def width(self) -> int:
        """How many features a slice of X has."""
        return self.trace.sizes["d_model"] // self.heads

    def seen(self, head: int) -> slice:
        """The features that a head would see in the third route."""
        return slice(head * self.width, (head + 1) * self.width)

    def weights(self, route: str) -> Array:
        """The attention weights that a route leads to, (heads, n, n); ``route`` is a field of Route."""
        q_hte, k_hte = (getattr(self.made[name], route) for name in ("Q", "K"))
        scores_hts = attention.dot_products(q_hte, k_hte) / sqrt(q_hte.shape[-1])
        return weigh(scores_hts, self.trace.allowed)

    def output(self, route: str) -> Array:
        """The output that a route leads to, (n, d)."""
        mixed_hte = attention.mix(self.weights(route), getattr(self.made["V"], route))
        return attention.concat_heads(mixed_hte) @ self.example.W_O

    def parameters(self) -> dict[str, int]:
        """How many learned numbers each route needs: its matrices for Q, K and V, and W^O."""
        example = self.example
        packed = [getattr(example, name) for name in MADE_BY.values()]
        own = [attention.split_columns(w_dc, self.heads) for w_dc in packed]
        small = [self.small[name] for name in MADE_BY.values()]
        return {
            field: sum(int(array.size) for array in arrays) + int(example.W_O.size)
            for field, arrays in zip(Route._fields, (packed, own, small), strict=True)
        }

    def as_json(self) -> dict[str, Any]:
        """The routes as plain data."""
        return {
            "format_version": FORMAT_VERSION,
            "example": self.example.name,
            "provenance": self.example.provenance,
            "tokens": list(self.example.tokens),
            "heads": self.heads,
            "features_seen": [list(self.example.features[self.seen(head)]) for head in range(self.heads)],
            "routes": {
                name: {field: array.tolist() for field, array in route._asdict().items()}
                for name, route in self.made.items()
            },
            "off_own": {name: route.off_own for name, route in self.made.items()},
            "off_sliced": {name: route.off_sliced for name, route in self.made.items()},
            "parameters": self.parameters(),
        }


def take_routes(example: Example, heads: int | None = None, *, allowed: Mask | None = None) -> Routes:
    """Make Q, K and V of ``example`` by all three routes.

    Raises InputError for a number of heads that does not fit, and where X has no equal slices.
    """
    example.check_no_biases("a comparison of routes")
    trace = walk(example, heads=heads, allowed=allowed)
    heads, d = trace.sizes["heads"], trace.sizes["d_model"]
    if d % heads:
        raise InputError(
            f"The third route cuts X into {heads} equal slices, but the rows of '{example.name}' hold {d} "
            "numbers. Its heads have a fixed width. Choose another example, such as --example robot."
        )
    small = {name: diagonal_blocks(getattr(example, name), heads) for name in MADE_BY.values()}
    made = {name: _route(example.X, getattr(example, w), small[w]) for name, w in MADE_BY.items()}
    return Routes(example, trace, made, small)


def _route(x_td: Array, w_dc: Array, small_hde: Array) -> Route:
    """One projection by the three routes."""
    heads = len(small_hde)
    wide_tc = x_td @ w_dc
    return Route(
        wide_hte=attention.split_columns(wide_tc, heads),
        own_hte=attention.project(x_td, attention.split_columns(w_dc, heads)),
        sliced_hte=attention.split_columns(x_td, heads) @ small_hde,
    )


def diagonal_blocks(w_dc: Array, heads: int) -> Array:
    """What is left of W for a head that sees only its slice of X: its rows, its columns, (heads, d/h, e)."""
    d = len(w_dc)
    w_hde = attention.split_columns(w_dc, heads)
    return np.stack([w_hde[i, i * d // heads : (i + 1) * d // heads] for i in range(heads)])


def block_diagonal(small_hde: Array) -> Array:
    """The packed matrix that does the same as the small ones: they stand on its diagonal, the rest is 0."""
    heads, d, e = small_hde.shape
    w_dc = np.zeros((heads * d, heads * e))
    for i, block_de in enumerate(small_hde):
        w_dc[i * d : (i + 1) * d, i * e : (i + 1) * e] = block_de
    return w_dc
