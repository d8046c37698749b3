"""The words of the registry, from texts/mistakes.en.toml."""

from __future__ import annotations

from typing import NamedTuple

from ..texts import sentence, texts


class Text(NamedTuple):
    """What is said of one mistake: a title, a cause that completes "if ...", and advice."""

    title: str
    cause: str
    advice: str


def text(id: str) -> Text:
    """The text of the mistake with that id; KeyError when there is none."""
    return Text(**texts("mistakes")["mistake"][id])


class Entry:
    """An entry of the registry: the texts have its words under its ``id``."""

    id: str

    @property
    def text(self) -> Text:
        """Its title, cause and advice."""
        return text(self.id)

    @property
    def hint(self) -> str:
        """One line: this is the number you get if ..."""
        words = text(self.id)
        return say("hint", cause=words.cause, advice=words.advice)


def text_ids() -> tuple[str, ...]:
    """The ids that have a text."""
    return tuple(texts("mistakes")["mistake"])


def say(key: str, **values: object) -> str:
    """The sentence of that key with ``values`` filled in."""
    return sentence("mistakes", "say", key, **values)


def says() -> tuple[str, ...]:
    """The keys of all sentences."""
    return tuple(texts("mistakes")["say"])
