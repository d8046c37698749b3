"""Where a number stands, and what it is made from."""

import re
from dataclasses import replace
from math import isclose

import numpy as np
import pytest
from cases import WALKS
from hypothesis import given
from hypothesis import strategies as st

from mha_tutor.errors import InputError
from mha_tutor.examples import find
from mha_tutor.explain import Cell, Trail, address, parse_address, trail, why, worked
from mha_tutor.stages import walk
from mha_tutor.trace import Tensor, Trace

ROBOT = walk(find("robot"))
every_walk = pytest.mark.parametrize("trace", WALKS.values(), ids=list(WALKS))


def cells(trace: Trace) -> list[Cell]:
    return [Cell(tensor.name, index) for tensor in trace.tensors for index in np.ndindex(tensor.values.shape)]


@every_walk
def test_every_address_leads_back_to_its_cell(trace: Trace) -> None:
    for cell in cells(trace):
        assert parse_address(trace, address(trace, cell)) == cell


@every_walk
def test_an_address_in_numbers_counts_from_1(trace: Trace) -> None:
    for cell in cells(trace)[::7]:
        numbers = ", ".join(str(place + 1) for place in cell.index)
        assert parse_address(trace, f"{cell.tensor}[{numbers}]") == cell


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("weights[head 2, it, robot]", Cell("weights", (1, 6, 1))),
        ("weights[2, 7, 2]", Cell("weights", (1, 6, 1))),
        ("  Weights [ HEAD 2 , IT ,Robot ] ", Cell("weights", (1, 6, 1))),
        ("weights[2, \"it\", 'robot']", Cell("weights", (1, 6, 1))),
        ("W_Q[head 2, pronoun, 1]", Cell("W_Q", (1, 4, 0))),
        ("W_Q[head 2, pronoun, col 1]", Cell("W_Q", (1, 4, 0))),
        ("w^q[head 2, pronoun, column 1]", Cell("W_Q", (1, 4, 0))),
        ("concat[it, 2.1]", Cell("concat", (6, 4))),
        ("concat[it, 5]", Cell("concat", (6, 4))),
        ("X[it, noun]", Cell("X", (6, 1))),
        ("X[it, slow cos]", Cell("X", (6, 8))),
        ("X[the, 1]", Cell("X", (3, 0))),
        ("X[The, 1]", Cell("X", (0, 0))),
        ("X[token 7, feature 2]", Cell("X", (6, 1))),
    ],
)
def test_an_address_takes_words_numbers_and_features(text: str, cell: Cell) -> None:
    assert parse_address(ROBOT, text) == cell


def test_a_token_that_is_a_comma_is_quoted() -> None:
    trace = walk(find("robot").with_sentence("it was big, it was tired"))
    assert parse_address(trace, 'weights[1, ",", "tired"]').index == (0, 3, 6)
    assert address(trace, Cell("weights", (0, 3, 6))) == 'weights[head 1, ",", tired]'


def test_a_token_that_is_a_number_is_quoted() -> None:
    trace = walk(find("robot").with_sentence("it was 1 robot"))
    assert parse_address(trace, "X[1, 1]").index == (0, 0)
    assert parse_address(trace, 'X["1", 1]').index == (2, 0)
    assert address(trace, Cell("X", (2, 1))) == 'X["1", noun]'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("weights", "'weights' is not the address of a number. Write a name and its places"),
        ("", "is not the address of a number"),
        ("weight[1, 1, 1]", "This walk has no 'weight'. Did you mean weights? Choose one of X, W_Q,"),
        ("masked[1, 1, 1]", "This walk has no 'masked'"),
        ("weights[2, 7]", "names 2 places; weights needs 3: head, token that asks, token that is asked"),
        ("weights[]", "names 1 place; weights needs 3"),
        ("weights[1, 1, 1,]", "names 4 places; weights needs 3"),
        ("weights[4, 7, 2]", "weights, place 1: '4' is out of range. The head is a number from 1 to 3"),
        ("weights[head 0, 7, 2]", "'head 0' is out of range"),
        ("weights[-1, 7, 2]", "'-1' is out of range"),
        ("weights[it, head 2, robot]", "weights, place 1: 'it' is no head. Choose one of head 1, head 2"),
        ("weights[2, them, robot]", "'them' is no token that asks. Choose one of The, robot, carried"),
        ("weights[2, THE, robot]", "one token that asks. Give its number instead: 1 (The), 4 (the)"),
        ("X[it, fur]", "'fur' is no feature. Choose one of determiner, noun"),
        ("concat[it, 4.1]", "'4.1' is no column"),
        ("weights[1,, 1]", "'' is no token that asks"),
    ],
)
def test_an_address_that_leads_nowhere_says_what_to_write(text: str, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        parse_address(ROBOT, text)


@given(st.text(max_size=30) | st.text(alphabet="weights[]12,'\" .", max_size=30).map("X[{}]".format))
def test_any_text_is_an_address_or_told_why_not(text: str) -> None:
    try:
        cell = parse_address(ROBOT, text)
    except InputError:
        return
    assert parse_address(ROBOT, address(ROBOT, cell)) == cell


@every_walk
def test_every_cell_is_what_its_rule_makes_of_its_parts(trace: Trace) -> None:
    given_names = {tensor.name for tensor in trace.given}
    for cell in cells(trace):
        reason = why(trace, cell)
        assert (reason.rule == "given") == (cell.tensor in given_names)
        assert isclose(worked(trace, reason), cell.value(trace), rel_tol=1e-12, abs_tol=1e-12)


def test_a_bias_is_part_of_the_sum() -> None:
    bias = Tensor("b_O", np.arange(12.0), ROBOT["output"].axes[1:])
    *before, last = ROBOT.stages
    output = Tensor("output", ROBOT["output"].values + bias.values, ROBOT["output"].axes)
    product = last.products[0]._replace(bias="b_O")
    trace = replace(
        ROBOT,
        given=(*ROBOT.given, bias),
        stages=(*before, replace(last, outputs=(output,), products=(product,))),
    )
    cell = Cell("output", (6, 3))
    reason = why(trace, cell)
    assert reason.bias == Cell("b_O", (3,))
    assert worked(trace, reason) == pytest.approx(cell.value(trace))


def test_a_head_that_shares_reads_the_head_of_its_group() -> None:
    trace = walk(find("robot"), heads=4, kv_heads=2)
    groups = [why(trace, Cell("dots", (head, 0, 0))).parts[0][1].index[0] for head in range(4)]
    assert groups == [0, 0, 1, 1]


def test_a_trail_goes_as_deep_as_asked() -> None:
    cell = Cell("scores", (1, 6, 1))
    assert trail(ROBOT, cell, 0) == Trail(cell, None)
    shallow = trail(ROBOT, cell, 1)
    assert shallow.why is not None and shallow.why.rule == "scale"
    assert shallow.parts[0][0].why is None
    deeper = trail(ROBOT, cell, 2).parts[0][0]
    assert deeper.why is not None and deeper.why.rule == "product"
    assert len(deeper.parts) == ROBOT.sizes["d_k"]


@every_walk
def test_a_trail_that_is_deep_enough_ends_at_the_given_tensors(trace: Trace) -> None:
    given_names = {tensor.name for tensor in trace.given}
    last = Cell("output", tuple(size - 1 for size in trace["output"].values.shape))
    seen: set[int] = set()

    def visit(node: Trail) -> None:
        if id(node) in seen:
            return
        seen.add(id(node))
        assert node.why is not None
        assert (node.why.rule == "given") == (not node.parts) == (node.cell.tensor in given_names)
        for group in node.parts:
            for part in group:
                visit(part)

    visit(trail(trace, last, 20))


def test_a_cell_of_a_tensor_the_walk_has_not_is_an_error() -> None:
    with pytest.raises(KeyError):
        why(ROBOT, Cell("masked", (0, 0, 0)))
