"""The process in which a student's cells are run. It answers questions and never says what is right."""

from __future__ import annotations

import builtins
import linecache
import multiprocessing
import os
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from ...course import check
from ...course.calling import Stop, stop_of
from .channel import Channel, Lost
from .fence import HOMES, limit, watch
from .jupyter import without_magics
from .plain import packed, unpacked

MOST_TEXT = 2000
MOST_PRINTED = 1_000_000
MOST_CHANGED = 5
OURS = "mha_tutor"


class Desk:
    """The student's names, and the functions that the judge was told of, by number."""

    def __init__(self, channel: Channel) -> None:
        self.channel = channel
        self.space: dict[str, Any] = {"__name__": "__main__", "display": _show_nothing}
        self.functions: list[Callable[..., Any]] = []

    def run(self, source: str, name: str) -> str:
        """Run one cell; the error it ended with and its line there, or nothing."""
        try:
            source, left_out = without_magics(source, name)
            if left_out:
                self.channel.say("remark", "magics")
            linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
            exec(compile(source, name, "exec"), self.space)
        except Lost:
            raise
        except BaseException as error:
            return (f"{type(error).__name__}: {error}"[:MOST_TEXT] + _place(error, name)).strip()
        return ""

    def value(self, name: str) -> list[Any]:
        """The value of a name."""
        if name not in self.space:
            return ["missing"]
        return ["value", packed(self.space[name], self._handle)]

    def call(self, number: int, given: list[Any]) -> list[Any]:
        """What one of the functions returns, or how it stopped."""
        function = self.functions[number]
        arguments = tuple(unpacked(one, self._theirs) for one in given)
        try:
            with np.errstate(all="ignore"):
                return ["value", packed(function(*arguments), self._handle)]
        except Lost:
            raise
        except BaseException as error:
            stop = stop_of(error, function, arguments)
            return ["stopped", stop._replace(error=stop.error[:MOST_TEXT])]

    def _handle(self, function: Callable[..., Any]) -> list[Any]:
        self.functions.append(function)
        name = getattr(function, "__name__", type(function).__name__)
        return [len(self.functions) - 1, str(name)[:MOST_TEXT]]

    def _theirs(self, rest: list[Any]) -> Callable[..., Any]:
        """A function of the judge's, to be asked for over the channel."""

        def asked(*given: Any) -> Any:
            self.channel.say("ask", rest[0], [packed(one, self._handle) for one in given])
            kind, *answer = self.channel.hear()
            if kind == "value":
                return unpacked(answer[0], self._theirs)
            raised = getattr(builtins, answer[0], RuntimeError)
            raise (raised if issubclass(raised, Exception) else RuntimeError)(answer[1])

        asked.__name__ = str(rest[1])
        return asked


def serve(connection: Connection) -> None:
    """Wait for a folder, then run cells and answer until the judge hangs up; the process ends here."""
    channel = Channel(connection)
    _alone(connection)
    with suppress(Lost):
        _, folder, readable, hidden, memory, seconds = channel.hear()
        _settle_down(Path(folder))
        limit(memory, seconds)
        desk = Desk(channel)
        sys.stdout = sys.stderr = _Counted(lambda: channel.say("remark", "printed"))
        _silence_checks()
        _forget_ourselves()
        before = _ours()
        watch(Path(folder), readable, hidden, lambda what: channel.say("remark", what))
        while True:
            kind, *rest = channel.hear()
            if kind == "run":
                channel.say("ran", desk.run(*rest))
            elif kind == "end":
                channel.say("ended", _changed(before))
            else:
                _answer(desk, kind, rest)
    os._exit(0)


def _answer(desk: Desk, kind: str, rest: list[Any]) -> None:
    """Send a value, or what a call returns; where it cannot be sent, why."""
    try:
        desk.channel.say(*(desk.value(*rest) if kind == "value" else desk.call(*rest)))
    except Lost:
        raise
    except BaseException as error:  # too large, endless, or an object that does not let itself be looked at
        desk.channel.say("stopped", Stop(f"{type(error).__name__}: {error}"[:MOST_TEXT]))


def _place(error: BaseException, name: str) -> str:
    """Where in the cell of that name it stopped; an error of syntax says it by itself."""
    trace, line = error.__traceback__, 0
    while trace is not None:
        line = trace.tb_lineno if trace.tb_frame.f_code.co_filename == name else line
        trace = trace.tb_next
    return f" ({name}, line {line})" if line and not isinstance(error, SyntaxError) else ""


def _alone(connection: Connection) -> None:
    """A session of its own, and no file but the channel."""
    if hasattr(os, "setsid"):
        with suppress(OSError):
            os.setsid()
        nothing = os.open(os.devnull, os.O_RDWR)
        for number in (0, 1, 2):
            os.dup2(nothing, number)
        keep = connection.fileno()
        os.closerange(3, keep)
        os.closerange(keep + 1, 4096)


def _settle_down(folder: Path) -> None:
    """An empty folder to be in, and nothing of the user's around it."""
    os.environ.update(dict.fromkeys(HOMES, str(folder)))
    tempfile.tempdir = None  # it may have been looked up before this process was made
    sys.stdin = Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115
    os.chdir(folder)
    sys.path.insert(0, str(folder))
    sys.dont_write_bytecode = True


def _silence_checks() -> None:
    """A check that a student calls says nothing here: it needs the solution, and the judge's counts."""
    for name in check.__all__:
        if not isinstance(getattr(check, name), type):
            setattr(check, name, _show_nothing)


def _forget_ourselves() -> None:
    """Leave no way to this program's own functions that lies open: no module, and no process object.

    Whoever goes up the frames of an error still comes to them; what the watch decides with is not there.
    """
    process: Any = multiprocessing.current_process()
    process._target, process._args = None, ()
    package = __name__.rpartition(".")[0]
    for name in [name for name in sys.modules if name == package or name.startswith(f"{package}.")]:
        del sys.modules[name]
    above, _, last = package.rpartition(".")
    vars(sys.modules[above]).pop(last, None)


class _Counted:
    """An output that keeps nothing; it tells once when there is too much."""

    encoding, errors, closed = "utf-8", "replace", False

    def __init__(self, tell: Callable[[], None]) -> None:
        self.count = 0
        self.tell = tell

    def write(self, text: str) -> int:
        before, self.count = self.count, self.count + len(text)
        if before <= MOST_PRINTED < self.count:
            self.tell()
        return len(text)

    def writelines(self, lines: list[str]) -> None:
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        pass

    def isatty(self) -> bool:
        return False


def _show_nothing(*_: Any, **__: Any) -> None:
    """Stands for Jupyter's display."""


def _ours() -> dict[str, tuple[object, object]]:
    """The functions and classes of mha_tutor that are loaded, by their full names, with their code."""
    return {
        f"{module_name}.{name}": (value, getattr(value, "__code__", None))
        for module_name, module in list(sys.modules.items())
        if module_name.partition(".")[0] == OURS and isinstance(module, ModuleType)
        for name, value in list(vars(module).items())
        if callable(value)
    }


def _changed(before: dict[str, tuple[object, object]]) -> list[str]:
    """The names that stand for something else than ``before``."""
    now = _ours()
    return sorted(
        name for name, (value, code) in before.items()
        if name not in now or now[name][0] is not value or now[name][1] is not code
    )[:MOST_CHANGED]  # fmt: skip
