"""One attention layer with three readouts, and the gradients of its loss, written by hand.

A token is the sum of the rows of its features, X_tab = [names; tags] (f, d). Only the last token asks:

    scores_h = (x_asks W_h^Q) (x_s W_h^K)^T / sqrt(e),   weights_h = softmax over s
    output   = [weights_1 V_1 ... weights_h V_h] W^O,    logits_r = output R_r for each role r

The loss is the cross-entropy of the three names, averaged over roles and sentences. With split
streams keys read the tag alone and values the name alone; without, both read everything.
Suffixes are those of ``attention``, and b: sentence, f: feature, r: role, v: name.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np

from ..attention import Array, softmax
from .task import ASKS, ROLES, TAGS, Batch, Places, Task

EVEN = 0.3  # how large queries and keys start, against the usual 1


class Model(NamedTuple):
    """All learned numbers: features (f, d), W_Q, W_K, W_V (d, c), W_O (c, d), readouts (d, r v)."""

    x_fd: Array
    w_q_dc: Array
    w_k_dc: Array
    w_v_dc: Array
    w_o_cd: Array
    readout_dk: Array

    @property
    def size(self) -> int:
        """How many numbers are learned."""
        return sum(array.size for array in self)


class Form(NamedTuple):
    """What the learned numbers are used for: a task, a number of heads, streams split or mixed."""

    task: Task
    heads: int
    mixed: bool = False

    def sees(self, *, keys: bool) -> Array:
        """1 for each feature that keys (or values) may read, else 0: (f, 1)."""
        reads_tags = np.arange(self.task.features) >= self.task.vocab
        allowed = np.ones_like(reads_tags) if self.mixed else reads_tags == keys
        return allowed[:, None].astype(float)


def start(task: Task, d_model: int, head_columns: int, chance: np.random.Generator) -> Model:
    """Numbers drawn by chance; ``head_columns`` is the width of all heads together.

    Queries and keys start small, so that every head starts out by asking all tokens alike.
    """
    d, c = d_model, head_columns
    shapes = ((task.features, d), (d, c), (d, c), (d, c), (c, d), (d, len(ROLES) * task.vocab))
    even = 1 / sqrt(d)
    scales = (even, EVEN * even, EVEN * even, even, 1 / sqrt(c), even)
    return Model(*(chance.normal(scale=s, size=shape) for s, shape in zip(scales, shapes, strict=True)))


class Pass(NamedTuple):
    """What a forward pass leaves for the one back."""

    query_he: Array
    keys_fhe: Array
    values_hfe: Array
    weights_bhs: Array
    found_bhf: Array
    concat_bc: Array
    output_bd: Array
    logits_brv: Array


def forward(
    model: Model, form: Form, batch: Batch, removed: tuple[int, ...] = (), weights: Array | None = None
) -> Pass:
    """Every number on the way to the logits; the columns of heads in ``removed`` (from 0) are 0.

    ``weights``, (b, h, s), take the place of those that the scores give.
    """
    h, f = form.heads, form.task.features
    query_he = (model.x_fd[form.task.vocab + ASKS] @ model.w_q_dc).reshape(h, -1)
    keys_fhe = (form.sees(keys=True) * (model.x_fd @ model.w_k_dc)).reshape(f, h, -1)
    values_hfe = (form.sees(keys=False) * (model.x_fd @ model.w_v_dc)).reshape(f, h, -1).swapaxes(0, 1)
    scores_fh = np.einsum("fhe,he->fh", keys_fhe, query_he) / sqrt(query_he.shape[1])
    own_bhs = softmax((batch.features_bsf @ scores_fh).swapaxes(1, 2))
    weights_bhs = own_bhs if weights is None else weights
    found_bhf = weights_bhs @ batch.features_bsf  # how much of each feature a head has taken in
    mixed_hbe = found_bhf.swapaxes(0, 1) @ values_hfe
    for head in removed:
        mixed_hbe[head] = 0.0
    concat_bc = mixed_hbe.swapaxes(0, 1).reshape(len(found_bhf), -1)
    output_bd = concat_bc @ model.w_o_cd
    logits_brv = (output_bd @ model.readout_dk).reshape(len(output_bd), len(ROLES), -1)
    return Pass(query_he, keys_fhe, values_hfe, weights_bhs, found_bhf, concat_bc, output_bd, logits_brv)


def losses(logits_brv: Array, answers_br: Places) -> Array:
    """-ln of the probability given to each right name, in nats: (b, r)."""
    top_br1 = logits_brv.max(axis=2, keepdims=True)
    totals_br = np.log(np.exp(logits_brv - top_br1).sum(axis=2)) + top_br1[..., 0]
    right_br = np.take_along_axis(logits_brv, answers_br[..., None], axis=2)[..., 0]
    lost_br: Array = totals_br - right_br
    return lost_br


def loss_and_gradients(model: Model, form: Form, batch: Batch) -> tuple[float, Model]:
    """The mean loss, and how it changes with every learned number."""
    run = forward(model, form, batch)
    b, h, f = run.found_bhf.shape
    d_logits = softmax(run.logits_brv)
    right_br1 = batch.answers_br[..., None]
    probability_br1 = np.take_along_axis(d_logits, right_br1, axis=2)
    loss = float(np.mean(losses(run.logits_brv, batch.answers_br)))
    np.put_along_axis(d_logits, right_br1, probability_br1 - 1, axis=2)
    d_logits_bk = d_logits.reshape(b, -1) / (b * len(ROLES))
    d_output_bd = d_logits_bk @ model.readout_dk.T
    d_mixed_hbe = (d_output_bd @ model.w_o_cd.T).reshape(b, h, -1).swapaxes(0, 1)
    d_values_hfe = run.found_bhf.transpose(1, 2, 0) @ d_mixed_hbe
    d_found_bhf = (d_mixed_hbe @ run.values_hfe.swapaxes(1, 2)).swapaxes(0, 1)
    d_weights_bhs = d_found_bhf @ batch.features_bsf.swapaxes(1, 2)
    spent_bh1 = (d_weights_bhs * run.weights_bhs).sum(axis=2, keepdims=True)
    d_scores_bhs = run.weights_bhs * (d_weights_bhs - spent_bh1)
    flat = d_scores_bhs.swapaxes(1, 2).reshape(-1, h)
    d_scores_fh = batch.features_bsf.reshape(-1, f).T @ flat / sqrt(run.query_he.shape[1])
    d_query_c = np.einsum("fhe,fh->he", run.keys_fhe, d_scores_fh).reshape(-1)
    d_keys_fc = form.sees(keys=True) * (d_scores_fh[:, :, None] * run.query_he).reshape(f, -1)
    d_values_fc = form.sees(keys=False) * d_values_hfe.swapaxes(0, 1).reshape(f, -1)
    d_x_fd = d_keys_fc @ model.w_k_dc.T + d_values_fc @ model.w_v_dc.T
    asks = form.task.vocab + ASKS
    d_x_fd[asks] += model.w_q_dc @ d_query_c
    return loss, Model(
        x_fd=d_x_fd,
        w_q_dc=np.outer(model.x_fd[asks], d_query_c),
        w_k_dc=model.x_fd.T @ d_keys_fc,
        w_v_dc=model.x_fd.T @ d_values_fc,
        w_o_cd=run.concat_bc.T @ d_output_bd,
        readout_dk=run.output_bd.T @ d_logits_bk,
    )


def weights_by_tag(weights_bhs: Array, tags_bs: Places) -> Array:
    """The mean weight of each head on all tokens of each tag together: (h, tags)."""
    marks_bst = (tags_bs[..., None] == np.arange(len(TAGS))).astype(float)
    mean: Array = (weights_bhs @ marks_bst).mean(axis=0)
    return mean


def evened(weights_bhs: Array, tags_bs: Places) -> Array:
    """Every weight replaced by the mean weight of a token of its tag: the same in every sentence."""
    marks_bst = (tags_bs[..., None] == np.arange(len(TAGS))).astype(float)
    each_hg = weights_by_tag(weights_bhs, tags_bs) / np.maximum(marks_bst.sum(axis=1).mean(axis=0), 1)
    found: Array = np.einsum("bsg,hg->bhs", marks_bst, each_hg)
    return found
