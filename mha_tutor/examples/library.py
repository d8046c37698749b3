"""The examples that come with mha-tutor, by name."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path

from ..errors import InputError, did_you_mean
from .example import Example
from .fields import shown
from .reading import read_example

DATA = Path(__file__).parent
NAMES = ("robot", "trophy", "chef", "by-hand", "random", "narrow", "trained")


REAL = "real"  # read from a model's files, which mha-tutor does not ship


def find(name: str, *, seed: int = 0) -> Example:
    """The shipped example of that name, or the one in the file of that name.

    ``seed`` is read by ``random`` and ``trained``. Raises InputError when there is neither.
    """
    if name == "random":
        from .drawn import random_example

        return random_example(seed)
    if name == "trained":
        from ..lab.walked import trained_example  # it trains: only those who ask wait for it

        return trained_example(seed)
    if name == REAL:
        from ..lab.real.walked import real_example

        return real_example(None, 1, None)
    if name in ("trophy", "chef"):
        return _other_sentence(name)
    if name in NAMES:
        return read_example(DATA / f"{name}.toml")
    if _is_file_name(name):
        return read_example(Path(name))
    raise InputError(
        f"There is no example {shown(name)}.{did_you_mean(name.lower(), (*NAMES, REAL))} "
        f"Choose one of {', '.join((*NAMES, REAL))}, or name a .toml or .json file."
    )


def _is_file_name(name: str) -> bool:
    """Whether a file is meant: by its ending, or because something of that name is there."""
    try:
        return Path(name).suffix.lower() in {".toml", ".json"} or (name != "" and Path(name).exists())
    except (OSError, ValueError):  # too long, or with a NUL: no file's name
        return False


def _other_sentence(name: str) -> Example:
    """The robot's matrices under the sentence of that name in sentences.toml."""
    with (DATA / "sentences.toml").open("rb") as file:
        entry = tomllib.load(file)[name]
    example = read_example(DATA / "robot.toml").with_sentence(entry["sentence"])
    return replace(
        example, name=name, start=entry["start"], provenance=entry["provenance"], other_sentence=False
    )
