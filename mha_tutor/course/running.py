"""Learners' notebooks run by nbval, each in a process of its own, two at a time."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from ..errors import InputError
from .lesson import Lesson
from .merging import merged, read_notebook
from .results import KERNEL_DIED, REPORT, LessonResult, not_run, read_report, result_of, say

AT_ONCE = 2
TIMEOUT = 30
GRACE = 60  # beyond the time of one cell, before a silent process is ended
LOOK_EVERY = 0.02


class Job(NamedTuple):
    """A lesson and the learner's notebook of it."""

    lesson: Lesson
    path: Path


class _Run:
    """One notebook in its own process."""

    def __init__(self, job: Job, timeout: int, place: Path) -> None:
        self.job = job
        self.timeout = timeout
        self.report = place / "report.jsonl"
        made = merged(job.lesson.name, read_notebook(job.path), job.path.parent.resolve())
        self.missing = made.missing
        self.cells = sum(cell["cell_type"] == "code" for cell in made.notebook["cells"])
        notebook = place / f"{job.lesson.name}.ipynb"
        notebook.write_text(json.dumps(made.notebook), encoding="utf-8")
        (place / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
        self.errors = place / "errors.txt"
        with self.errors.open("wb") as errors:
            self.process = subprocess.Popen(
                _command(place, notebook, timeout),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                env=_environment(self.report),
                cwd=place,
                start_new_session=True,
            )
        self.size, self.heard, self.part = -1, time.monotonic(), 0.0

    def progress(self) -> float:
        """The part of the cells that has been run, 0 to 1."""
        size = self.report.stat().st_size if self.report.exists() else 0
        if size != self.size:
            self.size, self.heard = size, time.monotonic()
            self.part = float(min(len(read_report(self.report)) / max(self.cells, 1), 1.0))
        return self.part

    @property
    def silent(self) -> bool:
        return time.monotonic() - self.heard > self.timeout + GRACE

    def stop(self) -> None:
        """End the process and what it started."""
        with suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self.process.pid, signal.SIGKILL)
            else:
                self.process.kill()
        self.process.wait()

    def result(self, silent: bool) -> LessonResult:
        """What was found, after the process has ended."""
        report = read_report(self.report)
        ended = ""
        if silent:
            ended = say("silent")
        elif self.process.returncode == KERNEL_DIED:
            ended = say("kernel_died")
        elif len(report) < self.cells:
            lines = self.errors.read_text(encoding="utf-8", errors="replace").strip().splitlines()
            last = lines[-1:] or [f"exit code {self.process.returncode}"]
            ended = say("broken_run", error=last[0])
        return result_of(self.job.lesson, str(self.job.path), report, self.missing, ended)


def run_jobs(
    jobs: Sequence[Job], *, timeout: int = TIMEOUT, tell: Callable[[float, LessonResult | None], None]
) -> list[LessonResult]:
    """Run the notebooks; ``tell`` hears the part that is done, and every result as it comes."""
    waiting = list(enumerate(jobs))
    running: dict[int, _Run] = {}
    found: dict[int, LessonResult] = {}
    with tempfile.TemporaryDirectory(prefix="mha-tutor-", ignore_cleanup_errors=True) as top:
        try:
            while waiting or running:
                while waiting and len(running) < AT_ONCE:
                    number, job = waiting.pop(0)
                    place = Path(top) / str(number)
                    place.mkdir()
                    try:
                        running[number] = _Run(job, timeout, place)
                    except InputError as error:
                        found[number] = not_run(job.lesson, str(job.path), str(error))
                        tell(len(found) / len(jobs), found[number])
                parts = {number: run.progress() for number, run in running.items()}
                for number, run in list(running.items()):
                    silent = run.silent
                    if run.process.poll() is None and not silent:
                        continue
                    run.stop()
                    found[number] = run.result(silent)
                    del running[number], parts[number]
                    tell((len(found) + sum(parts.values())) / len(jobs), found[number])
                tell((len(found) + sum(parts.values())) / len(jobs), None)
                time.sleep(LOOK_EVERY)
        finally:
            for run in running.values():
                run.stop()
    return [found[number] for number in range(len(jobs))]


def _command(place: Path, notebook: Path, timeout: int) -> list[str]:
    plugins = [part for name in ("nbval.plugin", "mha_tutor.course.reporting") for part in ("-p", name)]
    return [
        *(sys.executable, "-m", "pytest", "-q", *plugins, "-p", "no:cacheprovider"),
        *("-c", str(place / "pytest.ini"), "--rootdir", str(place)),
        *("--nbval", "--nbval-current-env", "--nbval-cell-timeout", str(timeout), "--tb=no", str(notebook)),
    ]


def _environment(report: Path) -> dict[str, str]:
    package = str(Path(__file__).parents[2])
    before = os.environ.get("PYTHONPATH")
    return os.environ | {
        REPORT: str(report),
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "PYTEST_ADDOPTS": "",
        "PYTHONPATH": f"{before}{os.pathsep}{package}" if before else package,
        "PYTHONUTF8": "1",
        "JUPYTER_RUNTIME_DIR": str(report.parent),  # short, and cleared away with the rest
        "OPENBLAS_NUM_THREADS": "1",
    }
