"""The whole screen: a page takes the place of the page before it, without flicker.

The shell's screen is put aside on entering and is back on leaving, whatever happens between.
"""

from __future__ import annotations

import os
import select
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Self

from mha_tutor.cli.console.windows_console import allow_escape_codes

FALLBACK = 80, 24
# The other screen; no cursor; and a line that is too long stays in its row and scrolls nothing.
_ENTER = "\x1b[?1049h\x1b[?25l\x1b[?7l"
# Leaving also ends an update that was cut off.
_LEAVE = "\x1b[?2026l\x1b[0m\x1b[?7h\x1b[?25h\x1b[?1049l"
# Between these two the terminal shows nothing, then everything at once (where it knows them).
_BEGIN, _END = "\x1b[?2026h", "\x1b[0m\x1b[?2026l"
_CLEAR = "\x1b[H\x1b[0m\x1b[J"
# A row is erased before it is written: after its last column, erasing would take that column too.
_ROW = "\x1b[{};1H\x1b[0m\x1b[K{}"


class Screen:
    """The screen of the terminal ``fd``. A terminal that is closed meanwhile ends it quietly.

    ``environ`` gives COLUMNS and LINES where the terminal does not know its size.
    """

    def __init__(self, fd: int, environ: Mapping[str, str], *, encoding: str = "utf-8") -> None:
        self._fd = fd
        self._environ = environ
        self._encoding = encoding
        self._rows: list[str] = []
        self._drawn_size: tuple[int, int] | None = None  # None: nothing on the screen is known
        self._forbid_escape_codes: Callable[[], None] | None = None
        self.closed = False

    def __enter__(self) -> Self:
        """See ``enter``."""
        self.enter()
        return self

    def __exit__(self, *exception: object) -> None:
        self.leave()

    def enter(self) -> None:
        """Put the shell's screen aside; raises OSError on a console without escape codes."""
        if self._forbid_escape_codes is None:
            self._forbid_escape_codes = allow_escape_codes(self._fd)
        self.redraw()
        self._write(_ENTER)

    def leave(self) -> None:
        """Show the shell's screen again; does nothing when it is shown already."""
        if self._forbid_escape_codes is None:
            return
        self._write(_LEAVE)
        self._forbid_escape_codes()
        self._forbid_escape_codes = None

    def size(self) -> tuple[int, int]:
        """Columns and lines."""
        try:
            columns, lines = os.get_terminal_size(self._fd)
        except OSError:
            columns = lines = 0
        return (
            columns or self._number("COLUMNS") or FALLBACK[0],
            lines or self._number("LINES") or FALLBACK[1],
        )

    def _number(self, name: str) -> int:
        text = self._environ.get(name, "")
        return int(text) if text.isascii() and text.isdigit() else 0

    def redraw(self) -> None:
        """Let the next ``draw`` write every line: something else may have written to the screen."""
        self._drawn_size = None

    def draw(self, lines: Sequence[str]) -> None:
        """Show ``lines`` from the top, with their escape codes; writes only those that changed.

        What does not fit below is left out. Raises ValueError for a line with a line break in it.
        """
        if any("\n" in line or "\r" in line for line in lines):
            raise ValueError("a line of the screen may not hold a line break")
        size = self.size()
        height = size[1]
        rows = [*lines[:height], *[""] * (height - len(lines))]
        changes = "".join(self._changes(rows, anew=size != self._drawn_size))
        if changes:
            self._write(_BEGIN + changes + _END)
        self._rows, self._drawn_size = rows, size

    def _changes(self, rows: Sequence[str], anew: bool) -> Iterator[str]:
        if anew:
            yield _CLEAR
        before = [""] * len(rows) if anew else self._rows
        for number, (row, old) in enumerate(zip(rows, before, strict=True), 1):
            if row != old:
                yield _ROW.format(number, row)

    def _write(self, text: str) -> None:
        """Write all of it in one go, or as much at a time as the terminal takes."""
        data = memoryview(text.encode(self._encoding, "replace"))
        try:
            # Python's own raw file, as on Windows it alone writes any character to a console.
            with open(self._fd, "wb", buffering=0, closefd=False) as out:
                while data and not self.closed:
                    if not (written := out.write(data)):
                        select.select([], [self._fd], [])
                    data = data[written or 0 :]
        except OSError:  # the terminal is gone
            self.closed = True
