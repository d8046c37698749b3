"""Signals as bytes in a pipe, so that one select can wait for them and for keys."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

assert sys.platform != "win32"


class SignalPipe:
    """While open, notes some signals, and turns some deadly ones into SystemExit.

    What is ignored stays ignored (nohup sets SIGHUP so), and a deadly signal that someone already
    handles stays theirs. Must be opened in the main thread.
    """

    def __init__(self, noted: Iterable[signal.Signals], deadly: Iterable[signal.Signals]) -> None:
        self._noted = tuple(noted)
        self._deadly = tuple(deadly)
        self._handlers: dict[signal.Signals, Any] = {}

    def open(self) -> None:
        """Begin; raises ValueError outside the main thread."""
        self._out, self._in = os.pipe()
        os.set_blocking(self._out, False)
        os.set_blocking(self._in, False)
        try:
            self._former = signal.set_wakeup_fd(self._in, warn_on_full_buffer=False)
        except ValueError:
            os.close(self._out)
            os.close(self._in)
            raise
        for number in self._noted:
            if signal.getsignal(number) is not signal.SIG_IGN:
                self._handle(number, _note)
        for number in self._deadly:
            if signal.getsignal(number) is signal.SIG_DFL:
                self._handle(number, _end)

    def _handle(self, number: signal.Signals, handler: Any) -> None:
        self._handlers[number] = signal.signal(number, handler)

    def close(self) -> None:
        """Give every signal back to whom it belonged."""
        for number, handler in self._handlers.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
        self._handlers.clear()
        signal.set_wakeup_fd(self._former)
        os.close(self._out)
        os.close(self._in)

    def fileno(self) -> int:
        """What select waits for."""
        return self._out

    def take(self) -> set[int]:
        """The signals that came since the last call."""
        seen: set[int] = set()
        with suppress(BlockingIOError):
            while data := os.read(self._out, 1024):
                seen.update(data)
        return seen


def _note(number: int, frame: object) -> None:
    """Nothing to do: Python has written the number into the pipe already."""


def _end(number: int, frame: object) -> None:
    raise SystemExit(128 + number)
