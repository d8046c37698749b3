"""What is measured on trained heads: loss, who looks where, and what is missing without each."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from ..attention import Array
from .lower_bound import LEAST_VOCAB, chance, floor
from .model import Model, evened, forward, losses, weights_by_tag
from .task import ROLES, TAGS, Batch, Task, draw
from .training import Plan

FORMAT_VERSION = 1
TESTED = 2000  # sentences that no run was trained on
TEST_SEED = 20_250  # the same for all runs, so that they can be compared
SOLVED = 0.99  # from this share of right names on
TAKEN = 0.5  # nats: when a slot loses more than this without a head, the head had it


class Result(NamedTuple):
    """One trained run. Axes: h head, r role (``ROLES``), g tag (``TAGS``), v name.

    ``weights_hg`` are mean weights, ``damage_hr`` the nats that a slot loses without a head.
    ``by_name_hrv`` is the mean weight that a head spends on a role's token when it has that name.
    ``evened_loss`` is the loss when every weight is replaced by the mean of its tag.
    """

    plan: Plan
    parameters: int
    loss: float
    accuracy: float
    loss_r: Array
    accuracy_r: Array
    weights_hg: Array
    damage_hr: Array
    by_name_hrv: Array
    graded_hr: Array
    evened_loss: float
    curve: tuple[tuple[int, float], ...]
    model: Model

    @property
    def solved(self) -> bool:
        """Whether it names all three nearly always."""
        return self.accuracy >= SOLVED

    def slots(self, head: int) -> tuple[int, ...]:
        """The slots that are lost without this head; roles are found, not assigned."""
        return tuple(r for r in range(len(ROLES)) if self.damage_hr[head, r] > TAKEN)

    def looks_at(self, head: int) -> tuple[int, ...]:
        """The roles that get at least a quarter of the head's weight, the largest first."""
        order = np.argsort(-self.weights_hg[head, : len(ROLES)])
        return tuple(int(r) for r in order if self.weights_hg[head, r] >= 0.25)

    @property
    def one_slot_each(self) -> bool:
        """Whether each head has one slot of its own, and so each slot one head."""
        slots = [self.slots(h) for h in range(self.plan.heads)]
        return all(len(found) == 1 for found in slots) and len(set(slots)) == len(ROLES)

    def as_json(self) -> dict[str, Any]:
        """The run as plain data."""
        arrays = ("loss_r", "accuracy_r", "weights_hg", "damage_hr")
        return {
            **{name: getattr(self.plan, name) for name in ("heads", "seed", "steps")},
            "parameters": self.parameters,
            "loss": self.loss,
            "accuracy": self.accuracy,
            "solved": self.solved,
            **{name: getattr(self, name).tolist() for name in arrays},
            "roles": [[ROLES[r] for r in self.slots(h)] for h in range(self.plan.heads)],
            "share_of_weight_set_by_name_hr": self.graded_hr.tolist(),
            "loss_with_mean_weights_of_tags": self.evened_loss,
            "curve": [{"step": step, "loss": loss} for step, loss in self.curve],
        }


class Lab(NamedTuple):
    """All runs of one sitting. ``planned`` is how many there should have been."""

    results: tuple[Result, ...]
    planned: int
    best_graded: float
    built_graded: float

    @property
    def plan(self) -> Plan:
        """What all runs share: the pool, the width, the steps, the streams."""
        return self.results[0].plan

    @property
    def stopped(self) -> bool:
        """Whether there are fewer runs than there should have been."""
        return len(self.results) < self.planned

    @property
    def head_counts(self) -> tuple[int, ...]:
        """The numbers of heads that were trained, in order."""
        return tuple(sorted({result.plan.heads for result in self.results}))

    def of(self, heads: int) -> tuple[Result, ...]:
        """The runs with that many heads, by seed."""
        found = (result for result in self.results if result.plan.heads == heads)
        return tuple(sorted(found, key=lambda result: result.plan.seed))

    @property
    def floor_holds(self) -> bool:
        """Whether the proof covers these runs: split streams, and a pool that is not too small."""
        return not self.plan.mixed and self.plan.vocab >= LEAST_VOCAB

    def as_json(self) -> dict[str, Any]:
        """All of it as plain data."""
        plan = self.plan
        return {
            "format_version": FORMAT_VERSION,
            "task": "who did what to whom",
            "roles": list(ROLES),
            "tags": list(TAGS),
            "vocab": plan.vocab,
            "d_model": plan.d_model,
            "mixed": plan.mixed,
            "chance": chance(plan.vocab),
            "floor": floor(),
            "floor_holds": self.floor_holds,
            "best_graded": self.best_graded,
            "built_graded": self.built_graded,
            "planned": self.planned,
            "stopped": self.stopped,
            "runs": [result.as_json() for result in self.results],
        }


def result_of(plan: Plan, model: Model, curve: tuple[tuple[int, float], ...]) -> Result:
    """Measure trained heads on sentences that they have not seen."""
    batch = tested(plan.vocab)
    run = forward(model, plan.form, batch)
    loss_br = losses(run.logits_brv, batch.answers_br)
    right_br = run.logits_brv.argmax(axis=2) == batch.answers_br
    damage = [without(plan, model, batch, (head,)) - loss_br.mean(axis=0) for head in range(plan.heads)]
    even = forward(model, plan.form, batch, weights=evened(run.weights_bhs, batch.tags_bs))
    by_name, graded = _by_name(run.weights_bhs, batch, plan.vocab)
    return Result(
        plan=plan,
        parameters=model.size,
        loss=float(loss_br.mean()),
        accuracy=float(right_br.mean()),
        loss_r=loss_br.mean(axis=0),
        accuracy_r=right_br.mean(axis=0),
        weights_hg=weights_by_tag(run.weights_bhs, batch.tags_bs),
        damage_hr=np.array(damage),
        by_name_hrv=by_name,
        graded_hr=graded,
        evened_loss=float(losses(even.logits_brv, batch.answers_br).mean()),
        curve=curve,
        model=Model(*(array.copy() for array in model)),
    )


@cache
def tested(vocab: int) -> Batch:
    """The sentences that all runs are measured on."""
    return draw(Task(vocab), TESTED, np.random.default_rng(TEST_SEED))


def without(plan: Plan, model: Model, batch: Batch, removed: tuple[int, ...]) -> Array:
    """The loss of each slot when the heads in ``removed`` are taken out before W^O: (r,)."""
    loss: Array = losses(forward(model, plan.form, batch, removed).logits_brv, batch.answers_br).mean(axis=0)
    return loss


def _by_name(weights_bhs: Array, batch: Batch, vocab: int) -> tuple[Array, Array]:
    """The mean weight by head, role and name, and the share of the weight's variance it explains.

    A weight that does not change at all has no variance to explain: 0.
    """
    roles_brs = batch.tags_bs[:, None, :] == np.arange(len(ROLES))[:, None]
    weights_bhr = np.einsum("bhs,brs->bhr", weights_bhs, roles_brs.astype(float))
    names_brv = (batch.answers_br[..., None] == np.arange(vocab)).astype(float)
    counts_rv = np.maximum(names_brv.sum(axis=0), 1)
    by_name_hrv = np.einsum("bhr,brv->hrv", weights_bhr, names_brv) / counts_rv
    told_bhr = np.einsum("hrv,brv->bhr", by_name_hrv, names_brv)
    total_hr = weights_bhr.var(axis=0)
    moving = total_hr > 1e-12
    share = np.where(moving, told_bhr.var(axis=0) / np.where(moving, total_hr, 1), 0.0)
    return by_name_hrv, share
