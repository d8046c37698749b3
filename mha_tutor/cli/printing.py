"""One page written as the reader's terminal, pipe or screen reader needs it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # pages of text and of counts need no engine
    from ..views.page import Page
    from .book import ShowOptions
    from .world import World


def print_page(page: Page, options: ShowOptions, world: World, token: int | None = None) -> None:
    """Write one page: linear text where that was asked for, else as it looks in the terminal.

    ``token`` narrows linear text to that token's rows.
    """
    if options.format == "plain" or world.accessible:
        from ..views.plain import plain_lines

        for line in plain_lines(page, token):
            world.print(line)
    else:
        from ..views.terminal.draw import page_lines
        from .paint import Painter

        painter = Painter.of(world, options.theme, options.width)
        painter.print([*page_lines(page, painter.canvas()), []])
