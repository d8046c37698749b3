"""A page as lines of styled text, at any width."""

from __future__ import annotations

from rich.cells import cell_len

from ..chart import chart_lines, listing_lines
from ..page import Block, FirstFit, Formula, HeadBars, Listing, Page, Ribbons, Table, Text
from .bars import bar_lines, ribbon_lines
from .canvas import Canvas, Line, beside, chopped, fit, line_width, wrap
from .tables import table_lines, table_width

GAP = 3


def header_lines(page: Page, canvas: Canvas) -> list[Line]:
    """Where we are: the stages with this one marked, and a rule."""
    return [_crumbs(page, canvas), canvas.rule()]


def body_lines(page: Page, canvas: Canvas) -> list[Line]:
    """The page itself: title, then its blocks, with air between them."""
    lines = _title(page, canvas)
    before: Block | None = None
    for block in page.blocks:
        if before is not None and _needs_air(before, block):
            lines.append([])
        lines += block_lines(block, canvas)
        before = block
    return lines


def source_lines(page: Page, canvas: Canvas) -> list[Line]:
    """A rule that says where the numbers come from."""
    lines = wrap(canvas.text(page.source), canvas.width - 6)
    rules = ["──", *["  "] * (len(lines) - 1)]
    ends = ["─" * max(canvas.width - 4 - cell_len(lines[0]), 0), *[""] * (len(lines) - 1)]
    parts = zip(rules, lines, ends, strict=True)
    return [[canvas.put(f"{rule} {line} "), canvas.put(end)] for rule, line, end in parts]


def page_lines(page: Page, canvas: Canvas) -> list[Line]:
    """The whole page, for paper, pipes and scrolling."""
    head = header_lines(page, canvas) if page.crumbs else []
    return [*head, *body_lines(page, canvas), *source_lines(page, canvas)]


def _needs_air(before: Block, block: Block) -> bool:
    if isinstance(before, Text) and isinstance(block, Formula):
        return False
    if isinstance(before, Text) and isinstance(block, Text):
        if "code" in (before.role, block.role):
            return True
        return before.role != block.role and "lead" in (before.role, block.role)
    return True


def block_lines(block: Block, canvas: Canvas) -> list[Line]:
    """One block of a page."""
    if isinstance(block, Text):
        return _code(block, canvas) if block.role == "code" else _paragraph(block, canvas)
    if isinstance(block, Formula):
        return _formula(block, canvas)
    if isinstance(block, Table):
        return table_lines(block, canvas)
    if isinstance(block, FirstFit):
        return _first_fit(block, canvas)
    if isinstance(block, HeadBars):
        return bar_lines(block, canvas)
    if isinstance(block, Ribbons):
        return ribbon_lines(block, canvas)
    if isinstance(block, Listing):
        title, *rows = listing_lines(block, canvas.width - 2)
    else:
        title, *rows = chart_lines(block, canvas.width - 2, not canvas.shows("█"))
    return [[canvas.put(f" {title}", "label")], *([canvas.put(f"  {row}")] for row in rows)]


def _crumbs(page: Page, canvas: Canvas) -> Line:
    place = f"{page.number}/{page.total}"
    names = [f"[{name}]" if i == page.here else name for i, name in enumerate(page.crumbs)]
    joint = " > " if len(" > ".join(names)) + 1 <= canvas.width else ">"
    length = len(joint.join(names))
    if length + 1 > canvas.width:
        return [canvas.put(f"{place} "), canvas.put(f"[{page.crumbs[page.here]}]", "here")]
    line: Line = [canvas.put(" ")]
    for i, name in enumerate(names):
        if i:
            line.append(canvas.put(joint))
        line.append(canvas.put(name, "here" if i == page.here else "text"))
    room = canvas.width - 1 - length
    return [*line, canvas.put(fit(place, room - 1, right=True) if len(place) < room else "")]


def _title(page: Page, canvas: Canvas) -> list[Line]:
    """The title, and which head at its right; under it where both do not fit."""
    title = canvas.text(page.title)
    style = "here" if page.head is None else f"chip.{page.head}"
    chip = [canvas.put(f" {page.corner} ", style)] if page.corner else []
    room = canvas.width - 1 - line_width(chip)
    if chip and cell_len(title) < room:
        return [[canvas.put(fit(f" {title}", room + 1), "title"), *chip]]
    lines: list[Line] = [[canvas.put(f" {line}", "title")] for line in wrap(title, canvas.width - 1)]
    return [*lines, *([[canvas.put(" "), *chip]] if chip else [])]


def _paragraph(block: Text, canvas: Canvas) -> list[Line]:
    label = f" {canvas.text(block.label)}:" if block.label else ""
    margin = len(label) + 1 if len(label) < canvas.width // 3 else 2
    lines = wrap(canvas.text_block(block.text), canvas.width - margin - 1)
    drawn: list[Line] = []
    if label and margin == 2:
        drawn.append([canvas.put(label, "label")])
        label = ""
    for i, line in enumerate(lines):
        lead = label if i == 0 else ""
        drawn.append([canvas.put(fit(lead, margin), "label"), canvas.put(line)])
    return drawn


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


def _first_fit(block: FirstFit, canvas: Canvas) -> list[Line]:
    for tables in block.options:
        widths = [table_width(table, canvas) for table in tables]
        spare = canvas.width - sum(widths) - GAP * (len(widths) - 1)
        if spare >= 0:
            each = spare // len(widths)
            parts = zip(tables, widths, strict=True)
            return beside([table_lines(table, canvas.resized(width + each)) for table, width in parts], GAP)
    lines: list[Line] = []
    for table in block.options[-1]:
        lines += [*([[]] if lines else []), *table_lines(table, canvas)]
    return lines
