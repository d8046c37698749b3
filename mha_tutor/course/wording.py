"""What a check says."""

from __future__ import annotations

from ..texts import sentence


def say(key: str, **values: object) -> str:
    """The sentence of that key from texts/course.en.toml, with ``values`` filled in."""
    return sentence("course", "check", key, **values)
