"""What a slide is put together from: each part knows its width and height, and draws itself."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from ...texts import head_name
from ..chart import chart_lines, listing_lines
from ..colours import level
from ..page import Chart, Formula, HeadBars, Listing, Ribbons, Text
from .pen import BOLD, END, Pen, cells, cut, wrapped

LABEL = 13  # letters that a label such as "One number:" takes


class Part(Protocol):
    """One thing on a slide."""

    def width(self, pen: Pen) -> float:
        """The least width it can be drawn in."""

    def height(self, pen: Pen, width: float) -> float:
        """Its height where it has that width."""

    def draw(self, pen: Pen, x: float, y: float, width: float) -> str:
        """Its SVG, with the top left corner there."""


class Paragraph(NamedTuple):
    """Text that wraps, with a label in front if it has one."""

    block: Text

    def width(self, pen: Pen) -> float:
        return 24 * pen.letter

    def _lines(self, pen: Pen, width: float) -> list[str]:
        return wrapped(self.block.text, int(width / pen.letter) - (LABEL if self.block.label else 0))

    def height(self, pen: Pen, width: float) -> float:
        return len(self._lines(pen, width)) * pen.line

    def draw(self, pen: Pen, x: float, y: float, width: float) -> str:
        label, parts = self.block.label, []
        if label:
            parts.append(pen.text(x, y, cut(f"{label}:", LABEL - 1), look=BOLD, colour="muted"))
        left = x + (LABEL * pen.letter if label else 0)
        for i, line in enumerate(self._lines(pen, width)):
            parts.append(pen.text(left, y + i * pen.line, line))
        return "".join(parts)


class FormulaPart(NamedTuple):
    """The formula in a panel, and the shapes at its right or below."""

    block: Formula

    def width(self, pen: Pen) -> float:
        return (max(cells(self.block.text), cells(self.block.shapes)) + 3) * pen.letter

    def _two_lines(self, pen: Pen, width: float) -> bool:
        return (cells(self.block.text) + cells(self.block.shapes) + 6) * pen.letter > width

    def height(self, pen: Pen, width: float) -> float:
        return pen.line * (1.5 + self._two_lines(pen, width))

    def draw(self, pen: Pen, x: float, y: float, width: float) -> str:
        high = self.height(pen, width)
        top, left = y + pen.line * 0.25, x + 1.5 * pen.letter
        panel = pen.box(x, y, width, high, "panel") + pen.box(x, y, 4, high, "accent")
        formula = pen.text(left, top, self.block.text, look=f'{BOLD} xml:space="preserve"')
        if self._two_lines(pen, width):
            return panel + formula + pen.text(left, top + pen.line, self.block.shapes, colour="muted")
        right = x + width - pen.letter
        return panel + formula + pen.text(right, top, self.block.shapes, look=END, colour="muted")


class BarsPart(NamedTuple):
    """Tokens down, heads across: the weight and a bar as long as it."""

    block: HeadBars

    def _names(self) -> int:
        return max(cells(name) for name in self.block.rows) + len(str(len(self.block.rows))) + 3

    def width(self, pen: Pen) -> float:
        digits = max(len(self.block.form(w)) for w in self.block.weights.ravel().tolist())
        return (self._names() + len(self.block.weights) * (digits + 8)) * pen.letter

    def height(self, pen: Pen, width: float) -> float:
        return (len(self.block.rows) + 1) * pen.line

    def draw(self, pen: Pen, x: float, y: float, width: float) -> str:
        first = x + self._names() * pen.letter
        wide = (width - self._names() * pen.letter) / len(self.block.weights)
        parts = [
            pen.text(x, y + (s + 1) * pen.line, f"{s + 1:>{len(str(len(self.block.rows)))}} {name}")
            for s, name in enumerate(self.block.rows)
        ]
        for h, row in enumerate(self.block.weights.tolist()):
            left = first + h * wide
            parts.append(pen.chip(left, y, head_name(h), h))
            digits = max(len(self.block.form(w)) for w in row) * pen.letter
            for s, weight in enumerate(row):
                top = y + (s + 1) * pen.line
                look = END + (BOLD if weight >= max(row) - 1e-9 else "")
                parts.append(pen.text(left + digits, top, self.block.form(weight), look=look))
                room = wide - digits - 3 * pen.letter
                colour = pen.head(h)
                at = left + digits + pen.letter
                parts.append(
                    pen.box(at, top + pen.line * 0.22, max(room * weight, 1), pen.line * 0.56, colour)
                )
        return "".join(parts)


class RibbonsPart(NamedTuple):
    """The sentence once a head, each word shaded by its weight, the digits under it."""

    block: Ribbons

    def _cells(self) -> list[float]:
        digits = max(len(self.block.form(w)) for w in self.block.weights.ravel().tolist())
        return [max(cells(word), digits) + 1.4 for word in self.block.words]

    def width(self, pen: Pen) -> float:
        return (9 + sum(self._cells())) * pen.letter

    def height(self, pen: Pen, width: float) -> float:
        return 2.2 * pen.line * len(self.block.weights)

    def draw(self, pen: Pen, x: float, y: float, width: float) -> str:
        parts = []
        for h, row in enumerate(self.block.weights.tolist()):
            top = y + h * 2.2 * pen.line
            parts.append(pen.chip(x, top + pen.line / 2, head_name(h), h))
            left = x + 9 * pen.letter
            for word, weight, wide in zip(self.block.words, row, self._cells(), strict=True):
                colour, ink = pen.cell("weights", level(weight, 1.0, "weights"))
                middle = left + wide * pen.letter / 2
                edge = f' stroke="{pen.ui("rule")}"'
                parts.append(pen.box(left, top, wide * pen.letter - 3, 2 * pen.line, colour, edge))
                for line, text in ((0, word), (0.95, self.block.form(weight))):
                    where = top + line * pen.line
                    parts.append(pen.text(middle, where, text, look=' text-anchor="middle"', colour=ink))
                left += wide * pen.letter
        return "".join(parts)


class LinesPart(NamedTuple):
    """A listing or a chart as lines of typewriter text."""

    block: Listing | Chart

    def _lines(self, pen: Pen, width: float) -> list[str]:
        room = int(width / pen.letter)
        if isinstance(self.block, Listing):
            return listing_lines(self.block, room)
        return chart_lines(self.block, room, True)

    def width(self, pen: Pen) -> float:
        return 40 * pen.letter

    def height(self, pen: Pen, width: float) -> float:
        return len(self._lines(pen, width)) * pen.line

    def draw(self, pen: Pen, x: float, y: float, width: float) -> str:
        keep = ' xml:space="preserve"'
        lines = enumerate(self._lines(pen, width))
        return "".join(pen.text(x, y + i * pen.line, line, look=keep) for i, line in lines)
