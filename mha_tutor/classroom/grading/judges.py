"""Several clerks at work at the same time, and a new one in the place of one that is gone.

Each has a fresh judge made for every notebook, so that no notebook's marks depend on one before it.
"""

from __future__ import annotations

import json
import os
import queue
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from ...errors import WorkError
from .clerk import READY
from .fence import bare_environment
from .job import STOPPED, Found, Job, Limits, Step, Verdict
from .judge import ALL_TIMES
from .sitting import HOW
from .wording import say

MODULE = "mha_tutor.classroom.grading.clerk"
GRACE = 120  # seconds beyond the time of a whole notebook, before a judge is taken to be lost
LOOK_EVERY = 0.5
PREFIX = "mha-tutor-grade-"
LOST = "judge lost"  # what is noted of a notebook that took its judge away


class Work(NamedTuple):
    """A notebook to be graded, under the name by which its result comes back."""

    name: str
    lesson: str
    steps: tuple[Step, ...]


class _Judge:
    """One clerk, started when it is first needed."""

    def __init__(self, home: Path, limits: Limits) -> None:
        self.home, self.limits = home, limits
        self.process: subprocess.Popen[str] | None = None

    def ask(self, work: Work) -> Found | None:
        """What the judge says; None when it is lost, and then the next call has a new one.

        An answer that is not for this question is none: it must carry its name, and a nonce that is new.
        """
        process = self.process or self._started()
        with tempfile.TemporaryDirectory(dir=self.home, ignore_cleanup_errors=True) as folder:
            overdue = threading.Timer(ALL_TIMES * self.limits.timeout + GRACE, self.stop)
            overdue.daemon = True
            overdue.start()
            try:
                assert process.stdin is not None and process.stdout is not None
                nonce = secrets.token_hex(16)
                job = Job(work.lesson, work.steps, folder, self.limits)
                process.stdin.write(json.dumps([work.name, nonce, job]) + "\n")
                process.stdin.flush()
                name, given, found = json.loads(process.stdout.readline())
                if (name, given) != (work.name, nonce):
                    raise ValueError("an answer to another question")
                return Found.read(found)
            except (OSError, ValueError, TypeError, AttributeError):
                self.stop()
                return None
            finally:
                overdue.cancel()
                if HOW != "fork":  # there a clerk is the judge itself, of one notebook
                    self.stop()

    def _started(self) -> subprocess.Popen[str]:
        """A judge that is ready. Raises WorkError, with its last words, where it does not come so far."""
        with tempfile.TemporaryFile(dir=self.home) as errors:
            self.process = process = subprocess.Popen(
                [sys.executable, "-P", "-m", MODULE],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                env=bare_environment(_with_us(os.environ), self.home),
                cwd=self.home,
                encoding="ascii",
                start_new_session=True,
            )
            assert process.stdout is not None
            if process.stdout.readline().strip() != READY:
                self.stop()
                errors.seek(0)
                said = errors.read().decode("utf-8", "replace").strip().splitlines()[-1:]
                raise WorkError(say("no_judge", error="".join(said) or process.returncode))
        return process

    def stop(self) -> None:
        """End the process; a desk of its own ends when nobody listens any more."""
        process, self.process = self.process, None
        if process is not None:
            with suppress(OSError, AttributeError):
                os.killpg(process.pid, signal.SIGKILL)  # the judge too; Windows has no groups
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                with suppress(OSError):
                    assert pipe is not None
                    pipe.close()


def _with_us(environ: Mapping[str, str]) -> dict[str, str]:
    """The variables, with the place of this very package in front of Python's path."""
    package = str(Path(__file__).parents[3])
    before = environ.get("PYTHONPATH")
    return {**environ, "PYTHONPATH": f"{package}{os.pathsep}{before}" if before else package}


def _clear_left_over() -> None:
    """Remove the folders of runs that were killed: their name tells a process that there is no more."""
    if os.name != "posix":  # elsewhere to ask for a process may end it
        return
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        number = folder.name.removeprefix(PREFIX).partition("-")[0]
        if not number.isdecimal() or folder.is_symlink() or folder.stat().st_uid != os.getuid():
            continue
        try:
            os.kill(int(number), 0)
        except ProcessLookupError:
            shutil.rmtree(folder, ignore_errors=True)
        except OSError:
            continue


class Judges:
    """``count`` judges. Leave the block, for whatever reason, and all of them are ended."""

    def __init__(self, count: int, limits: Limits) -> None:
        _clear_left_over()
        self.place = tempfile.TemporaryDirectory(prefix=f"{PREFIX}{os.getpid()}-", ignore_cleanup_errors=True)
        self.judges = [_Judge(Path(self.place.name), limits) for _ in range(count)]
        self.over = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.over = True
        for judge in self.judges:
            judge.stop()
        self.place.cleanup()

    def graded(self, works: Sequence[Work]) -> Iterator[tuple[str, Found]]:
        """The name and the result of each notebook, as they come. Raises WorkError where no judge starts."""
        waiting: queue.SimpleQueue[Work] = queue.SimpleQueue()
        done: queue.SimpleQueue[tuple[str, Found] | WorkError] = queue.SimpleQueue()
        for work in works:
            waiting.put(work)
        for judge in self.judges[: len(works)]:
            threading.Thread(target=self._attend, args=(judge, waiting, done), daemon=True).start()
        for _ in works:
            yield self._next(done)

    def _attend(
        self,
        judge: _Judge,
        waiting: queue.SimpleQueue[Work],
        done: queue.SimpleQueue[tuple[str, Found] | WorkError],
    ) -> None:
        """Give one judge a notebook after another."""
        with suppress(queue.Empty):
            while not self.over:
                work = waiting.get_nowait()
                try:
                    found = judge.ask(work) or (None if self.over else judge.ask(work))
                    done.put((work.name, found or _lost(work)))
                except WorkError as error:
                    done.put(error)

    def _next(self, done: queue.SimpleQueue[tuple[str, Found] | WorkError]) -> tuple[str, Found]:
        while True:
            with suppress(queue.Empty):  # a wait that ends lets Ctrl-C in on Windows too
                found = done.get(timeout=LOOK_EVERY)
                if isinstance(found, WorkError):
                    raise found
                return found


def _lost(work: Work) -> Found:
    """The result of a notebook that took its judge away, twice."""
    numbers = [step.exercise for step in work.steps if step.part == "check" and step.exercise]
    verdict = Verdict(STOPPED, say("judge_lost"))
    return Found(dict.fromkeys(numbers, verdict), (LOST,))
