"""The same packed matrices cut into different numbers of heads, and what changes between the cuts.

Two things do. With one head the heads' dot products are added into one before the softmax, and the
divisor is the square root of the whole width instead of a head's.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any, NamedTuple

import numpy as np

from .attention import Array, Mask
from .errors import InputError
from .examples import Example
from .multihead import weigh
from .stages import walk
from .trace import FORMAT_VERSION, Trace

MATRICES = ("W_Q", "W_K", "W_V", "W_O")


def entropy(weights: Array) -> Array:
    """How spread out each row of weights is, in bits: -sum w log2 w, from 0 to log2 of the row's length."""
    logs = np.log2(np.where(weights > 0, weights, 1.0))
    bits: Array = np.maximum(-(weights * logs).sum(axis=-1), 0.0)
    return bits


class Cut(NamedTuple):
    """The walk with one number of heads."""

    trace: Trace

    @property
    def heads(self) -> int:
        return self.trace.sizes["heads"]

    @property
    def width(self) -> int:
        """d_k, the width of one head."""
        return self.trace.sizes["d_k"]

    @property
    def divisor(self) -> float:
        return sqrt(self.width)

    @property
    def weights_hts(self) -> Array:
        return self.trace["weights"].values

    @property
    def summed_dots_ts(self) -> Array:
        """The heads' dot products added up, (n, m)."""
        total: Array = self.trace["dots"].values.sum(axis=0)
        return total

    @property
    def parameters(self) -> dict[str, int]:
        """How many learned numbers each matrix holds, all heads together."""
        return {name: self.trace[name].values.size for name in MATRICES}

    def weights_over(self, divisor: float) -> Array:
        """The attention weights if the dots were divided by ``divisor``: (heads, n, m)."""
        scores_hts = self.trace["dots"].values / divisor
        return weigh(scores_hts, self.trace.allowed)

    def as_json(self) -> dict[str, Any]:
        """The cut as plain data, with its whole walk."""
        bits_ht = entropy(self.weights_hts)
        return {
            "heads": self.heads,
            "d_k": self.width,
            "divisor": self.divisor,
            "parameters": self.parameters,
            "summed_dots": self.summed_dots_ts.tolist(),
            "entropy_bits": bits_ht.tolist(),
            "effective_places": (2**bits_ht).tolist(),
            "walk": self.trace.as_json(),
        }


class Comparison(NamedTuple):
    """Two or more cuts, fewest heads first; and ``one``, the cut into one head, to hold them against."""

    one: Cut
    cuts: tuple[Cut, ...]

    def off(self, cut: Cut) -> float:
        """How far the cut's added dots are from the one head's, at most: rounding, or nothing."""
        return float(np.abs(cut.summed_dots_ts - self.one.summed_dots_ts).max())

    def as_json(self) -> dict[str, Any]:
        """The comparison as plain data: each cut, and the one head's weights with each cut's divisor."""
        return {
            "format_version": FORMAT_VERSION,
            "cuts": [cut.as_json() for cut in self.cuts],
            "one_head": {
                "dots": self.one.trace["dots"].values[0].tolist(),
                "with_divisor": [
                    {"divisor": cut.divisor, "weights": self.one.weights_over(cut.divisor)[0].tolist()}
                    for cut in self.cuts
                ],
            },
        }


def compare_cuts(example: Example, heads: Sequence[int] = (), *, allowed: Mask | None = None) -> Comparison:
    """Cut ``example`` into each of those numbers of heads; by default into 1 and its own number.

    Raises InputError for an example whose heads have a fixed width, for a number that does not
    divide d_model, and for fewer than two different numbers.
    """
    example.check_no_biases("a comparison of cuts")
    if example.fixed_heads:
        width, packed = example.X.shape[1], example.W_Q.shape[1]
        raise InputError(
            f"'{example.name}' cannot be cut differently: each of its {example.heads} heads has a fixed "
            f"width of {packed // example.heads}, so W^Q is {width} x {packed}, and not {width} columns to "
            "share out. Choose another example, such as --example robot."
        )
    numbers = sorted(set(heads or _usual(example)))
    for number in numbers:
        example.check_heads(number)
    if len(numbers) < 2:
        allowed_heads = ", ".join(map(str, example.allowed_heads))
        raise InputError(
            f"To compare, two different numbers of heads are needed; there is only {numbers[0]}. "
            f"Give --heads twice, each one of {allowed_heads}: --heads 1 --heads {example.allowed_heads[-1]}."
        )
    return Comparison(
        one=Cut(walk(example, heads=1, allowed=allowed)),
        cuts=tuple(Cut(walk(example, heads=number, allowed=allowed)) for number in numbers),
    )


def _usual(example: Example) -> tuple[int, ...]:
    """1 and the example's own number of heads; where that is 1, the next that fits."""
    return (1, example.heads) if example.heads > 1 else example.allowed_heads[:2]
