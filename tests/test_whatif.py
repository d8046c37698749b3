"""What if: a changed number reaches what is made from it, and nothing else."""

import tomllib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mha_tutor.addresses import Cell, Change
from mha_tutor.choose import WalkOptions, chosen_walk
from mha_tutor.errors import InputError
from mha_tutor.examples import find, write_example
from mha_tutor.examples.reading import example_from
from mha_tutor.stages import walk
from mha_tutor.views.changes import with_changes
from mha_tutor.views.page import FirstFit, HeadBars, Page, Table
from mha_tutor.views.pages import View, page, page_keys
from mha_tutor.whatif import changed_example, parse_change, sources, told, without_token

ROBOT = find("robot")
TRACE = walk(ROBOT)


def test_a_change_is_read_from_words_and_told_with_the_number_before() -> None:
    change = parse_change(TRACE, "W_Q[head 2, pronoun, 1] = 0.5")
    assert change == Change(Cell("W_Q", (1, 4, 0)), 0.5)
    assert told(TRACE, change) == ("W_Q[head 2, pronoun, col 1]", "3", "0.5")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("W_Q[head 2, pronoun, 1]", "has no '='"),
        ("weights[head 2, it, robot]=1", "is computed"),
        ("X[it, noun]=many", "is not a number"),
        ("X[it, noun]=nan", "is not a number"),
        ("X[it, noun]=1e300", "is not a number"),
        ("X[it, colour]=1", "colour"),
        ("X[it]=1", "names 1 place"),
    ],
)
def test_a_change_that_cannot_be_made_is_explained(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_change(TRACE, text)


def test_a_mask_is_set_place_by_place_and_takes_only_yes_and_no() -> None:
    chosen = chosen_walk(WalkOptions(set=("allowed[it, robot]=0",)))
    it, robot = ROBOT.tokens.index("it"), ROBOT.tokens.index("robot")
    assert (chosen.trace["weights"].values[:, it, robot] == 0).all()
    assert (chosen.before["weights"].values == TRACE["weights"].values).all()
    with pytest.raises(InputError, match="1 \\(may ask\\) or 0"):
        chosen_walk(WalkOptions(set=("allowed[it, robot]=0.5",)))


def test_each_computed_tensor_knows_what_it_is_made_from() -> None:
    assert sources(TRACE, "Q") == ("X", "W_Q")
    assert sources(TRACE, "V") == ("X", "W_V")
    assert sources(TRACE, "weights") == ("X", "W_Q", "W_K")
    assert sources(TRACE, "output") == ("X", "W_Q", "W_K", "W_V", "W_O")
    masked = chosen_walk(WalkOptions(causal=True)).trace
    assert sources(masked, "weights") == ("X", "W_Q", "W_K", "allowed")


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_a_change_leaves_every_tensor_alone_that_is_not_made_from_it(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(["X", "W_Q", "W_K", "W_V", "W_O"]))
    index = tuple(data.draw(st.integers(0, size - 1)) for size in TRACE[name].values.shape)
    value = data.draw(st.floats(-9, 9, width=32))
    changed = walk(ROBOT, changes=[Change(Cell(name, index), value)])
    assert changed[name].values[index] == value
    for tensor in TRACE.tensors:
        if name not in sources(TRACE, tensor.name):
            np.testing.assert_array_equal(changed[tensor.name].values, tensor.values, err_msg=tensor.name)


def tables(shown: Page) -> list[Table]:
    """Every table of a page, as it stands where room is scarce."""
    found: list[Table] = []
    for block in shown.blocks:
        found += [block] if isinstance(block, Table) else []
        found += block.options[-1] if isinstance(block, FirstFit) else []
    return found


@pytest.mark.parametrize("change", ["W_Q[head 2, pronoun, 1]=0", "X[it, noun]=1", "W_V[head 1, link, 3]=5"])
def test_every_page_shows_old_and_new_numbers_or_says_why_nothing_changed(change: str) -> None:
    chosen = chosen_walk(WalkOptions(set=(change,)))
    view = View(head=1, token=6)
    for key in page_keys(chosen.trace):
        after, before = (page(key, trace, ROBOT, view) for trace in (chosen.trace, chosen.before))
        both = with_changes(after, before, chosen.before, chosen.changes)
        for new, old in zip(tables(both), tables(before), strict=True):
            assert new.old is not None
            np.testing.assert_array_equal(new.old, old.values)
        told_first = both.blocks[0]
        assert getattr(told_first, "label", "") == "What if"
        changed = any(not np.array_equal(t.values, t.old, equal_nan=True) for t in tables(both))
        bars = [[b.weights for b in p.blocks if isinstance(b, HeadBars)] for p in (after, before)]
        changed = changed or any(not np.array_equal(new, old) for new, old in zip(*bars, strict=True))
        if not changed:
            assert "No number on this page changed" in str(told_first)


def test_a_change_of_the_values_cannot_reach_the_weights_and_the_page_says_so() -> None:
    chosen = chosen_walk(WalkOptions(set=("W_V[head 2, noun, 1]=5",)))
    view = View(head=1, token=6)
    after, before = (page("softmax", trace, ROBOT, view) for trace in (chosen.trace, chosen.before))
    lines = str(with_changes(after, before, chosen.before, chosen.changes).blocks[0])
    assert "weights comes from X, W_Q and W_K, and not from W_V" in lines


@pytest.mark.parametrize("kv_heads", [3, 1])
def test_a_changed_walk_is_saved_as_an_example_that_walks_the_same(kv_heads: int) -> None:
    options = WalkOptions(
        kv_heads=kv_heads, set=("W_K[1, noun, 2]=1.5", "X[it, noun]=-2", "W_O[2.1, noun]=7")
    )
    chosen = chosen_walk(options)
    kept = changed_example(chosen.example, chosen.trace, chosen.changes)
    again = example_from(tomllib.loads(write_example(kept)), "kept")
    np.testing.assert_allclose(walk(again)["output"].values, chosen.trace["output"].values, atol=1e-12)
    assert not again.built_by_hand


def test_a_token_is_left_out_and_the_other_rows_stay() -> None:
    less = without_token(ROBOT, 1)
    assert less.tokens == tuple(token for token in ROBOT.tokens if token != "robot")
    np.testing.assert_array_equal(less.X, np.delete(ROBOT.X, 1, axis=0))
    two = without_token(find("by-hand"), 0)
    with pytest.raises(InputError, match="at least 2 tokens"):
        without_token(two, 0)
