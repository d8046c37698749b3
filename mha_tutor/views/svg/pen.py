"""Text and rectangles as SVG, and how wide text comes out in a typewriter face."""

from __future__ import annotations

from functools import lru_cache
from itertools import chain
from typing import NamedTuple
from unicodedata import combining, east_asian_width

from ..colours import ground, head_colour, ink_on
from ..html.sheet import DARK, LIGHT

ADVANCE = 0.61  # a letter's width in typewriter faces, as part of their size; a little generous
LINE = 1.45  # from line to line


class Pen(NamedTuple):
    """Draws at one size of letters, in a theme: light, dark, mono, or for a projector (as these)."""

    size: float
    theme: str = "light"

    @property
    def light(self) -> bool:
        return not self.theme.endswith("dark")

    @property
    def mono(self) -> bool:
        return self.theme == "mono"

    @property
    def letter(self) -> float:
        return self.size * ADVANCE

    @property
    def line(self) -> float:
        return self.size * LINE

    def ui(self, name: str) -> str:
        """One of the page's own colours: ground, panel, ink, muted, rule, accent."""
        return (LIGHT if self.light else DARK)[name]

    def text(self, x: float, y: float, text: str, *, look: str = "", colour: str = "ink") -> str:
        """Text from ``x`` on, its line's top at ``y``; ``look`` is more attributes, such as an anchor."""
        ink = colour if colour.startswith("#") else self.ui(colour)
        base = y + (self.line + self.size * 0.7) / 2
        size = f'font-size="{self.size:.2f}"'
        return f'<text x="{x:.2f}" y="{base:.2f}" {size} fill="{ink}"{look}>{escaped(text)}</text>'

    def box(self, x: float, y: float, width: float, height: float, colour: str, more: str = "") -> str:
        fill = colour if colour.startswith("#") else self.ui(colour)
        return (
            f'<rect x="{x:.2f}" y="{y:.2f}" width="{width:.2f}" height="{height:.2f}" fill="{fill}"{more}/>'
        )

    def chip(self, x: float, y: float, text: str, head: int) -> str:
        """A head's name on the head's colour."""
        colour = self.ui("ground") if self.mono else self.head(head)
        width = (cells(text) + 1) * self.letter
        edge = f' rx="3" stroke="{self.head(head)}"'
        box = self.box(x, y + self.size * 0.12, width, self.line - self.size * 0.24, colour, edge)
        return box + self.text(x + self.letter / 2, y, text, look=BOLD, colour=ink_on(colour))

    def head(self, head: int) -> str:
        """The colour of a head's bars."""
        return self.ui("ink") if self.mono else head_colour(head, light=self.light)

    def cell(self, paint: str, step: int) -> tuple[str, str]:
        """The ground of a number at that level, and the ink on it."""
        colour = self.ui("ground") if self.mono else ground(paint, step, light=self.light)
        return colour, ink_on(colour)


BOLD = ' font-weight="700"'
END = ' text-anchor="end"'
ITALIC = ' font-style="italic"'


@lru_cache(maxsize=4096)
def cells(text: str) -> int:
    """How many letters' widths ``text`` takes; wide characters take two."""
    if text.isascii():
        return len(text)
    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)


def cut(text: str, width: int) -> str:
    """``text`` in at most ``width`` letters; dots stand for what is missing."""
    if cells(text) <= width:
        return text
    while text and cells(text) > width - 1:
        text = text[:-1]
    return f"{text}…"


def wrapped(text: str, width: int) -> list[str]:
    """Lines of at most ``width`` letters, broken at spaces; a word that is longer is cut in pieces."""
    lines = []
    for paragraph in text.split("\n"):
        line = ""
        for word in chain.from_iterable(_pieces(word, width) for word in paragraph.split(" ")):
            longer = f"{line} {word}" if line else word
            if line and cells(longer) > width:
                lines.append(line)
                longer = word
            line = longer
        lines.append(line)
    return lines


def _pieces(word: str, width: int) -> list[str]:
    if cells(word) <= width:
        return [word]
    size = max(1, width // 2)  # wide characters take two places
    return [word[i : i + size] for i in range(0, len(word), size)]


def escaped(text: str) -> str:
    """``text`` for XML; what cannot be printed becomes "?"."""
    if not text.isprintable():
        text = "".join(c if c.isprintable() else "?" for c in text)
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace('"', "&quot;")
