"""Reading keys: what a terminal sends, in any pieces, and the terminal afterwards."""

from __future__ import annotations

import os
import re
import signal
import sys
import termios
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from terminal import Terminal

import mha_tutor
from mha_tutor.cli.console.key_codes import Decoder
from mha_tutor.cli.console.posix_keys import PosixKeys
from mha_tutor.cli.console.windows_keys import WindowsKeys

HERE = {"PYTHONPATH": str(Path(mha_tutor.__file__).parents[1])}
KNOWN = {
    **{b"\x1b[A": "up", b"\x1bOB": "down", b"\x1b[C": "right", b"\x1bOD": "left", b"\x1b[1;5C": "ctrl-right"},
    **{b"\x1b[1;2D": "left", b"\x1b[1;3A": "up", b"\x1bO5D": "ctrl-left", b"\x1bO1;5D": "ctrl-left"},
    **{b"\x1b[H": "home", b"\x1bOF": "end", b"\x1b[1~": "home", b"\x1b[8~": "end", b"\x1b[7;5~": "ctrl-home"},
    **{b"\x1b[2~": "insert", b"\x1b[3~": "delete", b"\x1b[5~": "pageup", b"\x1b[6;5~": "ctrl-pagedown"},
    **{b"\x1bOP": "f1", b"\x1b[[B": "f2", b"\x1b[13~": "f3", b"\x1b[15~": "f5", b"\x1b[24~": "f12"},
    **{
        b"\r": "enter",
        b"\n": "enter",
        b"\x1bOM": "enter",
        b" ": "space",
        b"\t": "tab",
        b"\x1b[Z": "shift-tab",
    },
    **{
        b"\x7f": "backspace",
        b"\x08": "backspace",
        b"\x03": "ctrl-c",
        b"\x0c": "ctrl-l",
        b"\x00": "ctrl-space",
    },
    **{
        b"q": "q",
        b"?": "?",
        b"\xc3\xa9": "é",
        "机".encode(): "机",
        "🤖".encode(): "🤖",
        b"\xc2\xa0": "space",
    },
    **{b"\x1bx": "alt-x", b"\x1b\xc3\xa9": "alt-é", b"\x1b\x7f": "alt-backspace", b"\x1c": "ctrl-\\"},
}
# Complete, and no keys: nothing of them may be taken for letters.
REPORTS = [
    *[
        b"\x1b[24;80R",
        b"\x1b[?1;2c",
        b"\x1b[?2026;2$y",
        b"\x1b[<0;1;1M",
        b"\x1b[M !!",
        b"\x1b[I",
        b"\x1b[97;5u",
    ],
    *[
        b"\x1b]11;rgb:0000/0000/0000\x07",
        b"\x1b]11;rgb:ffff/ffff/ffff\x1b\\",
        b"\x1bP1$r0m\x1b\\",
        b"\xff",
        b"\x80",
    ],
    *[b"\x1b[200~", b"\x1b[201~", b"\x1b[99999999~", b"\x1bOz", b"\x1b[1;99C", b"\x1b[1:2C", b"\xc2\x9b"],
]
NAMES = re.compile(
    r"(ctrl-|alt-)?(up|down|left|right|home|end|insert|delete|pageup|pagedown|f\d+|enter|space|tab|shift-tab"
    r"|escape|backspace|[^\x00-\x20\x7f-\xa0])|ctrl-space"
)
any_speed = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # on a busy machine too
keystrokes = st.lists(st.sampled_from([*KNOWN, *REPORTS]), max_size=12)
cuts = st.lists(st.integers(0, 60), max_size=6)


def pieces(data: bytes, at: list[int]) -> list[bytes]:
    edges = [0, *sorted(min(place, len(data)) for place in at), len(data)]
    return [data[start:end] for start, end in pairwise(edges)]


def decoded(*data: bytes, settled: bool = True) -> list[str]:
    decoder, keys = Decoder(), []
    for piece in data:
        decoder.feed(piece)
        while (key := decoder.next()) is not None:
            keys.append(key)
    while settled and (key := decoder.next(settled=True)) is not None:
        keys.append(key)
    return keys


def expected(strokes: list[bytes]) -> list[str]:
    return [KNOWN[stroke] for stroke in strokes if stroke in KNOWN]


class Pty:
    """Two ends: the terminal's window, and what the program reads."""

    def __init__(self) -> None:
        self.window, self.fd = os.openpty()
        self.mode = termios.tcgetattr(self.fd)

    def send(self, data: bytes) -> None:
        os.write(self.window, data)

    def is_as_before(self) -> bool:
        return termios.tcgetattr(self.fd) == self.mode


@contextmanager
def opened() -> Iterator[Pty]:
    pty = Pty()
    with ExitStack() as stack:
        stack.callback(os.close, pty.fd)
        stack.callback(os.close, pty.window)
        yield pty


@pytest.fixture
def pty() -> Iterator[Pty]:
    with opened() as pty:
        yield pty


# What a terminal sends


@pytest.mark.parametrize(("data", "name"), KNOWN.items())
def test_a_key_has_its_name(data: bytes, name: str) -> None:
    assert decoded(data, settled=False) == [name]


@pytest.mark.parametrize("data", REPORTS)
def test_what_is_no_key_is_swallowed_whole(data: bytes) -> None:
    assert decoded(b"a" + data + b"b", settled=False) == ["a", "b"]


@pytest.mark.parametrize(
    ("data", "names"),
    [
        (b"\x1b", ["escape"]),
        (b"\x1b\x1b", ["escape", "escape"]),
        (b"\x1b\x03", ["escape", "ctrl-c"]),
        (b"\x1b\x1b[A", ["escape", "up"]),
        (b"\x1b[", []),
        (b"\x1b[1;\x1b[C", ["right"]),
        (b"\x1b[1;\x03", ["ctrl-c"]),
        (b"\x1b]11;rgb\x1b", ["escape"]),
        (b"\x1bPab\x1b[C", ["right"]),
        (b"\xc3q", ["q"]),
        (b"\xf0\x9f\x1b[C", ["right"]),
        (b"\xed\xa0\x80\xe0\x80\x80q", ["q"]),
    ],
)
def test_what_is_cut_off_takes_nothing_else_with_it(data: bytes, names: list[str]) -> None:
    assert decoded(data) == names


@any_speed
@given(keystrokes, cuts)
def test_keys_come_whole_however_the_bytes_are_split(strokes: list[bytes], at: list[int]) -> None:
    assert decoded(*pieces(b"".join(strokes), at), settled=False) == expected(strokes)


@any_speed
@given(st.binary(max_size=60) | st.text(alphabet="\x1b[]O;1MP~\\aé", max_size=30).map(str.encode), cuts)
def test_any_bytes_give_named_keys_only_and_the_same_in_pieces(data: bytes, at: list[int]) -> None:
    keys = decoded(data)
    assert all(NAMES.fullmatch(key) for key in keys)
    assert decoded(*pieces(data, at)) == keys


@any_speed
@given(st.from_regex(rb"\x1b\[(?![M\[])[0-?]{0,9}[ -/]{0,2}[@-~]|\x1bO[0-9;]{0,4}[@-~]", fullmatch=True))
def test_no_letter_of_a_sequence_is_typed(sequence: bytes) -> None:
    keys = decoded(b"x" + sequence + b"y")
    assert keys[0] == "x" and keys[-1] == "y"
    assert len(keys) <= 3 and all(len(key) > 1 for key in keys[1:-1])


# Reading them


def test_the_timeout_passes_and_what_is_there_comes_at_once(pty: Pty) -> None:
    with PosixKeys(pty.fd) as keys:
        assert keys.wait(0) is None
        assert keys.wait(0.001) is None
        pty.send(b"ab\x1b[C")
        assert [keys.wait(), keys.wait(), keys.wait()] == ["a", "b", "right"]
        assert keys.wait(0) is None


def test_a_lone_escape_is_decided_by_time(pty: Pty) -> None:
    with PosixKeys(pty.fd, escape_wait=0.001) as keys:
        pty.send(b"\x1b")
        assert keys.wait() == "escape"
    with PosixKeys(pty.fd, escape_wait=3600) as keys:
        pty.send(b"\x1b")
        assert keys.wait(0.005) is None
        pty.send(b"[C")
        assert keys.wait() == "right"


@settings(any_speed, max_examples=30)
@given(keystrokes, cuts)
def test_nothing_is_lost_on_the_way_through_a_terminal(strokes: list[bytes], at: list[int]) -> None:
    with opened() as pty, PosixKeys(pty.fd, escape_wait=3600) as keys:
        seen = []
        for piece in pieces(b"".join(strokes), at):
            pty.send(piece)
            while (key := keys.wait(0)) is not None:
                seen.append(key)
        pty.send(b"!")
        while seen[-1:] != ["!"]:
            seen.append(keys.wait(20) or "nothing")
            assert seen[-1] != "nothing"
        assert seen == [*expected(strokes), "!"]


@settings(any_speed, max_examples=30)
@given(st.lists(st.binary(min_size=1, max_size=40), max_size=5))
def test_any_bytes_from_a_terminal_give_named_keys_only_and_never_block(data: list[bytes]) -> None:
    with opened() as pty:
        with PosixKeys(pty.fd, escape_wait=0) as keys:
            for piece in data:
                pty.send(piece)
                while (key := keys.wait(0)) is not None:
                    assert NAMES.fullmatch(key)
        assert pty.is_as_before()


def test_a_pasted_page_arrives_letter_by_letter(pty: Pty) -> None:
    text = "0123456789" * 300
    with PosixKeys(pty.fd) as keys:
        pty.send(text.encode())
        assert "".join(keys.wait(20) or "nothing" for _ in text) == text


def test_the_end_comes_after_the_last_key_and_stays() -> None:
    window, fd = os.openpty()
    with PosixKeys(fd) as keys:
        os.write(window, b"a")
        assert keys.wait(20) == "a"
        os.close(window)
        assert [keys.wait(), keys.wait(0), keys.wait()] == ["eof"] * 3
    os.close(fd)


def test_a_pipe_is_refused_and_nothing_is_changed() -> None:
    out, into = os.pipe()
    with pytest.raises(OSError, match="from a terminal only"), PosixKeys(out):
        pass
    os.close(out)
    os.close(into)
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


# Signals, and the terminal afterwards


def test_a_change_of_the_window_is_told_once_and_before_the_keys(pty: Pty) -> None:
    with PosixKeys(pty.fd) as keys:
        termios.tcsetwinsize(pty.fd, (10, 40))
        os.kill(os.getpid(), signal.SIGWINCH)
        os.kill(os.getpid(), signal.SIGWINCH)
        assert keys.wait() == "resize"
        pty.send(b"a")
        assert keys.wait() == "a"
        assert keys.wait(0) is None


def test_keys_are_not_echoed_and_the_terminal_is_as_before_after_leaving(pty: Pty) -> None:
    with PosixKeys(pty.fd):
        assert not termios.tcgetattr(pty.fd)[3] & (termios.ECHO | termios.ICANON)
    assert pty.is_as_before()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_ends_the_program_and_restores_the_terminal(pty: Pty, number: signal.Signals) -> None:
    before = signal.getsignal(number)
    ended = KeyboardInterrupt if number == signal.SIGINT else SystemExit
    with pytest.raises(ended) as caught, PosixKeys(pty.fd) as keys:
        os.kill(os.getpid(), number)
        keys.wait(20)
    assert caught.value.args == (() if number == signal.SIGINT else (128 + number,))
    assert pty.is_as_before() and signal.getsignal(number) == before


def test_an_exception_restores_terminal_and_signals(pty: Pty) -> None:
    handlers = [signal.getsignal(number) for number in signal.valid_signals()]
    with pytest.raises(ZeroDivisionError), PosixKeys(pty.fd):
        raise ZeroDivisionError
    assert pty.is_as_before()
    assert [signal.getsignal(number) for number in signal.valid_signals()] == handlers
    assert signal.set_wakeup_fd(-1) == -1


def test_an_ignored_hangup_stays_ignored(pty: Pty) -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with PosixKeys(pty.fd) as keys:
            os.kill(os.getpid(), signal.SIGHUP)
            assert keys.wait(0) is None
    finally:
        signal.signal(signal.SIGHUP, before)


# A small shell, as only a shell can let a program go on, and a program for it to run.
SHELL = """
import os, signal, sys, termios
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
def in_front(group):
    os.tcsetpgrp(0, group)
child = os.fork()
if not child:
    os.setpgid(0, 0)
    in_front(os.getpid())
    signal.signal(signal.SIGTTOU, signal.SIG_DFL)
    os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
while os.WIFSTOPPED(status := os.waitpid(child, os.WUNTRACED)[1]):
    in_front(os.getpgrp())
    echo = bool(termios.tcgetattr(0)[3] & termios.ECHO)
    print("stopped, echo", echo, flush=True)
    os.read(0, 100)
    in_front(child)
    os.killpg(child, signal.SIGCONT)
in_front(os.getpgrp())
print("ended", os.waitstatus_to_exitcode(status))
"""
PROGRAM = """
import os
from mha_tutor.cli.console.keys import Keys
from mha_tutor.cli.console.screen import Screen
lines = []
with Screen(1, os.environ) as screen:
    with Keys(0, size=screen.size, on_stop=screen.leave, on_continue=screen.enter) as keys:
        while not lines or lines[-1] not in ("q", "eof"):
            screen.draw([f"{screen.size()}", *lines, "ready"])
            lines.append(keys.wait())
"""


@pytest.fixture
def program(tmp_path: Path) -> list[str]:
    path = tmp_path / "program.py"
    path.write_text(PROGRAM, encoding="utf-8")
    return [sys.executable, "-S", "-c", SHELL, str(path)]


def test_ctrl_z_gives_the_shell_its_screen_and_going_on_takes_it_again(program: list[str]) -> None:
    with Terminal(program=program, env=HERE, columns=40, lines=12) as t:
        t.wait_for("ready")
        assert t.alternate and t.cursor_hidden
        t.press("ctrl-z")
        t.wait_for("stopped, echo True")
        assert not t.alternate and not t.cursor_hidden
        t.press("enter")
        t.wait_for("resume")
        assert t.alternate and t.cursor_hidden
        t.press("ctrl-c")
        t.wait_for("ctrl-c")
        t.resize(30, 10)
        t.wait_for("resize")
        t.wait_for("(30, 10)")
        t.press("right", "q")
        t.wait_for("ended 0")
        assert not t.alternate and t.close() == 0


def test_being_ended_from_outside_restores_the_screen(program: list[str]) -> None:
    with Terminal(program=program[:1] + program[4:], env=HERE) as t:
        t.wait_for("ready")
        t.kill(signal.SIGTERM)
        assert t.close() == 128 + signal.SIGTERM
        assert not t.alternate and not t.cursor_hidden


# Windows


class FakeConsole:
    """Stands for the module msvcrt."""

    def __init__(self, typed: str) -> None:
        units = typed.encode("utf-16-le", "surrogatepass")
        self.units = [units[i : i + 2].decode("utf-16-le", "surrogatepass") for i in range(0, len(units), 2)]

    def kbhit(self) -> bool:
        return bool(self.units)

    def getwch(self) -> str:
        return self.units.pop(0)


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("q \r\t\x1b\x08", ["q", "space", "enter", "tab", "escape", "backspace"]),
        ("\xe0M\xe0K\x00H\xe0P", ["right", "left", "up", "down"]),
        ("\xe0G\xe0O\xe0I\xe0Q\xe0S", ["home", "end", "pageup", "pagedown", "delete"]),
        ("\x00;\xe0\x86\xe0t\x00\x0f", ["f1", "f12", "ctrl-right", "shift-tab"]),
        ("a\xe0\x01b\x00zc", ["a", "b", "c"]),
        ("é🤖\x0c", ["é", "🤖", "ctrl-l"]),
        ("\xe0", ["à"]),
        ("\ud83d", []),
    ],
)
def test_keys_of_a_windows_console(pty: Pty, typed: str, names: list[str]) -> None:
    with WindowsKeys(pty.fd, console=FakeConsole(typed)) as keys:
        assert [keys.wait(0) for _ in names] == names
        assert keys.wait(0) is None


def test_a_windows_console_is_asked_for_keys_and_size_until_the_timeout(pty: Pty) -> None:
    console, size, naps = FakeConsole(""), [80, 24], []

    def sleep(seconds: float) -> None:
        naps.append(seconds)
        if len(naps) == 3:
            size[0] = 100
        if len(naps) == 5:
            console.units.append("q")
        if len(naps) == 7:
            raise KeyboardInterrupt

    with WindowsKeys(pty.fd, console=console, size=lambda: tuple(size), sleep=sleep) as keys:
        assert [keys.wait(), keys.wait(), keys.wait()] == ["resize", "q", "ctrl-c"]
        assert len(naps) == 7 and all(0 < nap <= 0.05 for nap in naps)
        assert keys.wait(0) is None
    with pytest.raises(OSError, match="no Windows console"), WindowsKeys(pty.fd):
        pass
