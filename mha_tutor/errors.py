"""The errors a user may see, told in a sentence: bad input, and work that could not be done."""

from __future__ import annotations

from collections.abc import Collection, Iterable


class WorkError(Exception):
    """Something asked for could not be done; the message says what, why and what to do."""


class InputError(ValueError):
    """Something given cannot be used; the message says what, what was expected and what to do."""


class StoppedError(Exception):
    """Ctrl-C after a part of the work was done; the message says how much."""


def close_to(given: str, names: Iterable[str]) -> str | None:
    """The name that was probably meant; None when none is close."""
    from difflib import get_close_matches  # only a mistake pays for it

    return next(iter(get_close_matches(given, list(names), n=1)), None)


def did_you_mean(given: str, names: Iterable[str]) -> str:
    """That name as a question, to be put between two sentences; empty when none is close."""
    close = close_to(given, names)
    return f" Did you mean '{close}'?" if close else ""


def check_choice(option: str, given: str, allowed: Collection[str]) -> None:
    """Raise InputError, with a suggestion where one is close, unless ``given`` is allowed."""
    if given not in allowed:
        hint = did_you_mean(given, allowed)
        raise InputError(f"{option} '{given}' is not known.{hint} Choose one of {', '.join(allowed)}.")
