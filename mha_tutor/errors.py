"""The errors a user may see, told in a sentence: bad input, and work that could not be done."""

from __future__ import annotations


class WorkError(Exception):
    """Something asked for could not be done; the message says what, why and what to do."""


class InputError(ValueError):
    """Something given cannot be used; the message says what, what was expected and what to do."""
