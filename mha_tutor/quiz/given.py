"""What a question starts from: as a table, in which the right cells are to be found, and as linear
text, which has only what is needed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..attention import Array
from ..numbers import NumberForm
from ..texts import head_name, texts
from ..views.page import Band, Paint, Table
from .wording import say


class Part(NamedTuple):
    """Some columns of a table under one title: ``values`` is (rows, columns)."""

    title: str
    values: Array
    form: NumberForm
    columns: tuple[str, ...] | None = None
    paint: Paint = "signed"
    axis: str = ""


def beside(rows: Sequence[str], parts: Sequence[Part], *, counted: bool = False, row_axis: str = "") -> Table:
    """The parts side by side, with the rows named once."""
    bands: list[Band] = []
    columns: list[str] = []
    start = 0
    for part in parts:
        width = part.values.shape[1]
        bands.append(Band(part.title, start, start + width, part.form, None, part.paint, part.axis))
        columns += part.columns or (numbered_columns(width) if width > 1 else ("",))
        start += width
    values = np.concatenate([part.values for part in parts], axis=1)
    return Table("", values, tuple(rows), tuple(columns), tuple(bands), row_axis=row_axis, counted=counted)


def fact(name: str, labels: Sequence[str], values: Array, form: NumberForm) -> str:
    """One row or column in a line: X, `it`. noun: 0, verb: 1"""
    numbers = ", ".join(f"{label}: {form(x)}" for label, x in zip(labels, values.tolist(), strict=True))
    return say("fact", name=name, numbers=numbers)


def to_axis() -> str:
    """What the columns of a map are called: to (is asked)."""
    name: str = texts("pages")["axes"]["to"]
    return name


def head_names(count: int) -> tuple[str, ...]:
    """head 1, head 2 ..."""
    return tuple(head_name(h) for h in range(count))


def numbered_columns(count: int) -> tuple[str, ...]:
    """1, 2 ..."""
    return tuple(str(j + 1) for j in range(count))
