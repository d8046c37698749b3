"""The words of the quiz, from texts/quiz.en.toml."""

from __future__ import annotations

from typing import Any

from ..texts import texts


def say(key: str, /, **values: object) -> str:
    """The sentence of that key with ``values`` filled in."""
    sentence: str = texts("quiz")["say"][key]
    return sentence.format_map(values)


def topic_text(topic: str) -> dict[str, Any]:
    """What is said of a topic: ask, hint, why, options, and worked where nothing else works it out."""
    text: dict[str, Any] = texts("quiz")["topic"][topic]
    return text
