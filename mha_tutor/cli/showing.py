"""A book shown: opened in a terminal, elsewhere printed page by page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .printing import print_page

if TYPE_CHECKING:  # pages of text and of counts need no engine
    from collections.abc import Sequence

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
