"""What the commands of the course say."""

from __future__ import annotations

from ...course.flow import WIDTH, wrapped
from ...texts import sentence
from ..world import World


def say(key: str, **values: object) -> str:
    """The sentence of that key from the part "command" of texts/course.en.toml."""
    return sentence("course", "command", key, **values)


def flowing(text: str, world: World, indent: str = "") -> str:
    """Text in lines that fit the output, and that the eye can follow."""
    return wrapped(text, min(world.size()[0], WIDTH), indent)
