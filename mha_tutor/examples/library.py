"""The examples that come with mha-tutor, by name."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path

from ..errors import InputError
from .example import Example
from .files import read_example

DATA = Path(__file__).parent
NAMES = ("robot", "trophy", "chef", "by-hand", "random", "narrow")


def find(name: str, *, seed: int = 0) -> Example:
    """The shipped example of that name, or the one in the file of that name.

    ``seed`` is read by ``random`` alone. Raises InputError when there is neither.
    """
    if name == "random":
        from .drawn import random_example

        return random_example(seed)
    if name in ("trophy", "chef"):
        return _other_sentence(name)
    if name in NAMES:
        return read_example(DATA / f"{name}.toml")
    path = Path(name)
    if path.suffix.lower() in {".toml", ".json"} or path.exists():
        return read_example(path)
    close = get_close_matches(name, NAMES, n=1)
    hint = f" Did you mean '{close[0]}'?" if close else ""
    raise InputError(
        f"There is no example '{name}'.{hint} "
        f"Choose one of {', '.join(NAMES)}, or name a .toml or .json file."
    )


def _other_sentence(name: str) -> Example:
    """The robot's matrices under the sentence of that name in sentences.toml."""
    with (DATA / "sentences.toml").open("rb") as file:
        entry = tomllib.load(file)[name]
    example = read_example(DATA / "robot.toml").with_sentence(entry["sentence"])
    return replace(
        example, name=name, start=entry["start"], provenance=entry["provenance"], other_sentence=False
    )
