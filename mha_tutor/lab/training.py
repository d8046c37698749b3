"""A run of training: fresh sentences at every step, and Adam (Kingma and Ba 2015, algorithm 1)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ..attention import Array
from .model import Form, Model, loss_and_gradients, start
from .task import Task, draw

BATCH = 128
RATE = 0.02


class Plan(NamedTuple):
    """What is trained. ``width`` is the width of all heads together, d_model unless given."""

    heads: int
    seed: int
    vocab: int = 24
    d_model: int = 24
    steps: int = 400
    mixed: bool = False
    width: int | None = None
    rate: float = RATE

    @property
    def form(self) -> Form:
        """The task and the heads."""
        return Form(Task(self.vocab), self.heads, self.mixed)


class Step(NamedTuple):
    """Where a run stands after ``done`` steps: the loss of the last batch, and the learned numbers."""

    done: int
    loss: float
    model: Model


def train(plan: Plan) -> Iterator[Step]:
    """The run, step by step: the same numbers for the same plan, and other ones for another seed."""
    chance = np.random.default_rng(plan.seed)
    form = plan.form
    model = start(form.task, plan.d_model, plan.width or plan.d_model, chance)
    adam = Adam(model)
    for done in range(1, plan.steps + 1):
        loss, gradients = loss_and_gradients(model, form, draw(form.task, BATCH, chance))
        left = 1 - (done - 1) / plan.steps  # the rate falls to nothing, so that the end is steady
        adam.move(gradients, plan.rate * min(1.0, 2 * left))
        yield Step(done, loss, model)


class Adam:
    """Moves arrays in place, each number by about ``rate`` a step."""

    def __init__(self, arrays: tuple[Array, ...], mean: float = 0.9, square: float = 0.999) -> None:
        self.arrays = arrays
        self.mean, self.square = mean, square
        self.means = [np.zeros_like(array) for array in arrays]
        self.squares = [np.zeros_like(array) for array in arrays]
        self.steps = 0

    def move(self, gradients: tuple[Array, ...], rate: float) -> None:
        """One step against the gradients."""
        self.steps += 1
        fair = rate * np.sqrt(1 - self.square**self.steps) / (1 - self.mean**self.steps)
        for i, gradient in enumerate(gradients):
            self.means[i] += (1 - self.mean) * (gradient - self.means[i])
            self.squares[i] += (1 - self.square) * (gradient**2 - self.squares[i])
            self.arrays[i][:] -= fair * self.means[i] / (np.sqrt(self.squares[i]) + 1e-8)
