"""The words of the quiz, from texts/quiz.en.toml."""

from __future__ import annotations

from typing import Any

from ..texts import sentence, texts


def say(key: str, /, **values: object) -> str:
    """The sentence of that key with ``values`` filled in."""
    return sentence("quiz", "say", key, **values)


def topic_text(topic: str) -> dict[str, Any]:
    """What is said of a topic: ask, hint, why, options, and worked where nothing else works it out."""
    text: dict[str, Any] = texts("quiz")["topic"][topic]
    return text


def file_text(key: str, /, **values: object) -> str:
    """What is said of the file in which a quiz is kept."""
    return sentence("quiz", "file", key, **values)


def summary_text(key: str, /, **values: object) -> str:
    """A sentence of the summary."""
    return sentence("quiz", "summary", key, **values)


def use_text(key: str, /, **values: object) -> str:
    """How --quiz is used, for who used it in another way."""
    return sentence("quiz", "use", key, **values)
