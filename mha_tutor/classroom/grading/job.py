"""What goes to a judge and what comes back, as plain data."""

from __future__ import annotations

from typing import Any, NamedTuple, Self

DONE, WRONG, NOT_STARTED, STOPPED, UNREADABLE = "done", "wrong", "not started", "stopped", "cannot be read"
STATES = (DONE, WRONG, NOT_STARTED, STOPPED, UNREADABLE)


class Step(NamedTuple):
    """One cell to run: its part in the lesson, the exercise it belongs to, and its text."""

    part: str
    exercise: str | None
    source: str


class Limits(NamedTuple):
    """Seconds that one cell or check may take, and MB that a notebook may take more than numpy does."""

    timeout: int
    memory: int


class Job(NamedTuple):
    """One notebook: its lesson by name, what to run, an empty folder to run it in, and the limits."""

    lesson: str
    steps: tuple[Step, ...]
    folder: str
    limits: Limits

    @classmethod
    def read(cls, data: list[Any]) -> Self:
        """The job out of its JSON."""
        lesson, steps, folder, limits = data
        return cls(lesson, tuple(Step(*step) for step in steps), folder, Limits(*limits))


class Verdict(NamedTuple):
    """What was found of one exercise: one of STATES, why it is not done, and the known mistakes behind it."""

    state: str
    reason: str = ""
    ids: tuple[str, ...] = ()

    @property
    def points(self) -> int:
        """One for an exercise that is done."""
        return int(self.state == DONE)


class Found(NamedTuple):
    """A verdict an exercise, and what was noted while the notebook ran."""

    verdicts: dict[str, Verdict]
    remarks: tuple[str, ...] = ()

    @classmethod
    def read(cls, data: Any) -> Self:
        """What was found, out of its JSON. Raises ValueError, TypeError or AttributeError for other data."""
        verdicts, remarks = data
        known = {
            str(name): Verdict(state, str(reason), tuple(map(str, ids)))
            for name, (state, reason, ids) in verdicts.items()
        }
        if any(one.state not in STATES for one in known.values()):
            raise ValueError("a state that is not known")
        return cls(known, tuple(map(str, remarks)))

    @property
    def points(self) -> int:
        return sum(one.points for one in self.verdicts.values())
