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


def file_text(key: str, /, **values: object) -> str:
    """What is said of the file in which a quiz is kept."""
    sentence: str = texts("quiz")["file"][key]
    return sentence.format_map(values)


def summary_text(key: str, /, **values: object) -> str:
    """A sentence of the summary."""
    sentence: str = texts("quiz")["summary"][key]
    return sentence.format_map(values)


def use_text(key: str, /, **values: object) -> str:
    """How --quiz is used, for who used it in another way."""
    sentence: str = texts("quiz")["use"][key]
    return sentence.format_map(values)
