"""The walk in a terminal: keys in, pages out."""

from __future__ import annotations

import shlex
from typing import NamedTuple

from rich.cells import cell_len

from ..texts import texts
from ..views.help import help_page
from ..views.page import Page
from ..views.pages import View
from ..views.terminal.canvas import Canvas, Line, fit
from ..views.terminal.draw import body_lines, header_lines, page_lines, source_lines
from .book import Book, ShowOptions
from .keys import Keys
from .paint import Painter
from .screen import Screen
from .world import World


class Place(NamedTuple):
    """Where the reader is. ``top`` is the first line shown of a page that is longer than the screen;
    ``window`` the first column shown of tables that are wider."""

    page: int
    view: View
    top: int = 0
    window: int = 0
    help: bool = False


class Session:
    """One reader's walk: which key leads from which place to which."""

    def __init__(self, book: Book, view: View, first: int) -> None:
        self.book = book
        self.place = Place(first, view)
        self.more = 0  # lines below the screen's end
        self.step = 1  # lines in a screenful
        self.leaving = False

    def page(self) -> Page:
        """The page to show now."""
        if self.place.help:
            return help_page()
        return self.book.page(self.key, self.place.view)

    @property
    def key(self) -> str:
        """The key of the page to show now."""
        return self.book.keys[self.place.page]

    @property
    def at_end(self) -> bool:
        return self.place.page == len(self.book.keys) - 1

    def press(self, key: str) -> None:
        """Go where the key leads; a key without a meaning does nothing."""
        if key in {"q", "Q", "ctrl-c", "ctrl-d", "eof"} or (key == "escape" and not self.place.help):
            self.leaving = True
        elif self.place.help and key not in _SCROLL_KEYS:
            self.place = self.place._replace(help=False, top=0)
        elif key in _SCROLL_KEYS or (key == "space" and self.more):
            self._scroll(key)
        elif key in {"?", "h", "f1"}:
            self.place = self.place._replace(help=True, top=0)
        elif key in {"right", "space", "enter", "n"}:
            self.turn(1)
        elif key in {"left", "backspace", "p", "b"}:
            self.turn(-1)
        elif key in {"home", "end"}:
            self.turn(-len(self.book.keys) if key == "home" else len(self.book.keys))
        elif key.isdecimal():
            self._jump(int(key))
        else:
            self._choose(key)

    def turn(self, by: int) -> None:
        """Go ``by`` pages on, as far as there are pages."""
        to = min(max(self.place.page + by, 0), len(self.book.keys) - 1)
        if to != self.place.page:
            self.place = self.place._replace(page=to, top=0, window=0)

    def _jump(self, number: int) -> None:
        """Go to the first page of the stage with that number in the line at the top."""
        if 1 <= number <= len(self.book.chapters):
            self.turn(self.book.chapters[number - 1] - self.place.page)

    def _choose(self, key: str) -> None:
        sizes, view = self.book.sizes, self.place.view
        if key in {"tab", "shift-tab"}:
            by = 1 if key == "tab" else -1
            view = view._replace(head=(view.head + by) % sizes["heads"])
        elif key in {"up", "k", "down", "j"}:
            by = 1 if key in {"down", "j"} else -1
            view = view._replace(token=(view.token + by) % sizes["n"])
        elif key in {"<", ">"}:
            width = sizes["d_model"] + sizes["heads"] * sizes["d_k"]
            window = self.place.window + (4 if key == ">" else -4)
            self.place = self.place._replace(window=min(max(window, 0), width))
        self.place = self.place._replace(view=view)

    def _scroll(self, key: str) -> None:
        by = -self.step if key == "pageup" else self.step
        top = min(max(self.place.top + by, 0), self.place.top + self.more)
        self.place = self.place._replace(top=top)


_SCROLL_KEYS = {"pageup", "pagedown"}


def run_session(book: Book, view: View, first: int, options: ShowOptions, world: World) -> None:
    """Show pages and follow keys until the reader leaves; then say how to come back."""
    painter = Painter.of(world, options.theme, options.width)
    session = Session(book, view, first)
    if options.scroll or not _full_screen(session, painter, options):
        with Keys(world.stdin.fileno()) as keys:
            _Scroll(session, painter).follow(keys, options.auto)
    command = shlex.join(["mha-tutor", *book.command(session.key, session.place.view)])
    world.print(texts("keys")["resume"].format(command=command))


def _full_screen(session: Session, painter: Painter, options: ShowOptions) -> bool:
    """Walk on the whole screen; False on a console that knows no escape codes."""
    world = painter.world
    screen = Screen(world.stdout.fileno(), world.environ, encoding=world.encoding)
    try:
        screen.enter()
    except OSError:
        return False
    try:
        with Keys(
            world.stdin.fileno(), size=screen.size, on_stop=screen.leave, on_continue=screen.enter
        ) as keys:
            _Pages(session, painter, screen).follow(keys, options.auto)
    finally:
        screen.leave()
    return True


class _Show:
    """Draw the session's page, wait for a key or for the time to turn the page, and again."""

    def __init__(self, session: Session, painter: Painter) -> None:
        self.session = session
        self.painter = painter
        self.auto: float | None = None

    def draw(self) -> None:
        raise NotImplementedError

    def redraw(self) -> None:
        self.draw()

    def follow(self, keys: Keys, auto: float | None) -> None:
        self.auto = auto
        self.draw()
        while not self.session.leaving:
            before = self.session.place
            key = keys.wait(self.auto)
            if key is None:
                self._turn_by_itself()
            elif key in {"resize", "resume", "ctrl-l"}:
                self.redraw()
                continue
            elif self.auto is not None and key not in {"q", "ctrl-c", "eof"}:
                self.auto = None  # any key pauses
                self.redraw()
                continue
            else:
                self.session.press(key)
            if self.session.place != before and not self.session.leaving:
                self.draw()

    def _turn_by_itself(self) -> None:
        if self.session.more:
            self.session.press("pagedown")
        elif self.session.at_end:
            self.auto = None
            self.redraw()
        else:
            self.session.turn(1)


class _Pages(_Show):
    """Each page takes the place of the one before."""

    def __init__(self, session: Session, painter: Painter, screen: Screen) -> None:
        super().__init__(session, painter)
        self.screen = screen

    def redraw(self) -> None:
        self.screen.redraw()
        self.draw()

    def draw(self) -> None:
        columns, height = self.screen.size()
        session = self.session
        canvas = self.painter.canvas(session.place.window, columns)
        shown = session.page()
        head = [] if session.place.help else header_lines(shown, canvas)
        body = body_lines(shown, canvas)
        source = source_lines(shown, canvas)
        room = max(height - len(head) - len(source) - 1, 1)
        top = min(session.place.top, max(len(body) - room, 0))
        session.more = max(len(body) - room - top, 0)
        session.step = max(room - 2, 1)
        session.place = session.place._replace(top=top)
        visible = body[top : top + room]
        visible += [[] for _ in range(room - len(visible))]
        lines = [*head, *visible, *source, self._foot(canvas, top)]
        self.screen.draw([self.painter.encoded(line) for line in lines[:height]])

    def _foot(self, canvas: Canvas, top: int) -> Line:
        say = texts("keys")
        session = self.session
        more = say["more"].format(lines=session.more) if session.more else say["end"] if top else ""
        room = canvas.width - cell_len(more) - 1
        if self.auto is not None:
            text = f" {say['auto'].format(seconds=f'{self.auto:g}')}"
        elif session.place.help:
            text = f" {say['help_foot']}"
        else:
            text = foot_text(session, room)
        left = canvas.put(fit(canvas.text(text), room))
        return [left, canvas.put(more, "here" if more else "text"), canvas.put(" ")]


def foot_text(session: Session, room: int) -> str:
    """What can be pressed here, as much of it as there is room for; help and leaving always."""
    hints: dict[str, str] = dict(texts("keys")["foot"])
    if session.book.sizes["heads"] == 1 or not session.book.per_head(session.key):
        del hints["head"]
    if session.book.sizes["n"] == 1:
        del hints["token"]
    for dropped in ("stage", "token", "head", "back", "next"):
        line = " " + "   ".join(hints.values())
        if cell_len(line) <= room:
            break
        hints.pop(dropped, None)
    return " " + "   ".join(hints.values())


class _Scroll(_Show):
    """Each page is printed under the one before, so that all stay in the terminal's history."""

    def draw(self) -> None:
        shown = self.session.page()
        self.session.more = 0
        canvas = self.painter.canvas()
        lines = body_lines(shown, canvas) if self.session.place.help else page_lines(shown, canvas)
        self.painter.print([*lines, [canvas.put(foot_text(self.session, canvas.width))], []])
        self.painter.world.stdout.flush()
