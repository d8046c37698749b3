"""One desk at work, seen from the judge: cells to run, values and functions to ask for."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ...course import material
from ...course.calling import Stop, Stopped
from .channel import GONE, Channel, Lost
from .desk import serve
from .job import Limits
from .plain import packed, unpacked

HOW = "fork" if sys.platform == "linux" else "spawn"  # elsewhere a fork with numpy is not sure to work
MOST_ASKED = 64_000  # bytes that a student's test may give to a function of the course
ALL_TIMES = 8  # CPU seconds for a whole desk, in times of one cell
ANSWERS = {
    "run": ("ran",), "value": ("value", "missing", "stopped"), "call": ("value", "stopped"),
    "end": ("ended",),
}  # fmt: skip


class Unsendable(Exception):  # noqa: N818  it says what is so about a value
    """A student's value that cannot come over: too large, or endless."""


class _Theirs:
    """A student's function, called at the desk."""

    def __init__(self, sitting: Sitting, number: int, name: str) -> None:
        self.sitting, self.number, self.__name__ = sitting, number, name

    def __call__(self, *given: Any) -> Any:
        return self.sitting.call(self.number, given)


class Seat(NamedTuple):
    """A desk that waits to be told its folder: its process, and this end of the pipe to it."""

    process: multiprocessing.process.BaseProcess
    connection: Connection

    def clear(self) -> None:
        """End the desk, and what it may have started; a seat may be cleared twice."""
        self.connection.close()
        with suppress(ValueError):  # closed before
            pid = self.process.pid
            with suppress(OSError, AttributeError):
                if pid:  # 0 would be the group of this very process
                    os.killpg(pid, signal.SIGKILL)
            self.process.kill()
            self.process.join()
            self.process.close()


def seated() -> Seat:
    """A new desk. It is forked from this process, so what is known here is known there."""
    context = multiprocessing.get_context(HOW)
    connection, theirs = context.Pipe()
    process = context.Process(target=serve, args=(theirs,), daemon=True)  # type: ignore[attr-defined]
    process.start()
    theirs.close()
    return Seat(process, connection)


class Sitting:
    """A desk from its start to its end; ``at`` is the step it is at. Everything may raise Lost."""

    def __init__(self, folder: str, limits: Limits, seat: Seat) -> None:
        self.at = 0
        self.limits = limits
        self.left, self.last = 0.0, 0.0
        self.out_of_memory = False
        self.ours: list[Callable[..., Any]] = []
        self.seat = seat
        self.channel = Channel(seat.connection)
        package = str(Path(__file__).parents[2])
        readable = (sys.prefix, sys.base_prefix, package)
        hidden = tuple(str(material.root() / name) for name in ("course", "notebooks"))
        self.channel.say("sit", folder, readable, hidden, limits.memory, ALL_TIMES * limits.timeout)

    def begin(self, at: int, end: float) -> None:
        """Go to that step. Only what the desk takes counts as its time, and ``end`` comes at last."""
        self.at = at
        self.left, self.last = float(self.limits.timeout), end
        self.out_of_memory = False

    def run(self, source: str, name: str) -> str:
        """Run a cell, which errors call by that name; the error it ended with, or nothing."""
        return str(self._asked("run", source, name)[1])

    def values(self, names: Sequence[str]) -> dict[str, Any]:
        """What the names stand for, those that there are. Raises Unsendable."""
        found = {}
        for name in names:
            kind, *rest = self._asked("value", name)
            if kind == "stopped":
                raise Unsendable(f"{name}: {_stop(rest[0]).error}")
            if kind == "value":
                found[name] = self._unpacked(rest[0])
        return found

    def call(self, number: int, given: tuple[Any, ...]) -> Any:
        """What a student's function returns. Raises Stopped where it stops."""
        self.ours = []
        kind, *rest = self._asked("call", number, [packed(one, self._handle) for one in given])
        if kind == "stopped":
            stop = _stop(rest[0])
            self.out_of_memory |= stop.error.startswith("MemoryError")
            raise Stopped(stop)
        return self._unpacked(rest[0])

    def end(self) -> list[str]:
        """Let the desk end by itself; what it noted about the course's own functions."""
        changed = self._asked("end")[1]
        return [f"patched {', '.join(map(str, changed))}"] if changed else []

    def close(self) -> None:
        """End the desk, and what it may have started."""
        self.seat.clear()

    def _asked(self, *message: Any) -> list[Any]:
        """The answer to a message; until it comes, the desk may ask for functions of the course."""
        start = time.monotonic()
        deadline = min(start + self.left, self.last)
        self.channel.say(*message)
        try:
            while True:
                answer = self.channel.hear(deadline)
                if answer[0] in ANSWERS[message[0]]:
                    self.left -= time.monotonic() - start
                    return answer
                if answer[0] != "ask":
                    raise Lost(GONE)
                self.channel.say(*self._answer(int(answer[1]), answer[2]))
        except (ValueError, TypeError, LookupError):  # no desk of ours talks so
            raise Lost(GONE) from None

    def _answer(self, number: int, given: list[Any]) -> list[Any]:
        """What a function of the course returns for a student's test."""
        if self.channel.size > MOST_ASKED:
            return ["raised", "ValueError", "too large for a test"]
        arguments = [unpacked(one, _no_function) for one in given]
        try:
            with np.errstate(all="ignore"):
                return ["value", packed(self.ours[number](*arguments), self._handle)]
        except Exception as error:
            return ["raised", type(error).__name__, str(error)]

    def _handle(self, function: Callable[..., Any]) -> list[Any]:
        self.ours.append(function)
        return [len(self.ours) - 1, str(getattr(function, "__name__", ""))]

    def _unpacked(self, data: Any) -> Any:
        try:
            return unpacked(data, lambda rest: _Theirs(self, int(rest[0]), str(rest[1])))
        except Exception:
            raise Lost(GONE) from None


def _no_function(rest: list[Any]) -> Callable[..., Any]:
    raise ValueError("a function")


def _stop(data: Any) -> Stop:
    """How a function stopped, out of what its desk says."""
    try:
        error, line, not_written, dots, all_axes = data
        return Stop(str(error), int(line), bool(not_written), bool(dots), bool(all_axes))
    except (TypeError, ValueError):
        raise Lost(GONE) from None
