"""Heads of a real model taken out one after another, in several orders; nothing is trained again.

What is measured is how far the sentences' vectors turn: the mean cosine between the vector with all
heads and the vector with fewer. Scores of a task are a weaker ruler: words alone do well on many.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...attention import Array
from .bert import Start, resume, start
from .folder import Real
from .measuring import FORMAT_VERSION, rows_of, sentences

Head = tuple[int, int]  # layer and head, from 0


class Plan(NamedTuple):
    """What is removed: a point of each curve every so many heads, orders by chance, a seed."""

    sentences: int = 16
    every: int = 6
    orders: int = 3
    seed: int = 1


class Removal(NamedTuple):
    """The curves: mean cosine after each of ``counts`` heads is gone, and each head's importance.

    ``importance`` is 1 minus the cosine when that head alone is gone, ``without_layer`` the cosine
    without all heads of a layer. ``random`` has a curve for each order by chance, ``sentences`` is how
    many the model had places for.
    """

    real: Real
    plan: Plan
    sentences: int
    importance: Array
    without_layer: tuple[float, ...]
    counts: tuple[int, ...]
    most: tuple[float, ...]
    least: tuple[float, ...]
    random: tuple[tuple[float, ...], ...]

    @property
    def nothing(self) -> float:
        """The cosine without any attention: all heads are gone."""
        return self.least[-1]

    @property
    def by_chance(self) -> tuple[float, ...]:
        """The mean of the orders by chance."""
        return tuple(np.mean(self.random, axis=0).tolist())

    @property
    def layers(self) -> Array:
        """The importance of each layer's heads, added up."""
        total: Array = self.importance.sum(axis=1)
        return total

    def as_json(self) -> dict[str, Any]:
        """All of it as plain data."""
        return {
            "format_version": FORMAT_VERSION,
            "model": self.real.name,
            "source": self.real.source,
            **self.plan._asdict(),
            "sentences": self.sentences,
            "measure": "mean cosine to the sentence vectors of the full model",
            "importance": self.importance.tolist(),
            "without_layer": list(self.without_layer),
            "removed": list(self.counts),
            "most_important_first": list(self.most),
            "least_important_first": list(self.least),
            "by_chance": [list(curve) for curve in self.random],
            "no_attention": self.nothing,
        }


def removing(real: Real, plan: Plan) -> Iterator[tuple[int, int] | Removal]:
    """How many of the passes are done, again and again; at the end the Removal."""
    heads = [(at, head) for at in range(len(real.model.layers)) for head in range(real.model.heads)]
    texts = sentences()[:: max(1, len(sentences()) // plan.sentences)][: plan.sentences]
    begun = [start(real.model, rows_of(real, texts))]
    full = resume(real.model, begun[0])
    begun = [Start(seen.x_td, begun[0].cuts, layer) for layer, seen in enumerate(full.seen)]
    unit = full.sentences

    def cosine(gone: Sequence[Head]) -> float:
        if not gone:
            return 1.0
        first = min(layer for layer, _ in gone)  # up to there nothing changes
        cut = resume(real.model, begun[first], gone, keep=False).sentences
        return float((unit * cut).sum(axis=1).mean())

    counts = tuple(sorted({*range(0, len(heads), plan.every), len(heads)}))
    layers = len(real.model.layers)
    alone = len(heads) + layers
    passes = alone + len(counts) * (2 + plan.orders)
    found: list[float] = []

    def measured(removals: Iterable[Sequence[Head]]) -> Iterator[tuple[int, int]]:
        for gone in removals:
            found.append(cosine(gone))
            yield len(found), passes

    yield from measured([head] for head in heads)
    importance = 1 - np.array(found).reshape(layers, -1)
    yield from measured([each for each in heads if each[0] == at] for at in range(layers))
    order = np.argsort(-importance.ravel(), kind="stable")
    draw = np.random.default_rng(plan.seed)
    for places in (order, order[::-1], *(draw.permutation(len(heads)) for _ in range(plan.orders))):
        yield from measured([heads[i] for i in places[:count]] for count in counts)
    curves = [tuple(found[at : at + len(counts)]) for at in range(alone, passes, len(counts))]
    without = tuple(found[len(heads) : alone])
    yield Removal(
        real, plan, len(begun[0].cuts), importance, without, counts, curves[0], curves[1], tuple(curves[2:])
    )
