"""One token's weights in every head: as bars, and as the sentence shaded word by word."""

from __future__ import annotations

from itertools import chain

from rich.cells import cell_len

from ..page import HeadBars, Ribbons
from .canvas import Canvas, Line, fit
from .theme import level

EIGHTHS = " ▏▎▍▌▋▊▉"
LEAST_BAR = 6


def bar(share: float, width: int) -> str:
    """A bar of ``share`` (0 to 1) of ``width`` cells, in eighths."""
    eighths = round(min(max(share, 0.0), 1.0) * width * 8)
    full, rest = divmod(eighths, 8)
    return ("█" * full + (EIGHTHS[rest] if rest else "")).ljust(width)


def bar_lines(block: HeadBars, canvas: Canvas) -> list[Line]:
    """Tokens down, heads across; as many heads beside each other as leave room for bars."""
    heads, m = block.weights.shape
    count = len(str(m))
    digits = max(len(block.form(float(w))) for row in block.weights for w in row)
    names = min(max(cell_len(canvas.text(name)) for name in block.rows) + 5, canvas.width // 3)
    least = digits + LEAST_BAR + 3
    at_once = max(1, min(heads, (canvas.width - names) // least))
    width = min((canvas.width - names) // at_once, 34)
    lines: list[Line] = []
    for first in range(0, heads, at_once):
        group = range(first, min(first + at_once, heads))
        if lines:
            lines.append([])
        titles = [[canvas.put(f" head {h + 1} ", f"chip.{h}"), canvas.put(" " * (width - 8))] for h in group]
        lines.append([canvas.put(" " * names), *chain.from_iterable(titles)])
        for s in range(m):
            line: Line = [canvas.put(fit(f" {s + 1:>{count}} {canvas.text(block.rows[s])}", names))]
            for h in group:
                line += _cell(block, canvas, h, s, width, digits)
            lines.append(line)
    return lines


def _cell(block: HeadBars, canvas: Canvas, h: int, s: int, width: int, digits: int) -> Line:
    weight = float(block.weights[h, s])
    text = fit(block.form(weight), digits, right=True)
    room = width - digits - 3
    top = weight >= float(block.weights[h].max()) - 1e-9
    return [
        canvas.put(text, "strong" if top else "text"),
        canvas.put(" "),
        canvas.put(bar(weight, room), f"head.{h}"),
        canvas.put("  "),
    ]


def ribbon_lines(block: Ribbons, canvas: Canvas) -> list[Line]:
    """The sentence once a head, its words shaded by weight, the digits under each word."""
    lines: list[Line] = []
    for h, row in enumerate(block.weights):
        chip = f" head {h + 1} "
        margin = cell_len(chip) + 1
        words, digits = [canvas.put(chip, f"chip.{h}"), canvas.put(" ")], [canvas.put(" " * margin)]
        used = margin
        for word, weight in zip(block.words, row.tolist(), strict=True):
            text, number = f" {canvas.text(word)} ", f" {block.form(weight)} "
            width = max(cell_len(text), cell_len(number))
            if used + width > canvas.width and used > margin:
                lines += [words, digits]
                words, digits = [canvas.put(" " * margin)], [canvas.put(" " * margin)]
                used = margin
            style = f"weights.{level(weight, 1.0, 'weights')}"
            words.append(canvas.put(fit(text, width), style))
            digits.append(canvas.put(fit(number, width)))
            used += width
        lines += [words, digits]
    return lines
