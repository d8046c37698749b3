"""Does any head find what `it` stands for? Weights recorded from a real model, with controls.

Four scenes, each with two endings; the ending decides what `it` stands for. Each sentence also stands
there with its two nouns swapped, as a control: what `it` stands for is then the other word in the same
place. So a head that likes a word, or a place, is right in half of the 16 sentences, however large
its weights are. The numbers are read from a file, so that no learned numbers of a model are needed.
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ...attention import Array, Mask
from ..task import Places

DATA = Path(__file__).parent / "fooling.json"
FORMAT_VERSION = 1
DIGITS = 7  # that count, all that float32 has: so that weights near 0 can still be told apart
PRONOUN = "it"

# What happens, the two nouns, and the endings for which `it` is the first and the second noun.
SCENES = (
    ("The {} overtook the {} because it was {}.", ("truck", "bus"), ("faster", "slower")),
    ("The {} did not fit into the {} because it was too {}.", ("bottle", "box"), ("large", "small")),
    ("The {} could not lift the {} because it was too {}.", ("robot", "crane"), ("weak", "heavy")),
    ("The {} could not catch the {} because it was too {}.", ("dog", "cat"), ("slow", "fast")),
)


class Sentence(NamedTuple):
    """A sentence, its nouns in order, and which of them `it` stands for: 0 the first, 1 the second."""

    text: str
    nouns: tuple[str, str]
    referent: int

    @property
    def meant(self) -> str:
        """The noun that `it` stands for."""
        return self.nouns[self.referent]


class Pair(NamedTuple):
    """A sentence, and the control with its nouns swapped; ``referent`` is the same place in both."""

    original: Sentence
    control: Sentence


def pairs() -> tuple[Pair, ...]:
    """The 8 pairs: every scene with every ending."""
    found = []
    for frame, (one, other), endings in SCENES:
        for referent, ending in enumerate(endings):
            both = [
                Sentence(frame.format(*nouns, ending), nouns, referent)
                for nouns in ((one, other), (other, one))
            ]
            found.append(Pair(*both))
    return tuple(found)


class Fooling(NamedTuple):
    """The weights from `it` to the two nouns, by head, pair, sentence of the pair, and noun.

    ``weights`` is (layers, heads, 8 pairs, 2, 2): [..., 0, :] is the original and [..., 1, :] the
    control; [..., 0] is the sentence's first noun and [..., 1] its second. ``provenance`` says where
    the numbers are from.
    """

    pairs: tuple[Pair, ...]
    weights: Array
    provenance: str

    @property
    def referents(self) -> Places:
        """Which noun `it` stands for in each pair, 0 or 1: (8,)."""
        return np.array([pair.original.referent for pair in self.pairs])

    @property
    def on_referent(self) -> Array:
        """The weight on the noun that `it` stands for: (layers, heads, 8, 2)."""
        return _taken(self.weights, self.referents)

    @property
    def on_other(self) -> Array:
        """The weight on the other noun: (layers, heads, 8, 2)."""
        return _taken(self.weights, 1 - self.referents)

    @property
    def right(self) -> Mask:
        """Whether the noun that `it` stands for gets more than the other one: (layers, heads, 8, 2)."""
        more: Mask = self.on_referent > self.on_other
        return more


def _taken(weights: Array, places: Places) -> Array:
    """Of the last axis the place that each pair names."""
    index = places[None, None, :, None, None]
    found: Array = np.take_along_axis(weights, index, axis=-1)[..., 0]
    return found


@lru_cache(maxsize=1)
def fooling() -> Fooling:
    """The recorded weights."""
    data = json.loads(DATA.read_text(encoding="utf-8"))
    weights = np.array(data["weights"])
    weights.flags.writeable = False
    return Fooling(pairs(), weights, data["provenance"])
