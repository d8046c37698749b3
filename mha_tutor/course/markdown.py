"""A lesson's text as the blocks of a page: paragraphs, lists, code, tables."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..numbers import form_for
from ..texts import texts
from ..views.page import Band, Block, Listing, Table, Text
from .flow import joined
from .prose import Grid

_LINK = re.compile(r"\[([^\]]+)\]\(([^)]+)\)")
_BOLD = re.compile(r"\*\*(.+?)\*\*", re.DOTALL)
_EMPHASIS = re.compile(r"(?<![\w*])\*(?=\S)([^*]+?)(?<=\S)\*(?![\w*])")
_CODE = re.compile(r"`[^`\n]*`")
_KEPT = re.compile("\ue000(\\d+)\ue001")  # stands for a piece of code; nobody writes these two signs


def blocks_of(parts: list[str | Grid]) -> Iterator[Block]:
    """The blocks of a text whose references are filled in."""
    for part in parts:
        if isinstance(part, Grid):
            yield table_of(part)
        else:
            yield from _text_blocks(part)


def table_of(grid: Grid) -> Table:
    """A table of the walk's numbers, drawn as the walk draws it."""
    weights = grid.title.startswith("weights")
    to = texts("pages")["axes"]["to"] if grid.columns.letter == "s" else ""
    band = Band(
        grid.title,
        0,
        len(grid.columns.labels),
        form_for(grid.values),
        grid.head,
        "weights" if weights else "signed",
        to,
    )
    asks = texts("pages")["axes"]["from"] if to and grid.rows.letter == "t" else ""
    return Table(grid.title, grid.values, grid.rows.labels, grid.columns.labels, (band,), asks)


def plain(text: str) -> str:
    """Text without the signs of Markdown for emphasis and links; code keeps its marks."""
    codes = _CODE.findall(text)
    count = iter(range(len(codes)))
    bare = _CODE.sub(lambda _: f"\ue000{next(count)}\ue001", text)
    bare = _LINK.sub(r"\1 (\2)", _EMPHASIS.sub(r"\1", _BOLD.sub(r"\1", bare)))
    return _KEPT.sub(lambda match: codes[int(match[1])], bare)


def _text_blocks(text: str) -> Iterator[Block]:
    prose: list[str] = []
    lines = text.strip("\n").split("\n")
    while lines:
        line = lines.pop(0)
        if line.startswith(("```", "|", "#")):
            if any(prose):
                yield _paragraphs(prose)
            prose = []
        if line.startswith("```"):
            code = []
            while lines and not lines[0].startswith("```"):
                code.append(lines.pop(0))
            del lines[:1]
            yield Text("\n".join(code), "code")
        elif line.startswith("|"):
            rows = [line]
            while lines and lines[0].startswith("|"):
                rows.append(lines.pop(0))
            yield _listing(rows)
        elif line.startswith("#"):
            yield Text(plain(line.lstrip("# ")), "lead")
        else:
            prose.append(line)
    if any(prose):
        yield _paragraphs(prose)


def _paragraphs(lines: list[str]) -> Text:
    """Lines joined to paragraphs and list items."""
    return Text(plain(joined("\n".join(lines)).strip("\n")))


def _listing(rows: list[str]) -> Listing:
    cells = [tuple(plain(cell.strip()) for cell in row.strip().strip("|").split("|")) for row in rows]
    columns, body = cells[0], [row for row in cells[1:] if set("".join(row)) - set("-: ")]
    return Listing("", columns, tuple(body))
