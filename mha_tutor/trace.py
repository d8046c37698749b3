"""What a run of the engine leaves behind: named tensors, in stages, as data.

Every view (terminal, plain text, JSON, page, sheet) reads a Trace and computes nothing.
There is no prose and no colour here.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from .attention import Array, Mask

FORMAT_VERSION = 1


class Axis(NamedTuple):
    """One axis of a tensor: its letter in the alphabet (see ``attention``) and a label a place."""

    letter: str
    labels: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Tensor:
    """A named array with labelled axes; the values are read-only.

    Raises ValueError when the labels do not fit the shape.
    """

    name: str
    values: Array
    axes: tuple[Axis, ...]

    def __post_init__(self) -> None:
        expected = tuple(len(axis.labels) for axis in self.axes)
        if self.values.shape != expected:
            raise ValueError(f"{self.name} {self.letters}: shape {self.values.shape}, {expected} labels")
        self.values.flags.writeable = False

    @property
    def letters(self) -> str:
        """The axes as one string, such as "hts"."""
        return "".join(axis.letter for axis in self.axes)

    def axis(self, letter: str) -> Axis:
        """The axis of that letter; KeyError when the tensor has none."""
        for axis in self.axes:
            if axis.letter == letter:
                return axis
        raise KeyError(f"{self.name} has axes {self.letters}, not {letter}")


class Product(NamedTuple):
    """How one output is a sum of products: ``output = einsum(spec, left, right) + bias``.

    ``spec`` is in the alphabet of axes. Where a query head reads a shared key/value head the
    right operand carries ``g``, and ``g`` is ``kv_of_head[h]``.
    """

    output: str
    spec: str
    left: str
    right: str
    bias: str | None = None


@dataclass(frozen=True, eq=False)
class Stage:
    """One step of the walk: what goes in, what comes out, and the formula between."""

    key: str
    formula: str
    inputs: tuple[str, ...]
    outputs: tuple[Tensor, ...]
    products: tuple[Product, ...] = ()


@dataclass(frozen=True, eq=False)
class Trace:
    """One run: where the numbers come from, the tensors it was given, and its stages.

    ``removed`` are the heads, counted from 0, whose columns of concat were set to 0.
    """

    example: str
    provenance: str
    sentence: str
    given: tuple[Tensor, ...]
    stages: tuple[Stage, ...]
    kv_of_head: tuple[int, ...]
    removed: tuple[int, ...] = ()

    def __getitem__(self, name: str) -> Tensor:
        """The tensor of that name, given or computed; KeyError when there is none."""
        return self._by_name[name]

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        """All tensors, each once: the given ones, then each stage's outputs."""
        return tuple(self._by_name.values())

    @cached_property
    def _by_name(self) -> dict[str, Tensor]:
        found = {tensor.name: tensor for tensor in self.given}
        for stage in self.stages:
            found.update({tensor.name: tensor for tensor in stage.outputs})
        return found

    @property
    def allowed(self) -> Mask | None:
        """Who may ask whom, (n, m); None where everybody may ask all."""
        return self["allowed"].values.astype(bool) if "allowed" in self else None

    @property
    def tokens(self) -> tuple[str, ...]:
        """The sentence's tokens, which ask."""
        return self["X"].axis("t").labels

    @property
    def memory_tokens(self) -> tuple[str, ...]:
        """The tokens that are asked: the sentence's own, or another's in cross-attention."""
        return self["K"].axis("s").labels

    @property
    def sizes(self) -> dict[str, int]:
        """n, m, d_model, heads, kv_heads, d_k and d_v."""
        heads, n, d_k = self["Q"].values.shape
        kv_heads, m, d_v = self["V"].values.shape
        return {
            "n": n,
            "m": m,
            "d_model": self["X"].values.shape[1],
            "heads": heads,
            "kv_heads": kv_heads,
            "d_k": d_k,
            "d_v": d_v,
        }

    def stage(self, key: str) -> Stage:
        """The stage of that key; KeyError when this walk has none."""
        for stage in self.stages:
            if stage.key == key:
                return stage
        raise KeyError(key)

    def as_json(self) -> dict[str, Any]:
        """The whole trace as plain data, at full precision; -inf becomes null."""
        cross = {"memory_tokens": list(self.memory_tokens)} if "X_memory" in self else {}
        removed = {"removed_heads": list(self.removed)} if self.removed else {}
        return {
            "format_version": FORMAT_VERSION,
            "example": self.example,
            "provenance": self.provenance,
            "sentence": self.sentence,
            "tokens": list(self.tokens),
            **cross,
            "sizes": self.sizes,
            "kv_of_head": list(self.kv_of_head),
            **removed,
            "tensors": {
                tensor.name: {
                    "axes": tensor.letters,
                    "labels": [list(axis.labels) for axis in tensor.axes],
                    "values": _plain(tensor.values.tolist()),
                }
                for tensor in self.tensors
            },
            "stages": [
                {
                    "key": stage.key,
                    "formula": stage.formula,
                    "inputs": list(stage.inputs),
                    "output": [tensor.name for tensor in stage.outputs],
                }
                for stage in self.stages
            ],
        }


def _plain(values: Any) -> Any:
    """Nested lists with None for -inf, which JSON cannot say."""
    if isinstance(values, list):
        return [_plain(value) for value in values]
    return None if values == -np.inf else values
