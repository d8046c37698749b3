"""What a check of a notebook found, exercise by exercise."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from ..texts import sentence
from .codes import code_of
from .failing import without_code
from .lesson import Lesson

# Between the process that runs a notebook (``reporting``) and the one that waits for it.
REPORT = "MHA_TUTOR_COURSE_REPORT"  # the variable that names the file of the report
KERNEL_DIED = 91  # an exit code

DONE, WRONG, NOT_STARTED, NOT_RUN = "done", "wrong", "not started", "not run"


class ExerciseResult(NamedTuple):
    """The state of one exercise, and why it is not done; ``code`` says it briefly where it is wrong."""

    number: str
    title: str
    state: str
    reason: str = ""
    code: str = ""


class LessonResult(NamedTuple):
    """One notebook: its exercises, and ``trouble`` that kept all or some of it from being run."""

    lesson: Lesson
    notebook: str
    exercises: tuple[ExerciseResult, ...]
    trouble: str = ""

    @property
    def done(self) -> bool:
        return all(exercise.state == DONE for exercise in self.exercises) and not self.trouble

    def only(self, numbers: Iterable[str]) -> LessonResult:
        """The same with those exercises alone."""
        wanted = set(numbers)
        return self._replace(exercises=tuple(one for one in self.exercises if one.number in wanted))

    def as_json(self) -> dict[str, Any]:
        """Plain data: lesson, notebook, trouble; number, title, state, reason, code of each exercise."""
        return {
            "lesson": self.lesson.name,
            "notebook": self.notebook,
            "trouble": self.trouble,
            "exercises": [one._asdict() for one in self.exercises],
        }


def say(key: str, **values: object) -> str:
    """The sentence of that key from the part "result" of texts/course.en.toml."""
    return sentence("course", "result", key, **values)


def not_run(lesson: Lesson, notebook: str, trouble: str) -> LessonResult:
    """The result of a notebook that could not be run at all."""
    found = tuple(ExerciseResult(e.number, e.title, NOT_RUN, trouble) for e in lesson.exercises)
    return LessonResult(lesson, notebook, found, trouble)


def read_report(path: Path) -> list[dict[str, Any]]:
    """The lines that the plugin wrote; a last line that was cut off is left out."""
    lines = []
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
        try:
            lines.append(json.loads(line))
        except ValueError:
            break
    return lines


def result_of(
    lesson: Lesson, notebook: str, report: list[dict[str, Any]], missing: tuple[str, ...], ended: str
) -> LessonResult:
    """The state of every exercise; ``ended`` says why the run stopped early, if it did."""
    checks = {line["exercise"]: line for line in report if line["part"] == "check"}
    works = {line["exercise"]: line for line in report if line["part"] == "work"}
    stopped = ""
    found = []
    for exercise in lesson.exercises:
        number = exercise.number
        work, check = works.get(number), checks.get(number)
        for line in (work, check):
            if line is not None and line["error"] in ("Timeout", "KernelDied"):
                stopped = stopped or number
        if check is None or "Kernel dead" in check["text"]:
            died = work is not None and work["error"] == "KernelDied"
            state, reason = (WRONG, say("KernelDied")) if died else (NOT_RUN, _why_not_run(stopped, ended))
        else:
            state, reason = _state(check, work)
        if state != DONE and number in missing:
            state, reason = NOT_STARTED, say("cell_missing", number=number)
        reason, code = without_code(reason)
        code = code or (code_of(number) if state == WRONG else "")
        found.append(ExerciseResult(number, exercise.title, state, reason, code))
    trouble = ended if any(one.state == NOT_RUN for one in found) else ""
    return LessonResult(lesson, notebook, tuple(found), trouble)


def _why_not_run(stopped: str, ended: str) -> str:
    return say("after_stop", number=stopped) if stopped else ended


def _state(check: dict[str, Any], work: dict[str, Any] | None) -> tuple[str, str]:
    name, text = check["error"], check["text"]
    if not name:
        return DONE, ""
    if name == "NotStarted":
        return NOT_STARTED, text
    if name == "CheckFailed":
        return WRONG, text
    if work is not None and work["error"] == "Timeout":
        return WRONG, say("Timeout")
    if work is not None and work["error"]:
        return WRONG, say("work_raises", error=f"{work['error']}: {work['text']}")
    if name in ("Timeout", "KernelDied"):
        return WRONG, say(name)
    return WRONG, say("check_raises", error=f"{name}: {text}", number=check["exercise"])
