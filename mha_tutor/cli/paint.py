"""Lines of a view written to the outside world, with as much style as it can show."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from rich.color import ColorSystem

from ..views.terminal.canvas import Canvas, Line, encoded
from ..views.terminal.theme import Theme
from .world import LEAST_WIDTH, MOST_WIDTH, World


class Painter(NamedTuple):
    """A theme and a width for one output."""

    world: World
    theme: Theme
    colors: ColorSystem | None
    fixed_width: int | None
    spacious: bool = False

    @classmethod
    def of(cls, world: World, theme: str, width: int | None, *, spacious: bool = False) -> Painter:
        """What this output can show under that theme; a projector's theme is always ``spacious``."""
        colors = world.colors
        shown = Theme(world.theme if theme == "auto" else theme, colors)
        return cls(world, shown, colors, width, spacious or shown.projected)

    def canvas(self, window: int | None = None, columns: int | None = None) -> Canvas:
        """A canvas as wide as the output is now, or as was asked for; not wider than ``columns``."""
        width = self.fixed_width or columns or self.world.size()[0]
        width = min(max(width, LEAST_WIDTH), max(columns or MOST_WIDTH, LEAST_WIDTH))
        air = 3 if self.spacious else 0
        return Canvas(width, self.theme, self.world.encoding, window, self.spacious, air)

    def encoded(self, line: Line) -> str:
        """The line as it is written to this output."""
        return encoded(line, self.colors, plain=not self.world.styled)

    def print(self, lines: Iterable[Line]) -> None:
        """Write the lines, each ended by a line break."""
        self.world.print("\n".join(self.encoded(line) for line in lines))
