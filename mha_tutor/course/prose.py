"""A lesson's text with its numbers filled in; a decimal that somebody typed is an error.

A line ``{{table: weights[head 2]}}`` becomes the table of those numbers; ``rows=it|robot`` keeps
some rows.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from ..addresses import parse_address
from ..attention import Array
from ..errors import InputError
from ..numbers import form_for
from ..trace import Axis
from .figures import walk_of
from .references import REFERENCE, resolved
from .source import Cell, LessonError

_TABLE = re.compile(
    r"\{\{table:\s*(?:(?P<walk>\w+)\.)?(?P<name>\w+)(?:\[(?P<places>.*?)\])?(?:\s+rows=(?P<rows>.*?))?\s*\}\}"
)
_NOT_PROSE = re.compile(r"```.*?```|`[^`\n]*`|\{\{.+?\}\}|https?://\S+|doi:\S+", re.DOTALL)
_ALLOWED = re.compile(
    r"arXiv:\d{4}\.\d{4,5}|"
    r"\b(?:sections?|exercises?|tables?|figures?|versions?|python|numpy|lessons?|appendix)"
    r"\s+\w?\d*(?:\.\d+)+(?:(?:,| and| to)\s+\d+(?:\.\d+)+)*",
    re.IGNORECASE,
)
_DECIMAL = re.compile(r"\d\.\d|(?<![\w.])\.\d")


class Grid(NamedTuple):
    """A table of a walk's numbers, its axes, and which row the text is about."""

    title: str
    values: Array
    rows: Axis
    columns: Axis
    head: int | None


def filled(text: str, cell: Cell) -> str:
    """``text`` with every reference filled in, tables as tables of Markdown.

    Raises LessonError, with file and line, for a reference without a meaning and a typed decimal.
    """
    return "\n".join(
        part if isinstance(part, str) else markdown_table(part) for part in filled_parts(text, cell)
    )


def filled_parts(text: str, cell: Cell) -> list[str | Grid]:
    """The same as ``filled``, with tables kept as data between the texts."""
    _refuse_decimals(text, cell)
    parts: list[str | Grid] = [""]
    at = 0
    for match in REFERENCE.finditer(text):
        before = text[at : match.start()]
        table = _TABLE.fullmatch(match[0])
        try:
            piece = resolved(match[1]) if table is None else _grid(table)
        except InputError as error:
            raise _located(cell, text, match.start(), str(error)) from None
        if isinstance(piece, str):
            parts[-1] = f"{parts[-1]}{before}{piece}"
        else:
            parts[-1] = f"{parts[-1]}{before}".rstrip("\n") + "\n"
            parts += [piece, ""]
        at = match.end()
    parts[-1] = f"{parts[-1]}{text[at:]}"
    return [part for part in parts if part != ""]


def markdown_table(grid: Grid) -> str:
    """The grid as a table of Markdown, every number in the same form."""
    form = form_for(grid.values)
    corner = "from (asks)" if grid.rows.letter == "t" and grid.columns.letter == "s" else ""
    lines = [
        [corner, *(_escaped(label) for label in grid.columns.labels)],
        ["---", *("---:" for _ in grid.columns.labels)],
        *(
            [_escaped(label), *(form(x) for x in row)]
            for label, row in zip(grid.rows.labels, grid.values, strict=True)
        ),
    ]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _escaped(label: str) -> str:
    return label.replace("|", r"\|").replace("*", r"\*")


def _grid(match: re.Match[str]) -> Grid:
    walk_name = match["walk"] or "robot"
    try:
        trace = walk_of(walk_name)
        tensor = trace[match["name"]]
    except KeyError as error:
        raise InputError(f"there is no walk or tensor {error}.") from None
    places = [place.strip() for place in (match["places"] or "").split(",") if place.strip()]
    rest = ["1"] * (len(tensor.axes) - len(places))
    cell = parse_address(trace, f"{tensor.name}[{', '.join([*places, *rest])}]")
    chosen = cell.index[: len(places)]
    values, axes = tensor.values[chosen], tensor.axes[len(places) :]
    if len(axes) == 1:  # one row, named as it was asked for
        row = Axis(tensor.axes[len(places) - 1].letter, (tensor.axes[len(places) - 1].labels[chosen[-1]],))
        values, axes = values[None], (row, *axes)
    if len(axes) != 2:
        raise InputError(f"{tensor.name} needs a head here, such as {tensor.name}[head 2].")
    rows, columns = axes
    if match["rows"]:
        names = match["rows"].split("|")
        kept = [_row(rows, name.strip()) for name in names]
        values, rows = values[kept], Axis(rows.letter, tuple(rows.labels[i] for i in kept))
    head = chosen[0] if tensor.letters[0] == "h" and chosen else None
    title = tensor.name if head is None else f"{tensor.name}_{head + 1}"
    return Grid(title, np.array(values, dtype=float), rows, columns, head)


def _row(axis: Axis, name: str) -> int:
    if name in axis.labels:
        return axis.labels.index(name)
    if name.isdecimal() and 1 <= int(name) <= len(axis.labels):
        return int(name) - 1
    raise InputError(f"there is no row '{name}'; choose from {', '.join(axis.labels)}.")


def _refuse_decimals(text: str, cell: Cell) -> None:
    blanked = _ALLOWED.sub(_spaces, _NOT_PROSE.sub(_spaces, text))
    if match := _DECIMAL.search(blanked):
        raise _located(
            cell,
            text,
            match.start(),
            "a number with a point is typed here. Write a reference such as "
            "{{weights[head 2, it, robot]}}, or put it into course/figures.toml with its source.",
        )


def _spaces(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0])


def _located(cell: Cell, text: str, at: int, message: str) -> LessonError:
    offset = max(cell.text.find(text), 0) + at
    return cell.error(message, cell.text.count("\n", 0, offset))
