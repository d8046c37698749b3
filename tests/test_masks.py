"""Masks: what they block, what the walk makes of them, and what it refuses."""

import numpy as np
import pytest

from mha_tutor import masks
from mha_tutor.attention import causal_mask
from mha_tutor.choose import WalkOptions, chosen_walk
from mha_tutor.errors import InputError
from mha_tutor.examples import find
from mha_tutor.stages import walk


def test_a_causal_mask_lets_a_token_ask_itself_and_what_came_before() -> None:
    assert causal_mask(3, 3).tolist() == [[True, False, False], [True, True, False], [True, True, True]]


@pytest.mark.parametrize(
    ("options", "causal", "padding"),
    [
        (WalkOptions(causal=True), True, ()),
        (WalkOptions(pad=("it",)), False, (6,)),
        (WalkOptions(pad=("[PAD]", "[PAD]")), False, (9, 10)),
        (WalkOptions(causal=True, pad=("[PAD]",)), True, (9,)),
        (WalkOptions(memory="the chef cooked", pad=("chef",)), False, (1,)),
    ],
)
def test_a_mask_is_read_back_from_its_places(
    options: WalkOptions, causal: bool, padding: tuple[int, ...]
) -> None:
    trace = chosen_walk(options).trace
    assert masks.kind_of(trace["allowed"].values.astype(bool)) == (causal, padding)


def test_what_the_mask_blocks_is_minus_infinity_before_softmax_and_exactly_zero_after() -> None:
    trace = chosen_walk(WalkOptions(causal=True)).trace
    blocked = ~trace["allowed"].values.astype(bool)
    assert np.isneginf(trace["masked"].values[:, blocked]).all()
    assert (trace["weights"].values[:, blocked] == 0).all()
    np.testing.assert_allclose(trace["weights"].values.sum(-1), 1)


def test_with_a_causal_mask_head_3_can_no_longer_look_at_tired() -> None:
    example = find("robot")
    it, tired = example.tokens.index("it"), example.tokens.index("tired")
    assert walk(example)["weights"].values[2, it, tired] > 0.35
    assert walk(example, allowed=causal_mask(9, 9))["weights"].values[2, it, tired] == 0


def test_padding_changes_no_other_row() -> None:
    plain = walk(find("robot"))["output"].values
    padded = chosen_walk(WalkOptions(pad=("[PAD]", "[PAD]", "[PAD]"))).trace
    np.testing.assert_allclose(padded["output"].values[:9], plain, atol=1e-12)


def test_a_token_that_may_ask_nobody_is_refused_by_name() -> None:
    allowed = causal_mask(9, 9)
    allowed[4] = False
    with pytest.raises(InputError, match="'patient' no token to ask"):
        walk(find("robot"), allowed=allowed)
    with pytest.raises(InputError, match="'The' no token to ask"):
        chosen_walk(WalkOptions(causal=True, pad=("The",)))


def test_causal_and_cross_attention_do_not_go_together() -> None:
    with pytest.raises(InputError, match="--memory do not go together"):
        chosen_walk(WalkOptions(causal=True, memory="the chef cooked"))


def test_in_cross_attention_the_asked_tokens_are_the_other_text() -> None:
    trace = chosen_walk(WalkOptions(memory="the chef cooked the meal")).trace
    assert trace.memory_tokens == ("the", "chef", "cooked", "the", "meal")
    assert trace["weights"].values.shape == (3, 9, 5)
    assert trace["output"].values.shape == (9, 12)
    data = trace.as_json()
    assert data["memory_tokens"] == list(trace.memory_tokens)
    assert (data["sizes"]["n"], data["sizes"]["m"]) == (9, 5)


def test_shared_heads_equal_full_heads_with_each_key_and_value_head_repeated() -> None:
    shared = walk(find("random", seed=3), heads=6, kv_heads=2)
    assert shared.kv_of_head == (0, 0, 0, 1, 1, 1)
    q, k, v = (shared[name].values for name in "QKV")
    for h, g in enumerate(shared.kv_of_head):
        scores = q[h] @ k[g].T / np.sqrt(2)
        weights = np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)
        np.testing.assert_allclose(shared["mixed"].values[h], weights @ v[g], atol=1e-12)


@pytest.mark.parametrize("kv_heads", [0, -1, 2, 4])
def test_key_value_heads_that_do_not_divide_the_heads_are_refused(kv_heads: int) -> None:
    with pytest.raises(InputError, match="Choose one of 1, 3"):
        walk(find("robot"), heads=3, kv_heads=kv_heads)
