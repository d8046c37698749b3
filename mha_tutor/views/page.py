"""A page as data: what to show and in which order, not how.

A page is made once (``pages``) and drawn by each view: the terminal, plain text, and others.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from ..attention import Array
from ..numbers import NumberForm

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


Block = Text | Formula | Table | Beside | HeadBars | Ribbons


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
