"""What all pages of the walk are made with: a run, the reader's choices, and how to say and show."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...attention import Array
from ...examples import Example
from ...explain import Cell
from ...numbers import NumberForm, form_for
from ...texts import listed, texts
from ...trace import Trace
from ..page import Band, Formula, Paint, Table, Text, place_after
from ..working import tick, worked

FIRST_SEEN = {
    "embed": ("token", "row", "d_model"),
    "project": ("projection", "head", "query", "key", "value", "d_k"),
    "dots": ("dot product", "transpose"),
    "scale": ("score",),
    "mask": ("mask",),
    "softmax": ("exp", "softmax", "attention weight"),
    "mix": ("weighted average", "d_v"),
    "concat": ("concat",),
    "output": ("W^O",),
}


class View(NamedTuple):
    """What the reader has chosen: a head and a token, counted from 0, and the decimals."""

    head: int = 0
    token: int = 0
    decimals: int = 2


def have_names(labels: Sequence[str]) -> bool:
    """Whether features have names of their own, and not just their numbers."""
    return tuple(labels) != tuple(str(j + 1) for j in range(len(labels)))


class Maker:
    """One page in the making: the run, the choices, and short names for what pages often need."""

    def __init__(self, key: str, trace: Trace, example: Example, view: View) -> None:
        self.key = key
        self.trace = trace
        self.example = example
        self.view = view
        self.all: dict[str, Any] = texts("pages")
        self.values: dict[str, Array] = {tensor.name: tensor.values for tensor in trace.tensors}

    @property
    def head(self) -> int:
        return self.view.head

    @property
    def i(self) -> int:
        """The chosen head, counted from 1."""
        return self.view.head + 1

    @property
    def kv(self) -> int:
        """The key/value head that the chosen head reads, counted from 0."""
        return self.trace.kv_of_head[self.view.head]

    @property
    def heads(self) -> int:
        return self.trace.sizes["heads"]

    @property
    def t(self) -> int:
        return self.view.token

    @property
    def token(self) -> str:
        return tick(self.trace.tokens[self.t])

    @property
    def asked(self) -> tuple[str, ...]:
        return self.trace.memory_tokens

    @property
    def cross(self) -> bool:
        """Whether the tokens that are asked belong to another text."""
        return "X_memory" in self.trace

    @property
    def biased(self) -> bool:
        """Whether a bias is added to every product with a matrix."""
        return "b_O" in self.trace

    @property
    def as_built(self) -> bool:
        """Whether the heads stand as someone built them: own sentence, own heads, no mask."""
        own = not self.example.other_sentence and not self.cross and "masked" not in self.trace
        sizes = self.trace.sizes
        return own and self.example.built_by_hand and self.heads == self.example.heads == sizes["kv_heads"]

    @property
    def before_softmax(self) -> str:
        return "masked" if "masked" in self.trace else "scores"

    def title(self) -> str:
        lone = self.key == "heads" and self.heads == 1
        return str(self.all[self.key]["title_one" if lone else "title"])

    def say(self, name: str, /, **more: object) -> str:
        """The page's text of that name, with the sizes, the chosen head and token filled in."""
        sizes = self.trace.sizes
        filled = sizes | {"c": sizes["heads"] * sizes["d_v"], "head": self.i, "kv": self.kv + 1}
        return str(self.all[self.key][name]).format_map({**filled, "token": self.token, **more})

    def lead(self, *names: str, **more: object) -> Text:
        return Text(" ".join(self.say(name, **more) for name in names or ("lead",)), "lead")

    def formula(self, **more: object) -> Formula:
        """The page's formula and shapes; of cross-attention, or of one head, where it has them."""
        own = [kind for kind, so in (("cross", self.cross), ("one", self.heads == 1)) if so]
        if self.biased:
            own = [*(f"{kind}_biased" for kind in own), "biased", *own]
        names = []
        for name in ("formula", "shapes"):
            special = [f"{name}_{kind}" for kind in own if f"{name}_{kind}" in self.all[self.key]]
            names.append(special[0] if special else name)
        return Formula(*(self.say(name, **more) for name in names))

    def look(self, name: str, **more: object) -> Text:
        return Text(self.say(name, **more), "look", self.all["look"])

    def number(self, tensor: str, *index: int) -> Text:
        lines = worked(self.trace, Cell(tensor, index), self.view.decimals)
        return Text("\n".join(lines), "number", self.all["one_number"])

    def words(self) -> tuple[Text, ...]:
        """The one-line meanings of the terms that first appear on this page."""
        glossary = texts("terms")
        if not (terms := FIRST_SEEN.get(self.key)):
            return ()
        return (Text(" ".join(f"{t}: {glossary[t]}." for t in terms), "words", self.all["words"]),)

    def form(self, values: Array) -> NumberForm:
        return form_for(values, self.view.decimals)

    def named(self, places: Sequence[int], labels: Sequence[str] | None = None) -> str:
        """The tokens in those places; those that share a word carry their number."""
        labels = self.asked if labels is None else labels
        return listed([numbered(labels, place) for place in places])

    def table(self, name: str, values: Array, axes: str, title: str = "", **more: Any) -> Table:
        """A tensor's matrix, rows and columns labelled as those axes of the trace are."""
        title = title or name
        rows, columns = (self.labels(letter) for letter in axes)
        words = self.all["axes"]
        is_map = axes == "ts"
        table = Table(
            title=title,
            values=values,
            rows=rows,
            columns=columns,
            bands=(Band(title, 0, values.shape[1], self.form(values), cell=cells_of(name)),),
            row_axis=words["from"] if is_map else "",
            counted=axes[0] in "ts",
            chosen=self.t if axes[0] == "t" else None,
        )
        return table._replace(**more)

    def labels(self, letter: str) -> tuple[str, ...]:
        name = {"t": "X", "s": "K", "d": "X", "e": "Q", "c": "concat", "h": "Q"}[letter]
        return self.trace[name].axis(letter).labels

    def score_table(self, name: str, paint: Paint = "signed") -> Table:
        title = f"{name}_{self.i}"
        form, axis = self.form(self.values[name]), self.all["axes"]["to"]
        band = Band(title, 0, len(self.asked), form, self.head, paint, axis, cells_of(name, self.head))
        return self.table(title, self.values[name][self.head], "ts", bands=(band,))

    def side_by_side(self, rows: str, *parts: tuple[str, int, str]) -> Table:
        """Matrices with the same rows (an axis letter) as one table, each under its own title.

        A part is a tensor with a head axis, the head, and the title.
        """
        bands, start = [], 0
        for name, head, title in parts:
            stop = start + self.values[name].shape[-1]
            form = self.form(self.values[name][head])
            bands.append(Band(title, start, stop, form, self.head, cell=cells_of(name, head)))
            start = stop
        columns = tuple(str(j + 1) for band in bands for j in range(band.stop - band.start))
        values = np.concatenate([self.values[name][head] for name, head, _ in parts], axis=1)
        whole = self.table("", values, rows + "e", columns=columns)
        return whole._replace(bands=tuple(bands))


def cells_of(name: str, *before: int) -> Callable[[int, int], Cell]:
    """From row and column to the place in that tensor, whose first indices are ``before``."""
    return lambda i, j: Cell(name, (*before, i, j))


def shortened(parts: Sequence[str], joint: str) -> str:
    """At most four parts; the middle of a longer list becomes dots."""
    if len(parts) > 4:
        parts = [*parts[:2], "...", parts[-1]]
    return joint.join(parts)


def joined(left: Table, right: Table) -> Table:
    """Two tables with the same rows as one, so that the rows are named once."""
    shift = len(left.columns)
    moved = (band._replace(start=band.start + shift, stop=band.stop + shift) for band in right.bands)
    return right._replace(
        values=np.concatenate([left.values, right.values], axis=1),
        columns=left.columns + right.columns,
        bands=(*left.bands, *moved),
    )


def numbered(labels: Sequence[str], place: int) -> str:
    """`it`, or `the` (4) where the sentence has the word twice."""
    return tick(labels[place]) + place_after(labels, place)
