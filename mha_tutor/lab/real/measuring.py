"""Where the weight of every head goes: on average over many sentences, and in control sentences.

Looked at are the tokens that ask from inside a sentence, where itself, the token before, the token
after, [CLS] and [SEP] are five different places. A control has the same words in another order, with
[CLS] and [SEP] where they were: what a head does to its neighbours there does not depend on the words.
Of [CLS] and [SEP] it cannot say whether the place or the token counts; ``moving`` parts them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ...attention import Array
from ...errors import WorkError
from .bert import Pass, forward
from .folder import Real
from .influence import first_token
from .moving import Moved, moved

PLACES = ("before", "after", "itself", "first", "last")  # first is [CLS], last is [SEP]
KINDS = (*PLACES, "diffuse", "mixed")
INSIDE = 2  # tokens at either end that do not count: their five places are not different
LEAST_TOKENS = 2 * INSIDE + 1
MANY = 3.0  # times an even share, from which on weight on a place is called many
EVEN = 2 / 3  # of the tokens: a head that spreads as over so many of them is called diffuse
FAR = 3  # tokens away: a place that no kind is named after
SEED = 1
FORMAT_VERSION = 1


@lru_cache(maxsize=1)
def sentences() -> tuple[str, ...]:
    """The 100 sentences that are measured."""
    text = (Path(__file__).parent / "sentences.txt").read_text(encoding="utf-8")
    return tuple(text.split("\n")[:-1])


def rows_of(real: Real, texts: Sequence[str]) -> list[list[int]]:
    """Those of the texts that the model has places for, as rows of word pieces. Raises WorkError for none."""
    cut = [real.pieces.framed(text) for text in texts]
    found = [real.rows_of(tokens) for tokens in cut if LEAST_TOKENS <= len(tokens) <= len(real.model.places)]
    if not found:
        raise WorkError(
            f"{real.name} has places for {len(real.model.places)} word pieces: too few to measure."
        )
    return found


class Spread(NamedTuple):
    """Means over all tokens that ask: weights on the places (layers, heads, 5), and others (layers, heads).

    ``even`` is how many tokens a head spreads over, as a share of all: the exponential of the entropy
    over n. ``far`` is the weight on the token three places away, the mean of both sides. ``uniform``
    is an even share, 1/n. ``top`` is how often the largest weight is on [CLS] or [SEP].
    """

    weights: Array
    even: Array
    far: Array
    top: Array
    uniform: float
    asking: int


def spread(run: Pass) -> Spread:
    """Where the weight goes in these sentences. Raises ValueError when no token asks from inside."""
    layers, heads = len(run.seen), len(run.seen[0].weights[0])
    total = np.zeros((layers, heads, len(PLACES) + 3))
    asking, uniform = 0, 0.0
    for number, cut in enumerate(run.cuts):
        n = cut.stop - cut.start
        t = np.arange(INSIDE, n - INSIDE)
        if not len(t):
            continue
        asking += len(t)
        uniform += len(t) / n
        for layer, seen in enumerate(run.seen):
            total[layer] += _sums(seen.weights[number], t, n)
    if not asking:
        raise ValueError(f"no sentence has {LEAST_TOKENS} tokens")
    total /= asking
    return Spread(
        total[..., : len(PLACES)], total[..., -3], total[..., -2], total[..., -1], uniform / asking, asking
    )


def _sums(weights_hts: Array, t: Any, n: int) -> Array:
    """The sums over the asking tokens of what ``Spread`` has the means of: (heads, 8)."""
    rows = weights_hts[:, t].astype(float)
    own = np.arange(len(t))
    columns = [rows[:, own, s] for s in (t - 1, t + 1, t)] + [rows[:, :, 0], rows[:, :, n - 1]]
    entropy = -(rows * np.log(np.maximum(rows, 1e-30))).sum(axis=2)
    sides = [np.clip(t + away, 0, n - 1) for away in (-FAR, FAR)]
    inside = np.array([(s > 0) & (s < n - 1) for s in sides], dtype=float)
    far = (np.stack([rows[:, own, s] for s in sides], axis=1) * inside).sum(axis=1)
    far /= np.maximum(inside.sum(axis=0), 1)
    best = rows.argmax(axis=2)
    top = ((best == 0) | (best == n - 1)).astype(float)
    sums: Array = np.stack([*columns, np.exp(entropy) / n, far, top], axis=-1).sum(axis=1)
    return sums


class HeadMap(NamedTuple):
    """The heads of a model over many sentences, over the controls, and what each head is called.

    ``lengths`` and the two after it are what ``first_token`` gives, ``moved`` what ``moving`` does.
    """

    real: Real
    own: Spread
    control: Spread
    sentences: int
    lengths: Array
    share_first: Array
    weight_first: Array
    moved: Moved

    @property
    def threshold(self) -> float:
        """The weight on a place from which on a head is named after it: three times an even share."""
        return MANY * self.own.uniform

    def kind(self, layer: int, head: int) -> str:
        """What the head is called: what it does in the sentences and in the controls, else mixed."""
        return kind_of(self.own, layer, head, self.control)

    def others(self, layer: int, head: int) -> tuple[str, ...]:
        """Further places that the head could be named after, by the same rule."""
        rest = [place for place in PLACES if place != self.kind(layer, head)]
        return tuple(place for place in rest if self._times(layer, head)[PLACES.index(place)] >= MANY)

    def _times(self, layer: int, head: int) -> Array:
        return times_even((self.own, self.control), layer, head)

    def number(self, layer: int, head: int) -> float:
        """The number that goes with the kind: the weight on its place, or how evenly it is spread."""
        return number_of(self.own, layer, head, self.kind(layer, head))

    def words_only(self, layer: int, head: int) -> str | None:
        """The place it would be named after, had the controls not taken it away; None if there is none."""
        alone, both = kind_of(self.own, layer, head), self.kind(layer, head)
        return alone if alone in PLACES and alone != both else None


def kind_of(own: Spread, layer: int, head: int, control: Spread | None = None) -> str:
    """The place with most weight, if it has three times an even share; else diffuse or mixed.

    With ``control`` it must have that in the controls too.
    """
    found = [own] if control is None else [own, control]
    least = times_even(found, layer, head)
    best = int(least.argmax())
    if least[best] >= MANY:
        return PLACES[best]
    return "diffuse" if min(each.even[layer, head] for each in found) >= EVEN else "mixed"


def times_even(found: Sequence[Spread], layer: int, head: int) -> Array:
    """How many times an even share each place gets, at least: (5,)."""
    times: Array = np.min([each.weights[layer, head] / each.uniform for each in found], axis=0)
    return times


def number_of(own: Spread, layer: int, head: int, kind: str) -> float:
    """The weight on the place of that kind; of a diffuse head its evenness, of a mixed one its most."""
    if kind == "diffuse":
        return float(own.even[layer, head])
    places = own.weights[layer, head]
    return float(places.max() if kind == "mixed" else places[PLACES.index(kind)])


def head_map(real: Real, texts: Sequence[str] | None = None) -> HeadMap:
    """Measure all heads over those sentences, by default the 100, and over their controls."""
    rows = rows_of(real, sentences() if texts is None else texts)
    run = forward(real.model, rows)
    draw = np.random.default_rng(SEED)
    shuffled = [[row[0], *draw.permutation(row[1:-1]).tolist(), row[-1]] for row in rows]
    lengths, share, weight = first_token(real, run)
    control = spread(forward(real.model, shuffled))
    changed = moved(real, run, rows)
    return HeadMap(real, spread(run), control, len(rows), lengths, share, weight, changed)
