"""A page as data: what to show and in which order, not how.

A page is made once (``pages``) and drawn by each view: the terminal, plain text, and others.
The parts are named tuples: they cost a seventh of a dataclass when the program starts.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from ..attention import Array
from ..numbers import NumberForm

Paint = Literal["weights", "signed"]
Role = Literal["lead", "number", "look", "words"]


class Text(NamedTuple):
    """A paragraph. ``role`` says what it is for; ``label`` stands in front ("One number")."""

    text: str
    role: Role
    label: str = ""


class Formula(NamedTuple):
    """What is computed, and the shapes that go in and come out."""

    text: str
    shapes: str


class Band(NamedTuple):
    """Columns ``start`` to ``stop`` (without it) of a table, under one title.

    A band has its own number form and its own colour scale; ``head`` lends it a head's colour, and
    ``axis`` says what its columns are ("to (is asked)").
    """

    title: str
    start: int
    stop: int
    form: NumberForm
    head: int | None = None
    paint: Paint = "signed"
    axis: str = ""


class Table(NamedTuple):
    """A matrix with named rows and columns; a NaN is an empty place.

    The last ``total`` rows stand under a line. ``heads`` gives rows the colour of a head.
    ``counted`` rows show their number, from 1, before their name.
    """

    title: str
    values: Array
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    bands: tuple[Band, ...]
    row_axis: str = ""
    chosen: int | None = None
    counted: bool = False
    heads: tuple[int | None, ...] = ()
    total: int = 0


class FirstFit(NamedTuple):
    """The first option whose tables fit side by side; failing that, the last one, stacked."""

    options: tuple[tuple[Table, ...], ...]


class HeadBars(NamedTuple):
    """For one token, every head's weights as bars: ``weights`` is (heads, m)."""

    weights: Array
    rows: tuple[str, ...]
    form: NumberForm
    head: int
    token: str


class Ribbons(NamedTuple):
    """The sentence once a head, each word shaded by its weight: ``weights`` is (heads, m)."""

    weights: Array
    words: tuple[str, ...]
    form: NumberForm
    token: str


Block = Text | Formula | Table | FirstFit | HeadBars | Ribbons


class Page(NamedTuple):
    """One page of the walk: where we are, and its blocks in order."""

    key: str
    stage: str
    title: str
    crumbs: tuple[str, ...]
    here: int
    number: int
    total: int
    corner: str
    head: int | None
    source: str
    blocks: tuple[Block, ...]
