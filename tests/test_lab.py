"""Heads that learn: exact gradients, a floor that holds, and pages that claim no more than the runs show."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from io import StringIO
from math import log
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mha_tutor.attention import Array, textbook_attention
from mha_tutor.cli.book import ShowOptions
from mha_tutor.cli.lab.train import TrainOptions, check_options, exported, run_train
from mha_tutor.cli.world import World
from mha_tutor.errors import InputError, StoppedError
from mha_tutor.examples import find
from mha_tutor.lab import (
    ROLES,
    Lab,
    Plan,
    best_graded,
    built_graded,
    chance,
    floor,
    loss_without,
    sit,
    trained,
)
from mha_tutor.lab.lower_bound import LEAST_VOCAB, graded_losses, searched_losses
from mha_tutor.lab.model import Form, Model, forward, loss_and_gradients, losses, start
from mha_tutor.lab.pruning import prune
from mha_tutor.lab.results import SOLVED
from mha_tutor.lab.results import tested as sentences_tested
from mha_tutor.lab.task import ASKS, NONE, TAGS, Task, draw
from mha_tutor.lab.walked import TOKENS, trained_example, walked_plan
from mha_tutor.stages import walk
from mha_tutor.views.lab_pages import lab_keys, lab_page
from mha_tutor.views.plain import plain_lines
from mha_tutor.views.prune_page import prune_page

posix = pytest.mark.skipif(os.name != "posix", reason="needs signals")


def lab_of(*plans: Plan) -> Lab:
    vocab = plans[0].vocab
    best = best_graded(vocab, tries=4, steps=100)
    return Lab(tuple(map(trained, plans)), len(plans), best, built_graded(vocab))


def words(lab: Lab, key: str) -> str:
    return "\n".join(plain_lines(lab_page(key, lab)))


# The task


def test_a_sentence_has_six_different_names_three_tags_and_one_that_asks() -> None:
    batch = draw(Task(9), 200, np.random.default_rng(1))
    names = batch.features_bsf[:, :, :9]
    assert (names.sum(axis=2) == [1] * 6 + [0]).all()
    assert names.sum(axis=1).max() == 1, "a name stands twice"
    assert (np.sort(batch.tags_bs, axis=1) == sorted([0, 1, 2, NONE, NONE, NONE, ASKS])).all()
    assert (batch.features_bsf[:, :, 9:].argmax(axis=2) == batch.tags_bs).all()
    for r in range(len(ROLES)):
        of_role = (names * (batch.tags_bs == r)[..., None]).sum(axis=1).argmax(axis=1)
        assert (of_role == batch.answers_br[:, r]).all()
    assert len({tuple(row) for row in batch.tags_bs.tolist()}) > 50, "the order is random"


def test_names_are_drawn_by_order_alone_which_is_the_same_on_every_processor() -> None:
    """What a partition leaves in front is not: numpy has several, and takes the one the processor can do."""
    pool = np.random.default_rng(3).random((40, 24))
    names = draw(Task(24), 40, np.random.default_rng(3)).features_bsf[:, :6, :24].argmax(axis=2)
    assert (names == pool.argsort(axis=1)[:, :6]).all()


# The model


@pytest.mark.parametrize("mixed", [False, True])
@pytest.mark.parametrize("heads", [1, 2, 3])
def test_the_gradients_are_those_of_finite_differences(heads: int, mixed: bool) -> None:
    chance_ = np.random.default_rng(heads)
    form = Form(Task(8), heads, mixed)
    model = start(form.task, 6, 6, chance_)
    model.w_q_dc[:] *= 5  # so that no part of the gradient is next to nothing
    batch = draw(form.task, 4, chance_)
    _, gradients = loss_and_gradients(model, form, batch)

    def loss() -> float:
        return float(losses(forward(model, form, batch).logits_brv, batch.answers_br).mean())

    for name, array, gradient in zip(Model._fields, model, gradients, strict=True):
        assert np.abs(gradient).max() > 1e-4, name
        for place in np.ndindex(array.shape):
            kept, small = array[place], 1e-5
            array[place] = kept + small
            above = loss()
            array[place] = kept - small
            below = loss()
            array[place] = kept
            assert abs((above - below) / (2 * small) - gradient[place]) < 1e-8, (name, place)


def test_all_numbers_of_heads_have_equally_many_learned_numbers() -> None:
    sizes = {start(Task(24), 24, 24, np.random.default_rng(heads)).size for heads in (1, 2, 3)}
    assert sizes == {4 * 24**2 + 24 * 24 + len(TAGS) * 24 + 3 * 24 * 24}


def test_split_streams_keep_names_from_keys_and_tags_from_values() -> None:
    form = Form(Task(9), 2)
    run = forward(
        start(form.task, 4, 4, np.random.default_rng(0)), form, draw(form.task, 3, np.random.default_rng(1))
    )
    assert not run.keys_fhe[:9].any() and run.keys_fhe[9:].all()
    assert not run.values_hfe[:, 9:].any() and run.values_hfe[:, :9].all()
    mixed = forward(
        start(form.task, 4, 4, np.random.default_rng(0)),
        form._replace(mixed=True),
        draw(form.task, 3, np.random.default_rng(1)),
    )
    assert mixed.keys_fhe.all() and mixed.values_hfe.all()


def test_the_order_of_the_tokens_changes_nothing() -> None:
    form = Form(Task(9), 3)
    model, batch = (
        start(form.task, 6, 6, np.random.default_rng(0)),
        draw(form.task, 5, np.random.default_rng(1)),
    )
    turned = batch._replace(features_bsf=batch.features_bsf[:, ::-1], tags_bs=batch.tags_bs[:, ::-1])
    logits = [forward(model, form, each).logits_brv for each in (batch, turned)]
    assert np.allclose(*logits, atol=1e-12, rtol=0)


def test_a_seed_gives_the_same_run_and_another_seed_another() -> None:
    plan = Plan(2, 1, vocab=8, d_model=4, steps=5)
    runs = [list(sit([p]))[-1].result for p in (plan, plan, plan._replace(seed=2))]
    first, again, other = (run.model.w_o_cd for run in runs if run is not None)
    assert np.array_equal(first, again) and not np.array_equal(first, other)


def test_a_plan_is_trained_once_and_a_loss_without_heads_is_a_copy() -> None:
    plan = Plan(2, 1, vocab=8, d_model=4, steps=5)
    result = trained(plan)
    assert trained(Plan(2, 1, vocab=8, d_model=4, steps=5)) is result
    whole, less = loss_without(plan), loss_without(plan, [1])
    assert np.allclose(whole, result.loss_r) and np.allclose(less - whole, result.damage_hr[1])
    less[:] = 0
    assert loss_without(plan, (1,)).all()


# The floor


def test_the_floor_is_the_mean_of_ln_1_ln_2_ln_3() -> None:
    assert floor() == pytest.approx((log(1) + log(2) + log(3)) / 3)
    assert chance(24) == pytest.approx(log(24))


def test_the_exact_loss_of_a_graded_head_is_the_one_measured_on_sentences() -> None:
    chance_ = np.random.default_rng(5)
    weights, scales = chance_.random(4) / 4, chance_.normal(size=3) * 3
    batch = draw(Task(9), 40_000, chance_)
    all_weights = np.array([*weights, 0.0])[batch.tags_bs]
    taken_bv = np.einsum("bs,bsv->bv", all_weights, batch.features_bsf[:, :, :9])
    measured = losses(scales[:, None] * taken_bv[:, None, :], batch.answers_br).mean()
    exact = graded_losses(weights[None], scales[None], 9)[0][0]
    assert measured == pytest.approx(exact, abs=0.01)


@pytest.mark.parametrize("loss", [graded_losses, searched_losses])
def test_the_gradients_of_the_search_are_those_of_finite_differences(loss: Callable[..., Any]) -> None:
    chance_ = np.random.default_rng(2)
    given = [chance_.random((1, 4)), chance_.normal(size=(1, 3)) * 2]
    _, *gradients = loss(given[0], given[1], 24)
    for array, gradient in zip(given, gradients, strict=True):
        for place in np.ndindex(array.shape):
            values = []
            for by in (1e-6, -1e-6):
                array[place] += by
                values.append(loss(given[0], given[1], 24)[0][0])
                array[place] -= by
            assert (values[0] - values[1]) / 2e-6 == pytest.approx(gradient[place], abs=1e-7)


@pytest.mark.parametrize("vocab", [LEAST_VOCAB, 12, 24])
def test_no_graded_head_comes_below_the_floor_and_one_comes_as_near_as_you_like(vocab: int) -> None:
    assert floor() < best_graded(vocab, tries=32, steps=600) < floor() + 0.25
    gaps = [built_graded(vocab, closeness) - floor() for closeness in (1e-1, 1e-2, 1e-3)]
    assert gaps[0] > gaps[1] > gaps[2] > 0
    assert gaps[2] < 1e-3
    chance_ = np.random.default_rng(vocab)
    shares = chance_.dirichlet([0.5] * 4, size=20_000) / [1, 1, 1, 3]
    scales = chance_.normal(size=(20_000, 3)) * 10.0 ** chance_.uniform(-1, 4, size=(20_000, 1))
    assert graded_losses(shares, scales, vocab)[0].min() > floor()


def test_below_eight_names_the_proof_does_not_hold_and_the_pages_say_so() -> None:
    assert LEAST_VOCAB == 8
    lab = lab_of(Plan(1, 1, vocab=6, d_model=4, steps=10))
    assert not lab.floor_holds
    assert "does not hold for a pool of 6" in words(lab, "floor")
    assert "stays above its floor" not in words(lab, "loss")


# What training comes to

SHORT = {"vocab": 12, "d_model": 12, "steps": 200}


def test_three_heads_solve_what_one_cannot_and_each_has_one_slot() -> None:
    lab = lab_of(Plan(1, 1), Plan(3, 1))
    one, three = lab.of(1)[0], lab.of(3)[0]
    assert one.parameters == three.parameters == 4728
    assert floor() < one.loss < chance(24) and not one.solved
    assert three.solved and three.loss < 0.01
    assert three.one_slot_each
    own = [three.damage_hr[h, three.slots(h)[0]] for h in range(3)]
    assert min(own) > 3
    assert "1 head: solved with none of 1 seeds" in words(lab, "loss")
    assert "3 heads: in 1 of 1 runs every head has one slot of its own" in words(lab, "damage")


def test_two_heads_solve_three_slots_where_one_role_arrives_through_both() -> None:
    lab = lab_of(Plan(2, 1))
    run = lab.of(2)[0]
    assert run.solved
    common = set(run.looks_at(0)) & set(run.looks_at(1))
    assert len(common) == 1 and len(set(run.looks_at(0)) | set(run.looks_at(1))) == 3
    assert f"the {ROLES[common.pop()]} arrives through both heads" in words(lab, "two")


def test_with_mixed_streams_one_head_goes_below_the_floor_by_graded_weights() -> None:
    lab = lab_of(Plan(1, 2, vocab=8, d_model=24, steps=500, mixed=True))
    run = lab.of(1)[0]
    assert run.loss < floor()
    assert run.graded_hr.min() > 0.5, "the names explain the weights"
    text = words(lab, "mixed")
    assert "So the single head is below the floor" in text
    assert "It says nothing about these runs" in words(lab, "loss")


def test_with_split_streams_the_weights_are_the_same_in_every_sentence() -> None:
    run = trained(Plan(3, 1, **SHORT))
    assert not run.graded_hr.any()
    assert run.evened_loss == pytest.approx(run.loss, abs=1e-9)


def test_mean_weights_of_tags_cost_a_mixed_run_its_loss_and_the_page_says_so() -> None:
    plan = Plan(1, 2, vocab=8, d_model=24, steps=500, mixed=True)
    lab = lab_of(plan, plan._replace(seed=3, steps=500))
    run, batch = min(lab.results, key=lambda r: r.loss), sentences_tested(8)
    own = forward(run.model, plan.form, batch).weights_bhs
    same = own.copy()
    for tag in range(5):
        same[(batch.tags_bs == tag)[:, None]] = own[(batch.tags_bs == tag)[:, None]].mean()
    logits = forward(run.model, plan.form, batch, weights=same).logits_brv
    assert run.evened_loss == pytest.approx(losses(logits, batch.answers_br).mean(), abs=1e-9)
    assert run.evened_loss > 100 * run.loss
    text = words(lab, "mixed")
    assert f"from {run.loss:.3f} to {run.evened_loss:.3f} nats. So this run needs them" in text
    assert "the lowest loss of 2 runs" in text


def test_the_lines_about_one_clean_run_come_with_the_range_of_all() -> None:
    lab = lab_of(Plan(3, 1), Plan(3, 5))
    most = [run.weights_hg[:, :3].max(axis=1) for run in lab.results]
    text = words(lab, "attention")
    assert f"goes from {min(map(min, most)):.2f} to {max(map(max, most)):.2f}" in text
    assert "goes from" not in words(lab_of(Plan(3, 1)), "attention")


def test_a_run_that_is_not_solved_is_shown() -> None:
    lab = lab_of(Plan(3, 1, vocab=12, d_model=12, steps=20))
    assert not lab.results[0].solved
    assert "not solved" in words(lab, "loss")


def test_pages_that_explain_two_heads_or_mixed_streams_are_there_when_they_are_needed() -> None:
    assert "two" not in lab_keys(lab_of(Plan(1, 1, **SHORT)))
    assert "two" in lab_keys(lab_of(Plan(2, 1, **SHORT)))
    assert lab_keys(lab_of(Plan(2, 1, mixed=True, **SHORT)))[-1] == "mixed"


@pytest.mark.parametrize("mixed", [False, True])
def test_no_page_claims_what_the_traps_warn_of(mixed: bool) -> None:
    lab = lab_of(*(Plan(heads, 1, mixed=mixed, **SHORT) for heads in (1, 2, 3)))
    text = " ".join(words(lab, key) for key in lab_keys(lab))
    assert "It does not say that three slots need three heads" in text
    assert "!" not in text.replace("3!", "")


# The walk


def test_the_walk_of_trained_heads_gives_the_names_that_the_model_gives() -> None:
    example, result = trained_example(3), trained(walked_plan(3))
    trace = walk(example)
    model, form = result.model, result.plan.form
    features = np.zeros((1, len(TOKENS), form.task.features))
    for s, token in enumerate(TOKENS):
        name, _, tag = token.partition(".")
        if name in example.features:
            features[0, s, example.features.index(name)] = 1
        kinds = {"a": 0, "r": 1, "p": 2}
        features[0, s, 8 + (ASKS if token == "who?" else kinds.get(tag, NONE))] = 1
    batch = draw(form.task, 1, np.random.default_rng(0))._replace(features_bsf=features)
    run = forward(model, form, batch)
    assert np.allclose(trace["weights"].values[:, -1], run.weights_bhs[0], atol=1e-12)
    assert np.allclose(trace["output"].values[-1], run.output_bd[0], atol=1e-12)
    matrices = (example.W_Q, example.W_K, example.W_V, example.W_O)
    assert np.allclose(textbook_attention(example.X, *matrices, 3)[-1], run.output_bd[0], atol=1e-12)
    assert result.solved
    said = [example.features[i] for i in run.logits_brv[0].argmax(axis=1)]
    assert said == ["Ann", "Bob", "Kim"]


def test_the_walked_matrices_show_split_streams_as_rows_of_zeros() -> None:
    example = find("trained", seed=3)

    def empty(w: Array) -> list[str]:
        return [f for f, row in zip(example.features, w, strict=True) if not row.any()]

    assert empty(example.W_K) == list(example.features[:8])
    assert empty(example.W_V) == list(example.features[8:])
    assert empty(example.W_Q) == list(example.features[:11])
    assert not empty(example.W_O)
    assert "seed 3" in example.provenance


@pytest.mark.parametrize("seed", [0, 3])
def test_the_notes_of_trained_heads_say_what_the_seed_came_to_and_fit_into_a_file(seed: int) -> None:
    example, result = trained_example(seed), trained(walked_plan(seed))
    assert max(map(len, example.notes)) <= 200
    assert ("got stuck" in example.notes[-1]) == (not result.solved)
    with pytest.raises(InputError, match="seed"):
        trained_example(-1)


# Pruning


def test_every_order_of_pruning_starts_at_the_run_and_ends_without_attention() -> None:
    pruned = prune(trained(Plan(6, 1)))
    for curve in (pruned.most, pruned.least, pruned.random):
        assert curve.losses[0] == pytest.approx(pruned.result.loss)
        assert curve.losses[-1] == pytest.approx(log(24)) == pytest.approx(pruned.nothing)
        assert len(curve.losses) == 7
    assert pruned.least.losses[1] <= min(pruned.most.losses[1], pruned.random.losses[1])
    assert 0 <= pruned.spare <= 2, "of six heads four to six are needed"
    text = "\n".join(plain_lines(prune_page(pruned)))
    assert "no attention" in text and "of 6 heads can go while" in text


def test_of_a_run_that_is_not_solved_no_page_says_that_heads_are_spare() -> None:
    pruned = prune(trained(Plan(6, 1, vocab=8, d_model=6, steps=20)))
    text = "\n".join(plain_lines(prune_page(pruned)))
    assert "did not solve the task" in text and "can go while" not in text
    assert pruned.spare == 0


def test_spare_heads_are_those_that_go_while_the_share_of_right_names_stays_as_high_as_solved() -> None:
    pruned = prune(trained(Plan(3, 1, vocab=8, d_model=6, steps=20)), tries=1)
    for accuracies, spare in (
        ((1.0, SOLVED, 0.9, 0.1), 1),
        ((SOLVED, SOLVED, SOLVED, 0.1), 2),
        ((1.0, 0.98, 1.0, 0.1), 0),
        ((0.5, 0.4, 0.3, 0.1), 0),
    ):
        curve = pruned.least._replace(accuracies=accuracies)
        assert pruned._replace(least=curve).spare == spare


# The command

QUICK = ("--seeds", "1", "--steps", "20", "--vocab", "8", "--d-model", "6")


def program(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "mha_tutor", "lab", "train", *QUICK, *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        stdin=subprocess.DEVNULL,
        env={**os.environ, "COLUMNS": "80", "PYTHONIOENCODING": "utf-8", "FORCE_COLOR": ""},
        timeout=60,
        check=False,
    )


def test_in_a_pipe_there_is_the_result_and_nothing_else() -> None:
    done = program()
    assert done.returncode == 0 and done.stderr == ""
    assert "\x1b" not in done.stdout and "\r" not in done.stdout
    assert done.stdout.startswith(" [task] > loss")
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_plain_is_linear_and_json_has_every_run_and_the_floor() -> None:
    plain = program("--format", "plain")
    assert plain.stdout.startswith("Page 1 of 7.")
    data = json.loads(program("--format", "json", "--heads", "1", "--heads", "2").stdout)
    assert data["floor"] == floor() and data["chance"] == log(8)
    assert [(run["heads"], run["seed"]) for run in data["runs"]] == [(1, 1), (2, 1)]
    assert np.shape(data["runs"][1]["damage_hr"]) == (2, 3)
    assert data["runs"][1]["curve"][-1]["step"] == 20


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (TrainOptions(heads=(5,)), "--heads 5 does not divide the width 24"),
        (TrainOptions(heads=(0,)), "--heads 0"),
        (TrainOptions(seeds=0), "--seeds 0: choose 1 to 50"),
        (TrainOptions(vocab=5), "--vocab 5"),
        (TrainOptions(steps=0), "--steps 0"),
        (TrainOptions(seed=-1), "--seed -1: choose 0 or more"),
        (TrainOptions(export="runs.pdf"), "must end in .html or .svg"),
        (TrainOptions(page="flor"), "Did you mean 'floor'"),
    ],
)
def test_options_that_cannot_be_used_are_told_before_any_training(options: TrainOptions, told: str) -> None:
    with pytest.raises(InputError, match=re.escape(told)):
        check_options(options)


@pytest.mark.parametrize("ending", ["html", "svg"])
def test_the_pages_can_be_exported_once(ending: str, tmp_path: Path) -> None:
    lab = lab_of(Plan(1, 1, **SHORT))
    file = tmp_path / f"runs.{ending}"
    exported(str(file), [lab_page(key, lab) for key in lab_keys(lab)], "auto")
    text = file.read_text(encoding="utf-8")
    assert "0.597" in text and "Loss by number of heads" in text
    with pytest.raises(InputError, match="is there already"):
        check_options(TrainOptions(export=str(file)))


def test_after_ctrl_c_the_pages_show_what_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(plans: list[Plan]) -> object:
        yield from sit(plans[:1])
        raise KeyboardInterrupt

    monkeypatch.setattr("mha_tutor.cli.lab.train.sit", stopped)
    out = StringIO()
    options = TrainOptions(heads=(1, 3), seeds=2, vocab=8, d_model=6, steps=20)
    with pytest.raises(StoppedError, match="1 of 4 runs are done"):
        run_train(options, World(StringIO(), out, {"COLUMNS": "80"}))
    json_out = StringIO()
    with pytest.raises(StoppedError):
        run_train(
            options._replace(show=ShowOptions(format="json")), World(StringIO(), json_out, {"COLUMNS": "80"})
        )
    data = json.loads(json_out.getvalue())
    assert data["stopped"] is True and data["planned"] == 4 and len(data["runs"]) == 1
    assert "You stopped the training. 1 of 4 runs are done" in " ".join(out.getvalue().split())


@posix
def test_ctrl_c_before_the_first_run_is_done_leaves_without_a_word() -> None:
    command = [sys.executable, "-m", "mha_tutor", "lab", "train", "--steps", "20000"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        time.sleep(2)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=20)
    assert running.returncode == 130
    assert "Traceback" not in err and out == ""


@posix
def test_what_was_done_before_ctrl_c_is_shown_and_the_exit_code_tells() -> None:
    command = [
        sys.executable,
        "-m",
        "mha_tutor",
        "lab",
        "train",
        "--seeds",
        "50",
        "--steps",
        "300",
        "--page",
        "loss",
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        time.sleep(4)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=30)
    assert running.returncode == 130
    assert re.fullmatch(r"mha-tutor: You stopped the training\. \d+ of 100 runs are done.*\n", err)
    assert "What the runs came to" in out


@posix
def test_in_a_terminal_bars_move_and_then_the_pages_open() -> None:
    from terminal import Terminal

    with Terminal(["lab", "train", "--seeds", "1", "--steps", "300"]) as t:
        t.wait_for("seed 1, loss")
        t.wait_for("who did what to whom")
        t.press("right")
        t.wait_for("What the runs came to")
        t.press("q")
        assert t.close() == 0
        assert "lab train --seeds 1 --steps 300 --page loss" in t.screen_text()


@posix
def test_plain_in_a_terminal_has_a_line_a_run_and_no_bars() -> None:
    from terminal import Terminal

    with Terminal(["lab", "train", *QUICK, "--format", "plain", "--page", "task"], lines=60) as t:
        t.wait_for("nats a name")
        assert t.close() == 0
        assert "Run 2 of 2: heads 3, seed 1, loss" in t.screen_text()
        assert b"\x1b[?25l" not in t.output
