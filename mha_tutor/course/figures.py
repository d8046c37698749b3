"""What references may speak of beside walks: cited figures, costs, and a few functions."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from .. import cost
from ..attention import causal_mask
from ..examples import find
from ..stages import walk
from ..trace import Trace
from . import material

MEASURED = "measured.toml"  # written by measured.py


@cache
def figures() -> dict[str, dict[str, str]]:
    """The figures that are cited or were measured here: ``value`` as it is printed, and its ``source``."""
    folder = material.root() / "course"
    files = (folder / name for name in ("figures.toml", MEASURED))
    return {k: v for file in files for k, v in tomllib.loads(file.read_text(encoding="utf-8")).items()}


@cache
def walk_of(name: str = "robot") -> Trace:
    """The walk that references mean by that name, from course/walks.toml; KeyError for another."""
    options = _walks()[name]
    example = find(options.get("example", "robot"))
    if "sentence" in options:
        example = example.with_sentence(options["sentence"])
    n = len(example.tokens)
    return walk(
        example,
        heads=options.get("heads"),
        kv_heads=options.get("kv_heads"),
        allowed=causal_mask(n, n) if options.get("causal") else None,
    )


def walk_names() -> tuple[str, ...]:
    """The names that stand before a point, as in ``one.weights[...]``."""
    return tuple(_walks())


@cache
def _walks() -> dict[str, dict[str, Any]]:
    text = (material.root() / "course" / "walks.toml").read_text(encoding="utf-8")
    return {"robot": {}, **tomllib.loads(text)}


def _shape(d_model: int | str, heads: int | None = None, kv_heads: int | None = None) -> cost.Shape:
    """The shape of a preset's name, or of two sizes."""
    if isinstance(d_model, str):
        shape = cost.find_preset(d_model).shape
        shape = shape if heads is None else shape.with_heads(heads)
        return shape if kv_heads is None else shape.with_kv_heads(kv_heads)
    return cost.Shape.of(d_model, 1 if heads is None else heads, kv_heads=kv_heads)


def _cache_bytes(preset: str, kv_heads: int | None = None) -> int:
    kept = cost.cache(_shape(preset, None, kv_heads))
    return kept.bytes_of(kept.token)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "exp": np.exp,
    "log": math.log,
    "sqrt": math.sqrt,
    "sum": np.sum,
    "max": np.max,
    "min": np.min,
    "mean": np.mean,
    "abs": abs,
    "round": round,
    "comb": math.comb,
    # Costs. A shape is a preset's name, or d_model, heads and perhaps kv_heads.
    "parameters": lambda *shape: cost.parameters(_shape(*shape)),
    "all_parameters": lambda preset: cost.parameters(_shape(preset)) * _shape(preset).layers,
    "wrong_parameters": lambda *shape: cost.wrong_parameters(_shape(*shape)),
    "softmax_entries": lambda heads, tokens: heads * tokens**2,
    "even_tokens": lambda *shape: cost.even_tokens(_shape(*shape)),
    "cache_bytes": _cache_bytes,
    "size": lambda preset, name: getattr(_shape(preset), name),
}
