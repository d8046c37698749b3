"""Drawing on the whole screen: exactly the lines given, few bytes, nothing left behind."""

from __future__ import annotations

import ctypes
import os
import select
import socket
import termios
import threading
from collections.abc import Iterator

import pyte
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mha_tutor.cli.console.screen import Screen
from mha_tutor.cli.console.windows_console import switch_mode

COLUMNS, LINES = 20, 6
MARK = b"\x1b[0z"  # means nothing to a terminal
BEGIN, END, LEAVE = b"\x1b[?2026h", b"\x1b[?2026l", b"\x1b[?1049l"
any_speed = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # on a busy machine too
pages = st.lists(
    st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=COLUMNS + 3), max_size=LINES + 2
)


class Window:
    """A terminal: what was written to it, and what it shows."""

    def __init__(self, columns: int = COLUMNS, lines: int = LINES) -> None:
        self.window, self.fd = os.openpty()
        self.shown = pyte.HistoryScreen(columns, lines)
        self.stream = pyte.ByteStream(self.shown)
        self.resize(columns, lines)

    def resize(self, columns: int, lines: int) -> None:
        termios.tcsetwinsize(self.fd, (lines, columns))
        self.shown.resize(lines, columns)

    def read(self, end: bytes = END) -> bytes:
        """What was written since, up to ``end``."""
        data = b""
        while not data.endswith(end):
            assert select.select([self.window], [], [], 20)[0], data
            data += os.read(self.window, 65536)
        self.stream.feed(data)
        return data

    def is_silent(self) -> bool:
        """Whether nothing was written; a mark is sent through, as a terminal takes its time."""
        os.write(self.fd, MARK)
        return self.read(MARK) == MARK

    def rows(self) -> list[str]:
        return [row.rstrip() for row in self.shown.display]

    def close(self) -> None:
        os.close(self.window)
        os.close(self.fd)


@pytest.fixture
def window() -> Iterator[Window]:
    window = Window()
    yield window
    window.close()


@pytest.fixture
def screen(window: Window) -> Iterator[Screen]:
    with Screen(window.fd, {}) as screen:
        window.read(b"\x1b[?7l")
        yield screen


def filled(lines: list[str], height: int = LINES) -> list[str]:
    return [*lines, *[""] * (height - len(lines))]


def test_the_lines_are_shown_to_the_last_column_of_the_last_row(window: Window, screen: Screen) -> None:
    page = ["".join(chr(33 + row + column) for column in range(COLUMNS)) for row in range(LINES)]
    screen.draw(page)
    assert window.read().startswith(BEGIN)
    assert window.shown.display == page
    assert not window.shown.history.top and window.shown.cursor.hidden


def test_styles_do_not_run_into_the_next_line(window: Window, screen: Screen) -> None:
    screen.draw(["\x1b[1;31;44mred", "plain"])
    window.read()
    red, plain = window.shown.buffer[0][0], window.shown.buffer[1][0]
    assert (red.fg, red.bg, red.bold) == ("red", "blue", True)
    assert (plain.fg, plain.bg, plain.bold) == ("default", "default", False)
    assert {window.shown.buffer[row][9].bg for row in range(LINES)} == {"default"}


def test_only_lines_that_changed_are_written(window: Window, screen: Screen) -> None:
    page = ["a" * COLUMNS] * LINES
    screen.draw(page)
    assert len(window.read()) > COLUMNS * LINES
    screen.draw([*page[:2], "b" * COLUMNS, *page[3:]])
    assert len(window.read()) < COLUMNS + 45
    assert window.rows() == [*page[:2], "b" * COLUMNS, *page[3:]]
    screen.draw([*page[:2], "b" * COLUMNS, *page[3:]])
    assert window.is_silent()
    screen.draw(["short"])
    window.read()
    assert window.rows() == filled(["short"])


def test_everything_is_written_when_asked_for_and_when_the_size_changed(
    window: Window, screen: Screen
) -> None:
    screen.draw(["one", "two"])
    window.read()
    os.write(window.fd, b"\x1b[3;3Hfrom elsewhere" + END)
    window.read()
    screen.redraw()
    screen.draw(["one", "two"])
    window.read()
    assert window.rows() == filled(["one", "two"])
    window.resize(COLUMNS + 5, LINES + 2)
    screen.draw(["one", "two"])
    assert b"one" in window.read()
    assert window.rows() == filled(["one", "two"], LINES + 2)


@settings(any_speed, max_examples=60)
@given(st.lists(st.tuples(pages, st.sampled_from([None, (COLUMNS, LINES), (30, 3), (9, 8)])), max_size=4))
def test_after_any_pages_the_last_one_is_shown_and_nothing_has_scrolled(
    turns: list[tuple[list[str], tuple[int, int] | None]],
) -> None:
    window = Window()
    with Screen(window.fd, {}) as screen:
        for page, size in turns:
            if size:
                window.resize(*size)
            screen.draw(page)
            os.write(window.fd, MARK)  # a page that is there already writes nothing of its own
            window.read(MARK)
            columns, height = screen.size()
            # What is too long stays in its row; its last column shows the last character.
            fits = [(row if len(row) <= columns else row[: columns - 1] + row[-1]) for row in page]
            assert window.rows() == [row.rstrip() for row in filled(fits[:height], height)]
    assert not window.shown.history.top and not window.shown.history.bottom
    window.close()


def test_a_line_break_is_refused(screen: Screen) -> None:
    for line in ("a\nb", "a\rb"):
        with pytest.raises(ValueError, match="line break"):
            screen.draw([line])


def test_a_page_is_one_write_whatever_its_letters() -> None:
    out, into = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)  # keeps writes apart
    with out, into:
        screen = Screen(into.fileno(), {"COLUMNS": "30", "LINES": "2"}, encoding="ascii")
        screen.draw(["é"] * 9)
        data = out.recv(65536)
        assert data.startswith(BEGIN) and data.endswith(END) and data.count(b"?\x1b[") == 2
        out.setblocking(False)
        with pytest.raises(BlockingIOError):
            out.recv(1)


@pytest.mark.parametrize(
    ("environ", "size"),
    [
        ({}, (80, 24)),
        ({"COLUMNS": "100", "LINES": "50"}, (100, 50)),
        ({"COLUMNS": "wide", "LINES": "-3"}, (80, 24)),
        ({"COLUMNS": "", "LINES": "0"}, (80, 24)),
    ],
)
def test_the_size_is_the_terminals_or_what_the_environment_says(
    window: Window, environ: dict[str, str], size: tuple[int, int]
) -> None:
    assert Screen(window.fd, environ).size() == (COLUMNS, LINES)
    window.resize(0, 0)
    assert Screen(window.fd, environ).size() == size


@pytest.mark.parametrize("error", [None, ZeroDivisionError, KeyboardInterrupt, SystemExit])
def test_the_shells_screen_is_back_after_leaving(window: Window, error: type[BaseException] | None) -> None:
    try:
        with Screen(window.fd, {}) as screen:
            screen.draw(["\x1b[31mred"])
            if error:
                raise error
    except BaseException as raised:
        assert type(raised) is error
    data = window.read(LEAVE)
    assert data.startswith(b"\x1b[?1049h\x1b[?25l")
    assert data.endswith(b"\x1b[0m\x1b[?7h\x1b[?25h" + LEAVE)
    assert not window.shown.cursor.hidden


def test_leaving_twice_is_leaving_once_and_entering_again_draws_all(window: Window, screen: Screen) -> None:
    screen.draw(["page"])
    screen.leave()
    screen.leave()
    assert window.read(LEAVE).count(LEAVE) == 1
    screen.enter()
    screen.draw(["page"])
    assert b"page" in window.read()


def test_a_closed_terminal_ends_it_quietly() -> None:
    window, fd = os.openpty()
    with Screen(fd, {}) as screen:
        assert not screen.closed
        os.close(window)
        screen.draw(["page"])
        assert screen.closed
        screen.draw(["another"])
    os.close(fd)
    out, into = os.pipe()
    os.close(out)
    with Screen(into, {}) as screen:
        assert screen.closed
    os.close(into)


def test_a_terminal_that_takes_a_little_at_a_time_gets_everything() -> None:
    out, into = os.pipe()
    os.set_blocking(into, False)
    page, got = ["x" * 1000] * 300, bytearray()

    def drain() -> None:
        while data := os.read(out, 4096):
            got.extend(data)

    reader = threading.Thread(target=drain)
    reader.start()
    Screen(into, {"LINES": "300"}).draw(page)
    os.close(into)
    reader.join()
    os.close(out)
    assert got.count(b"x") == 300_000 and got.endswith(END)


class FakeKernel:
    """Stands for the part of Windows that knows a console's mode."""

    def __init__(self, mode: int | None, *, old: bool = False) -> None:
        self.mode, self.old = mode, old

    def GetConsoleMode(self, console: object, mode: object) -> int:
        if self.mode is None:
            return 0
        ctypes.cast(mode, ctypes.POINTER(ctypes.c_uint32))[0] = self.mode  # type: ignore[arg-type]
        return 1

    def SetConsoleMode(self, console: object, mode: ctypes.c_uint32) -> int:
        if self.old:
            return 0
        self.mode = mode.value
        return 1


def test_a_windows_console_is_told_to_understand_escape_codes_and_told_back() -> None:
    kernel = FakeKernel(3)
    undo = switch_mode(kernel, 1)
    assert kernel.mode == 7
    undo()
    assert kernel.mode == 3
    for other in (FakeKernel(7), FakeKernel(None)):
        before = other.mode
        switch_mode(other, 1)()
        assert other.mode == before
    with pytest.raises(OSError, match="does not understand escape codes"):
        switch_mode(FakeKernel(3, old=True), 1)
