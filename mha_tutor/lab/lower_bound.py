"""What no single head can go below, when keys read tags alone and values names alone.

The proof, for a head of any width. Its weights depend on the tags only, so they are the same numbers
in every sentence. What it hands on is linear in the weights its names get; so a readout gives each
name a logit linear in those weights. The names are drawn evenly and cross-entropy is convex in the
readout: averaged over all ways to rename the pool a readout is no worse, and what is left of it is
``a`` times the name's own weight. So for ``a`` >= 0 the role whose weight is the m-th largest of the
three has m - 1 names with logits at least as large, and gets a probability of at most 1/m. For
``a`` < 0 the names that are not in the sentence have larger logits: at most 1 / (vocab - 6 + 1),
which is no more than 1/3 from a pool of 8 on. The mean over the roles is then at least ln(3!)/3.
"""

from __future__ import annotations

from math import factorial, log

import numpy as np

from ..attention import Array, softmax
from .task import DISTRACTORS, NAMED, ROLES
from .training import Adam

LEAST_VOCAB = NAMED + len(ROLES) - 1  # below this the proof does not hold
TRIES = 64  # starts of the search


def floor() -> float:
    """ln(3!) / 3 nats, about 0.597: one head with split streams never does better."""
    return log(factorial(len(ROLES))) / len(ROLES)


def chance(vocab: int) -> float:
    """ln V: the loss of guessing among all names alike."""
    return log(vocab)


def graded_losses(weights_wi: Array, scales_wr: Array, vocab: int) -> tuple[Array, Array, Array]:
    """The exact loss of one head whose readouts are multiples of its names' weights, for many at once.

    ``weights_wi`` are its weights on the three roles and on one distractor, ``scales_wr`` the multiple
    in each role's readout. Gives the losses (w,) and their gradients by weights and scales.
    """
    counts_i = np.array([1.0] * len(ROLES) + [DISTRACTORS, vocab - NAMED])  # the last: names not there
    known_wi = np.concatenate([weights_wi, np.zeros((len(weights_wi), 1))], axis=1)
    logits_wri = scales_wr[:, :, None] * known_wi[:, None, :]
    p_wri = softmax(logits_wri + np.log(np.maximum(counts_i, 1e-300)))  # of a pool of 6 all are there
    right = np.arange(len(ROLES))
    losses_w: Array = -np.log(np.maximum(p_wri[:, right, right], 1e-300)).mean(axis=1)
    d_wri = p_wri.copy()
    d_wri[:, right, right] -= 1
    d_wri /= len(ROLES)
    d_weights = (d_wri * scales_wr[:, :, None]).sum(axis=1)[:, : len(ROLES) + 1]
    return losses_w, d_weights, (d_wri * known_wi[:, None, :]).sum(axis=2)


def searched_losses(z_wi: Array, u_wr: Array, vocab: int) -> tuple[Array, Array, Array]:
    """``graded_losses`` by free numbers: weights softmax(z), scales sinh(u), so of both signs and any size.

    Gives the losses (w,) and their gradients by ``z`` and ``u``.
    """
    spread = np.array([1.0] * len(ROLES) + [DISTRACTORS])
    weights_wi = softmax(z_wi + np.log(spread)) / spread
    losses_w, d_weights, d_scales = graded_losses(weights_wi, np.sinh(u_wr), vocab)
    spent = (d_weights * weights_wi).sum(axis=1, keepdims=True)
    return losses_w, weights_wi * (d_weights - spread * spent), d_scales * np.cosh(u_wr)


def best_graded(vocab: int, *, tries: int = TRIES, steps: int = 1500, seed: int = 1) -> float:
    """The lowest loss that a search over weights and multiples finds, from many starts at once.

    It never comes below the floor, and is slow to come near: see ``built_graded``.
    """
    draw = np.random.default_rng(seed)
    z_wi = draw.normal(scale=2.0, size=(tries, len(ROLES) + 1))
    u_wr = draw.normal(scale=2.0, size=(tries, len(ROLES)))
    adam, best = Adam((z_wi, u_wr)), np.inf
    for step in range(steps):
        losses_w, *gradients = searched_losses(z_wi, u_wr, vocab)
        best = min(best, float(losses_w.min()))
        adam.move(tuple(gradients), 0.05 * (1 - step / steps))
        np.clip(u_wr, -20, 20, out=u_wr)
    return best


def built_graded(vocab: int, closeness: float = 1e-3) -> float:
    """The loss of a head built to come near the floor: as near as you like, and never to it.

    Each role's weight is a little larger than the next one's, each difference far smaller than the
    one after it; the multiple of each readout is large against its own difference alone.
    """
    large = 20.0  # exp(-20) is next to nothing
    third = 1 / len(ROLES)
    second_gap = closeness * third / large
    first_gap = closeness * second_gap / large
    weights = np.array([[third + second_gap + first_gap, third + second_gap, third, 0.0]])
    scales = large / np.array([[first_gap, second_gap, third]])
    return float(graded_losses(weights, scales, vocab)[0][0])
