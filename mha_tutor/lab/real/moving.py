"""Is it the place or the token? [CLS] replaced by a word, and [CLS] moved into the middle.

In a sentence [CLS] is always first, so the weight there may be due to the token or to its place. Two
changes part them. No model was trained on such sentences, so they say what this model does with them,
and not why it came to be so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...attention import Array
from .bert import Pass, forward
from .folder import Real

EVERY = 3  # every third sentence is changed: it takes a third of the time and says nearly the same


class Moved(NamedTuple):
    """The mean weight from words to place 1 and to the middle one: (layers, 2) for each arrangement.

    ``own`` is the sentences as they are. In ``replaced`` the word from the middle stands in place of
    [CLS] too; in ``swapped`` [CLS] and that word have changed places.
    """

    own: Array
    replaced: Array
    swapped: Array
    sentences: int


def moved(real: Real, run: Pass, rows: Sequence[Sequence[int]]) -> Moved:
    """Measured on every third of these sentences; ``run`` is what the model made of all of them."""
    chosen = range(0, len(rows), EVERY)
    replaced, swapped = [], []
    for number in chosen:
        row, middle = rows[number], len(rows[number]) // 2
        replaced.append([row[middle], *row[1:]])
        swapped.append([row[middle], *row[1:middle], row[0], *row[middle + 1 :]])
    words, places = (_asked(forward(real.model, each), range(len(each))) for each in (replaced, swapped))
    return Moved(_asked(run, chosen), words, places, len(chosen))


def _asked(run: Pass, numbers: Sequence[int]) -> Array:
    """The mean weight on both places, over heads and over the words that stand on neither: (layers, 2)."""
    total, asking = np.zeros((len(run.seen), 2)), 0
    for number in numbers:
        n = run.cuts[number].stop - run.cuts[number].start
        places = [0, n // 2]
        words = [t for t in range(1, n - 1) if t not in places]
        asking += len(words)
        for at, seen in enumerate(run.seen):
            total[at] += seen.weights[number][:, words][..., places].mean(axis=0).sum(axis=0)
    found: Array = total / asking
    return found
