"""How long a page takes to turn: from the key to the end of the screen's update, through a terminal.

    python tests/benchmarks/page_turn.py [TURNS]

Walks to the last page and back, again and again. Beside it, in the same run, stands a reference
program that answers each key with a rich Table of 9 x 12 coloured cells and then draws the bytes of
the pages just seen: about what one page costs when it is built without care.
"""

from __future__ import annotations

import os
import select
import sys
import tempfile
import time
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from typing import Self

import pexpect

RIGHT, LEFT, END = b"\x1b[C", b"\x1b[D", b"\x1b[?2026l"
START = 30.0  # seconds for the first page
QUIET = 0.005  # seconds without output before the next key
SILENCE = 1.0  # seconds without an update after which a key has turned no page: the walk's end
ENVIRON = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "OPENBLAS_NUM_THREADS": "1"}
CLEARED = ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES", "ACCESSIBLE")
SIXTEEN = "The robot carried the patient because it was tired and then the robot carried the patient"
PROGRAM = (sys.executable, "-m", "mha_tutor", "step", "--heads", "3")
REFERENCE = """
import os, sys, tty
from rich.console import Console
from rich.table import Table
from rich.text import Text
END = b"\\x1b[?2026l"
frames = [frame + END for frame in open(sys.argv[1], "rb").read().split(END)[:-1]]
tty.setraw(0)
os.write(1, frames[0])
turn = 0
while (key := os.read(0, 100)) != b"q":
    with open(os.devnull, "w") as nowhere:
        table = Table(*"ABCDEFGHIJKL")
        for row in range(9):
            table.add_row(*(Text("0.12", f"rgb(0,0,{row * 9 + column})") for column in range(12)))
        Console(file=nowhere, force_terminal=True, color_system="truecolor", width=200).print(table)
    turn += 1
    data = memoryview(frames[turn % len(frames)])
    while data:
        data = data[os.write(1, data):]
"""


@dataclass(frozen=True)
class Case:
    """A walk on a screen of some size, and the goal for 95 of 100 turns in seconds."""

    name: str
    command: tuple[str, ...]
    columns: int
    lines: int
    goal: float


CASES = (
    Case("robot, 80x24", PROGRAM, 80, 24, 0.016),
    Case("16 tokens, 200x60", (*PROGRAM, "--sentence", SIXTEEN), 200, 60, 0.033),
)


@dataclass(frozen=True)
class Turns:
    """The times of a case's page turns, and of the reference's, in seconds."""

    case: Case
    times: tuple[float, ...]
    reference: tuple[float, ...]

    @property
    def ratio(self) -> float:
        """The median turn against the reference's."""
        return median(self.times) / median(self.reference)

    def __str__(self) -> str:
        middle, late, reference = (
            1000 * seconds for seconds in (median(self.times), late_turn(self.times), median(self.reference))
        )
        return (
            f"{self.case.name:20} {len(self.times):5} {middle:8.1f} {late:8.1f} {1000 * self.case.goal:6.0f}"
            f" {reference:11.1f} {self.ratio:8.2f}"
        )


class Window:
    """A program in a terminal, of whose output only the ends of updates are looked at."""

    def __init__(self, command: Sequence[str], columns: int, lines: int, environ: Mapping[str, str]) -> None:
        with warnings.catch_warnings():  # numpy's threads make forking look dangerous; exec follows at once
            warnings.simplefilter("ignore", DeprecationWarning)
            self._child = pexpect.spawn(
                command[0], [*command[1:]], dimensions=(lines, columns), env=dict(environ)
            )
        self._child.ptyproc.delayafterclose = self._child.ptyproc.delayafterterminate = 0.02
        self.first = self.update(START)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._child.close(force=True)

    def update(self, patience: float = SILENCE) -> bytes:
        """What is written up to the end of an update; nothing when none ends in time."""
        data = b""
        while END not in data and select.select([self._child.child_fd], [], [], patience)[0]:
            try:
                data += os.read(self._child.child_fd, 65536)
            except OSError as error:  # the program has ended
                raise RuntimeError(f"the program ended: {data[-2000:].decode(errors='replace')}") from error
        return data if END in data else b""

    def turn(self, key: bytes) -> tuple[float, bytes]:
        """Press a key; the seconds until its page was complete, and what was written."""
        while select.select([self._child.child_fd], [], [], QUIET)[0]:  # the page before had more to say
            os.read(self._child.child_fd, 65536)
        start = time.perf_counter()
        os.write(self._child.child_fd, key)
        data = self.update()
        return time.perf_counter() - start, data


def walked(window: Window, turns: int) -> tuple[list[float], list[bytes]]:
    """Times and bytes of ``turns`` page turns, there and back; RuntimeError when no page turns."""
    times: list[float] = []
    pages: list[bytes] = []
    key, still = RIGHT, 0
    while len(times) < turns:
        seconds, data = window.turn(key)
        if data:
            times.append(seconds)
            pages.append(data)
            still = 0
            continue
        key, still = (LEFT if key == RIGHT else RIGHT), still + 1
        if still == 3:
            raise RuntimeError("no key turns a page")
    return times, pages


def page_turns(case: Case, turns: int) -> Turns:
    """Measure a case and its reference; raises RuntimeError when the program does not draw pages."""
    environ = {name: value for name, value in os.environ.items() if name not in CLEARED} | ENVIRON
    with Window(case.command, case.columns, case.lines, environ) as window:
        if not window.first:
            raise RuntimeError(f"{' '.join(case.command)} draws no page")
        times, pages = walked(window, turns)
    with tempfile.TemporaryDirectory() as folder:
        frames, program = Path(folder, "frames"), Path(folder, "reference.py")
        frames.write_bytes(b"".join(page[: page.index(END) + len(END)] for page in pages))
        program.write_text(REFERENCE, encoding="utf-8")
        command = (sys.executable, str(program), str(frames))
        with Window(command, case.columns, case.lines, environ) as window:
            reference, _ = walked(window, turns)
    return Turns(case, tuple(times), tuple(reference))


def late_turn(times: Sequence[float]) -> float:
    """The time that 95 of 100 turns keep to."""
    return quantiles(times, n=20, method="inclusive")[-1]


def main() -> None:
    """Print the table."""
    turns = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    print(f"{'times in ms':20} turns   median     95 %   goal   reference  x refer.")
    for case in CASES:
        print(page_turns(case, turns))


if __name__ == "__main__":
    main()
