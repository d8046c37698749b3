"""One known mistake: a wrong computation, where it shows, and the lesson that treats it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from ..attention import Array, causal_mask
from .problem import TENSORS, Problem
from .wording import Entry

STAGE_OF = {
    "Q": "project", "K": "project", "V": "project", "dots": "dots", "scores": "scale", "masked": "mask",
    "weights": "softmax", "mixed": "mix", "concat": "concat", "output": "output",
}  # fmt: skip
LESSON_OF = {
    "Q": 2, "K": 2, "V": 2, "dots": 3, "scores": 3, "masked": 4, "weights": 4, "mixed": 5, "concat": 6,
    "output": 6,
}  # fmt: skip

Compute = Callable[[Problem, str], Array | tuple[Array, ...]]
TellTale = Callable[[Array, Problem], bool]

LARGEST_EXP = 709.78


def _kv(problem: Problem, tensor: str) -> int:
    return problem.kv_heads if tensor in ("K", "V") else problem.heads


# What a mistake may need before it can be made at all.
NEEDS: dict[str, Callable[[Problem, str], bool]] = {
    "several heads": lambda p, tensor: _kv(p, tensor) > 1,
    "own kv heads": lambda p, _: p.heads == p.kv_heads,
    "shared kv heads": lambda p, _: 1 < p.kv_heads < p.heads,
    "square matrix": lambda p, tensor: p.x.shape[1] == _kv(p, tensor) * p.w_q.shape[2],
    "whole slices": lambda p, tensor: p.x.shape[1] % _kv(p, tensor) == 0,
    "as many asked as ask": lambda p, _: p.n == p.m,
    "wide heads": lambda p, _: p.w_q.shape[2] > 1,
    "axes alike": lambda p, _: p.heads == p.kv_heads == p.m == p.w_q.shape[2],
    "mask": lambda p, _: p.allowed is not None,
    "no mask": lambda p, _: p.allowed is None,
    "causal mask": lambda p, _: (
        p.allowed is not None and np.array_equal(p.allowed, causal_mask(p.n, p.m, p.m - p.n))
    ),
    "a token without anyone to ask": lambda p, _: p.allowed is not None and not p.allowed.any(-1).all(),
    "fewer ask than are asked": lambda p, _: p.n < p.m,
    "memory": lambda p, _: p.memory is not None,
    "large scores": lambda p, _: bool(p[p.before_softmax].max() > LARGEST_EXP),
}


@dataclass(frozen=True, eq=False)
class Mistake(Entry):
    """A wrong computation of one or more tensors from the right tensors before them.

    ``needs`` are keys of NEEDS; ``tell_tale`` recognises an array that need not equal the wrong
    one number for number. One that only shows in a whole array (by its dtype, or because chance
    decides) is not looked for behind a single number: ``single`` is False.
    """

    id: str
    tensors: tuple[str, ...]
    lesson: int
    compute: Compute
    needs: tuple[str, ...] = ()
    tell_tale: TellTale | None = None
    single: bool = True

    @property
    def stage(self) -> str:
        """The key of the first stage at which it shows."""
        return STAGE_OF[self.tensors[0]]

    def applies(self, problem: Problem, tensor: str) -> bool:
        """Whether it can be made in that tensor of ``problem``."""
        return (
            tensor in self.tensors
            and tensor in problem.tensors
            and all(NEEDS[need](problem, tensor) for need in self.needs)
        )

    def wrong(self, problem: Problem, tensor: str | None = None) -> Array:
        """The wrong array in place of ``tensor`` (by default the first in which it shows)."""
        return self.variants(problem, tensor)[0]

    def variants(self, problem: Problem, tensor: str | None = None) -> tuple[Array, ...]:
        """The wrong arrays, one for each way in which the same mistake is written."""
        with np.errstate(all="ignore"):
            made = self.compute(problem, tensor or self.tensors[0])
        return made if isinstance(made, tuple) else (made,)


REGISTRY: dict[str, Mistake] = {}


def known(
    id: str, tensors: str, lesson: int, *needs: str, tell_tale: TellTale | None = None, single: bool = True
) -> Callable[[Callable[[Problem], Array | tuple[Array, ...]]], Mistake]:
    """Register a wrong computation that is the same in each of its tensors."""

    def register(compute: Callable[[Problem], Array | tuple[Array, ...]]) -> Mistake:
        return add(id, tensors, lesson, lambda problem, _: compute(problem), needs, tell_tale, single)

    return register


def add(
    id: str,
    tensors: str,
    lesson: int,
    compute: Compute,
    needs: tuple[str, ...],
    tell_tale: TellTale | None = None,
    single: bool = True,
) -> Mistake:
    """Put a mistake into the registry. Raises ValueError when its id is taken or a name is unknown."""
    names = tuple(tensors.split())
    if id in REGISTRY or not set(names) <= set(TENSORS) or not set(needs) <= set(NEEDS):
        raise ValueError(f"mistake {id}: taken, or with an unknown tensor or need: {tensors}, {needs}")
    REGISTRY[id] = Mistake(id, names, lesson, compute, needs, tell_tale, single)
    return REGISTRY[id]


def wrong_arrays(problem: Problem, tensor: str) -> Iterator[tuple[Mistake, Array]]:
    """Every wrong array that a known mistake gives in place of that tensor, in the registry's order."""
    for mistake in showing_in(problem, tensor):
        yield from ((mistake, wrong) for wrong in mistake.variants(problem, tensor))


def showing_in(problem: Problem, tensor: str) -> Iterator[Mistake]:
    """The mistakes that can be made in that tensor of ``problem``, in the registry's order."""
    return (mistake for mistake in REGISTRY.values() if mistake.applies(problem, tensor))
