"""A question as data: what is asked and given, what is right, what gives something else, and why."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from ..explain import Cell
from ..mistakes import Mistake, Slip
from ..views.page import Table
from ..views.pages import View

Known = Iterable[tuple[Mistake | Slip, float]]


class Option(NamedTuple):
    """One of three reasons, and what is said when it is chosen."""

    text: str
    reply: str
    right: bool


class Missing(NamedTuple):
    """One size of a shape is asked for: ``axis`` 0 or 1; ``other`` is the size that is given."""

    axis: int
    other: int


def nothing_known() -> Known:
    """No known mistake belongs to the question."""
    return ()


@dataclass(frozen=True, eq=False)
class Question:
    """One question about a page of the walk, and the ``view`` in which that page answers it.

    ``right`` has the right answer: a size, a number, or the places of all tokens that are right
    (from 0). ``words`` are the tokens that can be named. What is given stands in ``tables``, and
    only what is needed of it in the lines of ``facts``. ``known`` gives the answers that known
    mistakes lead to; for a ``cell`` the registry itself is asked.
    """

    topic: str
    page: str
    view: View
    text: str
    accepts: str
    right: tuple[float, ...]
    lesson: int
    worked: tuple[str, ...]
    hints: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    facts: tuple[str, ...] = ()
    why: str = ""
    options: tuple[Option, ...] = ()
    cell: Cell | None = None
    words: tuple[str, ...] = ()
    missing: Missing | None = None
    known: Callable[[], Known] = nothing_known

    @property
    def kind(self) -> str:
        """shape, winner, sum or number; product, divisor or total for what ``why`` hides."""
        return self.topic.split()[0]
