"""A page as data: what to show and in which order, not how.

A page is made once (``pages``) and drawn by each view: the terminal, plain text, and others.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from ..numbers import NumberForm

if TYPE_CHECKING:  # a page of counts needs no numpy
    from ..attention import Array

Paint = Literal["weights", "signed", "plain"]
Role = Literal["lead", "number", "look", "words", "note"]


@dataclass(frozen=True)
class Text:
    """A paragraph. ``role`` says what it is for; ``label`` stands in front ("One number")."""

    text: str
    role: Role = "note"
    label: str = ""


@dataclass(frozen=True)
class Formula:
    """What is computed, and the shapes that go in and come out."""

    text: str
    shapes: str


@dataclass(frozen=True)
class Band:
    """Columns ``start`` to ``stop`` (without it) of a table, under one title."""

    title: str
    start: int
    stop: int
    head: int | None = None


@dataclass(frozen=True, eq=False)
class Table:
    """A matrix with named rows and columns.

    ``bands`` group columns; each band has its own number form and its own colour scale. ``total``
    rows stand under a line at the end. ``heads`` gives a row the colour of a head.
    """

    title: str
    values: Array
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    forms: tuple[NumberForm, ...]
    bands: tuple[Band, ...]
    paint: Paint = "signed"
    row_axis: str = ""
    column_axis: str = ""
    chosen: int | None = None
    counted: bool = False
    heads: tuple[int | None, ...] = ()
    total: int = 0


@dataclass(frozen=True)
class Beside:
    """Tables side by side where they fit. Where they do not, ``main`` stands alone or they stack."""

    tables: tuple[Table, ...]
    main: int
    stack: bool


@dataclass(frozen=True, eq=False)
class HeadBars:
    """For one token, every head's weights as bars: ``weights`` is (heads, m)."""

    weights: Array
    rows: tuple[str, ...]
    form: NumberForm
    head: int
    token: str


@dataclass(frozen=True, eq=False)
class Ribbons:
    """The sentence once a head, each word shaded by its weight: ``weights`` is (heads, m)."""

    weights: Array
    words: tuple[str, ...]
    form: NumberForm
    token: str


@dataclass(frozen=True)
class Listing:
    """Lines of ready text cells under column names: words, formulas and counts side by side.

    ``right`` names the columns that end at the right, as numbers do. ``total`` rows stand under a
    line at the end. No cell may be cut off: where the width does not do, a row becomes several lines.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: tuple[int, ...] = ()
    total: int = 0


@dataclass(frozen=True)
class Bars:
    """One series of a chart: a value for each x (None where there is none), and how it is written."""

    name: str
    values: tuple[int | None, ...]
    written: tuple[str, ...]
    unit: str


@dataclass(frozen=True)
class Chart:
    """Bars lying on their side, one row an x, one column a series, each with its digits.

    On the ``linear`` scale a bar is as long as its value, and series of one unit share a scale. On
    the ``doublings`` scale every series starts at its own smallest value, and each step of the same
    length, in all series, is twice as much: so the bars compare how fast things grow. ``here`` is
    the row of the shape that the page is about.
    """

    title: str
    x_name: str
    xs: tuple[str, ...]
    series: tuple[Bars, ...]
    scale: Literal["linear", "doublings"] = "linear"
    here: int | None = None


Block = Text | Formula | Table | Beside | HeadBars | Ribbons | Listing | Chart


@dataclass(frozen=True)
class Page:
    """One page of the walk."""

    stage: str
    title: str
    crumbs: tuple[str, ...]
    here: int
    corner: str
    source: str
    blocks: tuple[Block, ...] = field(default=())
