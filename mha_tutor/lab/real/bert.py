"""The forward pass of a BERT-type encoder in numpy, from word pieces to a sentence's vector.

Devlin et al. 2019. A layer is attention, add, norm, feed-forward, add, norm:

    a = LayerNorm(x + Concat(head_1 ... head_h) W^O + b_O)
    y = LayerNorm(a + gelu(a W_1 + b_1) W_2 + b_2)

All sentences go through the products with matrices together, one below the other (N rows); only
attention is done sentence by sentence. Suffixes are those of ``attention``; N stands for n.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import erf, exp, pi, sqrt
from typing import NamedTuple

import numpy as np

from ...attention import Array, concat_heads, dot_products, leave_out, mix, softmax, split_heads
from ...errors import WorkError
from ...layouts import Weights


class Norm(NamedTuple):
    """A LayerNorm's learned numbers, (d,) each."""

    gain: Array
    shift: Array
    eps: float

    def __call__(self, x_td: Array) -> Array:
        """Every row with mean 0 and variance 1, then gain and shift (Ba et al. 2016, section 3)."""
        centred: Array = x_td - x_td.mean(axis=1, keepdims=True)
        variance: Array = np.einsum("td,td->t", centred, centred)[:, None] / x_td.shape[1]
        centred /= np.sqrt(variance + self.eps)
        centred *= self.gain
        centred += self.shift
        return centred


class Layer(NamedTuple):
    """The learned numbers of one layer: attention, its norm, the feed-forward step, its norm."""

    attention: Weights
    w_qkv: Array  # (d, 3d): W^Q, W^K, W^V side by side, for one product
    b_qkv: Array
    norm: Norm
    w_1: Array  # (d, f)
    b_1: Array
    w_2: Array  # (f, d)
    b_2: Array
    last_norm: Norm


class Bert(NamedTuple):
    """A model: tables of word pieces, places and kinds, (rows, d) each, a norm, and layers."""

    words: Array
    places: Array
    kind: Array  # (d,): the row of the first text, added to every token
    norm: Norm
    layers: tuple[Layer, ...]
    heads: int

    @property
    def width(self) -> int:
        """d_model."""
        return int(self.words.shape[1])


class Seen(NamedTuple):
    """What one layer did with all sentences: X and the values, (N, d), and weights (h, n, n) for each."""

    x_td: Array
    v_tc: Array
    weights: tuple[Array, ...]


class Pass(NamedTuple):
    """What a forward pass leaves: what was seen layer by layer, the last rows (N, d), and who is where."""

    seen: tuple[Seen, ...]
    last_td: Array
    cuts: tuple[slice, ...]

    @property
    def sentences(self) -> Array:
        """A vector of length 1 for each sentence: the mean of its tokens' rows, (sentences, d)."""
        means = np.stack([self.last_td[cut].mean(axis=0) for cut in self.cuts])
        unit: Array = means / np.linalg.norm(means, axis=1, keepdims=True)
        return unit


Removed = Collection[tuple[int, int]]


def forward(model: Bert, rows: Sequence[Sequence[int]], removed: Removed = (), keep: bool = True) -> Pass:
    """Every sentence's word pieces, given by their rows, through all layers.

    Heads in ``removed``, (layer, head) from 0, are set to 0 before W^O. Without ``keep`` nothing but
    the last rows is kept.
    """
    return resume(model, start(model, rows), removed, keep)


class Start(NamedTuple):
    """Rows on their way, (N, d): who is where, and how many layers they have been through."""

    x_td: Array
    cuts: tuple[slice, ...]
    layer: int = 0


def start(model: Bert, rows: Sequence[Sequence[int]]) -> Start:
    """The rows that the first layer is given: word, place and kind added, then normalised."""
    stops = np.cumsum([len(sentence) for sentence in rows]).tolist()
    cuts = tuple(slice(a, b) for a, b in zip([0, *stops], stops, strict=False))
    places = np.concatenate([np.arange(len(sentence)) for sentence in rows])
    added_td = model.words[np.concatenate(rows)] + model.places[places] + model.kind
    return Start(model.norm(added_td), cuts)


def resume(model: Bert, begun: Start, removed: Removed = (), keep: bool = True) -> Pass:
    """The rest of the way; see ``forward``. Raises WorkError when a number is infinite or none at all."""
    x_td, seen = begun.x_td, []
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        for number, layer in enumerate(model.layers[begun.layer :], begun.layer):
            out = [head for at, head in removed if at == number]
            x_td, what = _layer(layer, x_td, begun.cuts, model.heads, out)
            if keep:
                seen.append(what)
    if not np.isfinite(x_td).all():
        raise WorkError(
            "The model's learned numbers are too large, or some are no numbers: nothing comes out."
        )
    return Pass(tuple(seen), x_td, begun.cuts)


def _layer(
    layer: Layer, x_td: Array, cuts: tuple[slice, ...], heads: int, removed: Collection[int]
) -> tuple[Array, Seen]:
    """One layer: the rows it hands on, and what was seen on the way."""
    q_tc, k_tc, v_tc = np.split(x_td @ layer.w_qkv + layer.b_qkv, 3, axis=1)
    scaled_tc = q_tc * np.float32(1 / sqrt(q_tc.shape[1] // heads))
    mixed_tc = np.empty_like(v_tc)
    weights = []
    for cut in cuts:
        scores_hts = dot_products(split_heads(scaled_tc[cut], heads), split_heads(k_tc[cut], heads))
        weights_hts = softmax(scores_hts, out=scores_hts)
        mixed_hte = mix(weights_hts, split_heads(v_tc[cut], heads))
        mixed_tc[cut] = concat_heads(leave_out(mixed_hte, removed) if removed else mixed_hte)
        weights.append(weights_hts)
    added_td = mixed_tc @ layer.attention["w_o"]
    added_td += layer.attention["b_o"]
    added_td += x_td
    a_td = layer.norm(added_td)
    wide_tf = a_td @ layer.w_1
    wide_tf += layer.b_1
    fed_td = gelu(wide_tf) @ layer.w_2
    fed_td += layer.b_2
    fed_td += a_td
    return layer.last_norm(fed_td), Seen(x_td, v_tc, tuple(weights))


def _gelu_table(steps: int, end: int) -> tuple[Array, Array, Array]:
    """gelu, its slope, and half its bend, at ``steps`` points a unit from -end to end."""
    points = [i / steps for i in range(-end * steps, end * steps + 1)]
    phi = [exp(-x * x / 2) / sqrt(2 * pi) for x in points]
    below = [(1 + erf(x / sqrt(2))) / 2 for x in points]
    value = [x * p for x, p in zip(points, below, strict=True)]
    slope = [p + x * density for x, p, density in zip(points, below, phi, strict=True)]
    bend = [density * (1 - x * x / 2) for x, density in zip(points, phi, strict=True)]
    return tuple(np.array(column, dtype=np.float32) for column in (value, slope, bend))  # type: ignore[return-value]


STEPS, END = 256, 6  # the remainder of the Taylor series is below (1/512)^3 / 6, about 1e-9
_TABLE = _gelu_table(STEPS, END)


def gelu(x: Array) -> Array:
    """x times the probability of a standard normal number below x (Hendrycks and Gimpel 2016).

    numpy has no erf, so this is a Taylor series of three terms around the nearest point of a table.
    From 6 on, x itself is left or nothing is: the rest is below 1e-8.
    """
    inside = np.clip(x, -END, END)
    nearest = np.rint(inside * STEPS)
    place = nearest.astype(np.intp) + END * STEPS
    off = inside - nearest / STEPS
    value, slope, bend = (column.take(place, mode="clip") for column in _TABLE)
    found: Array = value + off * (slope + off * bend)
    found += np.maximum(x - END, 0)
    return found
