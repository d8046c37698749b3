"""Lines said and lines answered: in a terminal, in linear text, or from a script."""

from __future__ import annotations

import sys
from contextlib import suppress

from ...views.page import Page
from ..book import ShowOptions
from ..paint import Painter
from ..printing import print_page
from ..world import World


class LeftError(Exception):
    """The reader has left: q, Ctrl-C, or no more input."""


class Dialog:
    """One reader and one program, a line at a time. Nothing on the screen is ever drawn again.

    In a terminal a line can be edited; in linear text it is the terminal's own plain line. Without
    a terminal the answers are lines of the input, written down as if they had been typed.
    """

    def __init__(self, world: World, options: ShowOptions) -> None:
        self.world = world
        self.options = options
        self.plain = options.format == "plain" or world.accessible
        self.typed = world.typed
        self._painter = None if self.plain else Painter.of(world, options.theme, options.width)
        if self.typed and not self.plain:
            with suppress(ImportError):
                import readline  # noqa: F401  input() edits its line with it

    def say(self, text: str, style: str = "text") -> None:
        """Write a paragraph, or several."""
        if self._painter is None:
            self.world.print(text)
            return
        from ...views.terminal.canvas import wrap

        canvas = self._painter.canvas()
        lines = wrap(canvas.text_block(text), canvas.width - 2)
        self._painter.print([[canvas.put(" "), canvas.put(line, style)] for line in lines])

    def rule(self) -> None:
        """What stands between two questions."""
        if self._painter is None:
            self.world.print("")
        else:
            self._painter.print([self._painter.canvas().rule()])

    def blocks(self, page: Page) -> None:
        """The blocks of a page without its head and source."""
        if self._painter is not None:
            from ...views.terminal.draw import body_lines

            self._painter.print(body_lines(page, self._painter.canvas())[1:])  # without its title

    def page(self, page: Page, token: int) -> None:
        """A page of the walk; in linear text, only what belongs to that token."""
        print_page(page, self.options, self.world, token)

    def ask(self, prompt: str) -> str:
        """The line that is typed, without spaces around it. Raises LeftError when the reader leaves."""
        text = self._line(f"{'' if self.plain else ' '}{prompt}").strip()
        if text.lower() in ("q", "quit"):
            raise LeftError
        return text

    def pause(self, prompt: str) -> None:
        """Wait for Enter; a script is not waited for."""
        if self.typed:
            self.ask(prompt)

    def _line(self, prompt: str) -> str:
        own = self.world.stdin is sys.stdin and self.world.stdout is sys.stdout
        try:
            if own and self.typed and not self.plain:
                return _clean(input(prompt))
            self.world.print(prompt, end="")
            if not (line := self._read()):
                raise EOFError
        except UnicodeDecodeError:
            return "\N{REPLACEMENT CHARACTER}"
        except (EOFError, KeyboardInterrupt):
            self.world.print("")
            raise LeftError from None
        line = _clean(line)
        if not self.typed:
            self.world.print(line)
        return line

    def _read(self) -> str:
        """A line as it comes; what cannot be read in it becomes a sign for that."""
        stdin = self.world.stdin
        if not stdin or stdin.closed:
            return ""
        if (raw := getattr(stdin, "buffer", None)) is None:
            return stdin.readline()
        line: bytes = raw.readline()
        return line.decode(stdin.encoding or "utf-8", "replace").lstrip("\ufeff")


def _clean(line: str) -> str:
    """The line without its end; what cannot be shown becomes a sign for that."""
    shown = line.rstrip("\r\n").replace("\t", " ")
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in shown)
