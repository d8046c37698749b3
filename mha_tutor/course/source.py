"""A lesson's source as cells: the percent format of jupytext, read without jupytext.

    # %% [markdown] exercise="4.2" kind="implement" title="..."     a cell of text, every line a comment
    # %% part="work"                                                a cell of code

A lesson starts with lines ``# name: text`` between two lines ``# ---``.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from ..errors import InputError

_START = re.compile(r"# %%(?P<markdown>\s+\[markdown\])?(?P<attributes>.*)")
_ATTRIBUTE = re.compile(r'\s*(\w+)="([^"]*)"')
_RULE = "# ---"


class LessonError(InputError):
    """Something in a lesson's source is not as it must be; the message names the file and the line."""


class Cell(NamedTuple):
    """One cell: its text, its attributes, and the line of the file on which its text starts."""

    text: str
    markdown: bool
    attributes: dict[str, str]
    file: str
    line: int

    @property
    def part(self) -> str:
        return self.attributes.get("part", "")

    def error(self, message: str, at: int = 0) -> LessonError:
        """The error with that message at line number ``at`` of this cell, counted from 0."""
        return LessonError(f"{self.file}, line {self.line + at}: {message}")


class Source(NamedTuple):
    """A lesson's file: what stands at its top, and its cells."""

    name: str
    head: dict[str, str]
    cells: tuple[Cell, ...]


def read_source(path: Path) -> Source:
    """The cells of a lesson's file. Raises LessonError for what cannot be read."""
    lines = path.read_text(encoding="utf-8").splitlines()
    if not lines or lines[0] != _RULE or _RULE not in lines[1:]:
        raise LessonError(
            f"{path.name}, line 1: start the lesson with its facts between two lines '{_RULE}'."
        )
    end = lines.index(_RULE, 1)
    head = dict(_fact(path.name, number, line) for number, line in enumerate(lines[1:end], 2))
    starts = [i for i, line in enumerate(lines) if line.startswith("# %%")]
    if any(line.strip() for line in lines[end + 1 : starts[0] if starts else None]):
        raise LessonError(f"{path.name}, line {end + 2}: text before the first cell; start one with '# %%'.")
    stops = [*starts[1:], len(lines)]
    cells = [_cell(path.name, lines, start, stop) for start, stop in zip(starts, stops, strict=True)]
    return Source(path.stem, head, tuple(cells))


def _fact(file: str, number: int, line: str) -> tuple[str, str]:
    name, colon, text = line.removeprefix("#").partition(":")
    if not colon:
        raise LessonError(f"{file}, line {number}: write '# name: text' here, such as '# title: Softmax'.")
    return name.strip(), text.strip()


def _cell(file: str, lines: list[str], start: int, stop: int) -> Cell:
    match = _START.fullmatch(lines[start])
    assert match is not None  # the line starts with "# %%"
    attributes = match["attributes"]
    if _ATTRIBUTE.sub("", attributes).strip():
        raise LessonError(
            f"{file}, line {start + 1}: '{attributes.strip()}' cannot be read; write names and texts "
            'such as part="work", with straight double quotes.'
        )
    body = lines[start + 1 : stop]
    while body and not body[-1].strip():
        body.pop()
    if match["markdown"]:
        for i, line in enumerate(body):
            if not line.startswith("#"):
                raise LessonError(f"{file}, line {start + 2 + i}: every line of a text cell starts with '#'.")
        body = [line.removeprefix("#").removeprefix(" ").rstrip() for line in body]
    found = dict(_ATTRIBUTE.findall(attributes))
    return Cell("\n".join(body), match["markdown"] is not None, found, file, start + 2)
