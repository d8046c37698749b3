"""Colours for the terminal: by name, by theme, and by how many colours there are.

Weights use one light-to-dark scale, signed numbers two that meet in the middle (orange below 0,
blue above), both safe for colour-blind readers. Text on a coloured cell is black or white,
whichever stands out more. Ordinary text keeps the terminal's own colours.
"""

from __future__ import annotations

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
# The same scale for terminals with 256 colours, where rounding each colour would put steps out of order.
_WEIGHTS_DARK_256 = (17, 18, 19, 60, 242, 102, 137, 143, 179, 185, 227)
_WEIGHTS_LIGHT_256 = (231, 255, 189, 153, 117, 111, 74, 68, 26, 25, 17)
# After Okabe and Ito 2008; darker on light grounds. The first four stay apart for every kind of
# colour vision, and all stand out from the ground as bars.
_HEADS_DARK = ("#56b4e9", "#e69f00", "#00a87b", "#cc79a7", "#f0e442", "#e5683a", "#b8b8b8", "#9485f2")
_HEADS_LIGHT = ("#0072b2", "#c25e00", "#00876c", "#b8498f", "#857200", "#d02f2f", "#6b6b6b", "#5b3fbf")
# With 16 colours: a few steps, in order and legible on all usual palettes; by use, and whether on a
# light ground. What is too pale there to be a bar is drawn in the terminal's own ink.
_PALETTES_16: dict[tuple[str, bool], tuple[str, ...]] = {
    ("weights", False): ("default", "blue", "bright_cyan", "bright_yellow"),
    ("weights", True): ("default", "bright_cyan", "blue", "black"),
    ("negative", False): ("default", "red", "bright_yellow"),
    ("negative", True): ("default", "bright_yellow", "red"),
    ("positive", False): ("default", "blue", "bright_cyan"),
    ("positive", True): ("default", "bright_cyan", "blue"),
    ("chip", False): ("bright_cyan", "bright_yellow", "magenta", "bright_green", "white", "red"),
    ("chip", True): ("blue", "red", "magenta", "bright_cyan", "bright_yellow", "bright_green"),
    ("head", False): (
        "bright_cyan",
        "bright_yellow",
        "bright_magenta",
        "bright_green",
        "white",
        "bright_red",
    ),
    ("head", True): ("blue", "red", "magenta", "default", "default", "default"),
}
# What these names mean differs between terminals; white ink does for all of them.
_WHITE_INK_16 = {"black", "blue", "red", "magenta"}


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
        self._styles = dict(_PLAIN)

    def style(self, name: str) -> Style:
        """The style of that name, such as "title", "head.2", "weights.7" or "signed.-3"."""
        style = self._styles.get(name)
        if style is None:
            style = self._styles[name] = self._made(name)
        return style

    def _made(self, name: str) -> Style:
        kind, _, number = name.partition(".")
        if kind == "strong":  # a cell of the chosen row: "strong.weights.7"
            return self.style(number) + _BOLD
        if self.colors is None:
            return _BOLD if kind in {"head", "chip"} else _NONE
        color = self._color(kind, int(number))
        if kind == "head":  # a head's colour as ink: for bars and rules
            return Style(color=color)
        return self._on(color) + _BOLD if kind == "chip" else self._on(color)

    def _color(self, kind: str, number: int) -> str:
        """The ground of a cell at that level, or of that head's name."""
        if self.colors is ColorSystem.STANDARD:
            return self._color_16(kind, number)
        if kind in {"head", "chip"}:
            heads = _HEADS_LIGHT if self.light else _HEADS_DARK
            return heads[number % len(heads)]
        if kind == "signed":
            return (_SIGNED_LIGHT if self.light else _SIGNED_DARK)[number + LEVELS // 2]
        if self.colors is ColorSystem.EIGHT_BIT:
            return f"color({(_WEIGHTS_LIGHT_256 if self.light else _WEIGHTS_DARK_256)[number]})"
        return (_WEIGHTS_LIGHT if self.light else _WEIGHTS_DARK)[number]

    def _color_16(self, kind: str, number: int) -> str:
        most = LEVELS if kind == "weights" else LEVELS // 2
        if kind == "signed":
            kind = "negative" if number < 0 else "positive"
        names = _PALETTES_16[kind, self.light]
        if kind in {"head", "chip"}:
            return names[number % len(names)]
        return names[round(abs(number) / most * (len(names) - 1))]

    def _on(self, ground: str) -> Style:
        """Black or white, whichever stands out more, on ``ground`` as this terminal shows it."""
        if ground == "default":
            return _NONE
        if self.colors is ColorSystem.STANDARD:
            ink = "bright_white" if ground in _WHITE_INK_16 else "black"
            return Style(color=ink, bgcolor=ground)
        color = Color.parse(ground)
        if self.colors is not None:
            color = color.downgrade(self.colors)
        return Style.from_color(max(_INK, key=lambda ink: contrast(ink, color)), color)


_NONE = Style()
_BOLD = Style(bold=True)
_INK = (Color.parse("#000000"), Color.parse("#ffffff"))
_PLAIN = {
    "text": _NONE,
    "title": _BOLD,
    "here": Style(bold=True, reverse=True),
    "chosen": Style(bold=True, reverse=True),
    "marked": Style(bold=True, reverse=True),
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
