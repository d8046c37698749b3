"""Where the reader is, and which key leads where. Draws nothing."""

from __future__ import annotations

from typing import NamedTuple

from ..views.help import help_page
from ..views.page import Page
from ..views.pages import View
from .book import Book

LEAVE = {"q", "Q", "ctrl-c", "ctrl-d", "eof"}


class Place(NamedTuple):
    """Where the reader is. ``top`` is the first line shown of a page that is longer than the screen;
    ``window`` says which run of columns the tables show that are wider, counted from 0."""

    page: int
    view: View
    top: int = 0
    window: int = 0
    help: bool = False


class Session:
    """One reader in one book: which key leads from which place to which.

    Who draws the page says how much of it there is: ``more`` lines below the end of the screen,
    ``step`` lines in a screenful, ``pieces`` runs of columns.
    """

    def __init__(self, book: Book, view: View, first: int) -> None:
        self.book = book
        self.place = Place(first, view)
        self.more, self.step, self.pieces = 0, 1, 1
        self.leaving = False
        self._before_help = self.place
        self._made: tuple[tuple[int, View], Page] | None = None

    def page(self) -> Page:
        """The page to show now."""
        if self.place.help:
            return help_page()
        at = self.place.page, self.place.view
        if self._made is None or self._made[0] != at:
            self._made = at, self.book.page(self.key, self.place.view)
        return self._made[1]

    @property
    def key(self) -> str:
        """The key of the page to show now."""
        return self.book.keys[self.place.page]

    @property
    def at_end(self) -> bool:
        """Whether this is the last page."""
        return self.place.page == len(self.book.keys) - 1

    def press(self, key: str) -> None:
        """Go where the key leads; a key without a meaning does nothing."""
        if key in LEAVE or (key == "escape" and not self.place.help):
            self.leaving = True
        elif key in {"pageup", "pagedown"} or (key == "space" and self.more):
            self._scroll(-self.step if key == "pageup" else self.step)
        elif self.place.help:
            self._press_in_help(key)
        elif key in {"?", "h", "f1"}:
            self._before_help = self.place
            self.place = self.place._replace(help=True, top=0)
        elif key in {"right", "space", "enter", "n"}:
            self.turn(1)
        elif key in {"left", "backspace", "p", "b"}:
            self.turn(-1)
        elif key in {"home", "end"}:
            self.turn(-len(self.book.keys) if key == "home" else len(self.book.keys))
        elif key.isdecimal():
            self._jump(int(key) or 10)
        elif key in {"<", ">"}:
            window = self.place.window + (1 if key == ">" else -1)
            self.place = self.place._replace(window=min(max(window, 0), self.pieces - 1))
        else:
            self._choose(key)

    def turn(self, by: int) -> None:
        """Go ``by`` pages on, as far as there are pages."""
        to = min(max(self.place.page + by, 0), len(self.book.keys) - 1)
        if to != self.place.page:
            self.place = self.place._replace(page=to, top=0, window=0)

    def _press_in_help(self, key: str) -> None:
        """Up and down move the help page while there is more of it; any other key closes it."""
        if key in {"up", "down"} and (self.more or self.place.top):
            self._scroll(1 if key == "down" else -1)
        else:
            self.place = self._before_help

    def _jump(self, number: int) -> None:
        """Go to the first page of the stage with that number in the line at the top."""
        if number <= len(self.book.chapters):
            self.turn(self.book.chapters[number - 1] - self.place.page)

    def _choose(self, key: str) -> None:
        sizes, view = self.book.sizes, self.place.view
        if key in {"tab", "shift-tab"}:
            by = 1 if key == "tab" else -1
            view = view._replace(head=(view.head + by) % sizes["heads"])
        elif key in {"up", "k", "down", "j"}:
            by = 1 if key in {"down", "j"} else -1
            view = view._replace(token=(view.token + by) % sizes["n"])
        self.place = self.place._replace(view=view)

    def _scroll(self, by: int) -> None:
        top = min(max(self.place.top + by, 0), self.place.top + self.more)
        self.place = self.place._replace(top=top)
