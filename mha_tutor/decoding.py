"""Decoding with a cache: one token at a time, and what is made, read and kept at each."""

from __future__ import annotations

from math import sqrt
from typing import Any, NamedTuple

import numpy as np

from . import attention
from .attention import Array
from .examples import Example
from .stages import walk
from .trace import FORMAT_VERSION, Trace


class Decoded(NamedTuple):
    """One token's step. ``keys`` and ``values`` are the cache after it, (kv_heads, place + 1, e).

    ``made`` counts the numbers of q, k and v that the step projects, ``read`` those it takes from
    the cache of the step before, ``kept`` those in the cache after it.
    """

    place: int
    query: Array
    keys: Array
    values: Array
    scores: Array
    weights: Array
    output: Array
    made: int
    read: int
    kept: int


class Decoding(NamedTuple):
    """All steps, and the full causal pass over the same tokens to hold them against."""

    steps: tuple[Decoded, ...]
    full: Trace

    @property
    def difference(self) -> float:
        """How far an output row of the steps is from the full pass, at most."""
        rows = np.stack([step.output for step in self.steps])
        return float(np.abs(rows - self.full["output"].values).max())

    def as_json(self) -> dict[str, Any]:
        """The steps as plain data, with the full pass as ``Trace.as_json`` has it."""
        return {
            "format_version": FORMAT_VERSION,
            "steps": [
                {
                    "token": self.full.tokens[step.place],
                    "made": step.made,
                    "read": step.read,
                    "kept": step.kept,
                    "scores": step.scores.tolist(),
                    "weights": step.weights.tolist(),
                    "output": step.output.tolist(),
                }
                for step in self.steps
            ],
            "difference": self.difference,
            "full": self.full.as_json(),
        }


def decode(example: Example, *, heads: int | None = None, kv_heads: int | None = None) -> Decoding:
    """Run ``example`` token by token with a growing cache.

    Raises InputError for heads that do not fit, as ``walk`` does.
    """
    example.check_no_biases("decoding with a cache")
    n = len(example.tokens)
    full = walk(example, heads=heads, kv_heads=kv_heads, allowed=attention.causal_mask(n, n))
    w_q, w_k, w_v, w_o = (full[name].values for name in ("W_Q", "W_K", "W_V", "W_O"))
    keys: Array = np.zeros((w_k.shape[0], 0, w_k.shape[2]))
    values = keys
    steps = []
    for place, x_d in enumerate(example.X):
        step = _step(place, x_d[None, :], (w_q, w_k, w_v, w_o), keys, values)
        keys, values = step.keys, step.values
        steps.append(step)
    return Decoding(tuple(steps), full)


def _step(place: int, x_td: Array, matrices: tuple[Array, ...], keys: Array, values: Array) -> Decoded:
    """Project one token, put its key and value into the cache, and let it ask all of the cache."""
    w_q, w_k, w_v, w_o = matrices
    q_hte = attention.project(x_td, w_q)
    k_gse, v_gse = attention.project(x_td, w_k), attention.project(x_td, w_v)
    read = keys.size + values.size
    keys = np.concatenate([keys, k_gse], axis=1)
    values = np.concatenate([values, v_gse], axis=1)
    heads = len(w_q)
    scores_hts = attention.dot_products(q_hte, attention.share_heads(keys, heads)) / sqrt(q_hte.shape[-1])
    weights_hts = attention.softmax(scores_hts)
    mixed_hte = attention.mix(weights_hts, attention.share_heads(values, heads))
    output_td = attention.concat_heads(mixed_hte) @ w_o
    return Decoded(
        place=place,
        query=q_hte[:, 0],
        keys=keys,
        values=values,
        scores=scores_hts[:, 0],
        weights=weights_hts[:, 0],
        output=output_td[0],
        made=q_hte.size + k_gse.size + v_gse.size,
        read=read,
        kept=keys.size + values.size,
    )
