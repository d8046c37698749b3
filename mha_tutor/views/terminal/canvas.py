"""Lines of styled text, and what a terminal can show: width, characters, colours."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple

from rich.cells import cell_len, set_cell_size
from rich.color import ColorSystem
from rich.segment import Segment

from .theme import Theme

Line = list[Segment]

# What stands in for a character that the terminal's encoding does not have.
STAND_INS = str.maketrans(
    {
        "─": "-", "│": "|", "█": "#", "▉": "#", "▊": "#", "▋": "#", "▌": "=", "▍": "=", "▎": "-", "▏": "-",
        "·": "*", "→": "->", "√": "sqrt", "≈": "~", "∞": "inf", "×": "x", "…": "...", "’": "'", "–": "-",
    }
)  # fmt: skip


class Canvas(NamedTuple):
    """What there is to draw on.

    ``encoding`` is what the output can carry. ``window`` says which run of columns the wide tables
    show, from 0, or is None when all are drawn in turn. ``spacious`` gives cells more room;
    ``air`` puts empty lines between paragraphs (1), between the rows of tables too (2), and under
    the title (3).
    """

    width: int
    theme: Theme
    encoding: str = "utf-8"
    window: int | None = None
    spacious: bool = False
    air: int = 0

    def text(self, text: str) -> str:
        """``text`` with a stand-in for every character that cannot be shown; no control characters."""
        if not text.isprintable():
            text = "".join(c if c.isprintable() or joins(c) else "?" for c in text)
        if text.isascii():
            return text
        try:
            text.encode(self.encoding)
            return text
        except (UnicodeEncodeError, LookupError):
            text = text.translate(STAND_INS)
            return text.encode(self.encoding, "replace").decode(self.encoding)

    def shows(self, character: str) -> bool:
        """Whether this character can be written as it is."""
        return self.text(character) == character

    def text_block(self, text: str) -> str:
        """Like ``text``, but line breaks stay."""
        return "\n".join(self.text(line) for line in text.split("\n"))

    def resized(self, width: int) -> Canvas:
        """The same canvas at another width."""
        return self._replace(width=width)

    def put(self, text: str, style: str = "text") -> Segment:
        """One piece of text in a named style."""
        return Segment(self.text(text), self.theme.style(style))

    def rule(self) -> Line:
        return [self.put("─" * self.width)]


def joins(character: str) -> bool:
    """Whether a character has no look of its own but joins others: parts of an emoji or a flag."""
    return character in "\u200c\u200d" or "\U000e0020" <= character <= "\U000e007f"


def fit(text: str, width: int, *, right: bool = False) -> str:
    """``text`` in exactly ``width`` cells: cut when longer, filled with spaces when shorter."""
    missing = width - cell_len(text)
    if missing < 0:
        return set_cell_size(text, width)
    return " " * missing + text if right else text + " " * missing


def wrap(text: str, width: int) -> list[str]:
    """Break text into lines of at most ``width`` cells; nothing is lost but the spaces at breaks."""
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line, used = "", 0
        for word in paragraph.split(" "):
            length = cell_len(word)
            if line and used + 1 + length <= width:
                line, used = f"{line} {word}", used + 1 + length
                continue
            if line:
                lines.append(line.rstrip())
            *full, line = chopped(word, width) if length > width else (word,)
            lines += full
            used = cell_len(line)
        lines.append(line)
    return lines


def chopped(word: str, width: int) -> list[str]:
    """A word in pieces of at most ``width`` cells, one piece at least."""
    pieces = [""]
    for character in word:
        if pieces[-1] and cell_len(pieces[-1] + character) > width:
            pieces.append("")
        pieces[-1] += character
    return pieces


def line_width(line: Line) -> int:
    return sum(cell_len(segment.text) for segment in line)


def beside(blocks: Iterable[list[Line]], gap: int) -> list[Line]:
    """Blocks of lines side by side, ``gap`` spaces between, tops aligned."""
    blocks = list(blocks)
    widths = [max(map(line_width, block), default=0) for block in blocks]
    height = max(map(len, blocks), default=0)
    lines: list[Line] = []
    for row in range(height):
        line: Line = []
        for block, width in zip(blocks, widths, strict=True):
            part = block[row] if row < len(block) else []
            if line:
                line.append(Segment(" " * gap))
            line += [*part, Segment(" " * (width - line_width(part)))]
        lines.append(line)
    return lines


def encoded(line: Line, colors: ColorSystem | None, *, plain: bool) -> str:
    """A line with its escape codes, or without any when ``plain``. Trailing spaces without colour go."""
    if plain:
        return "".join(segment.text for segment in line).rstrip()
    parts: list[str] = []
    for style, pieces in groupby(line, key=lambda segment: segment.style):
        text = "".join(piece.text for piece in pieces)
        if style:
            shown = style if colors else style.without_color
            text = shown.render(text, color_system=colors or _BARE)
        parts.append(text)
    return "".join(parts)


_BARE = ColorSystem.STANDARD
