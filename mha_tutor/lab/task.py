"""The task "who did what to whom": six names in random order, three with a case tag, and one that asks.

The asking token must report the names of all three tagged tokens. Names are drawn from one pool
without repeats, so a name says nothing about its role; nor does the order, as there are no positions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..attention import Array

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Places = NDArray[np.intp]
else:
    Places = np.ndarray

ROLES = ("agent", "recipient", "place")
TAGS = (*ROLES, "none", "asks")
DISTRACTORS = 3
NAMED = len(ROLES) + DISTRACTORS  # the tokens that carry a name
NONE, ASKS = TAGS.index("none"), TAGS.index("asks")


class Task(NamedTuple):
    """A pool of ``vocab`` names."""

    vocab: int = 24

    @property
    def features(self) -> int:
        """How many features a token can have: a name or none, and a tag."""
        return self.vocab + len(TAGS)


class Batch(NamedTuple):
    """Sentences as features (b, s, f), ones and zeros: names first, then tags. The last token asks.

    ``answers`` (b, r) are the names that have each role.
    """

    features_bsf: Array
    answers_br: Places
    tags_bs: Places


def draw(task: Task, count: int, chance: np.random.Generator) -> Batch:
    """``count`` sentences drawn by chance."""
    # Sorted in full: what a partition leaves in front differs in order between processors.
    names_bs = chance.random((count, task.vocab)).argsort(axis=1)[:, :NAMED]
    kinds = np.array([*range(len(ROLES)), *[NONE] * DISTRACTORS])
    order = chance.random((count, NAMED)).argsort(axis=1)
    b = np.arange(count)[:, None]
    tags_bs = np.concatenate([kinds[order], np.full((count, 1), ASKS)], axis=1)
    features_bsf = np.zeros((count, NAMED + 1, task.features))
    s = np.arange(NAMED)[None]
    features_bsf[b, s, names_bs] = 1
    features_bsf[b, np.arange(NAMED + 1)[None], task.vocab + tags_bs] = 1
    places_br = np.argsort(order, axis=1)[:, : len(ROLES)]  # where the token with each tag stands
    return Batch(features_bsf, names_bs[b, places_br], tags_bs)
