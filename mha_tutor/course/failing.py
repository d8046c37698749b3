"""What a check raises, and what it prints when all is right."""

from __future__ import annotations

from .flow import joined, wrapped
from .wording import say


class CheckFailed(Exception):  # noqa: N818  the name that a learner reads
    """An exercise that is not done; ``ids`` name the known mistakes that give its answer."""

    state = "wrong"

    def __init__(self, exercise: str, message: str, ids: tuple[str, ...] = ()) -> None:
        super().__init__(joined(message))
        self.exercise = exercise
        self.ids = ids

    def _render_traceback_(self) -> list[str]:
        """What a notebook shows: the message in lines that fit, without frames and paths."""
        return wrapped(str(self)).split("\n")


class NotStarted(CheckFailed):
    """An exercise whose blank is still there."""

    state = "not started"


def not_started(exercise: str, what: str) -> CheckFailed:
    """The failure of an exercise whose blank is still there; ``what`` says which."""
    return NotStarted(exercise, say("not_started", exercise=exercise, what=what))


def wrong(exercise: str, message: str, ids: tuple[str, ...] = ()) -> CheckFailed:
    """The failure of an answer that is not right; ``message`` says why, a code at its end says it briefly."""
    from .codes import code_of

    code_line = say("code", code=code_of(exercise, ids))
    return CheckFailed(exercise, say("wrong", exercise=exercise, message=message, code_line=code_line), ids)


def without_code(text: str) -> tuple[str, str]:
    """A failure's message apart from the code at its end; no code where there is none."""
    message, _, line = text.rpartition("\n\n")
    before, after = say("code", code="\0").split("\0")
    if message and line.startswith(before) and line.endswith(after):
        return message, line.removeprefix(before).removesuffix(after)
    return text, ""


def is_blank(value: object) -> bool:
    """Whether ``value`` is what stands in a blank before anything is written there."""
    return value is None or value is ... or value is NotImplemented


def has_blank(value: object) -> bool:
    """Whether a blank stands anywhere in ``value``, however deep in its lists."""
    return any(map(has_blank, value)) if isinstance(value, tuple | list) else is_blank(value)


def passed(exercise: str, tested: str) -> None:
    """Print that the exercise is done, what was tested, and why the answer works."""
    from .lesson import find_exercise
    from .prose import filled

    _, found = find_exercise(exercise)
    why = filled(found.why.text, found.why).strip().replace("**", "")
    print(wrapped(say("done", exercise=exercise, tested=tested)), wrapped(why), sep="\n\n")
