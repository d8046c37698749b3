"""Calling what a learner wrote: blanks are told apart from faults, and faults name their line."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import Any

import numpy as np

from .failing import CheckFailed, is_blank, not_started, say, wrong

BLANK_WORDS = ("ellipsis", "NotImplementedType")


def call(exercise: str, function: Callable[..., Any], given: tuple[Any, ...], says: str = "raised") -> Any:
    """What ``function`` returns. Raises CheckFailed when it is blank, returns nothing, or raises."""
    if is_blank(function):
        raise not_started(exercise, say("no_function"))
    if not callable(function):
        raise wrong(exercise, say("not_callable", given=type(function).__name__))
    try:
        with np.errstate(all="ignore"):
            found = function(*given)
    except NotImplementedError:
        raise not_started(exercise, say("no_function")) from None
    except CheckFailed:
        raise
    except Exception as error:
        if any(word in str(error) for word in BLANK_WORDS):
            raise not_started(exercise, say("dots_left")) from None
        place = _line_of(error.__traceback__, function)
        raise wrong(exercise, say(says, error=f"{type(error).__name__}: {error}", place=place)) from None
    if says == "raised" and is_blank(found):
        if found is ...:
            raise not_started(exercise, say("dots_left"))
        raise wrong(exercise, say("returns_nothing"))
    if _holds_dots(found):
        raise not_started(exercise, say("dots_left"))
    return found


def _holds_dots(found: Any) -> bool:
    try:
        array = np.asarray(found)
        return array.dtype == object and any(item is ... for item in array.ravel())
    except Exception:  # whatever a learner's object does when numpy asks it
        return False


def _line_of(trace: TracebackType | None, function: Callable[..., Any]) -> str:
    """Where in the learner's own cell it happened, in words; empty when that is not known."""
    file = getattr(getattr(function, "__code__", None), "co_filename", None)
    line = None
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == file:
            line = trace.tb_lineno
        trace = trace.tb_next
    return "" if line is None else say("at_line", line=line)
