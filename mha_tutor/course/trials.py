"""What a learner's function is tried on: ``scores_hts -> weights_hts`` over several problems.

A name is that of the alphabet (see ``attention``), its suffix the axes. Without ``h`` a function
gets one head at a time: ``scores_ts -> weights_ts``. Packed matrices end in ``dc``. ``heads`` and
``d_k`` are whole numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from .. import attention
from ..attention import Array
from ..mistakes import Problem, practice_problem
from ..trace import Trace

# The tensor behind each name, without its suffix.
TENSORS = {
    "q": "Q", "k": "K", "v": "V", "dots": "dots", "scores": "scores", "masked": "masked",
    "weights": "weights", "mixed": "mixed", "concat": "concat", "output": "output",
}  # fmt: skip
LARGE = 40.0  # rows so large that scores reach ten thousands


class Trial(NamedTuple):
    """One call of a learner's function: the problem, in words, and what it is given."""

    problem: Problem
    words: str
    given: tuple[Any, ...]


class Signature(NamedTuple):
    """What a function takes and the tensor it makes; ``single`` when it works on one head at a time."""

    takes: tuple[str, ...]
    makes: str
    tensor: str
    single: bool

    @classmethod
    def read(cls, text: str) -> Signature:
        """The signature in ``text``. Raises ValueError for a name that is not known."""
        left, arrow, makes = text.partition("->")
        takes, makes = tuple(left.replace(",", " ").split()), makes.strip()
        name, _, letters = makes.rpartition("_")
        if not arrow or name not in TENSORS:
            raise ValueError(f"'{text}': write it like 'scores_hts -> weights_hts'.")
        return cls(takes, makes, TENSORS[name], "h" not in letters and name not in ("concat", "output"))

    def trials(self) -> Iterator[Trial]:
        """Every problem, and for ``single`` every head of it."""
        masked = any(name.startswith(("allowed", "masked")) for name in (*self.takes, self.makes))
        for words, problem in problems(masked):
            for one in one_head_problems(problem) if self.single else (problem,):
                yield Trial(one, words, tuple(argument(one, name) for name in self.takes))


@cache
def problems(masked: bool = False) -> tuple[tuple[str, Problem], ...]:
    """Problems with all sizes different: two plain ones, one with ties and one with large scores."""
    plain = practice_problem(0, causal=masked)
    wide = practice_problem(1, n=4, d=15, heads=3, causal=masked)
    tied = practice_problem(2, n=7, d=8, causal=masked)
    tied = replace(tied, x=np.repeat(tied.x[:1], tied.n, axis=0))
    large = practice_problem(3, size=LARGE, causal=masked)
    found = ("plain", plain), ("plain", wide), ("ties", tied), ("large", large)
    return tuple((kind, problem) for kind, problem in found)


def problem_of(trace: Trace) -> Problem:
    """The problem that a walk goes through, with its words."""
    return Problem.of(trace)


def one_head_problems(problem: Problem) -> Iterator[Problem]:
    """The problem once for each head, with that head's matrices alone."""
    e = problem.w_v.shape[2]
    for i in range(problem.heads):
        g = i // (problem.heads // problem.kv_heads)
        yield replace(
            problem,
            w_q=problem.w_q[i : i + 1],
            w_k=problem.w_k[g : g + 1],
            w_v=problem.w_v[g : g + 1],
            w_o=problem.w_o[i * e : (i + 1) * e],
        )


def argument(problem: Problem, name: str) -> Any:
    """What a function gets under that name: a copy, so that it may be changed. Raises ValueError."""
    if name in ("heads", "kv_heads", "n", "m"):
        return int(getattr(problem, name))
    if name == "d_k":
        return int(problem.w_q.shape[2])
    base, _, letters = name.rpartition("_")
    if base == "x":
        return (problem.asked if letters.startswith("s") else problem.x).copy()
    if base == "allowed":
        return problem.mask.copy()
    array = _matrix(problem, base, letters) if base.startswith("w_") else problem[TENSORS[base]]
    single = "h" not in letters and "g" not in letters and letters not in ("dc", "cd", "tc", "td")
    return (array[0] if single and array.ndim == 3 else array).copy()


def _matrix(problem: Problem, base: str, letters: str) -> Array:
    array: Array = getattr(problem, base)
    return attention.pack_columns(array) if letters == "dc" and array.ndim == 3 else array
