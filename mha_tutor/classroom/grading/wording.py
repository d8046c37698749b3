"""What a class reads about its notebooks, from texts/grading.en.toml."""

from __future__ import annotations

from ...texts import sentence


def say(key: str, part: str = "found", **values: object) -> str:
    """The sentence of that key, from that part of the texts, with ``values`` filled in."""
    return sentence("grading", part, key, **values)
