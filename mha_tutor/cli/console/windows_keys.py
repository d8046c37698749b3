"""Reading single keys from a Windows console: the same interface as PosixKeys."""

from __future__ import annotations

import errno
import os
import sys
import time
from collections.abc import Callable
from math import inf
from typing import Protocol, Self

from mha_tutor.cli.console.key_codes import character_key

POLL = 0.015  # seconds between two looks at the keyboard: the console offers no way to wait for both

# The second of the two characters that stand for a special key.
_SPECIAL = dict(
    zip(
        "HPKMGORSIQ",
        ["up", "down", "left", "right", "home", "end", "insert", "delete", "pageup", "pagedown"],
        strict=True,
    )
)
_SPECIAL |= {"\x8d": "ctrl-up", "\x91": "ctrl-down", "s": "ctrl-left", "t": "ctrl-right"}
_SPECIAL |= {"w": "ctrl-home", "u": "ctrl-end", "\x84": "ctrl-pageup", "v": "ctrl-pagedown"}
_SPECIAL |= {code: f"f{i}" for i, code in enumerate(";<=>?@ABCD\x85\x86", 1)}
_SPECIAL |= {"\x0f": "shift-tab", "\x03": "ctrl-space"}


class Console(Protocol):
    """What is used of the module msvcrt."""

    def kbhit(self) -> bool: ...
    def getwch(self) -> str: ...


def _nothing() -> None:
    pass


class WindowsKeys:
    """Keys of the console, one at a time; ``size`` is asked now and then whether it has changed.

    There is no stopping by Ctrl-Z here, so ``on_stop`` and ``on_continue`` are never called, and
    an Escape is always a key by itself, so ``escape_wait`` is not needed.
    """

    def __init__(
        self,
        fd: int,
        *,
        on_stop: Callable[[], None] = _nothing,
        on_continue: Callable[[], None] = _nothing,
        size: Callable[[], object] | None = None,
        escape_wait: float = 0.0,
        console: Console | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._fd = fd
        self._size = size or _nothing
        self._given = console
        self._sleep = sleep

    def __enter__(self) -> Self:
        """Begin; raises OSError when ``fd`` is no terminal."""
        if not os.isatty(self._fd):
            raise OSError(errno.ENOTTY, "keys can be read one by one from a terminal only")
        self._console = self._given or _console()
        self._last_size = self._size()
        return self

    def __exit__(self, *exception: object) -> None:
        """Nothing to restore: the console's mode is not changed."""

    def wait(self, timeout: float | None = None) -> str | None:
        """The next key or event, at once if one is there; None after ``timeout`` seconds."""
        deadline = inf if timeout is None else time.monotonic() + timeout
        try:
            while (event := self._key() or self._resized()) is None:
                if (left := deadline - time.monotonic()) <= 0:
                    return None
                self._sleep(min(POLL, left))
        except KeyboardInterrupt:  # the console sends Ctrl-C as a signal
            return "ctrl-c"
        return event

    def _resized(self) -> str | None:
        size = self._size()
        if size == self._last_size:
            return None
        self._last_size = size
        return "resize"

    def _key(self) -> str | None:
        while self._console.kbhit():
            if key := self._read():
                return key
        return None

    def _read(self) -> str | None:
        """One key out of one or two characters; None for one without a name."""
        first = self._console.getwch()
        if first == "\x00" or (first == "\xe0" and self._console.kbhit()):  # alone it is the letter à
            return _SPECIAL.get(self._console.getwch())
        if "\ud800" <= first <= "\udbff" and self._console.kbhit():
            pair = first + self._console.getwch()
            first = pair.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")
        return None if len(first) != 1 or "\ud800" <= first <= "\udfff" else character_key(first)


if sys.platform == "win32":

    def _console() -> Console:
        import msvcrt

        return msvcrt

else:

    def _console() -> Console:
        raise OSError(errno.ENOSYS, "this is no Windows console")
