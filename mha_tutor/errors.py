"""The one kind of error a user may see: bad input, told in a sentence."""

from __future__ import annotations


class InputError(ValueError):
    """Something given cannot be used; the message says what, what was expected and what to do."""


class MissingError(InputError):
    """Packages that are not installed; the message has the line that installs them."""
