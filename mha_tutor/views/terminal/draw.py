"""A page as lines of styled text, at any width."""

from __future__ import annotations

import re
from typing import NamedTuple

from rich.cells import cell_len

from ..page import Block, FirstFit, Formula, HeadBars, Listing, Page, Ribbons, Table, Terms, Text
from .bars import bar_lines, ribbon_lines
from .canvas import Canvas, Line, beside, chopped, fit, line_width, wrap
from .tables import Grid

GAP = 3
MOST_TEXT = 84  # columns of a paragraph where there is room to spare: longer lines are hard to follow
_MARK = re.compile(r"(?:-|\d{1,2}\.|[A-Z]\.) (?=\S)")  # of a list's item


class Drawn(NamedTuple):
    """Lines, and into how many runs of columns the widest table had to be cut."""

    lines: list[Line]
    pieces: int = 1


def header_lines(page: Page, canvas: Canvas) -> list[Line]:
    """Where we are: the stages with this one marked, and a rule."""
    return [_crumbs(page, canvas), canvas.rule()]


def body_lines(page: Page, canvas: Canvas) -> list[Line]:
    """The page itself: title, then its blocks, with air between them."""
    return drawn_body(page, canvas).lines


def drawn_body(page: Page, canvas: Canvas) -> Drawn:
    """See ``body_lines``."""
    lines, pieces = _title(page, canvas), 1
    if canvas.air > 2:
        lines.append([])
    before: Block | None = None
    for block in page.blocks:
        if _needs_air(before, block) or (before and canvas.air):
            lines.append([])
        drawn = _drawn(block, canvas)
        lines += drawn.lines
        pieces = max(pieces, drawn.pieces)
        before = block
    return Drawn(lines, pieces)


def source_lines(page: Page, canvas: Canvas) -> list[Line]:
    """A rule that says where the numbers come from; under it, what it has no room for."""
    text = canvas.text(page.source)
    first, *rest = wrap(text, canvas.width - 6)
    end = "─" * (canvas.width - 4 - cell_len(first))
    rule = [canvas.put("──"), canvas.put(f" {first} "), canvas.put(end)]
    return [rule, *([canvas.put(f"   {line}")] for line in rest)]


def page_lines(page: Page, canvas: Canvas) -> list[Line]:
    """The whole page, for paper, pipes and scrolling."""
    head = header_lines(page, canvas) if page.crumbs else []
    return [*head, *body_lines(page, canvas), *source_lines(page, canvas)]


def _needs_air(before: Block | None, block: Block) -> bool:
    if before is None or (isinstance(before, Text) and isinstance(block, Formula)):
        return isinstance(block, Terms)
    if isinstance(before, Text) and isinstance(block, Text):
        if "code" in (before.role, block.role):
            return True
        return before.role != block.role and "lead" in (before.role, block.role)
    return True


def _drawn(block: Block, canvas: Canvas) -> Drawn:
    """One block of a page."""
    if isinstance(block, Table):
        return _grids([Grid(block, canvas)])
    if isinstance(block, FirstFit):
        return _first_fit(block, canvas)
    return Drawn(_block_lines(block, canvas))


def _block_lines(block: Block, canvas: Canvas) -> list[Line]:
    if isinstance(block, Text):
        return _code(block, canvas) if block.role == "code" else _paragraph(block, canvas)
    if isinstance(block, Formula):
        return _formula(block, canvas)
    if isinstance(block, HeadBars):
        return bar_lines(block, canvas)
    if isinstance(block, Ribbons):
        return ribbon_lines(block, canvas)
    if isinstance(block, Terms):
        return _terms(block, canvas)
    from ..chart import chart_lines, listing_lines  # few pages have any

    if isinstance(block, Listing):
        title, *rows = listing_lines(block, canvas.width - 2)
    else:
        assert not isinstance(block, Table | FirstFit)
        title, *rows = chart_lines(block, canvas.width - 2, not canvas.shows("█"))
    room = canvas.width - 2
    if canvas.air > 1 and not isinstance(block, Listing):
        rows = [line for row in rows for line in (row, "")][:-1]
    return [
        *([canvas.put(f" {line}", "label")] for line in wrap(canvas.text(title), room) if title),
        *([canvas.put(f"  {line}")] for row in rows for line in _hanging(canvas.text(row), room)),
    ]


def _hanging(row: str, width: int) -> list[str]:
    """A ready line; where it is too long, broken, with what follows set in as far as its start."""
    if cell_len(row) <= width:
        return [row]
    indent = min(len(row) - len(row.lstrip()), width // 2)
    return [" " * indent + line for line in wrap(row.strip(), width - indent)]


def _crumbs(page: Page, canvas: Canvas) -> Line:
    place = f"{page.number}/{page.total}"
    names = [f"[{name}]" if i == page.here else name for i, name in enumerate(page.crumbs)]
    joint = " > " if cell_len(" > ".join(names)) + 1 <= canvas.width else ">"
    length = cell_len(joint.join(names))
    if length + 1 > canvas.width:
        return [canvas.put(f" {place} "), canvas.put(f"[{page.crumbs[page.here]}]", "here")]
    line: Line = [canvas.put(" ")]
    for i, name in enumerate(names):
        if i:
            line.append(canvas.put(joint))
        line.append(canvas.put(name, "here" if i == page.here else "text"))
    room = canvas.width - 1 - length
    return [*line, canvas.put(fit(place, room - 1, right=True) if len(place) + 1 < room else "")]


def _title(page: Page, canvas: Canvas) -> list[Line]:
    """The title, and which head at its right; under it where both do not fit."""
    title = canvas.text(page.title)
    style = "here" if page.head is None else f"chip.{page.head}"
    chip = [canvas.put(f" {page.corner} ", style)] if page.corner else []
    room = canvas.width - 1 - line_width(chip)
    if chip and cell_len(title) + 1 < room:
        return [[canvas.put(fit(f" {title}", room), "title"), *chip]]
    lines: list[Line] = [[canvas.put(f" {line}", "title")] for line in wrap(title, canvas.width - 1)]
    return [*lines, *([[canvas.put(" "), *chip]] if chip else [])]


def _paragraph(block: Text, canvas: Canvas) -> list[Line]:
    """The text beside its label, under it where the page is narrow; a number is not broken."""
    label = f" {canvas.text(block.label)}:" if block.label else ""
    text = canvas.text_block(block.text)
    margin = cell_len(label) + 1
    drawn: list[Line] = []
    if margin > canvas.width // 3:
        drawn.append([canvas.put(label, "label")])
        label, margin = "", 2
    room = canvas.width - margin - 1
    if max(map(cell_len, text.split()), default=0) > room:
        margin, room = (0, canvas.width) if not label else (margin, canvas.width - margin)
    if canvas.spacious:
        room = min(room, MOST_TEXT)
    lines = [line for paragraph in text.split("\n") for line in _set_in(paragraph, room)]
    for i, line in enumerate(lines):
        drawn.append([canvas.put(fit(label if i == 0 else "", margin), "label"), canvas.put(line)])
    return drawn


def _set_in(paragraph: str, room: int) -> list[str]:
    """The lines of a paragraph; those of a list's item begin under its text."""
    mark = _MARK.match(paragraph)
    if mark is None or len(mark[0]) * 3 > room:
        return wrap(paragraph, room)
    first, *rest = wrap(paragraph[mark.end() :], room - mark.end())
    return [mark[0] + first, *(" " * mark.end() + line for line in rest)]


def _code(block: Text, canvas: Canvas) -> list[Line]:
    """Lines as they were written; one that is too long goes on in the next, further in."""
    room = max(canvas.width - 4, 1)
    lines: list[str] = []
    for line in block.text.split("\n"):
        text = canvas.text(line)
        indent = text[: len(text) - len(text.lstrip())]
        if cell_len(text) <= room or len(indent) + 8 > room:
            lines += chopped(text, room)
            continue
        first, *rest = wrap(text.lstrip(), room - len(indent) - 4)
        lines += [indent + first, *(f"{indent}    {piece}" for piece in rest)]
    label: list[Line] = [[canvas.put(f" {canvas.text(block.label)}:", "label")]] if block.label else []
    return [*label, *([canvas.put(f"   {line}".rstrip(), "formula")] for line in lines)]


def _formula(block: Formula, canvas: Canvas) -> list[Line]:
    text, shapes = (canvas.text(part) for part in (f" {block.text}", block.shapes))
    if cell_len(text) + cell_len(shapes) + 4 <= canvas.width:
        return [
            [
                canvas.put(text, "formula"),
                canvas.put(fit(shapes, canvas.width - cell_len(text) - 1, right=True)),
            ]
        ]
    width = canvas.width - 2
    return [
        *([canvas.put(f" {line}", "formula")] for line in wrap(text.strip(), width)),
        *([canvas.put(f" {line}")] for line in wrap(shapes, width)),
    ]


def _terms(block: Terms, canvas: Canvas) -> list[Line]:
    """Names and meanings in two columns; on narrow pages each meaning under its name."""
    margin = max(cell_len(canvas.text(name)) for name, _ in block.rows) + 4
    beside_names = margin <= canvas.width // 2
    lines: list[Line] = [[canvas.put(f" {block.title}", "title")]]
    for name, meaning in block.rows:
        room = canvas.width - (margin if beside_names else 4) - 1
        wrapped = [canvas.put(line) for line in wrap(canvas.text(meaning), room)]
        if beside_names:
            first = canvas.put(fit(f"  {canvas.text(name)}", margin), "label")
            lines += [[first, wrapped[0]], *([canvas.put(" " * margin), line] for line in wrapped[1:])]
        else:
            names = wrap(canvas.text(name), canvas.width - 3)
            lines += [[canvas.put(f"  {line}", "label")] for line in names]
            lines += [[canvas.put("    "), line] for line in wrapped]
    return lines


def _first_fit(block: FirstFit, canvas: Canvas) -> Drawn:
    for tables in block.options:
        grids = [Grid(table, canvas) for table in tables]
        spare = canvas.width - sum(grid.width for grid in grids) - GAP * (len(grids) - 1)
        if spare >= 0:
            each = spare // len(grids)
            parts = [grid.resized(grid.width + each).lines() for grid in grids]
            return Drawn(beside(parts, GAP))
    return _grids(grids)


def _grids(grids: list[Grid]) -> Drawn:
    """Tables one under another."""
    lines: list[Line] = []
    for grid in grids:
        lines += [*([[]] if lines else []), *grid.lines()]
    return Drawn(lines, max(len(grid.pieces()) for grid in grids))
