"""A chart over numbers, such as heads removed, on a slide: every digit, and beside them the curves."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from ..page import Bars, Chart
from .pen import BOLD, END, Pen, cells

PLOT = 36  # letters that the curves take at least
ROWS = 11  # lines that they take at least
DASHES = ("", "9 5", "2 5", "12 4 2 4", "5 2")  # colours are not all that tells curves apart


def is_curve(chart: Chart) -> bool:
    """Whether the chart is over growing numbers, with one unit and a value at each of them."""
    values = [value for bars in chart.series for value in bars.values]
    if chart.scale != "linear" or len(chart.xs) < 3 or len({bars.unit for bars in chart.series}) > 1:
        return False
    if any(value is None or value < 0 for value in values) or not all(x.isdecimal() for x in chart.xs):
        return False
    return all(a < b for a, b in pairwise(map(int, chart.xs)))


class CurvesPart(NamedTuple):
    """The digits as columns, each under its name, and at their right a curve each, from 0 up."""

    block: Chart

    @property
    def _widths(self) -> list[int]:
        """Letters that each column takes, the x first."""
        first = max(map(cells, (self.block.x_name, *self.block.xs)))
        columns = [max(cells(bars.name) + 1, *map(cells, bars.written)) for bars in self.block.series]
        return [first, *(width + 2 for width in columns)]

    def width(self, pen: Pen) -> float:
        return (sum(self._widths) + 4 + PLOT) * pen.letter

    def height(self, pen: Pen, width: float) -> float:
        return max(len(self.block.xs) + 2, ROWS) * pen.line

    def draw(self, pen: Pen, x: float, y: float, width: float) -> str:
        chart, at = self.block, x + self._widths[0] * pen.letter
        parts = [
            pen.text(x, y, chart.title, look=BOLD),
            pen.text(at, y + pen.line, chart.x_name, look=END, colour="muted"),
            *(pen.text(at, y + (i + 2) * pen.line, each, look=END) for i, each in enumerate(chart.xs)),
        ]
        for k, (bars, wide) in enumerate(zip(chart.series, self._widths[1:], strict=True)):
            at += wide * pen.letter
            name = at - (cells(bars.name) + 1) * pen.letter
            parts.append(pen.chip(name, y + pen.line, bars.name, k))
            parts += [
                pen.text(at, y + (i + 2) * pen.line, text, look=END) for i, text in enumerate(bars.written)
            ]
        left = at + 4 * pen.letter
        return "".join([*parts, *self._plot(pen, left, y + pen.line, x + width - left)])

    def _plot(self, pen: Pen, x: float, y: float, width: float) -> Iterator[str]:
        """The frame with its ends named, and the curves."""
        chart, xs = self.block, [int(each) for each in self.block.xs]
        top = max(max(value or 0 for value in bars.values) for bars in chart.series) or 1.0
        left, right = x + 3 * pen.letter, x + width - 2 * pen.letter
        high, low = y + pen.line / 2, y + self.height(pen, width) - 2.5 * pen.line
        for share in (0.0, 0.5, 1.0):
            line = low - share * (low - high)
            yield pen.box(left, line, right - left, 1, "rule")
            yield pen.text(
                left - pen.letter / 2, line - pen.line / 2, f"{share * top:.3g}", look=END, colour="muted"
            )
        for value, look in ((xs[0], ""), (xs[-1], END)):
            yield pen.text(right if look else left, low, str(value), look=look, colour="muted")
        for k, bars in enumerate(chart.series):
            yield self._curve(pen, bars, k, [(left, low), (right, high)], top)

    def _curve(self, pen: Pen, bars: Bars, k: int, corners: list[tuple[float, float]], top: float) -> str:
        (left, low), (right, high) = corners
        xs = [int(each) for each in self.block.xs]
        points = " ".join(
            f"{left + (right - left) * (at - xs[0]) / (xs[-1] - xs[0]):.1f},"
            f"{low - (low - high) * (value or 0) / top:.1f}"
            for at, value in zip(xs, bars.values, strict=True)
        )
        dash = DASHES[k % len(DASHES)]
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        return f'<polyline points="{points}" fill="none" stroke="{pen.head(k)}" stroke-width="3"{dashed}/>'
