"""The words of the pack, from texts/pack.en.toml."""

from __future__ import annotations

from ...texts import sentence


def say(key: str, **values: object) -> str:
    """The sentence of that key with ``values`` filled in."""
    return sentence("pack", "say", key, **values).strip()
