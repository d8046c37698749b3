"""What multi-head attention costs, counted from the shapes of its matrices.

    W^Q  d x h d_k      W^K  d x g d_k      W^V  d x g d_v      W^O  h d_v x d

(Vaswani et al. 2017, section 3.2.2; with g < h as in Shazeer 2019 and Ainslie et al. 2023.) A figure is
for one layer and the whole batch unless its name says otherwise. Every figure is an exact integer, and
numpy is not needed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .presets import PRESETS, Chosen, Preset, choose, find_preset
from .shape import DTYPE_BYTES, LIMITS, Shape, divisors

__all__ = [
    "DTYPE_BYTES",
    "PRESETS",
    "Cache",
    "Chosen",
    "Preset",
    "Series",
    "Shape",
    "Sweep",
    "as_json",
    "biases",
    "cache",
    "choose",
    "even_tokens",
    "find_preset",
    "matrices",
    "multiply_adds",
    "numbers_made",
    "over_heads",
    "over_kv_heads",
    "over_tokens",
    "parameters",
    "softmax_entries",
    "wrong_parameters",
]

FORMAT_VERSION = 1
MOST_HEADS = 128  # a sweep over heads goes so far, or to the shape's own number


def matrices(shape: Shape) -> dict[str, tuple[int, int]]:
    """Rows and columns of the four packed matrices of a layer."""
    d, h, g = shape.d_model, shape.heads, shape.kv_heads
    return {
        "W_Q": (d, h * shape.d_k),
        "W_K": (d, g * shape.d_k),
        "W_V": (d, g * shape.d_v),
        "W_O": (h * shape.d_v, d),
    }


def biases(shape: Shape) -> dict[str, int]:
    """The lengths of the four bias vectors of a layer, where a model has them: a number a column."""
    return {name.replace("W", "b"): columns for name, (_, columns) in matrices(shape).items()}


def parameters(shape: Shape, *, with_biases: bool = False) -> int:
    """The learned numbers of one layer: d h d_k + d g d_k + d g d_v + h d_v d, and the biases."""
    learned = sum(rows * columns for rows, columns in matrices(shape).values())
    return learned + (sum(biases(shape).values()) if with_biases else 0)


def wrong_parameters(shape: Shape) -> int | None:
    """h 3 (d/h)^2 + d^2: a popular formula that is wrong, for comparison.

    It gives every head three square matrices, d/h x d/h, as if a head saw only its own slice of X.
    Every head reads all d columns, so a matrix has d rows. The formula knows no shared key/value
    heads and no fixed head width; None where it cannot be worked out in whole columns.
    """
    d, h = shape.d_model, shape.heads
    if shape.fixed_width or d % h:
        return None
    return h * 3 * (d // h) ** 2 + d * d


def multiply_adds(shape: Shape) -> dict[str, int]:
    """Multiply-adds of one layer by stage; the keys are those of the walk's stages.

    A product (a x b) (b x c) takes a b c. Scores are counted for every pair of tokens, masked or
    not. Scaling and softmax are no products: see ``numbers_made`` for how many numbers they touch.
    """
    rows = shape.batch * shape.tokens
    pairs = shape.heads * shape.tokens * rows
    *project, output = (d_in * d_out for d_in, d_out in matrices(shape).values())
    return {
        "project": rows * sum(project),
        "dots": pairs * shape.d_k,
        "mix": pairs * shape.d_v,
        "output": rows * output,
    }


def numbers_made(shape: Shape) -> dict[str, int]:
    """How many numbers each stage of one layer puts out."""
    rows = shape.batch * shape.tokens
    pairs = shape.heads * shape.tokens * rows
    q, k, v = (columns for _, columns in list(matrices(shape).values())[:3])
    mixed = rows * shape.heads * shape.d_v
    return {
        "project": rows * (q + k + v),
        "dots": pairs,
        "scale": pairs,
        "softmax": pairs,
        "mix": mixed,
        "concat": mixed,
        "output": rows * shape.d_model,
    }


def softmax_entries(shape: Shape) -> int:
    """h n^2: the attention weights of one layer, one n x n map a head (for each text of the batch)."""
    return numbers_made(shape)["softmax"]


def even_tokens(shape: Shape) -> int:
    """The number of tokens from which dots and mix take at least as many multiply-adds as the matrices.

    n (all four matrices) = n^2 h (d_k + d_v), rounded up; 2 d_model where d_k = d_v = d/h and g = h.
    """
    return -(-parameters(shape) // (shape.heads * (shape.d_k + shape.d_v)))


@dataclass(frozen=True)
class Cache:
    """The K and V that are kept while decoding, in numbers; ``bytes_of`` turns them into bytes."""

    kv_heads: int
    token_layer: int
    token: int
    layer: int
    whole: int
    dtype_bytes: int

    def bytes_of(self, numbers: int) -> int:
        """What so many numbers take up."""
        return numbers * self.dtype_bytes

    def as_json(self) -> dict[str, Any]:
        """kv_heads, and the four counts once in numbers and once in bytes."""
        counts = {name: getattr(self, name) for name in ("token_layer", "token", "layer", "whole")}
        return {
            "kv_heads": self.kv_heads,
            "numbers": counts,
            "bytes": {name: self.bytes_of(count) for name, count in counts.items()},
        }


def cache(shape: Shape, kv_heads: int | None = None) -> Cache:
    """The KV cache of ``shape``, or of the same with other key/value heads: g (d_k + d_v) a token and layer.

    MHA is ``kv_heads=shape.heads``, MQA is ``kv_heads=1``. ``token`` and ``token_layer`` are for one
    token of one text; ``layer`` and ``whole`` for all tokens of the whole batch.
    """
    g = shape.kv_heads if kv_heads is None else shape.with_kv_heads(kv_heads).kv_heads
    a_token = g * (shape.d_k + shape.d_v)
    tokens = shape.tokens * shape.batch
    return Cache(
        kv_heads=g,
        token_layer=a_token,
        token=a_token * shape.layers,
        layer=a_token * tokens,
        whole=a_token * tokens * shape.layers,
        dtype_bytes=shape.dtype_bytes,
    )


@dataclass(frozen=True)
class Series:
    """One figure for every x of a sweep; None where it does not exist."""

    key: str
    values: tuple[int | None, ...]


@dataclass(frozen=True)
class Sweep:
    """What happens to figures when one size changes and the rest stays: data for a chart."""

    axis: str
    xs: tuple[int, ...]
    series: tuple[Series, ...]

    def __getitem__(self, key: str) -> tuple[int | None, ...]:
        """The values of the series of that key; KeyError when there is none."""
        for series in self.series:
            if series.key == key:
                return series.values
        raise KeyError(key)

    def as_json(self) -> dict[str, Any]:
        """The xs under the axis' name, then a list for every series."""
        return {self.axis: list(self.xs)} | {one.key: list(one.values) for one in self.series}


def over_heads(shape: Shape, most: int = MOST_HEADS) -> Sweep:
    """One layer cut into other numbers of heads, every head with its own K and V (g = h).

    The numbers are the divisors of d_model up to ``most``, or powers of two where the width of a
    head is fixed; always with the shape's own.
    """
    top = max(most, shape.heads)
    fits = _powers(top) if shape.fixed_width else divisors(shape.d_model, top)
    xs = tuple(sorted({*fits, shape.heads}))
    shapes = [shape.with_heads(x) for x in xs]
    return Sweep(
        "heads",
        xs,
        _series(
            shapes,
            parameters=parameters,
            wrong_formula=wrong_parameters,
            multiply_adds=lambda one: sum(multiply_adds(one).values()),
            softmax_entries=softmax_entries,
            cache_bytes_a_token=_token_bytes,
        ),
    )


def over_kv_heads(shape: Shape) -> Sweep:
    """The same heads sharing fewer and fewer K and V: from MQA (1) to MHA (all)."""
    xs = divisors(shape.heads)
    shapes = [shape.with_kv_heads(x) for x in xs]
    return Sweep("kv_heads", xs, _series(shapes, parameters=parameters, cache_bytes_a_token=_token_bytes))


def over_tokens(shape: Shape, rows: int = 12) -> Sweep:
    """One layer reading more and more: ``rows`` powers of two, up to the shape's tokens or just above."""
    top = max(4, (shape.tokens - 1).bit_length())
    xs = tuple(2**power for power in range(max(0, top - rows + 1), top + 1) if 2**power <= LIMITS["tokens"])
    shapes = [replace(shape, tokens=x) for x in xs]
    work = [multiply_adds(one) for one in shapes]
    return Sweep(
        "tokens",
        xs,
        (
            Series("matrix_multiply_adds", tuple(one["project"] + one["output"] for one in work)),
            Series("score_multiply_adds", tuple(one["dots"] + one["mix"] for one in work)),
            Series("softmax_entries", tuple(softmax_entries(one) for one in shapes)),
            Series("cache_bytes", tuple(one.bytes_of(one.whole) for one in map(cache, shapes))),
        ),
    )


def as_json(shape: Shape, preset: Preset | None = None) -> dict[str, Any]:
    """Every figure as plain data. All are whole numbers; large ones exceed 2^53.

    Keys: ``format_version``; ``preset`` and ``source`` (null without a preset); ``kind`` ("mha",
    "gqa", "mqa"); ``shape``; ``matrices`` (rows and columns) and ``biases`` (lengths) of a layer;
    ``parameters``, with and without biases; ``wrong_formula`` (null where it does not apply);
    ``multiply_adds`` and ``numbers_made`` by stage; ``softmax_entries``; ``even_tokens``; ``cache``
    for the given key/value heads, for MHA and for MQA; ``sweeps`` ``over_heads``,
    ``over_kv_heads`` and ``over_tokens``. "layer" is one layer, "all_layers" all of them.
    """
    layers = shape.layers
    work = multiply_adds(shape)
    return {
        "format_version": FORMAT_VERSION,
        "preset": preset.name if preset else None,
        "source": preset.source if preset else None,
        "kind": shape.kind,
        "shape": shape.sizes(),
        "matrices": {name: list(size) for name, size in matrices(shape).items()},
        "biases": biases(shape),
        "parameters": {
            "layer": parameters(shape),
            "layer_with_biases": parameters(shape, with_biases=True),
            "all_layers": parameters(shape) * layers,
            "all_layers_with_biases": parameters(shape, with_biases=True) * layers,
        },
        "wrong_formula": {"formula": "h*3*(d_model/h)^2 + d_model^2", "layer": wrong_parameters(shape)},
        "multiply_adds": work | {"layer": sum(work.values()), "all_layers": sum(work.values()) * layers},
        "numbers_made": numbers_made(shape),
        "softmax_entries": {
            "layer": softmax_entries(shape),
            "all_layers": softmax_entries(shape) * layers,
        },
        "even_tokens": even_tokens(shape),
        "cache": {
            "given": cache(shape).as_json(),
            "mha": cache(shape, shape.heads).as_json(),
            "mqa": cache(shape, 1).as_json(),
        },
        "sweeps": {
            "over_heads": over_heads(shape).as_json(),
            "over_kv_heads": over_kv_heads(shape).as_json(),
            "over_tokens": over_tokens(shape).as_json(),
        },
    }


def _series(shapes: Sequence[Shape], **figures: Callable[[Shape], int | None]) -> tuple[Series, ...]:
    """Each figure of every shape."""
    return tuple(Series(key, tuple(map(figure, shapes))) for key, figure in figures.items())


def _token_bytes(shape: Shape) -> int:
    kept = cache(shape)
    return kept.bytes_of(kept.token)


def _powers(top: int) -> tuple[int, ...]:
    """1, 2, 4 ... up to ``top``."""
    return tuple(2**power for power in range(top.bit_length()))
