"""Reading single keys from a terminal, where there is termios."""

from __future__ import annotations

import errno
import os
import select
import signal
import sys
import termios
import time
from collections.abc import Callable
from math import inf
from typing import Any, Self

from mha_tutor.cli.console.key_codes import Decoder

if sys.platform != "win32":  # the type checker looks at this module for Windows too
    from mha_tutor.cli.console.signal_pipe import SignalPipe
    from mha_tutor.cli.console.terminal_mode import set_mode, single_keys

assert sys.platform != "win32"

ESCAPE_WAIT = 0.05  # seconds after which an Escape is a key and not the beginning of a longer one
CUT_OFF_WAIT = 0.5  # the same for a sequence that has clearly begun


def _nothing() -> None:
    pass


class PosixKeys:
    """Keys of the terminal ``fd``, one at a time; the terminal is as before when it is left.

    Left also means an exception, SIGTERM or SIGHUP (which become SystemExit). To be stopped by
    Ctrl-Z, ``on_stop`` is called before and ``on_continue`` after: leave and enter the screen
    there. ``size`` is not needed here, as a window's change is a signal.
    """

    def __init__(
        self,
        fd: int,
        *,
        on_stop: Callable[[], None] = _nothing,
        on_continue: Callable[[], None] = _nothing,
        size: Callable[[], object] | None = None,
        escape_wait: float = ESCAPE_WAIT,
    ) -> None:
        self._fd = fd
        self._on_stop, self._on_continue = on_stop, on_continue
        self._escape_wait, self._cut_off_wait = escape_wait, max(escape_wait, CUT_OFF_WAIT)
        self._decoder = Decoder()
        self._read_at = 0.0
        self._events: list[str] = []
        self._ended = False
        self._signals = SignalPipe(
            noted=(signal.SIGWINCH, signal.SIGTSTP, signal.SIGCONT),
            deadly=(signal.SIGTERM, signal.SIGHUP),
        )

    def __enter__(self) -> Self:
        """Begin; raises OSError when ``fd`` is no terminal, ValueError outside the main thread."""
        if not os.isatty(self._fd):
            raise OSError(errno.ENOTTY, "keys can be read one by one from a terminal only")
        self._before = termios.tcgetattr(self._fd)
        self._signals.open()
        try:
            self._set_mode(single_keys(self._fd, self._before))
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *exception: object) -> None:
        try:
            self._set_mode(self._before)
        finally:
            self._signals.close()

    def wait(self, timeout: float | None = None) -> str | None:
        """The next key or event, at once if one is there; None after ``timeout`` seconds."""
        deadline = inf if timeout is None else time.monotonic() + timeout
        while (event := self._ready()) is None:
            settled_at = self._settled_at()
            if self._receive(min(deadline, settled_at)):
                continue
            if deadline < settled_at:
                return None
            self._settle()
        return event

    def _ready(self) -> str | None:
        if self._events:
            return self._events.pop(0)
        return self._decoder.next() or ("eof" if self._ended else None)

    def _settled_at(self) -> float:
        """When what has begun will not be continued any more."""
        if not (held := self._decoder.held):
            return inf
        return self._read_at + (self._escape_wait if held == b"\x1b" else self._cut_off_wait)

    def _settle(self) -> None:
        while (key := self._decoder.next(settled=True)) is not None:
            self._events.append(key)

    def _receive(self, until: float) -> bool:
        """Take in keys and signals as soon as there are any; False if none came."""
        seconds = None if until == inf else max(0.0, until - time.monotonic())
        signals = self._signals.fileno()
        ready, _, _ = select.select([self._fd, signals], [], [], seconds)
        if self._fd in ready:
            self._read()
        if signals in ready:
            self._take_signals()
        return bool(ready)

    def _read(self) -> None:
        try:
            data = os.read(self._fd, 4096)
        except BlockingIOError:
            return
        except OSError:  # the terminal is gone
            data = b""
        self._decoder.feed(data)
        self._read_at = time.monotonic()
        if not data:
            self._ended = True
            self._settle()

    def _take_signals(self) -> None:
        seen = self._signals.take()
        if signal.SIGTSTP in seen:
            self._stop()
            seen.add(signal.SIGCONT)
        if signal.SIGCONT in seen:
            self._set_mode(single_keys(self._fd, self._before))
            self._on_continue()
            self._events.append("resume")
        elif signal.SIGWINCH in seen:
            self._events.append("resize")

    def _stop(self) -> None:
        """Stop as any other program would, and return when the shell lets us go on."""
        self._on_stop()
        self._set_mode(self._before)
        handler = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        try:
            signal.raise_signal(signal.SIGTSTP)
        finally:
            signal.signal(signal.SIGTSTP, handler)
        self._signals.take()  # going on was a signal too, and is told once

    def _set_mode(self, mode: list[Any]) -> None:
        if not set_mode(self._fd, mode):
            self._ended = True
