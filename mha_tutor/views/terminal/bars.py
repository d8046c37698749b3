"""One token's weights in every head: as bars, and as the sentence shaded word by word."""

from __future__ import annotations

from rich.cells import cell_len

from ..chart import bar_text
from ..colours import level
from ..page import HeadBars, Ribbons
from .canvas import Canvas, Line, fit
from .tables import BLANK

LEAST_BAR, MOST_CELL = 6, 34


def bar_lines(block: HeadBars, canvas: Canvas) -> list[Line]:
    """Tokens down, heads across; as many heads beside each other as leave room for bars."""
    heads, m = block.weights.shape
    rows = [[block.form(float(weight)) for weight in row] for row in block.weights]
    digits = max(len(text) for row in rows for text in row)
    names = [f" {s + 1:>{len(str(m))}} {canvas.text(name)}" for s, name in enumerate(block.rows)]
    margin = min(max(map(cell_len, names)) + 2, canvas.width // 3, canvas.width - digits - 1)
    at_once = max(1, min(heads, (canvas.width - margin) // (digits + LEAST_BAR + 3)))
    width = min((canvas.width - margin) // at_once, MOST_CELL)
    lines: list[Line] = []
    for first in range(0, heads, at_once):
        group = range(first, min(first + at_once, heads))
        if lines:
            lines.append([])
        titles = [canvas.put(" " * margin)]
        for h in group:
            title = fit(f" head {h + 1} ", min(width, len(f" head {h + 1} ")))
            titles += [canvas.put(title, f"chip.{h}"), canvas.put(" " * (width - len(title)))]
        lines.append(titles)
        for s, name in enumerate(names):
            line: Line = [canvas.put(f"{fit(name, margin - 1)} ")]
            for h in group:
                line += _cell(block, canvas, h, s, width, rows[h][s].rjust(digits))
            lines.append(line)
            if canvas.air > 1 and s + 1 < m:
                lines.append([])
    return lines


def _cell(block: HeadBars, canvas: Canvas, h: int, s: int, width: int, digits: str) -> Line:
    """The digits, bold where the head looks most, and the bar where there is room for one."""
    if h in block.hidden:
        return [canvas.put(fit(BLANK.rjust(len(digits)), width))]
    weight = float(block.weights[h, s])
    room = max(width - len(digits) - 3, 0)
    top = weight >= float(block.weights[h].max()) - 1e-9
    bar = bar_text(weight, room, not canvas.shows("█"))
    return [
        canvas.put(digits, "strong" if top else "text"),
        canvas.put(" " if room else ""),
        canvas.put(bar, f"head.{h}"),
        canvas.put(" " * (width - len(digits) - 1 - len(bar))),
    ]


def ribbon_lines(block: Ribbons, canvas: Canvas) -> list[Line]:
    """The sentence once a head, its words shaded by weight, the digits under each word."""
    lines: list[Line] = []
    most = max(len(block.form(float(weight))) for row in block.weights for weight in row)
    for h, row in enumerate(block.weights):
        if lines and canvas.air:
            lines.append([])
        lines += _ribbon(block, canvas, h, row.tolist(), most)
    return lines


def _ribbon(block: Ribbons, canvas: Canvas, h: int, row: list[float], most: int) -> list[Line]:
    chip = f" head {h + 1} "
    margin = len(chip) + 1
    lines: list[Line] = []
    words, digits = [canvas.put(chip, f"chip.{h}"), canvas.put(" ")], [canvas.put(" " * margin)]
    if margin + most + 2 > canvas.width:  # then the head stands alone, above its words
        lines, words, digits, margin = [words[:1]], [], [], 0
    used = margin
    for word, weight in zip(block.words, row, strict=True):
        text, number = f" {canvas.text(word)} ", f" {block.form(weight)} "
        width = min(max(cell_len(text), len(number)), canvas.width - margin)
        number = f" {BLANK} " if block.covered else number
        shade = "text" if block.covered else f"weights.{level(weight, 1.0, 'weights')}"
        if used + width > canvas.width and used > margin:
            lines += [words, digits]
            words, digits = [canvas.put(" " * margin)], [canvas.put(" " * margin)]
            used = margin
        words.append(canvas.put(fit(text, width), shade))
        digits.append(canvas.put(fit(number, width)))
        used += width
    return [*lines, words, digits]
