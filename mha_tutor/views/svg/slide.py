"""One page a slide: the letters as large as fit, and what has no room left out, tables last of all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..page import Block, Chart, FirstFit, Formula, HeadBars, Page, Ribbons, Table, Terms, Text
from .curves import CurvesPart, is_curve
from .parts import BarsPart, FormulaPart, LinesPart, Paragraph, Part, RibbonsPart
from .pen import BOLD, END, Pen, cells, cut, escaped
from .tables import TablePart

WIDTH, HEIGHT = 1280, 720
MARGIN = 40
TITLE = 30
# Letters: the largest, the least with nothing left out, the least with less, the least for big tables.
LARGEST, COMFORTABLE, SMALLEST, LEAST = 24, 18, 16, 8
NAME_LENGTHS = (12, 8, 6)
FACE = "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace"


def slides(pages: Sequence[Page], title: str, *, theme: str = "light") -> str:
    """One SVG with a slide a page, one under another."""
    height = HEIGHT * len(pages)
    body = "\n".join(_slide(page, i, theme=theme) for i, page in enumerate(pages))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
        f'height="{height}" role="img" aria-labelledby="{_id(pages[0])}-title" font-family="{FACE}">\n'
        f'<title id="{_id(pages[0])}-title">{escaped(title)}</title>\n{body}\n</svg>\n'
    )


def _id(page: Page) -> str:
    return f"mha-{page.key}" + ("" if page.head is None else f"-head-{page.head + 1}")


class _Row(NamedTuple):
    """Parts side by side."""

    parts: tuple[Part, ...]

    def width(self, pen: Pen) -> float:
        return sum(part.width(pen) for part in self.parts) + 3 * pen.letter * (len(self.parts) - 1)

    def height(self, pen: Pen, width: float) -> float:
        return max(part.height(pen, width) for part in self.parts)

    def draw(self, pen: Pen, x: float, y: float, width: float) -> str:
        drawn = []
        for part in self.parts:
            drawn.append(part.draw(pen, x, y, part.width(pen) if len(self.parts) > 1 else width))
            x += part.width(pen) + 3 * pen.letter
        return "".join(drawn)


def _slide(page: Page, place: int, *, theme: str) -> str:
    pen, parts = _layout(page, theme=theme)
    width = WIDTH - 2 * MARGIN
    y = MARGIN + TITLE * 1.6
    drawn = [_frame(page, pen)]
    for part in parts:
        drawn.append(part.draw(pen, MARGIN, y, width))
        y += part.height(pen, width) + pen.size * 0.6
    return f'<g id="{_id(page)}" transform="translate(0 {place * HEIGHT})">{"".join(drawn)}</g>'


def _frame(page: Page, pen: Pen) -> str:
    """The ground, the title with its head, and at the foot where the numbers come from."""
    title, small = pen._replace(size=TITLE), pen._replace(size=14)
    room = WIDTH - 2 * MARGIN
    name = page.title
    parts = [pen.box(0, 0, WIDTH, HEIGHT, "ground")]
    chip = pen._replace(size=20)
    used = 0.0
    if page.corner:
        used = (cells(page.corner) + 1) * chip.letter
        at = WIDTH - MARGIN - used
        parts.append(chip.chip(at, MARGIN + 4, page.corner, page.head or 0))
    title = pen._replace(size=min(TITLE, TITLE * (room - used - 20) / (cells(name) * title.letter)))
    foot = HEIGHT - MARGIN * 0.5 - small.line
    source = cut(page.source, int((room - 20) / small.letter) - 8)
    where = f"{page.number}/{page.total}" if page.total else ""
    return "".join(
        [
            *parts,
            title.text(MARGIN, MARGIN - 6, name, look=BOLD),
            pen.box(MARGIN, foot - 6, room, 1, "rule"),
            small.text(MARGIN, foot, source, colour="muted"),
            small.text(WIDTH - MARGIN, foot, where, look=END, colour="muted"),
        ]
    )


def _layout(page: Page, *, theme: str) -> tuple[Pen, list[Part]]:
    """The largest letters at which the page fits, if need be without its less important parts."""
    for smallest, left_out in _sacrifices(page):
        blocks = [block for i, block in enumerate(page.blocks) if i not in left_out]
        for choice in range(max(len(b.options) if isinstance(b, FirstFit) else 1 for b in blocks)):
            versions = [[_part(block, most, choice) for block in blocks] for most in NAME_LENGTHS]
            for size in range(LARGEST, smallest - 1, -1):
                for parts in versions:
                    if _fits(parts, Pen(size, theme)):
                        return Pen(size, theme), parts
    pen = Pen(1, theme)
    tiny = min((WIDTH - 2 * MARGIN) / max(part.width(pen) for part in parts), LEAST)
    while not _fits(parts, Pen(tiny, theme)) and tiny > 0.5:
        tiny *= 0.95
    return Pen(tiny, theme), parts


def _sacrifices(page: Page) -> Iterator[tuple[int, set[int]]]:
    """What to leave out, more and more: terms, further tables, findings from the last, then the lead."""
    order = [i for i, b in enumerate(page.blocks) if isinstance(b, Text) and b.role == "words"]
    tables = [i for i, b in enumerate(page.blocks) if isinstance(b, Table | FirstFit)]
    order += reversed(tables[1:])
    order += [i for i, b in enumerate(page.blocks) if isinstance(b, Ribbons)]  # the bars say the same
    order += reversed([i for i, b in enumerate(page.blocks) if isinstance(b, Text) and b.role == "look"])
    order += [i for i, b in enumerate(page.blocks) if isinstance(b, Text) and b.role == "lead"]
    yield COMFORTABLE, set()
    for count in range(1, len(order) + 1):
        yield SMALLEST, set(order[:count])
    yield LEAST, set(order)


def _part(block: Block, most: int, choice: int) -> Part:
    if isinstance(block, Text):
        return Paragraph(block)
    if isinstance(block, Formula):
        return FormulaPart(block)
    if isinstance(block, Table):
        return TablePart(block, most)
    if isinstance(block, FirstFit):
        tables = block.options[min(choice, len(block.options) - 1)]
        return _Row(tuple(TablePart(table, most) for table in tables))
    if isinstance(block, HeadBars):
        return BarsPart(block)
    if isinstance(block, Terms):
        return Paragraph(Text("\n".join(f"{name}: {meaning}" for name, meaning in block.rows)))
    if isinstance(block, Chart) and is_curve(block):
        return CurvesPart(block)
    return RibbonsPart(block) if isinstance(block, Ribbons) else LinesPart(block)


def _fits(parts: Sequence[Part], pen: Pen) -> bool:
    width = WIDTH - 2 * MARGIN
    if any(part.width(pen) > width for part in parts):
        return False
    high = sum(part.height(pen, width) + pen.size * 0.6 for part in parts)
    return MARGIN + TITLE * 1.6 + high <= HEIGHT - MARGIN - 14
