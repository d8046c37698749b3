"""What a computation starts from: rows, matrices a head, and who may ask whom."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import sqrt

import numpy as np

from .. import attention
from ..attention import Array, Mask
from ..stages import LETTERS
from ..trace import Trace

Tensors = Mapping[str, Array]


@dataclass(frozen=True, eq=False)
class Problem:
    """All that multi-head attention needs, as arrays; suffixes as in ``attention``.

    ``x`` td, ``w_q`` hde, ``w_k`` and ``w_v`` gde, ``w_o`` cd; ``allowed`` ts is a mask, ``memory``
    sd the rows that are asked in cross-attention, ``biases`` may hold b_Q, b_K, b_V and b_O.
    ``labels`` has the names along an axis, by its letter, for messages.
    """

    x: Array
    w_q: Array
    w_k: Array
    w_v: Array
    w_o: Array
    allowed: Array | Mask | None = None
    memory: Array | None = None
    biases: Tensors = field(default_factory=dict)
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, trace: Trace) -> Problem:
        """The problem that ``trace`` walks through."""

        def maybe(name: str) -> Array | None:
            return trace[name].values if name in trace else None

        x, w_q, w_k, w_v, w_o = (trace[name].values for name in ("X", "W_Q", "W_K", "W_V", "W_O"))
        biases = {name: trace[name].values for name in ("b_Q", "b_K", "b_V", "b_O") if name in trace}
        labels = {axis.letter: axis.labels for tensor in trace.tensors for axis in tensor.axes}
        return cls(x, w_q, w_k, w_v, w_o, maybe("allowed"), maybe("X_memory"), biases, labels)

    @classmethod
    def packed(
        cls,
        x_td: Array,
        w_q_dc: Array,
        w_k_dc: Array,
        w_v_dc: Array,
        w_o_cd: Array,
        heads: int,
        *,
        kv_heads: int | None = None,
        allowed: Array | Mask | None = None,
        memory: Array | None = None,
    ) -> Problem:
        """The problem whose matrices stand side by side, head 1's columns first."""
        w_q = attention.split_columns(w_q_dc, heads)
        w_k, w_v = (attention.split_columns(w_dc, kv_heads or heads) for w_dc in (w_k_dc, w_v_dc))
        return cls(x_td, w_q, w_k, w_v, w_o_cd, allowed, memory)

    def __getitem__(self, name: str) -> Array:
        """The right array of that name; KeyError when this problem has none."""
        return self.tensors[name]

    @property
    def heads(self) -> int:
        return len(self.w_q)

    @property
    def kv_heads(self) -> int:
        return len(self.w_k)

    @property
    def asked(self) -> Array:
        """The rows that are asked, sd."""
        return self.x if self.memory is None else self.memory

    @property
    def mask(self) -> Mask:
        """Who may ask whom, ts; everybody where there is no mask."""
        if self.allowed is None:
            return np.ones((self.n, self.m), dtype=bool)
        return self.allowed.astype(bool)

    @property
    def n(self) -> int:
        return len(self.x)

    @property
    def m(self) -> int:
        return len(self.asked)

    @property
    def before_softmax(self) -> str:
        """The name of what goes into the softmax."""
        return "scores" if self.allowed is None else "masked"

    @cached_property
    def tensors(self) -> Tensors:
        """Every array of the right computation by name, in order."""
        return run(self, {})

    def letters(self, name: str) -> str:
        """The axes of the tensor of that name."""
        return LETTERS[name].replace("k", "h" if self.kv_heads == self.heads else "g")

    def place(self, name: str, index: tuple[int, ...]) -> str:
        """A cell in words, such as ``weights[head 2, it, robot]``; counted from 1."""
        letters = self.letters(name)
        words = []
        for i, (letter, place) in enumerate(zip(letters, index, strict=True)):
            plain = {"h": "head", "g": "kv head"}.get(letter, "column" if i == len(letters) - 1 else "row")
            label = self.labels.get(letter, ())
            words.append(label[place] if letter in "tsdc" and label else f"{plain} {place + 1}")
        return f"{name}[{', '.join(words)}]"


def run(problem: Problem, replaced: Tensors) -> dict[str, Array]:
    """Every array by name, where those in ``replaced`` stand in for the right ones.

    Raises ValueError when an array that was replaced does not fit the steps after it.
    """
    found: dict[str, Array] = {}
    with np.errstate(all="ignore"):
        for name, step in _STEPS.items():
            if name in replaced:
                found[name] = replaced[name]
            elif name != "masked" or problem.allowed is not None:
                found[name] = step(problem, found)
    return found


def plus_bias(problem: Problem, tensor: str, array: Array) -> Array:
    """``array`` and the bias that belongs to the tensor of that name, if there is one."""
    name = "b_O" if tensor == "output" else f"b_{tensor}"
    if name not in problem.biases:
        return array
    bias = problem.biases[name]
    return array + (bias if tensor == "output" else bias[:, None, :])


def _masked(problem: Problem, found: Tensors) -> Array:
    return attention.mask_scores(found["scores"], problem.mask)


# The right computation, a step a tensor.
_STEPS: dict[str, Callable[[Problem, Tensors], Array]] = {
    "Q": lambda p, _: plus_bias(p, "Q", attention.project(p.x, p.w_q)),
    "K": lambda p, _: plus_bias(p, "K", attention.project(p.asked, p.w_k)),
    "V": lambda p, _: plus_bias(p, "V", attention.project(p.asked, p.w_v)),
    "dots": lambda p, a: attention.dot_products(a["Q"], attention.share_heads(a["K"], p.heads)),
    "scores": lambda p, a: a["dots"] / sqrt(p.w_q.shape[-1]),
    "masked": _masked,
    "weights": lambda p, a: attention.softmax(a[p.before_softmax]),
    "mixed": lambda p, a: attention.mix(a["weights"], attention.share_heads(a["V"], p.heads)),
    "concat": lambda p, a: attention.concat_heads(a["mixed"]),
    "output": lambda p, a: plus_bias(p, "output", a["concat"] @ p.w_o),
}
TENSORS = tuple(_STEPS)
