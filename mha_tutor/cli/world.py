"""Everything about the outside world in one object: streams, environment, what a terminal can do."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TextIO

from ..errors import WorkError
from .console.windows_console import allow_escape_codes

if TYPE_CHECKING:
    from rich.color import ColorSystem

WIDTH, HEIGHT = 80, 24
LEAST_WIDTH, MOST_WIDTH = 20, 10_000
_DUMB = {"dumb", "unknown"}


class World(NamedTuple):
    """Where output goes and what it can show."""

    stdin: TextIO
    stdout: TextIO
    environ: Mapping[str, str]

    @classmethod
    def here(cls) -> World:
        """The world this process was started in."""
        # A program may be started without an output; then Python has none either.
        stdout = sys.stdout or Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
        return cls(sys.stdin, stdout, os.environ)

    @property
    def encoding(self) -> str:
        return self.stdout.encoding or "utf-8"

    @property
    def dumb(self) -> bool:
        """A terminal that takes text alone, no escape codes."""
        return self.environ.get("TERM", "") in _DUMB

    @property
    def accessible(self) -> bool:
        """Whether linear text was asked for by the ACCESSIBLE variable."""
        return bool(self.environ.get("ACCESSIBLE"))

    @property
    def typed(self) -> bool:
        """Whether what comes in is typed by a person, and not read from a file or a pipe."""
        return _is_terminal(self.stdin)

    @property
    def interactive(self) -> bool:
        """Whether a person can read pages here and press keys."""
        return _is_terminal(self.stdin) and self._takes_escape_codes

    @property
    def styled(self) -> bool:
        """Whether escape codes may be written: to a terminal, or because FORCE_COLOR says so."""
        if self.environ.get("FORCE_COLOR", "0") not in {"", "0"}:
            return True
        return self._takes_escape_codes

    @property
    def _takes_escape_codes(self) -> bool:
        if self.dumb or not _is_terminal(self.stdout):
            return False
        try:
            allow_escape_codes(self.stdout.fileno())
        except OSError:  # a Windows console that is too old
            return False
        return True

    @property
    def colors(self) -> ColorSystem | None:
        """How many colours there are; None for none. NO_COLOR wins over all else."""
        if not self.styled or self.environ.get("NO_COLOR") or self.environ.get("FORCE_COLOR") == "0":
            return None
        from rich.color import ColorSystem

        if sys.platform == "win32":
            from rich.console import Console

            console = Console(
                file=self.stdout, force_terminal=True, _environ={**self.environ, "NO_COLOR": ""}
            )
            names = {"256": ColorSystem.EIGHT_BIT, "truecolor": ColorSystem.TRUECOLOR}
            return names.get(console.color_system or "", ColorSystem.STANDARD)
        # As rich's Console has it; to import that takes a tenth of the time to the first page.
        kind = self.environ.get("TERM", "").strip().lower()
        if kind in _DUMB:
            return ColorSystem.STANDARD
        if self.environ.get("COLORTERM", "").strip().lower() in {"truecolor", "24bit"}:
            return ColorSystem.TRUECOLOR
        many = kind.rpartition("-")[2] in {"256color", "kitty"}
        return ColorSystem.EIGHT_BIT if many else ColorSystem.STANDARD

    @property
    def theme(self) -> str:
        """light or dark, from COLORFGBG where the terminal sets it; else dark."""
        ground = self.environ.get("COLORFGBG", "").rpartition(";")[2]
        return "light" if ground in {"7", "15"} else "dark"

    def size(self) -> tuple[int, int]:
        """Columns and lines: COLUMNS and LINES first, then the terminal, then 80 x 24."""
        columns, lines = WIDTH, HEIGHT
        if _is_terminal(self.stdout):
            with suppress(OSError):
                columns, lines = os.get_terminal_size(self.stdout.fileno())
        columns = _whole(self.environ.get("COLUMNS")) or columns or WIDTH
        lines = _whole(self.environ.get("LINES")) or lines or HEIGHT
        return columns, lines

    def print(self, text: str, end: str = "\n") -> None:
        """Write text; a character that the output cannot carry becomes a question mark."""
        text = f"{text}{end}"
        try:
            self.stdout.write(text.encode(self.encoding, "replace").decode(self.encoding))
            self.stdout.flush()  # now, so that a reader who has gone is noticed here and not at the end
        except BrokenPipeError:  # the reader has seen enough (`| head`): no fault, and nothing to say
            self._stop_writing()
            raise SystemExit(0) from None
        except OSError as error:
            self._stop_writing()
            raise WorkError(f"the output cannot be written: {error.strerror or error}.") from None

    def _stop_writing(self) -> None:
        """Keep Python from flushing to this output once more at its end."""
        os.dup2(os.open(os.devnull, os.O_WRONLY), self.stdout.fileno())

    def print_json(self, data: object) -> None:
        """Write data as JSON; a character that the output cannot carry is escaped."""
        import json

        self.print(json.dumps(data, ensure_ascii=not self.any_character, allow_nan=False))

    @property
    def any_character(self) -> bool:
        """Whether the output carries every character."""
        return self.encoding.lower().replace("-", "").startswith("utf")


def _is_terminal(stream: TextIO) -> bool:
    try:
        return stream.isatty()
    except (AttributeError, ValueError):  # closed, or none at all
        return False


def _whole(text: str | None) -> int:
    return int(text) if text and text.isascii() and text.isdigit() else 0
