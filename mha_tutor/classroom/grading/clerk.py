"""The clerk: it stands between the program and the judges, and has a fresh judge made for every notebook.

Started by ``judges``; a line of JSON in is one notebook with a nonce, a line out is what was found, under
that nonce. A judge is forked before the nonce is read, so that neither a judge nor a student's code that
comes out of it can know it. Where there is no fork, a clerk is judge for one notebook and then ends.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any, TextIO

from ...course.figures import walk_of
from ...course.trials import problems
from ...texts import texts
from .job import Job
from .judge import MOST_SITTINGS, Grading
from .sitting import HOW, seated

READY = "ready"  # a clerk's first line
MOST_MEMORY = 6_000_000_000
MOST_FOUND = 50_000_000
NOT_DUMPABLE = 4  # PR_SET_DUMPABLE


def limits_now() -> dict[str, tuple[int, int]]:
    """The limits of the system on this process, by name; none where there are no such limits."""
    try:
        import resource
    except ImportError:
        return {}
    return {
        name: resource.getrlimit(getattr(resource, name))
        for name in dir(resource)
        if name.startswith("RLIMIT_")
    }


def hidden_from_others() -> None:
    """Close /proc/<this process>/fd and /mem to the other processes of this user, those of root excepted.

    Linux alone has this. Whatever is missing, the clerk works without it: it is one more hurdle.
    """
    with suppress(Exception):
        import ctypes

        ctypes.CDLL(None).prctl(NOT_DUMPABLE, 0, 0, 0, 0)


def judge_of(asks: Connection) -> None:
    """Be the judge of the one notebook that comes; end with 0 only where nothing was amiss. Never returns."""
    status = 1
    seats = []
    try:
        nothing = os.open(os.devnull, os.O_RDWR)
        for number in (0, 1):
            os.dup2(nothing, number)
        before = limits_now()
        seats = [seated() for _ in range(MOST_SITTINGS)]  # made while no lesson was read: they know none
        job = Job.read(json.loads(asks.recv_bytes()))
        found = Grading(job, seats).found()
        if limits_now() == before:  # whoever changes them wants the judge to fail later
            asks.send_bytes(json.dumps(found).encode("ascii"))
            status = 0
    except EOFError:
        pass
    finally:
        for seat in seats:
            seat.clear()
        os._exit(status)


def _told(asks: Connection) -> Any:
    """The one message of a judge; None where there is none, or more than one."""
    try:
        found = json.loads(asks.recv_bytes(MOST_FOUND))
    except (OSError, EOFError, ValueError):
        return None
    try:
        asks.recv_bytes(MOST_FOUND)
    except EOFError:
        return found
    except OSError:
        return None
    return None


def _one_forked(answers: TextIO) -> bool:
    """Have one notebook judged in a process of its own; False when there is none any more."""
    asks, theirs = Pipe()
    pid = os.fork()
    if pid == 0:
        asks.close()
        os.close(answers.fileno())
        judge_of(theirs)
    theirs.close()
    line = sys.stdin.buffer.readline()
    found = None
    if line:
        name, nonce, job = json.loads(line)
        with suppress(OSError):
            asks.send_bytes(json.dumps(job).encode("ascii"))
            found = _told(asks)
    asks.close()
    _, status = os.waitpid(pid, 0)
    if line:
        _answer(answers, name, nonce, found if status == 0 else None)
    return bool(line)


def _one_here(answers: TextIO) -> None:
    """Judge one notebook in this very process."""
    line = sys.stdin.buffer.readline()
    if line:
        name, nonce, job = json.loads(line)
        _answer(answers, name, nonce, Grading(Job.read(job)).found())


def _answer(answers: TextIO, name: str, nonce: str, found: Any) -> None:
    answers.write(json.dumps([name, nonce, found]) + "\n")
    answers.flush()


def _prepare() -> None:
    """Make once what every judge needs and every student may know: the problems, the walk, the texts."""
    for masked in (False, True):
        problems(masked)
    walk_of("robot")
    for name in ("course", "grading"):
        texts(name)


def main() -> None:
    """Have notebook after notebook judged until nobody sends one any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the program that started us
    answers = os.fdopen(os.dup(1), "w", encoding="ascii", newline="\n")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    hidden_from_others()
    _prepare()
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
    answers.write(f"{READY}\n")
    answers.flush()
    if HOW != "fork":
        _one_here(answers)
        return
    while _one_forked(answers):
        pass


if __name__ == "__main__":
    main()
