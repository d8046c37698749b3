"""One sitting: several runs after one another, with word of how far each has come."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from ..attention import Array
from .results import Result, result_of, tested, without
from .training import Plan, train

POINTS = 10  # losses that are kept of each run


class News(NamedTuple):
    """Run ``run`` (from 0) stands at step ``done`` with that loss; at its end there is a ``result``."""

    run: int
    plan: Plan
    done: int
    loss: float
    result: Result | None = None


def sit(plans: Sequence[Plan]) -> Iterator[News]:
    """Train all plans in order, with news after every step."""
    for run, plan in enumerate(plans):
        every = max(plan.steps // POINTS, 1)
        curve: list[tuple[int, float]] = []
        since: list[float] = []
        for step in train(plan):
            since.append(step.loss)
            if step.done % every == 0 or step.done == plan.steps:
                curve.append((step.done, sum(since) / len(since)))
                since = []
            if step.done < plan.steps:
                yield News(run, plan, step.done, step.loss)
        yield News(run, plan, plan.steps, step.loss, result_of(plan, step.model, tuple(curve)))


@lru_cache(maxsize=32)  # lessons and tests ask for the same few runs again and again
def trained(plan: Plan) -> Result:
    """The result of one run; half a second the first time."""
    *_, last = sit([plan])
    assert last.result is not None
    return last.result


def loss_without(plan: Plan, removed: Sequence[int] = ()) -> Array:
    """The loss of each slot of that run with some heads, from 0, set to 0 before W^O: (r,)."""
    return _loss_without(plan, tuple(removed)).copy()


@lru_cache(maxsize=64)
def _loss_without(plan: Plan, removed: tuple[int, ...]) -> Array:
    return without(plan, trained(plan).model, tested(plan.vocab), removed)
