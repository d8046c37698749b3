"""The words of the registry, read from texts/mistakes.en.toml when first needed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

FILE = Path(__file__).parents[1] / "texts" / "mistakes.en.toml"


@dataclass(frozen=True)
class Text:
    """What is said of one mistake: a title, a cause that completes "if ...", and advice."""

    title: str
    cause: str
    advice: str


@lru_cache(maxsize=1)
def _read() -> tuple[dict[str, Text], dict[str, str]]:
    import tomllib

    data = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return {id: Text(**entry) for id, entry in data["mistake"].items()}, data["say"]


def text(id: str) -> Text:
    """The text of the mistake with that id; KeyError when there is none."""
    return _read()[0][id]


def text_ids() -> tuple[str, ...]:
    """The ids that have a text."""
    return tuple(_read()[0])


def say(key: str, **values: object) -> str:
    """The sentence of that key with ``values`` filled in."""
    return _read()[1][key].format(**values)


def says() -> tuple[str, ...]:
    """The keys of all sentences."""
    return tuple(_read()[1])
