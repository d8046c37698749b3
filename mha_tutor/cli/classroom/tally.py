"""`mha-tutor class tally`: codes from arguments, a file, a pipe, or typed as they are called out."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from ...classroom.tally import Tally, decoded
from ...classroom.tally_page import tally_page
from ...errors import InputError, check_choice
from ...texts import texts
from ..book import ShowOptions, check_show
from ..printing import print_page
from ..quiz.dialog import Dialog, LeftError
from ..world import World

UNDO = "undo"
CLEAR = "\x1b[2J\x1b[3J\x1b[H"


def run_tally(codes: Sequence[str], file: Path | None, options: ShowOptions) -> None:
    """Count the codes and print the table; in a terminal without codes, ask for them."""
    check_choice("--format", options.format, ("text", "plain", "json"))
    check_show(options)
    world, tally, say = World.here(), Tally(), texts("tally")
    if codes or file is not None:
        where = str(file) if file is not None else say["arguments"]
        tally.add(" ".join(codes) + "\n" + ("" if file is None else _text_of(file)))
    elif world.typed:
        if options.format == "json":
            raise InputError(say["no_typing"])
        Live(tally, options, world).run()
        return
    else:
        where = say["input"]
        tally.add(_piped(world))
    if not tally.codes and not tally.unread:
        raise InputError(say["nothing"].format(where=where))
    if options.format == "json":
        world.print_json(tally.as_json())
    else:
        print_page(tally_page(tally), options, world)


def _text_of(file: Path) -> str:
    try:
        return decoded(file.read_bytes())
    except OSError as error:
        raise InputError(f"'{file}' cannot be read: {error.strerror or error}.") from None


def _piped(world: World) -> str:
    raw = getattr(world.stdin, "buffer", None)
    if raw is not None:
        return decoded(raw.read())
    return world.stdin.read() if world.stdin else ""


class Live:
    """Codes typed as they are called out, and a table that follows.

    Where the screen may be drawn again the table stands above the prompt. In linear text each line
    is answered by a line, and the table comes at the end.
    """

    def __init__(self, tally: Tally, options: ShowOptions, world: World) -> None:
        self.tally = tally
        self.options = options
        self.world = world
        self.dialog = Dialog(world, options)
        self.drawn = world.interactive and options.format == "text" and not world.accessible

    def run(self) -> None:
        """Ask until an empty line, q, Ctrl-C or the end of the input."""
        self._draw()
        try:
            while line := self.dialog.ask(texts("tally")["prompt"]):
                self._take(line)
        except (LeftError, KeyboardInterrupt):
            pass
        if self.drawn:
            self.world.print(CLEAR, end="")
        print_page(tally_page(self.tally), self.options, self.world)

    def _take(self, line: str) -> None:
        """Count the codes of a line, or take those of the last line back; say what was found in it."""
        say = texts("tally")
        undone = line.lower() == UNDO
        found = self.tally.undo() if undone else self.tally.add(line)
        self._draw(() if undone else found.codes)
        if not self.drawn:
            for code in found.codes:
                self.dialog.say(say["added"].format(code=code, count=self.tally.codes[code]))
            for text in () if undone else found.unread:
                self.dialog.say(say["unread_item"].format(text=text))
        if not found.codes and not found.unread:
            self.dialog.say(say["no_undo"] if undone else say["no_code"].format(text=line))

    def _draw(self, latest: Collection[str] = ()) -> None:
        """The table, and what to say of the codes that came last."""
        if self.drawn:
            self.world.print(CLEAR, end="")
            print_page(tally_page(self.tally, latest), self.options, self.world)
