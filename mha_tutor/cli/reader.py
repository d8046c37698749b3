"""Where the reader is, and which key leads where. Draws nothing."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from ..addresses import Cell
from ..errors import InputError
from ..views.help import help_page
from ..views.page import Page
from ..views.pages import View
from .book import Book, Workbook
from .pointing import Point, cell_at, marked, moved, start

_ASKS = {"w", "e", "s", "u", "r", "p"}
LEAVE = {"q", "Q", "ctrl-c", "ctrl-d", "eof"}


class Place(NamedTuple):
    """Where the reader is. ``top`` is the first line shown of a page that is longer than the screen;
    ``window`` says which run of columns the tables show that are wider, counted from 0.

    ``point`` is a number that is pointed at, ``depth`` how many rules deep it is taken apart, and
    ``typed`` what stands on the line where a change (or, ``saving``, a file's name) is typed.
    """

    page: int
    view: View
    top: int = 0
    window: int = 0
    help: bool = False
    point: Point | None = None
    depth: int = 0
    typed: str | None = None
    saving: bool = False
    message: str = ""


class Session:
    """One reader in one book: which key leads from which place to which.

    Who draws the page says how much of it there is: ``more`` lines below the end of the screen,
    ``step`` lines in a screenful, ``pieces`` runs of columns, ``length`` lines in all.
    """

    def __init__(self, book: Book, view: View, first: int) -> None:
        self.book = book
        self.place = Place(first, view)
        self.more, self.step, self.pieces, self.length = 0, 1, 1, 0
        self.leaving = self.asking = False
        self._before_help = self.place
        self._made: dict[str, tuple[object, Page]] = {}

    @property
    def state(self) -> object:
        """What decides what is shown: while it stays the same, so does the screen."""
        return self.place

    @property
    def message(self) -> str:
        """What is said below the page; often nothing."""
        return self.place.message

    def page(self) -> Page:
        """The page to show now."""
        if self.place.help:
            return help_page(asks=isinstance(self.book, Workbook))
        found = self.pointed()
        if found is None:
            return self._whole_page()
        if self.place.depth and isinstance(self.book, Workbook):
            at = found[0], self.place.depth, self.place.view
            return self._kept("why", at, partial(self.book.why, *at))
        return marked(self._whole_page(), found[0])

    def pointed(self) -> tuple[Cell, str] | None:
        """The place in the trace that is pointed at, and its number as it is written."""
        return None if self.place.point is None else cell_at(self._whole_page(), self.place.point)

    def _whole_page(self) -> Page:
        at = self.key, self.place.view
        return self._kept("page", at, partial(self.book.page, *at))

    def _kept(self, kind: str, at: object, make: Callable[[], Page]) -> Page:
        """The last page of that kind if it was made for that place; else it is made."""
        if kind not in self._made or self._made[kind][0] != at:
            self._made[kind] = at, make()
        return self._made[kind][1]

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
        self.place = self.place._replace(message="")
        if self.place.typed is not None:
            self._type(key, self.place.typed)
        elif key in LEAVE:
            self.leaving = True
        elif key in {"pageup", "pagedown"} or (key == "space" and self.more):
            self.scroll(-self.step if key == "pageup" else self.step)
        elif self.place.help:
            self._press_in_help(key)
        elif self.place.point is not None:
            self._press_pointing(key, self.place.point)
        elif isinstance(self.book, Workbook) and key in _ASKS:
            self._ask(key, self.book)
        else:
            self.press_page(key)

    def press_page(self, key: str) -> None:
        """The keys of a page that is only looked at."""
        if key in {"?", "h", "f1"}:
            self._before_help = self.place
            self.place = self.place._replace(help=True, top=0)
        elif key in {"right", "space", "enter", "n"}:
            self.turn(1)
        elif key in {"left", "backspace", "b"}:
            self.turn(-1)
        elif key in {"home", "end"}:
            self.turn(-len(self.book.keys) if key == "home" else len(self.book.keys))
        elif key.isdecimal():
            self._jump(int(key) or 10)
        elif key in {"<", ">"}:
            window = self.place.window + (1 if key == ">" else -1)
            self.place = self.place._replace(window=min(max(window, 0), self.pieces - 1))
        else:
            self.choose(key)

    def turn(self, by: int) -> None:
        """Go ``by`` pages on, as far as there are pages."""
        to = min(max(self.place.page + by, 0), len(self.book.keys) - 1)
        if to != self.place.page:
            self.place = self.place._replace(page=to, top=0, window=0)

    def _press_in_help(self, key: str) -> None:
        """Up and down move the help page while there is more of it; any other key closes it."""
        if key in {"up", "down"} and (self.more or self.place.top):
            self.scroll(1 if key == "down" else -1)
        else:
            self.place = self._before_help

    def _jump(self, number: int) -> None:
        """Go to the first page of the stage with that number in the line at the top."""
        if number <= len(self.book.chapters):
            self.turn(self.book.chapters[number - 1] - self.place.page)

    def _ask(self, key: str, book: Workbook) -> None:
        """Point at a number, change one, take changes back, or be asked a question."""
        if key == "w":
            self.place = self.place._replace(point=start(self._whole_page()))
        elif key == "e":
            self.place = self.place._replace(typed="")
        elif key == "s":
            self.place = self.place._replace(typed="", saving=True)
        elif key == "p":
            self.asking = True
        else:
            self._change(book.undo if key == "u" else book.reset)

    def _press_pointing(self, key: str, point: Point) -> None:
        """Arrows move the pointer; w asks why, and again for what is behind it; Escape goes back."""
        place = self.place
        if key in {"escape", "backspace"} or (place.depth and key == "left"):
            place = place._replace(depth=0, top=0) if place.depth else place._replace(point=None)
        elif key in {"w", "enter"}:
            # What is behind comes at the end of the page, so go on where the page ended so far.
            place = place._replace(depth=place.depth + 1, top=max(self.length - 2, 0) if place.depth else 0)
        elif key == "p" and isinstance(self.book, Workbook):
            self.asking = True
        elif key == "e" and (found := self.pointed()) is not None and isinstance(self.book, Workbook):
            place = place._replace(depth=0, typed=f"{self.book.address(found[0])}=")
        elif not place.depth:
            place = place._replace(point=moved(self._whole_page(), point, key))
        self.place = place

    def _type(self, key: str, text: str) -> None:
        """One key on the line where a change is typed."""
        if key in {"escape", "ctrl-c", "eof"}:
            self.place = self.place._replace(typed=None, saving=False)
        elif key == "enter":
            saving = self.place.saving
            self.place = self.place._replace(typed=None, saving=False)
            if text.strip() and isinstance(self.book, Workbook):
                self._change(partial(self.book.save if saving else self.book.change, text.strip()))
        elif key == "backspace":
            self.place = self.place._replace(typed=text[:-1])
        elif key == "space" or len(key) == 1:
            self.place = self.place._replace(typed=text + (" " if key == "space" else key))

    def _change(self, change: Callable[[], str]) -> None:
        """Do it, stay on the same page, and say what came of it."""
        key = self.key
        try:
            message = change()
        except (InputError, OSError) as error:
            message = str(error)
        keys = self.book.keys
        page = keys.index(key) if key in keys else min(self.place.page, len(keys) - 1)
        self._made.clear()
        self.place = self.place._replace(page=page, message=message, point=None)

    def choose(self, key: str) -> None:
        """Take another head or token where the key asks for one."""
        sizes, view = self.book.sizes, self.place.view
        if key in {"tab", "shift-tab"}:
            by = 1 if key == "tab" else -1
            view = view._replace(head=(view.head + by) % sizes["heads"])
        elif key in {"up", "k", "down", "j"}:
            by = 1 if key in {"down", "j"} else -1
            view = view._replace(token=(view.token + by) % sizes["n"])
        self.place = self.place._replace(view=view)

    def scroll(self, by: int) -> None:
        """Move so many lines within a page that is longer than the screen."""
        top = min(max(self.place.top + by, 0), self.place.top + self.more)
        self.place = self.place._replace(top=top)
