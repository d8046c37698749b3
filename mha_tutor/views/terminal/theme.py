"""Colours for the terminal: by name, by theme, and by how many colours there are.

Weights use one light-to-dark scale, signed numbers two that meet in the middle (orange below 0,
blue above), both safe for colour-blind readers. Text on a coloured cell is black or white,
whichever stands out more. Ordinary text keeps the terminal's own colours.
"""

from __future__ import annotations

from functools import lru_cache

from rich.color import Color, ColorSystem
from rich.style import Style
from rich.terminal_theme import DEFAULT_TERMINAL_THEME

THEMES = ("dark", "light", "projector", "mono")
LEVELS = 10

# From nothing to everything: cividis (Nunez, Anderton and Renslow 2018) sampled at equal steps.
_WEIGHTS_DARK = (
    "#00204d", "#00306f", "#2a3f6d", "#48506d", "#606173", "#7c7b78",
    "#958f78", "#b0a473", "#ccbb69", "#e9d257", "#ffea46",
)  # fmt: skip
# Blues of ColorBrewer (Harrower and Brewer 2003), filled up to eleven.
_WEIGHTS_LIGHT = (
    "#ffffff", "#f0f5fb", "#deebf7", "#c9ddf0", "#b0d0e8", "#93c4de",
    "#6baed6", "#4e97c9", "#2171b5", "#0a549e", "#08306b",
)  # fmt: skip
# Orange to blue around the page's own ground; index 0 is the most negative.
_SIGNED_DARK = (
    "#fdb863", "#e08214", "#b35806", "#7f3b08", "#4a2507", "#1c1c1c",
    "#11304f", "#1b4f83", "#2b74b8", "#5ba3d9", "#a6d3f2",
)  # fmt: skip
_SIGNED_LIGHT = (
    "#b35806", "#d07a1c", "#ee9f46", "#fdc584", "#fee6cc", "#ffffff",
    "#dbeaf7", "#aed2ec", "#74afd9", "#3f86c0", "#15599a",
)  # fmt: skip
# Okabe and Ito 2008, in an order that keeps neighbours apart in grey too.
HEADS = ("#56b4e9", "#e69f00", "#009e73", "#cc79a7", "#0072b2", "#f0e442", "#d55e00", "#999999")
# With 16 colours: a few steps whose order is plain on the usual palettes.
_WEIGHTS_16 = ("default", "blue", "cyan", "bright_yellow")
_NEGATIVE_16 = ("default", "yellow", "bright_yellow")
_POSITIVE_16 = ("default", "blue", "bright_cyan")
_HEADS_16 = ("cyan", "yellow", "green", "magenta", "blue", "bright_yellow", "red", "white")


def luminance(color: Color) -> float:
    """Relative luminance, 0 to 1 (WCAG 2.1)."""
    rgb = color.get_truecolor(DEFAULT_TERMINAL_THEME)
    parts = (x / 255 for x in rgb)
    r, g, b = (x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(a: Color, b: Color) -> float:
    """Contrast ratio, 1 to 21 (WCAG 2.1)."""
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


class Theme:
    """Styles by name for one theme and one number of colours.

    ``colors`` is a rich ColorSystem, or None for none; then only bold and reverse remain.
    """

    def __init__(self, name: str, colors: ColorSystem | None) -> None:
        self.name = name
        self.colors = None if name == "mono" else colors
        self.light = name in {"light", "projector"}

    def __hash__(self) -> int:
        return hash((self.name, self.colors))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Theme) and (self.name, self.colors) == (other.name, other.colors)

    @lru_cache(maxsize=512)  # noqa: B019 - few themes exist, and they live as long as the program
    def style(self, name: str) -> Style:
        """The style of that name, such as "title", "head.2", "weights.7" or "signed.-3"."""
        kind, _, number = name.partition(".")
        if kind in _PLAIN:
            return _PLAIN[kind]
        if self.colors is None:
            return _BOLD if kind in {"head", "chip"} else _NONE
        if kind == "head":  # a head's colour as ink: for bars and rules
            return Style(color=self._head(int(number)))
        if kind == "chip":  # a head's colour as ground: for its name
            return self._on(self._head(int(number))) + _BOLD
        level = int(number)
        if self.colors is ColorSystem.STANDARD:
            return self._cell_16(kind, level)
        if kind == "weights":
            return self._on((_WEIGHTS_LIGHT if self.light else _WEIGHTS_DARK)[level])
        return self._on((_SIGNED_LIGHT if self.light else _SIGNED_DARK)[level + LEVELS // 2])

    def _head(self, head: int) -> str:
        names = _HEADS_16 if self.colors is ColorSystem.STANDARD else HEADS
        return names[head % len(names)]

    def _cell_16(self, kind: str, level: int) -> Style:
        if kind == "weights":
            return self._on(_WEIGHTS_16[round(level / LEVELS * (len(_WEIGHTS_16) - 1))])
        side = _POSITIVE_16 if level >= 0 else _NEGATIVE_16
        return self._on(side[round(abs(level) / (LEVELS // 2) * (len(side) - 1))])

    def _on(self, ground: str) -> Style:
        """Black or white, whichever stands out more, on ``ground`` as this terminal shows it."""
        if ground == "default":
            return _NONE
        color = Color.parse(ground)
        if self.colors is not None:
            color = color.downgrade(self.colors)
        black, white = _INK_16 if self.colors is ColorSystem.STANDARD else _INK
        ink = max((black, white), key=lambda c: contrast(c, color))
        return Style.from_color(ink, color)


_NONE = Style()
_BOLD = Style(bold=True)
_INK = (Color.parse("#000000"), Color.parse("#ffffff"))
_INK_16 = (Color.parse("black"), Color.parse("bright_white"))
_PLAIN = {
    "text": _NONE,
    "title": _BOLD,
    "here": Style(bold=True, reverse=True),
    "chosen": Style(bold=True, reverse=True),
    "label": _BOLD,
    "formula": _BOLD,
    "axis": Style(italic=True),
    "strong": _BOLD,
}


def level(value: float, largest: float, paint: str) -> int:
    """Which step of the scale a number takes: 0 to LEVELS, or -LEVELS/2 to LEVELS/2 when signed."""
    if paint == "weights":
        return max(0, min(LEVELS, round(value * LEVELS)))
    if largest <= 0:
        return 0
    half = LEVELS // 2
    step = round(value / largest * half)
    if step == 0 and value != 0 and abs(value) / largest > 0.02:
        step = 1 if value > 0 else -1
    return max(-half, min(half, step))
