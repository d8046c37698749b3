"""What a check says."""

from __future__ import annotations

from ..texts import texts


def say(key: str, **values: object) -> str:
    """The sentence of that key from texts/course.en.toml, with ``values`` filled in."""
    sentence: str = texts("course")["check"][key]
    return sentence.format(**values)
