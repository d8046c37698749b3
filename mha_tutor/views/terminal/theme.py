"""Colours for the terminal: by name, by theme, and by how many colours there are.

Weights use one light-to-dark scale, signed numbers two that meet in the middle (orange below 0,
blue above), both safe for colour-blind readers. Text on a coloured cell is black or white,
whichever stands out more. Ordinary text keeps the terminal's own colours.
"""

from __future__ import annotations

from rich.color import Color, ColorSystem
from rich.style import Style
from rich.terminal_theme import DEFAULT_TERMINAL_THEME

from ..colours import LEVELS, ground, head_colour, ink_on, washed

THEMES = ("dark", "light", "projector", "projector-dark", "mono")
# The same scales for terminals with 256 colours, where rounding each colour would put steps out of
# order, or make blue green.
_WEIGHTS_DARK_256 = (17, 18, 19, 60, 242, 102, 137, 143, 179, 185, 227)
_SIGNED_DARK_256 = (215, 172, 130, 94, 52, 233, 17, 24, 31, 74, 153)
_WEIGHTS_LIGHT_256 = (231, 255, 189, 153, 117, 111, 74, 68, 26, 25, 17)
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


class Theme:
    """Styles by name for one theme and one number of colours.

    ``colors`` is a rich ColorSystem, or None for none; then only bold and reverse remain.
    """

    def __init__(self, name: str, colors: ColorSystem | None) -> None:
        self.name = name
        self.colors = None if name == "mono" else colors
        self.light = name in {"light", "projector"}
        self.projected = name.startswith("projector")
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
        if self.projected and self.colors is ColorSystem.TRUECOLOR:
            return self._washed(kind, number)
        if kind in {"head", "chip"}:
            return head_colour(number, light=self.light)
        if self.colors is ColorSystem.EIGHT_BIT and kind == "weights":
            return f"color({(_WEIGHTS_LIGHT_256 if self.light else _WEIGHTS_DARK_256)[number]})"
        if self.colors is ColorSystem.EIGHT_BIT and not self.light:
            return f"color({_SIGNED_DARK_256[number + LEVELS // 2]})"
        return ground(kind, number, light=self.light)

    def _washed(self, kind: str, number: int) -> str:
        if kind in {"head", "chip"}:
            return washed(head_colour(number, light=self.light), darker=self.light)
        return washed(ground(kind, number, light=self.light))

    def _color_16(self, kind: str, number: int) -> str:
        most = LEVELS if kind == "weights" else LEVELS // 2
        if kind == "signed":
            kind = "negative" if number < 0 else "positive"
        names = _PALETTES_16[kind, self.light]
        if kind in {"head", "chip"}:
            return names[number % len(names)]
        return names[round(abs(number) / most * (len(names) - 1))]

    def _on(self, behind: str) -> Style:
        """Black or white, whichever stands out more, on ``behind`` as this terminal shows it."""
        if behind == "default":
            return _NONE
        if self.colors is ColorSystem.STANDARD:
            ink = "bright_white" if behind in _WHITE_INK_16 else "black"
            return Style(color=ink, bgcolor=behind)
        color = Color.parse(behind)
        if self.colors is not None:
            color = color.downgrade(self.colors)
        ink = ink_on(color.get_truecolor(DEFAULT_TERMINAL_THEME).hex)
        return Style.from_color(Color.parse(ink), color)


_NONE = Style()
_BOLD = Style(bold=True)
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
