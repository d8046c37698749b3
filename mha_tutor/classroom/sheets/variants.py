"""A variant: the one problem that belongs to a code, and which codes a class gets."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...errors import InputError
from ...examples import Example
from ...mistakes import Problem
from ...stages import walk
from ...trace import Trace
from .chance import Chance
from .codes import COUNT, read_code, write_code
from .drawing import D_K, KINDS, SIZES, drawn_example, drawn_numbers, drawn_queries_and_keys
from .telling import is_telling, may_tell

DRAWS = COUNT // KINDS


@dataclass(frozen=True, eq=False)
class Variant:
    """The problem of one sheet."""

    code: str
    size: str
    example: Example

    @cached_property
    def trace(self) -> Trace:
        """Every number of it."""
        return walk(self.example)

    @cached_property
    def problem(self) -> Problem:
        """The same, as the registry of mistakes takes it."""
        return Problem.of(self.trace)


def variant(code: str) -> Variant:
    """The variant of that code. Raises InputError for a code that no sheet can have."""
    number = read_code(code)
    draw, kind = divmod(number, KINDS)
    sizes = [name for name, size in SIZES.items() if size.kind == kind]
    if not sizes or draw >= DRAWS:
        raise InputError(
            f"'{code}' is no code that this version of mha-tutor knows. Read it again; "
            "if it is right, the sheet was made by a later version."
        )
    return _variant(sizes[0], draw)


def _variant(size: str, draw: int) -> Variant:
    code = _code(size, draw)
    return Variant(code, size, drawn_example(code, SIZES[size], draw))


def _code(size: str, draw: int) -> str:
    return write_code(draw * KINDS + SIZES[size].kind)


def variants(seed: int, count: int, size: str) -> list[Variant]:
    """``count`` variants that differ; with the same seed the first ones are always the same.

    Each passes ``is_telling``.
    """
    chance = Chance(f"mha-tutor sheets {SIZES[size].kind} seed {seed}")
    found: dict[int, Variant] = {}
    while len(found) < count:
        draw = chance.below(DRAWS)
        if draw not in found and _is_fit(size, draw):
            found[draw] = _variant(size, draw)
    return list(found.values())


def _is_fit(size: str, draw: int) -> bool:
    """Whether a class may get it; the quick tests come first."""
    q_tc, k_tc = drawn_queries_and_keys(SIZES[size], draw)
    return (
        may_tell(q_tc, k_tc, SIZES[size].heads)
        and is_telling(bare_problem(size, draw))
        and not _stutters(_code(size, draw))
    )


def _stutters(code: str) -> bool:
    """Whether the same character stands three times in a row, which is hard to read out."""
    return any(len(set(code[i : i + 3])) == 1 for i in range(len(code) - 2))


def bare_problem(size: str, draw: int) -> Problem:
    """The same numbers from Q, K and V on, without a sentence and matrices, in a fraction of the time.

    X is the unit matrix, with columns of zeros up to the width, so that Q, K and V are the matrices.
    """
    wanted = SIZES[size]
    numbers = drawn_numbers(wanted, draw)
    unused = np.zeros((wanted.width - wanted.tokens, wanted.heads * D_K))
    x_td = np.eye(wanted.tokens, wanted.width)
    w_q, w_k, w_v = (np.concatenate([rows, unused]) for rows in numbers[:3])
    return Problem.packed(x_td, w_q, w_k, w_v, numbers.w_o, wanted.heads)
