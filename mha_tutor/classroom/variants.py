"""A variant: the one problem that belongs to a code, and which codes a class gets."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ..errors import InputError
from ..examples import Example
from ..mistakes import Problem
from ..stages import walk
from ..trace import Trace
from .chance import Chance
from .codes import COUNT, read_code, write_code
from .drawing import KINDS, SIZES, drawn_example

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
    def bare_problem(self) -> Problem:
        """The problem without names, which is made in a fraction of the time."""
        it = self.example
        return Problem.packed(it.X, it.W_Q, it.W_K, it.W_V, it.W_O, it.heads)

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
    code = write_code(draw * KINDS + SIZES[size].kind)
    return Variant(code, size, drawn_example(code, SIZES[size], draw))


def variants(seed: int, count: int, size: str) -> list[Variant]:
    """``count`` variants that differ; with the same seed the first ones are always the same.

    Each passes ``is_telling``.
    """
    from .telling import is_telling

    chance = Chance(f"mha-tutor sheets {SIZES[size].kind} seed {seed}")
    found: dict[str, Variant] = {}
    while len(found) < count:
        drawn = _variant(size, chance.below(DRAWS))
        if drawn.code not in found and is_telling(drawn.bare_problem):
            found[drawn.code] = drawn
    return list(found.values())
