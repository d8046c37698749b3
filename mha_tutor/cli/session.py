"""The walk in a terminal: keys in, pages out."""

from __future__ import annotations

from ..texts import texts
from ..views.page import Page
from ..views.pages import View
from ..views.terminal.canvas import Canvas, Line, wrap
from ..views.terminal.draw import Drawn, drawn_body, header_lines, page_lines, source_lines
from .book import Book, ShowOptions, Workbook, resume_line
from .console.keys import Keys
from .console.screen import Screen
from .foot import foot, hint_line, hints
from .paint import Painter
from .reader import LEAVE, Session
from .world import LEAST_WIDTH, World


def run_session(book: Book, view: View, first: int, options: ShowOptions, world: World) -> None:
    """Show pages and follow keys until the reader leaves; then say how to come back."""
    painter = Painter.of(world, options.theme, options.width)
    session = Session(book, view, first)
    _walk(session, painter, options)
    asked = 0
    while session.asking and isinstance(book, Workbook):
        from .quiz.asking import ask_one

        session.asking = False
        pointed = session.pointed()
        cell = None if pointed is None else pointed[0]
        view = ask_one(book, session.key, session.place.view, options, world, asked, cell)
        session.place = session.place._replace(view=view, top=0)
        asked += 1
        _walk(session, painter, options._replace(auto=None))
    world.print(resume_line(book.command(session.key, session.place.view)))


def _walk(session: Session, painter: Painter, options: ShowOptions) -> None:
    """Show pages until the reader leaves, or wants to be asked."""
    if options.scroll or not full_screen(session, painter, options.auto):
        with Keys(painter.world.stdin.fileno()) as keys:
            _Scroll(session, painter).follow(keys, options.auto)


def full_screen(
    session: Session, painter: Painter, auto: float | None = None, pages: type[Pages] | None = None
) -> bool:
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
            (pages or Pages)(session, painter, screen).follow(keys, auto)
    finally:
        screen.leave()
    return True


class Show:
    """Draw the session's page, wait for a key or for the time to turn the page, and again."""

    def __init__(self, session: Session, painter: Painter) -> None:
        self.session = session
        self.painter = painter
        self.auto: float | None = None

    def draw(self) -> None:
        """Show the page."""
        raise NotImplementedError

    def redraw(self, reason: str) -> None:
        """Show the page again, since the terminal was resized, or used by others, or auto ended."""
        raise NotImplementedError

    def follow(self, keys: Keys, auto: float | None) -> None:
        """Until the reader leaves."""
        self.auto = auto
        self.draw()
        while not (self.session.leaving or self.session.asking):
            before = self.session.state
            key = keys.wait(self.patience)
            if key in {"resize", "resume", "ctrl-l"}:
                self.redraw(key)
            elif key is None:
                self.waited()
            elif self.auto is not None and key not in LEAVE:
                self._pause()
            else:
                self.session.press(key)
            if self.session.state != before and not self.session.leaving:
                self.draw()

    @property
    def patience(self) -> float | None:
        """How many seconds to wait for a key at most."""
        return self.auto

    def waited(self) -> None:
        """No key came in that time: read on, or turn the page."""
        if self.session.more:
            self.session.press("pagedown")
        elif self.session.at_end:
            self._pause()
        else:
            self.session.turn(1)

    def _pause(self) -> None:
        self.auto = None
        self.redraw("pause")


class Pages(Show):
    """Each page takes the place of the one before."""

    def __init__(self, session: Session, painter: Painter, screen: Screen) -> None:
        super().__init__(session, painter)
        self.screen = screen

    def redraw(self, reason: str) -> None:
        if reason != "pause":
            self.screen.redraw()
        self.draw()

    def draw(self) -> None:
        columns, height = self.screen.size()
        canvas = self.painter.canvas(self.session.place.window, columns)
        lines = self._lines(canvas, height) if columns >= LEAST_WIDTH else _too_narrow(canvas, columns)
        self.screen.draw([self.painter.encoded(line) for line in lines[:height]])

    def _lines(self, canvas: Canvas, height: int) -> list[Line]:
        """The page's head, as much of its body as there is room for, its source and the keys."""
        session = self.session
        shown = session.page()
        head = self.head(shown, canvas)
        source = source_lines(shown, canvas)
        if height < SMALL:
            head, source = head[:1], []
        message = wrap(canvas.text(session.message), canvas.width - 2) if session.message else []
        room = max(height - len(head) - len(source) - len(message) - 1, 1)
        body, pieces = self._body(shown, canvas, room)
        if pieces > 1 and self._pointing:
            canvas, body = self._at_pointer(shown, canvas, room, body, pieces)
        top = self._with_pointer(body, min(session.place.top, max(len(body) - room, 0)), room)
        session.more, session.step = max(len(body) - room - top, 0), max(room - 2, 1)
        session.pieces, session.length = pieces, len(body)
        session.place = session.place._replace(top=top, window=min(session.place.window, pieces - 1))
        visible = body[top : top + room]
        visible += [[] for _ in range(room - len(visible))]
        told = [[canvas.put(f" {line}", "strong")] for line in message]
        return [*head, *visible, *source, *told, self.foot(canvas, top)]

    def head(self, shown: Page, canvas: Canvas) -> list[Line]:
        """The lines above the page."""
        return header_lines(shown, canvas) if shown.crumbs else []

    def foot(self, canvas: Canvas, top: int) -> Line:
        """The line below it; ``top`` is the first line shown."""
        return foot(self.session, canvas, top, self.auto)

    @property
    def _pointing(self) -> bool:
        """Whether a number of the page is pointed at."""
        return self.session.place.point is not None and not self.session.place.depth

    def _pointed_line(self, body: list[Line]) -> int | None:
        """The line with the number that is pointed at."""
        style = self.painter.theme.style("marked")
        return next((i for i, line in enumerate(body) if any(s.style is style for s in line)), None)

    def _at_pointer(
        self, shown: Page, canvas: Canvas, room: int, body: list[Line], pieces: int
    ) -> tuple[Canvas, list[Line]]:
        """The run of columns in which the number stands that is pointed at."""
        for window in range(pieces):
            if self._pointed_line(body) is not None:
                break
            canvas = canvas._replace(window=window)
            body = self._body(shown, canvas, room).lines
        self.session.place = self.session.place._replace(window=canvas.window or 0)
        return canvas, body

    def _with_pointer(self, body: list[Line], top: int, room: int) -> int:
        """``top``, moved as little as it takes for the number that is pointed at to be seen."""
        at = self._pointed_line(body) if self._pointing else None
        if at is None or top <= at < top + room:
            return top
        return min(max(top, at - room + 2), max(at - 1, 0))

    def _body(self, shown: Page, canvas: Canvas, room: int) -> Drawn:
        """The body with as much air as fits, where the canvas wants any."""
        for air in range(canvas.air, 0, -1):
            drawn = drawn_body(shown, canvas._replace(air=air))
            if len(drawn.lines) <= room:
                return drawn
        return drawn_body(shown, canvas._replace(air=0))


SMALL = 10  # with fewer lines than this, rules and sources make way for the page


def _too_narrow(canvas: Canvas, columns: int) -> list[Line]:
    text = texts("keys")["too_narrow"].format(least=LEAST_WIDTH, columns=columns)
    return [[canvas.put(line)] for line in wrap(text, max(columns, 1))]


class _Scroll(Show):
    """Each page is printed under the one before, so that all stay in the terminal's history."""

    def redraw(self, reason: str) -> None:
        if reason == "pause":
            self._print([])
        elif reason != "resize":  # what is printed stays as it is
            self.draw()

    def draw(self) -> None:
        shown = self.session.page()
        canvas = self.painter.canvas()
        self._print(drawn_body(shown, canvas).lines if self.session.place.help else page_lines(shown, canvas))

    def _print(self, lines: list[Line]) -> None:
        canvas = self.painter.canvas()
        self.painter.print([*lines, hint_line(hints(self.session), canvas, canvas.width - 1), []])
