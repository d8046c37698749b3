"""Heads of one trained run taken out before W^O, one after another, in several orders."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..attention import Array
from .lower_bound import chance
from .model import forward, losses
from .results import FORMAT_VERSION, SOLVED, Result, tested

TRIES = 10  # orders by chance


class Curve(NamedTuple):
    """Loss and share of right names after 0, 1, 2 ... heads were removed."""

    losses: tuple[float, ...]
    accuracies: tuple[float, ...]


class Pruned(NamedTuple):
    """One run's curves: the most important head first, the least important first, and by chance."""

    result: Result
    importance_h: Array
    most: Curve
    least: Curve
    random: Curve

    @property
    def nothing(self) -> float:
        """The loss without any attention: the output is 0, and all names are alike."""
        return chance(self.result.plan.vocab)

    @property
    def spare(self) -> int:
        """How many heads can go, the least important first, while the run stays solved."""
        kept = [accuracy >= SOLVED for accuracy in self.least.accuracies]
        return max(kept.index(False) - 1, 0)

    def as_json(self) -> dict[str, Any]:
        """All of it as plain data."""
        curves = {name: getattr(self, name)._asdict() for name in ("most", "least", "random")}
        return {
            "format_version": FORMAT_VERSION,
            "vocab": self.result.plan.vocab,
            "run": self.result.as_json(),
            "importance": self.importance_h.tolist(),
            "removed_most_important_first": curves["most"],
            "removed_least_important_first": curves["least"],
            "removed_by_chance": curves["random"],
            "no_attention": self.nothing,
            "spare": self.spare,
        }


def prune(result: Result, tries: int = TRIES) -> Pruned:
    """Every curve of a run; by chance it is the mean of ``tries`` orders.

    A head's importance is the mean loss that its removal alone adds.
    """
    importance_h = result.damage_hr.mean(axis=1)
    order = [int(h) for h in np.argsort(-importance_h)]
    draw = np.random.default_rng(result.plan.seed)
    curves = [_curve(result, [int(h) for h in draw.permutation(len(order))]) for _ in range(tries)]
    return Pruned(result, importance_h, _curve(result, order), _curve(result, order[::-1]), _mean(curves))


def _curve(result: Result, order: list[int]) -> Curve:
    batch = tested(result.plan.vocab)
    found = []
    for count in range(len(order) + 1):
        logits_brv = forward(result.model, result.plan.form, batch, tuple(order[:count])).logits_brv
        right = float(np.mean(logits_brv.argmax(axis=2) == batch.answers_br))
        found.append((float(losses(logits_brv, batch.answers_br).mean()), right))
    return Curve(*zip(*found, strict=True))


def _mean(curves: list[Curve]) -> Curve:
    means = np.mean(curves, axis=0).tolist()
    return Curve(*(tuple(values) for values in means))
