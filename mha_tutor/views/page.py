"""A page as data: what to show and in which order, not how.

A page is made once (``pages``) and drawn by each view: the terminal, plain text, and others.
The parts are named tuples: they cost a seventh of a dataclass when the program starts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Literal, NamedTuple

from ..numbers import NumberForm

if TYPE_CHECKING:  # a page of counts needs no numpy
    from ..addresses import Cell
    from ..attention import Array

Paint = Literal["weights", "signed"]
Role = Literal["lead", "number", "look", "words", "note", "code"]


class Text(NamedTuple):
    """A paragraph. ``role`` says what it is for; ``label`` stands in front ("One number").

    Lines of ``code`` stay as they are.
    """

    text: str
    role: Role = "note"
    label: str = ""


class Formula(NamedTuple):
    """What is computed, and the shapes that go in and come out."""

    text: str
    shapes: str


class Band(NamedTuple):
    """Columns ``start`` to ``stop`` (without it) of a table, under one title.

    A band has its own number form and its own colour scale; ``head`` lends it a head's colour, and
    ``axis`` says what its columns are ("to (is asked)"). ``cell(i, j)`` is the place in the trace of
    row i and column j of the band, where there is one.
    """

    title: str
    start: int
    stop: int
    form: NumberForm
    head: int | None = None
    paint: Paint = "signed"
    axis: str = ""
    cell: Callable[[int, int], Cell] | None = None


class Table(NamedTuple):
    """A matrix with named rows and columns; a NaN is an empty place.

    The last ``total`` rows stand under a line. ``heads`` gives rows the colour of a head.
    ``counted`` rows show their number, from 1, before their name. ``old`` has the numbers before a
    change: where they differ the new ones carry a star. ``marked`` are places (row, column) to see,
    ``hidden`` those that are not to be seen yet.
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
    old: Array | None = None
    marked: frozenset[tuple[int, int]] = frozenset()
    hidden: frozenset[tuple[int, int]] = frozenset()

    def largest(self, band: Band) -> float:
        """The largest finite number of the band, without its sign; 0 where there is none."""
        numbers = self.values[:, band.start : band.stop].ravel().tolist()
        return max((abs(x) for x in numbers if isfinite(x)), default=0.0)

    def row_number(self, i: int) -> int | None:
        """What stands before the name of row i: its number where rows are ``counted``, for no total."""
        return i + 1 if self.counted and i < len(self.rows) - self.total else None

    def cell(self, i: int, j: int) -> Cell | None:
        """The place in the trace of row i, column j; None where it stands for no tensor's number."""
        for band in self.bands:
            if band.start <= j < band.stop:
                inside = band.cell is not None and i < len(self.rows) - self.total
                return band.cell(i, j - band.start) if inside and band.cell else None
        return None


def place_after(names: Sequence[str], i: int) -> str:
    """What tells name i from another that reads the same, in any case: its place, as in the (4)."""
    same = names[i].lower()
    return f" ({i + 1})" if same and sum(name.lower() == same for name in names) > 1 else ""


class FirstFit(NamedTuple):
    """The first option whose tables fit side by side; failing that, the last one, stacked."""

    options: tuple[tuple[Table, ...], ...]

    def each(self, change: Callable[[Table], Table]) -> FirstFit:
        """The same with every table changed."""
        return FirstFit(tuple(tuple(map(change, option)) for option in self.options))


class HeadBars(NamedTuple):
    """For one token, every head's weights as bars: ``weights`` is (heads, m).

    The bars of ``hidden`` heads are not to be seen yet.
    """

    weights: Array
    rows: tuple[str, ...]
    form: NumberForm
    head: int
    token: str
    hidden: frozenset[int] = frozenset()


class Ribbons(NamedTuple):
    """The sentence once a head, each word shaded by its weight: ``weights`` is (heads, m).

    While it is ``covered`` the words are seen, and no weight.
    """

    weights: Array
    words: tuple[str, ...]
    form: NumberForm
    token: str
    covered: bool = False


class Listing(NamedTuple):
    """Lines of ready text cells under column names: words, formulas and counts side by side.

    ``right`` names the columns that end at the right, as numbers do. ``total`` rows stand under a
    line at the end. No cell may be cut off: where the width does not do, a row becomes several lines.
    ``numbered`` is what columns are whose names are numbers: there a number alone would say nothing.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: tuple[int, ...] = ()
    total: int = 0
    numbered: str = ""


class Bars(NamedTuple):
    """One series of a chart: a value for each x (None where there is none), and how it is written."""

    name: str
    values: tuple[float | None, ...]
    written: tuple[str, ...]
    unit: str


class Chart(NamedTuple):
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


class Terms(NamedTuple):
    """Names, each with what it means: keys, or the words of the subject."""

    title: str
    rows: tuple[tuple[str, str], ...]


Block = Listing | Chart | Text | Formula | Table | FirstFit | HeadBars | Ribbons | Terms


def tables_among(blocks: Iterable[Block], option: int) -> Iterator[Table]:
    """The tables in order; of a FirstFit those of one option: 0 as on a wide page, -1 as on a narrow one."""
    for block in blocks:
        if isinstance(block, Table):
            yield block
        elif isinstance(block, FirstFit):
            yield from block.options[option]


class Page(NamedTuple):
    """One page: where its numbers come from, and its blocks in order.

    A page of the walk also says where we are: the stages (``crumbs``) and which is ``here``, its
    ``number`` of so many in ``total``, and in the ``corner`` which ``head`` it looks at.
    """

    key: str
    title: str
    source: str
    blocks: tuple[Block, ...]
    stage: str = ""
    crumbs: tuple[str, ...] = ()
    here: int = 0
    number: int = 0
    total: int = 0
    corner: str = ""
    head: int | None = None
