"""What a judge does: it runs the course's checks, and asks a desk for what a student made.

The process it runs in is made by ``clerk``. No student's code ever runs there.
"""

from __future__ import annotations

import ast
import io
import re
import time
from collections.abc import Iterable
from contextlib import redirect_stdout, suppress
from functools import cache
from typing import Any

from ...course import blanks
from ...course.comparing import given_of
from ...course.failing import CheckFailed, without_code
from ...course.lesson import Exercise, find_exercise
from ...course.results import say as say_result
from ...course.wording import say as say_check
from .channel import LATE, Lost
from .job import DONE, NOT_STARTED, STOPPED, WRONG, Found, Job, Step, Verdict
from .sitting import Seat, Sitting, Unsendable, seated
from .wording import say

# For one notebook. Each that is lost costs the exercise that lost it, and the last one is for what is left.
MOST_SITTINGS = 5
ALL_TIMES = 6  # a whole notebook may take so many times what one cell may
OWN_TIME = 30  # and so many seconds more, for the checks
MOST_REASON = 2000
_AWAIT = "SyntaxError: 'await' outside function"
# Python stumbles where the part after the comma has a 0 at its beginning.
_COMMA = re.compile(r"(?<![\w.,])\d+,0\d*(?![\w.,])")
# What no answer of a student causes here: then the judge is at fault, and its verdict would be a guess.
OWN_FAULTS = (MemoryError, OSError, ImportError, SystemError)
SECTIONS = ("work", "check")


class Grading:
    """One notebook on its way: what is known, and the cells that must not be run again."""

    def __init__(self, job: Job, seats: Iterable[Seat] = ()) -> None:
        self.job = job
        self.seats = iter(seats)
        self.exercises = {step.exercise: find_exercise(step.exercise)[1]
                          for step in job.steps if step.part == "check" and step.exercise}  # fmt: skip
        self.verdicts: dict[str, Verdict] = {}
        self.errors: dict[str, str] = {}
        self.skipped: set[int] = set()
        self.remarks: list[str] = []
        self.end = time.monotonic() + ALL_TIMES * job.limits.timeout + OWN_TIME

    def found(self) -> Found:
        """Run the notebook; a desk that is lost is replaced, without the cell that lost it.

        Raises OWN_FAULTS where it is the judge itself that fails.
        """
        for _ in range(MOST_SITTINGS):
            sitting = Sitting(self.job.folder, self.job.limits, next(self.seats, None) or seated())
            try:
                self._sit(sitting)
                with suppress(Lost):  # all is found by then
                    self._note(sitting.end())
                break
            except Lost as lost:
                self._lost(sitting.at, lost.why)
            finally:
                sitting.close()
                self._note(sitting.channel.remarks)
            if time.monotonic() > self.end:
                break
        last = next((number for number, one in self.verdicts.items() if one.state == STOPPED), "")
        rest = Verdict(STOPPED, say_result("after_stop", number=last) if last else say("too_long"))
        return Found({str(n): self.verdicts.get(str(n), rest) for n in self.exercises}, tuple(self.remarks))

    def _sit(self, sitting: Sitting) -> None:
        for at, step in enumerate(self.job.steps):
            if at in self.skipped:
                continue
            sitting.begin(at, self.end)
            if step.part == "check" and step.exercise:
                if step.exercise not in self.verdicts:
                    self.verdicts[step.exercise] = self._judged(sitting, self.exercises[step.exercise])
            else:
                self._run(sitting, step)

    def _run(self, sitting: Sitting, step: Step) -> None:
        name = (
            say("work_cell", number=step.exercise) if step.exercise else say("other_cell", number=sitting.at)
        )
        error = sitting.run(step.source, name)
        if step.part == "work" and step.exercise:
            self.errors[step.exercise] = error

    def _lost(self, at: int, why: str) -> None:
        """Blame the exercise whose cell was running; of other cells only the cell is left out."""
        self.skipped.add(at)
        step = self.job.steps[at]
        if step.part in SECTIONS and step.exercise:
            self.verdicts[step.exercise] = Verdict(STOPPED, say_result(why))
        else:
            self._note(["late cell" if why == LATE else "lost cell"])

    def _note(self, remarks: list[str]) -> None:
        self.remarks += [one for one in remarks if one not in self.remarks]

    def _judged(self, sitting: Sitting, exercise: Exercise) -> Verdict:
        """The verdict of the exercise's check on what the student's names stand for."""
        error = self.errors.get(exercise.number, "")
        try:
            space = dict(given_of(exercise.number)) | sitting.values(_asked(exercise.number))
            with redirect_stdout(io.StringIO()):
                exec(_code(exercise.number), space)
        except CheckFailed as failure:
            if sitting.out_of_memory:
                return Verdict(STOPPED, say("memory", most=self.job.limits.memory))
            state = NOT_STARTED if failure.state == NOT_STARTED else WRONG
            return Verdict(state, without_code(str(failure))[0][:MOST_REASON], failure.ids)
        except OWN_FAULTS:
            raise
        except Exception as fault:
            return self._broken(exercise, error, fault)
        return Verdict(DONE)

    def _broken(self, exercise: Exercise, error: str, fault: Exception) -> Verdict:
        """The verdict where the check could not say anything: a name is missing, or the answer is odd."""
        if error.startswith("MemoryError"):
            return Verdict(STOPPED, say("memory", most=self.job.limits.memory))
        if error:
            told = self._comma(exercise.number) if error.startswith("SyntaxError") else ""
            told = say("await") if error.startswith(_AWAIT) else told
            return Verdict(WRONG, told or say_result("work_raises", error=error))
        text = str(fault) if isinstance(fault, Unsendable) else f"{type(fault).__name__}: {fault}"
        return Verdict(WRONG, say_result("check_raises", error=text[:MOST_REASON], number=exercise.number))

    def _comma(self, number: str) -> str:
        """What to say where a number with a decimal comma made Python stumble; "" where there is none."""
        sources = [step.source for step in self.job.steps if (step.part, step.exercise) == ("work", number)]
        found = _COMMA.search("\n".join(sources))
        return say_check("comma", given=found[0], right=found[0].replace(",", ".")) if found else ""


@cache
def _code(number: str) -> Any:
    return compile(find_exercise(number)[1].check.text, f"<check {number}>", "exec")


@cache
def _asked(number: str) -> tuple[str, ...]:
    """The names in the exercise's check that its work cell makes: those the student is asked for."""
    exercise = find_exercise(number)[1]
    used = {node.id for node in ast.walk(ast.parse(exercise.check.text)) if isinstance(node, ast.Name)}
    return tuple(sorted(used & set(_made(blanks.solved(exercise.work)))))


def _made(source: str) -> list[str]:
    """The names that a cell's lines make, those inside its functions left out."""
    made = []
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            made.append(node.name)
        else:
            made += [one.id for one in ast.walk(node) if isinstance(one, ast.Name) and not _read(one)]
    return made


def _read(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Load)
