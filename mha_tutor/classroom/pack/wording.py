"""The words of the pack, from texts/pack.en.toml."""

from __future__ import annotations

from ...texts import texts


def say(key: str, **values: object) -> str:
    """The sentence of that key with ``values`` filled in."""
    sentence: str = texts("pack")["say"][key]
    return sentence.strip().format(**values)
