"""Pages shown as the reader's terminal, pipe or screen reader needs them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # pages of text and of counts need no engine
    from collections.abc import Sequence

    from ..views.page import Page
    from ..views.pages import View
    from .book import Book, ShowOptions
    from .world import World


def show(
    book: Book, view: View, first: int, options: ShowOptions, world: World, only: Sequence[str] | None = None
) -> None:
    """Open the book at page ``first`` in a terminal; elsewhere print its pages, or ``only`` some."""
    if world.interactive and options.format == "text" and not world.accessible:
        from .session import run_session

        run_session(book, view, first, options, world)
        return
    token = None if options.token is None else view.token
    for key in book.keys if only is None else only:
        print_page(book.page(key, view), options, world, token)


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
