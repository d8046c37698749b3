"""A terminal for tests: run a program in a real one, press keys, look at its cells.

with Terminal(["step", "--heads", "3"]) as t:
    t.wait_for("Softmax")
    t.press("right", "q")
    assert t.close() == 0
"""

from __future__ import annotations

import contextlib
import copy
import os
import signal
import sys
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self

import pexpect
import pyte

KEYS = {
    **{"left": "\x1b[D", "right": "\x1b[C", "up": "\x1b[A", "down": "\x1b[B"},
    **{"home": "\x1b[H", "end": "\x1b[F", "pageup": "\x1b[5~", "pagedown": "\x1b[6~"},
    **{"enter": "\r", "space": " ", "tab": "\t", "shift-tab": "\x1b[Z"},
    **{"escape": "\x1b", "backspace": "\x7f", "insert": "\x1b[2~", "delete": "\x1b[3~"},
    **{"f1": "\x1bOP", "f2": "\x1bOQ", "f3": "\x1bOR", "f4": "\x1bOS", "f5": "\x1b[15~"},
    **{f"ctrl-{chr(code + 0x60)}": chr(code) for code in range(1, 27)},
}
# What the one who runs the tests has set must not change what the program shows.
NEUTRAL = ("NO_COLOR", "FORCE_COLOR", "COLORTERM", "COLUMNS", "LINES", "ACCESSIBLE", "PYTHONIOENCODING")
BEGIN, END = b"\x1b[?2026h", b"\x1b[?2026l"  # around what a terminal should show at once
PATIENCE = 20.0  # seconds: far more than needed, as other tests may run beside


class Cell(NamedTuple):
    """One character and its style; colours are names, six hex digits or "default"."""

    char: str
    fg: str
    bg: str
    bold: bool


class _Screen(pyte.Screen):
    """A screen that also knows the other screen, which full-page programs put in front."""

    alternate = False
    _shell: Any = None

    def set_mode(self, *modes: int, **kwargs: Any) -> None:
        super().set_mode(*modes, **kwargs)
        if kwargs.get("private") and 1049 in modes and not self.alternate:
            self._shell = copy.deepcopy(self.buffer), copy.copy(self.cursor)
            self.alternate = True
            self.erase_in_display(2)

    def reset_mode(self, *modes: int, **kwargs: Any) -> None:
        super().reset_mode(*modes, **kwargs)
        if kwargs.get("private") and 1049 in modes and self.alternate:
            buffer, self.cursor = self._shell
            self.buffer.clear()
            self.buffer.update(buffer)
            self.alternate = False
            self.dirty.update(range(self.lines))


class Terminal:
    """``mha-tutor`` with ``args`` (or another ``program``) in a terminal of its own."""

    def __init__(
        self,
        args: Sequence[str] = (),
        *,
        columns: int = 80,
        lines: int = 24,
        env: Mapping[str, str] | None = None,
        program: Sequence[str] = (sys.executable, "-m", "mha_tutor"),
        cwd: str | Path | None = None,
        timeout: float = PATIENCE,
    ) -> None:
        outside = {name: value for name, value in os.environ.items() if name not in NEUTRAL}
        command, *rest = [*program, *args]
        self.timeout = timeout
        self.output = b""
        self._screen = _Screen(columns, lines)
        self._stream = pyte.ByteStream(self._screen)
        with warnings.catch_warnings():  # numpy's threads make forking look dangerous; exec follows at once
            warnings.simplefilter("ignore", DeprecationWarning)
            self._child = pexpect.spawn(
                command,
                rest,
                dimensions=(lines, columns),
                env={**outside, "TERM": "xterm-256color", **(env or {})},
                cwd=str(cwd) if cwd else None,
                echo=True,
            )
        self._child.delaybeforesend = None
        self._child.ptyproc.delayafterclose = self._child.ptyproc.delayafterterminate = 0.02

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        if self._child.closed:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)
        else:
            self._child.close(force=True)

    def press(self, *names: str) -> None:
        """Press keys, by their names or as the characters themselves."""
        self.send("".join(KEYS.get(name, name) for name in names))

    def send(self, text: str | bytes) -> None:
        """Send exactly this to the program."""
        self._child.send(text)

    def resize(self, columns: int, lines: int) -> None:
        """Change the size of the window."""
        self._screen.resize(lines, columns)
        self._child.setwinsize(lines, columns)

    def kill(self, number: int) -> None:
        """Send the program a signal."""
        self._child.kill(number)

    def wait_for(self, text: str) -> None:
        """Read until ``text`` is on the screen; AssertionError, with the screen, if it never is."""
        self.wait_until(lambda: text in self.screen_text(), repr(text))

    def wait_until(self, holds: Callable[[], bool], what: str = "what was waited for") -> None:
        """Read until ``holds()``; AssertionError, with the screen, if it never does.

        A screen that the program has begun to draw and not finished is not looked at.
        """
        deadline = time.monotonic() + self.timeout
        while self.output.rfind(BEGIN) > self.output.rfind(END) or not holds():
            assert self._read(deadline), f"{what} did not appear. The screen:\n{self._framed()}"

    def screen_text(self) -> str:
        """What is on the screen now, one line a row, without the spaces at the ends."""
        return "\n".join(row.rstrip() for row in self._screen.display)

    def cell(self, row: int, col: int) -> Cell:
        """The cell in this row and column, both counted from 0."""
        char = self._screen.buffer[row][col]
        fg, bg = (char.bg, char.fg) if char.reverse else (char.fg, char.bg)
        return Cell(char.data, fg, bg, char.bold)

    def find(self, text: str) -> tuple[int, int]:
        """Row and column where ``text`` first stands on the screen; AssertionError if nowhere."""
        for row, line in enumerate(self._screen.display):
            if text in line:
                return row, line.index(text)
        raise AssertionError(f"{text!r} is not on the screen:\n{self._framed()}")

    @property
    def alternate(self) -> bool:
        """Whether the program has put the shell's screen aside."""
        return self._screen.alternate

    @property
    def cursor_hidden(self) -> bool:
        """Whether the program has hidden the cursor."""
        return bool(self._screen.cursor.hidden)

    def close(self) -> int:
        """Wait until the program ends by itself; its exit code, or minus the signal that ended it."""
        deadline = time.monotonic() + self.timeout
        while self._read(deadline):
            pass
        assert time.monotonic() < deadline, f"the program goes on. The screen:\n{self._framed()}"
        self._child.wait()
        code, number = self._child.exitstatus, self._child.signalstatus
        return -int(number) if code is None else int(code)

    @property
    def pid(self) -> int:
        """The program's process."""
        return int(self._child.pid)

    def hang_up(self) -> None:
        """Close the terminal, as when its window is closed."""
        self._child.ptyproc.fileobj.close()
        self._child.closed = self._child.ptyproc.closed = True

    def wait_silently(self, seconds: float = 0.1) -> bool:
        """Take in what comes within ``seconds``; whether anything came."""
        came = False
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            came = self._read(deadline) or came
        return came

    def _read(self, deadline: float) -> bool:
        """Take in some output; False when there is no more, or not in time."""
        try:
            data = self._child.read_nonblocking(65536, max(0.0, deadline - time.monotonic()))
        except (pexpect.EOF, pexpect.TIMEOUT):
            return False
        self.output += data
        self._stream.feed(data)
        return True

    def _framed(self) -> str:
        edge = "+" + "-" * self._screen.columns + "+"
        return "\n".join([edge, *(f"|{row}|" for row in self._screen.display), edge])
