"""The known mistakes: each visible, each recognised as itself, and nothing right called one."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from cases import WALKS
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from mha_tutor.addresses import parse_address
from mha_tutor.answers import half_unit, read_number
from mha_tutor.errors import InputError
from mha_tutor.examples import find
from mha_tutor.explain import Cell
from mha_tutor.mistakes import (
    LESSON_OF,
    REGISTRY,
    SLIPS,
    STAGE_OF,
    Diagnosis,
    Mistake,
    Problem,
    Slip,
    diagnose,
    diagnose_number,
    practice_problem,
    wording,
    wrong_numbers,
    wrong_output,
)
from mha_tutor.mistakes.diagnosis import MOST_NAMED
from mha_tutor.mistakes.problem import TENSORS
from mha_tutor.mistakes.symptoms import same
from mha_tutor.mistakes.weighing import plain_softmax
from mha_tutor.numbers import DECIMALS, NumberForm
from mha_tutor.stages import STAGE_KEYS, walk

PLAIN = practice_problem()
CAUSAL = practice_problem(causal=True)
SHARED = practice_problem(d=12, heads=4, kv_heads=2)


def _with_a_hidden_row() -> Problem:
    allowed = CAUSAL.mask.copy()
    allowed[2] = False
    return Problem(PLAIN.x, PLAIN.w_q, PLAIN.w_k, PLAIN.w_v, PLAIN.w_o, allowed)


def _with_biases() -> Problem:
    draw = np.random.default_rng(5)
    biases = {name: draw.normal(size=(2, 3)).round(1) for name in ("b_Q", "b_K", "b_V")}
    biases["b_O"] = draw.normal(size=6).round(1)
    return Problem(PLAIN.x, PLAIN.w_q, PLAIN.w_k, PLAIN.w_v, PLAIN.w_o, biases=biases)


PRACTICE = {
    "practice": PLAIN,
    "practice, causal": CAUSAL,
    "practice, shared heads": SHARED,
    "practice, memory": practice_problem(asked=4),
    "practice, cache": practice_problem(n=3, asked=6, causal=True),
    "practice, a row with nobody to ask": _with_a_hidden_row(),
    "practice, biases": _with_biases(),
}
# Each mistake that needs an unusual problem finds one here.
UNUSUAL = {
    "large scores": practice_problem(size=100.0),
    "all axes of K alike": practice_problem(n=3, d=9, heads=3),
}
SHIPPED = {name: Problem.of(trace) for name, trace in WALKS.items()}
PROBLEMS = PRACTICE | UNUSUAL | SHIPPED

# What cannot be seen at the printed precision, by example and mistake, and why.
HIDDEN = {
    ("narrow", "B17", "scores"): "each head is as wide as the model, so sqrt(d_model) is sqrt(d_k)",
    ("large scores", "F12", "mixed"): "with scores this large the winner takes a weight of 1",
    ("all axes of K alike", "B18", "scores"): "there are as many heads as columns in a head",
}

# Always the same array; and float16 where a row has nobody to ask, so that all is NaN anyway.
TWINS = {("B01", "B05"), ("B37", "B38"), ("B43", "B46")}
TOLD_BY_DTYPE = {"B46"}

every_mistake = pytest.mark.parametrize(
    ("mistake", "tensor"),
    [(mistake, tensor) for mistake in REGISTRY.values() for tensor in mistake.tensors],
    ids=lambda value: f"{value.id} {value.text.title}" if isinstance(value, Mistake) else value,
)


def made(mistake: Mistake, tensor: str) -> list[tuple[str, Problem]]:
    return [(name, problem) for name, problem in PROBLEMS.items() if mistake.applies(problem, tensor)]


def visible(wrong: np.ndarray, right: np.ndarray) -> bool:
    form = NumberForm(DECIMALS)
    return wrong.shape != right.shape or any(
        form(float(a)) != form(float(b)) for a, b in zip(wrong.flat, right.flat, strict=True)
    )


# Every mistake, on every problem it can be made on.


@every_mistake
def test_the_mistake_is_visible_at_the_printed_precision_or_listed_as_hidden(
    mistake: Mistake, tensor: str
) -> None:
    hidden = {
        name.split(",")[0]
        for name, problem in made(mistake, tensor)
        if not visible(mistake.wrong(problem, tensor), problem[tensor])
    }
    there = {name.split(",")[0] for name in PROBLEMS}
    assert mistake.id in TOLD_BY_DTYPE or hidden == {
        example for example, id, shown in HIDDEN if (id, shown) == (mistake.id, tensor) and example in there
    }


@pytest.mark.parametrize("id", TOLD_BY_DTYPE)
def test_what_is_told_by_its_dtype_is_told_whatever_the_digits(id: str) -> None:
    for _, problem in made(REGISTRY[id], REGISTRY[id].tensors[0]):
        diagnosis = diagnose(REGISTRY[id].wrong(problem), problem, REGISTRY[id].tensors[0])
        assert id in diagnosis.ids and diagnosis.kind in ("dtype", "nan")


@every_mistake
def test_the_mistake_can_be_made_somewhere_and_is_recognised_as_itself(mistake: Mistake, tensor: str) -> None:
    problems = made(mistake, tensor)
    assert problems
    for name, problem in problems:
        for wrong in mistake.variants(problem, tensor):
            if not same(wrong, problem[tensor]):
                diagnosis = diagnose(wrong, problem, tensor)
                assert mistake.id in diagnosis.ids, (name, diagnosis)


def test_mistakes_that_give_the_same_array_share_a_message() -> None:
    twins = set()
    for problem in PROBLEMS.values():
        for tensor in problem.tensors:
            by_message: dict[str, list[np.ndarray]] = {}
            for mistake in REGISTRY.values():
                if mistake.applies(problem, tensor):
                    wrong = mistake.wrong(problem, tensor)
                    diagnosis = diagnose(wrong, problem, tensor)
                    by_message.setdefault(diagnosis.message, []).append(wrong)
                    if len(diagnosis.ids) > 1:
                        twins.add(diagnosis.ids)
            assert all(same(wrong, group[0]) for group in by_message.values() for wrong in group)
    assert twins >= TWINS


def test_on_the_practice_problem_no_two_mistakes_look_alike_but_the_known_twins() -> None:
    for name, problem in PRACTICE.items():
        for tensor in problem.tensors:
            for mistake in REGISTRY.values():
                if mistake.applies(problem, tensor):
                    ids = diagnose(mistake.wrong(problem, tensor), problem, tensor).ids
                    assert len(ids) == 1 or ids in TWINS, (name, tensor, ids)


@every_mistake
def test_a_whole_computation_with_the_mistake_in_it_is_recognised(mistake: Mistake, tensor: str) -> None:
    for name, problem in made(mistake, tensor):
        output = wrong_output(problem, mistake)
        if name in PRACTICE and output is not None and not same(output, problem["output"]):
            assert mistake.id in diagnose(output, problem, "output").ids, name


def test_what_cannot_run_on_has_no_wrong_output() -> None:
    assert wrong_output(PLAIN, REGISTRY["B48"]) is None
    assert wrong_output(PLAIN, REGISTRY["B14"]) is not None


# The right answer, whichever way it is reached.


@pytest.mark.parametrize("name", WALKS)
def test_a_problem_made_from_a_walk_has_the_walks_numbers(name: str) -> None:
    for tensor, array in SHIPPED[name].tensors.items():
        np.testing.assert_allclose(array, WALKS[name][tensor].values, rtol=1e-12, atol=1e-12)


@given(seed=st.integers(0, 2**32 - 1), name=st.sampled_from(sorted(PROBLEMS)))
def test_the_right_array_with_rounding_noise_is_always_right(seed: int, name: str) -> None:
    noise = np.random.default_rng(seed)
    for tensor, right in PROBLEMS[name].tensors.items():
        given = right * (1 + 1e-12 * noise.uniform(-1, 1, right.shape))
        assert diagnose(given, PROBLEMS[name], tensor).right


@pytest.mark.parametrize("problem", PRACTICE.values(), ids=list(PRACTICE))
def test_right_alternatives_are_right(problem: Problem) -> None:
    e, heads = problem.w_q.shape[-1], range(problem.heads)
    rows = [problem.w_o[i * e : (i + 1) * e] for i in heads]
    bias = problem.biases.get("b_O", 0)
    over_heads = sum(problem["mixed"][i] @ rows[i] for i in heads)
    assert diagnose(over_heads + bias, problem, "output").right

    order = list(reversed(heads))
    permuted = np.concatenate([problem["mixed"][i] for i in order], axis=1)
    assert diagnose(permuted @ np.concatenate([rows[i] for i in order]) + bias, problem, "output").right

    assert diagnose(problem["weights"].tolist(), problem, "weights").right
    assert diagnose(problem["weights"].astype(np.float32), problem, "weights").right
    assert diagnose(np.asfortranarray(problem["Q"]), problem, "Q").right


@pytest.mark.parametrize("problem", [CAUSAL, PRACTICE["practice, cache"]])
def test_masks_done_another_right_way_are_right(problem: Problem) -> None:
    after = plain_softmax(problem["scores"]) * problem.mask
    assert diagnose(after / after.sum(-1, keepdims=True), problem, "weights").right
    assert diagnose(np.where(problem.mask, problem["scores"], -1e9), problem, "masked").right
    assert diagnose(
        plain_softmax(np.where(problem.mask, 0, -1e9) + problem["scores"]), problem, "weights"
    ).right


def test_whole_numbers_are_right_where_the_right_numbers_are_whole() -> None:
    trace = WALKS["robot, plain"]
    problem = Problem.of(trace)
    whole = Problem(np.round(problem.x), problem.w_q, problem.w_k, problem.w_v, problem.w_o)
    assert diagnose(whole["Q"].astype(int), whole, "Q").right


# What is said.


def test_the_symptom_comes_first_and_then_the_cause() -> None:
    diagnosis = diagnose(REGISTRY["B26"].wrong(PLAIN), PLAIN, "weights")
    assert diagnosis.kind == "sums"
    assert re.match(
        r"weights: rows must sum to 1; in head 1 yours sum to (\d+\.\d\d, ){4}\d+\.\d\d\. "
        r"That is what you get when softmax runs over the queries \(axis -2\)\. ",
        diagnosis.message,
    )


@pytest.mark.parametrize(
    ("given", "tensor", "kind", "ids", "words"),
    [
        (None, "weights", "missing", (), "no array of numbers yet; given None"),
        (..., "weights", "missing", (), "given Ellipsis"),
        ("0.5", "weights", "missing", (), "given str"),
        ([[1, 2], [3]], "weights", "missing", (), "given list"),
        (PLAIN["weights"].astype(complex), "weights", "missing", (), "dtype complex128"),
        (PLAIN["weights"][0], "weights", "shape", ("B52",), "must be (2, 5, 5); yours is (5, 5)"),
        (PLAIN["weights"][:, :4], "weights", "shape", (), "must be (2, 5, 5); yours is (2, 4, 5)"),
        (0.5, "weights", "shape", (), "yours is ()"),
        (PLAIN["Q"].astype(int), "Q", "dtype", (), "whole numbers (dtype int64)"),
        (PLAIN["Q"].astype(np.float16), "Q", "dtype", (), "dtype float16"),
        (PLAIN["weights"] * np.nan, "weights", "nan", (), "nan at weights[head 1, row 1, column 1]"),
        (PLAIN["weights"] * 0.9, "weights", "sums", (), "yours sum to 0.9, 0.9, 0.9, 0.9, 0.9"),
        (PLAIN["weights"] * 0.99999, "weights", "sums", (), "yours sum to 0.99999"),
        (
            PLAIN["output"] + np.eye(5, 6),
            "output",
            "values",
            (),
            "5 of 30 numbers differ. The first is output[",
        ),
    ],
)
def test_shape_type_and_sums_are_told_before_values(
    given: object, tensor: str, kind: str, ids: tuple[str, ...], words: str
) -> None:
    diagnosis = diagnose(given, PLAIN, tensor)
    assert (diagnosis.kind, diagnosis.ids) == (kind, ids)
    assert words in diagnosis.message


def test_a_place_is_named_in_words_where_the_problem_has_words() -> None:
    problem = SHIPPED["robot, plain"]
    wrong = problem["weights"].copy()
    wrong[1, 6, [0, 1]] = wrong[1, 6, [1, 0]]
    assert "The first is weights[head 2, it, The]" in diagnose(wrong, problem, "weights").message


def test_softmax_over_the_queries_of_other_scores_is_told_by_its_column_sums() -> None:
    weights = plain_softmax(PLAIN["scores"] ** 2, axis=-2)
    assert diagnose(weights, PLAIN, "weights").ids == ("B26",)


def test_dropout_is_told_whatever_it_dropped() -> None:
    kept = np.random.default_rng(3).random(PLAIN["weights"].shape) > 0.2
    assert diagnose(PLAIN["weights"] * kept / 0.8, PLAIN, "weights").ids == ("B53",)


def test_a_mistake_made_earlier_is_looked_for_only_when_asked() -> None:
    weights = plain_softmax(PLAIN["dots"])
    assert diagnose(weights, PLAIN, "weights").ids == ("B16",)
    assert diagnose(weights, PLAIN, "weights", earlier=False).ids == ()


def test_float32_work_is_held_to_float32_precision() -> None:
    wrong = REGISTRY["B26"].wrong(PLAIN).astype(np.float32)
    assert diagnose(wrong, PLAIN, "weights").ids == ("B26",)


numbers = arrays.arrays(
    st.sampled_from([np.float64, np.float32, np.float16, np.int64, np.bool_, np.complex128]),
    st.one_of(
        st.sampled_from([(2, 5, 5), (2, 5, 3), (5, 6)]),
        arrays.array_shapes(min_dims=0, max_dims=4, min_side=0),
    ),
)


@settings(max_examples=50)
@given(numbers, st.sampled_from(["practice", "practice, causal", "practice, cache"]))
def test_no_array_is_too_odd_to_be_told_what_is_wrong_with_it(array: np.ndarray, name: str) -> None:
    for tensor in PROBLEMS[name].tensors:
        diagnosis = diagnose(array, PROBLEMS[name], tensor)
        assert diagnosis.message.startswith(f"{tensor}: ")


# Single numbers.


def weights_cell(problem: Problem) -> Cell:
    return Cell("weights", (1, 2, 3)[: problem["weights"].ndim])


@pytest.mark.parametrize("name", PROBLEMS)
def test_a_wrong_number_is_named_unless_too_many_mistakes_give_it(name: str) -> None:
    problem = PROBLEMS[name]
    draw = np.random.default_rng(0)
    for tensor, array in problem.tensors.items():
        for flat in draw.integers(array.size, size=4):
            cell = Cell(tensor, tuple(int(i) for i in np.unravel_index(flat, array.shape)))
            wrongs = [w for w in wrong_numbers(problem, cell) if not np.isnan(w.number)]
            for wrong in wrongs:
                diagnosis = diagnose_number(wrong.number, cell, problem)
                alike = {
                    other.mistake.id
                    for other in wrongs
                    if isinstance(other.mistake, type(wrong.mistake))
                    and (other.number == wrong.number or abs(other.number - wrong.number) <= half_unit())
                }
                if isinstance(wrong.mistake, Slip):
                    assert "No known mistake" not in diagnosis.message
                    slips_named = set(diagnosis.ids) & set(SLIPS)
                    assert not slips_named or (wrong.mistake.id in slips_named == set(diagnosis.ids))
                elif len(alike) <= MOST_NAMED:
                    assert wrong.mistake.id in diagnosis.ids
                else:
                    assert "Several known mistakes" in diagnosis.message


@pytest.mark.parametrize("name", PROBLEMS)
def test_the_right_number_at_paper_precision_is_right(name: str) -> None:
    problem, form = PROBLEMS[name], NumberForm(DECIMALS)
    for tensor, array in problem.tensors.items():
        cell = Cell(tensor, tuple(size - 1 for size in array.shape))
        right = float(array[cell.index])
        assert diagnose_number(form(right), cell, problem).right
        assert not diagnose_number(right + 0.0051, cell, problem).right or np.isinf(right)


def test_formula_mistakes_come_before_slips_and_a_slip_says_where_its_number_stands() -> None:
    cell = Cell("scores", (0, 1, 2))
    unscaled = float(PLAIN["dots"][0, 1, 2])
    diagnosis = diagnose_number(unscaled, cell, PLAIN)
    assert diagnosis.ids == ("B16",)
    assert diagnosis.message.startswith("This is the number you get if the dot products are not divided")

    other = float(PLAIN["scores"][1, 1, 2])
    diagnosis = diagnose_number(other, cell, PLAIN)
    assert diagnosis.ids == ("S02",)
    assert "It stands at scores[head 2, row 2, column 3]." in diagnosis.message


def test_in_concat_the_same_column_of_another_head_is_told_as_such() -> None:
    width = PLAIN["mixed"].shape[-1]
    other = float(PLAIN["concat"][1, 2 + width])
    diagnosis = diagnose_number(other, Cell("concat", (1, 2)), PLAIN)
    assert "S02" in diagnosis.ids


@pytest.mark.parametrize("sign", [1, -1])
def test_a_product_is_turned_round_only_where_it_has_a_minus_sign(sign: int) -> None:
    x = np.array([[2.0, 0.5], [1, 3]])
    w = np.array([[sign * 3.0, 1], [4, 1]])
    problem = Problem(x, w[None], w[None], w[None], np.eye(2))
    turned = diagnose_number(2 * -sign * 3 + 0.5 * 4, Cell("Q", (0, 0, 0)), problem)
    assert ("S06" in turned.ids) == (sign < 0)


def test_two_slips_that_give_the_same_number_are_both_named() -> None:
    x = np.array([[1.0, 0], [0, 1], [2, 1]])
    w = np.array([[[1.0, 5], [5, 1]]])
    problem = Problem(x, w, w, w, np.eye(2))
    cell = Cell("Q", (0, 1, 1))  # 1; the number above it is 5, and so is the one to its left
    found = diagnose_number(5, cell, problem)
    assert found.ids == ("S03", "S04") and ", or " in found.cause
    assert "It stands at" not in found.message


def test_a_head_that_adds_one_product_left_out_is_also_a_product_left_out() -> None:
    problem = Problem.of(walk(find("robot")))
    cell = parse_address(walk(find("robot")), "output[it, noun]")
    found = diagnose_number(0.93, cell, problem)  # head 1 adds one product alone
    assert set(found.ids) == {"S05", "S08"}
    assert found.message.startswith("This is the number you get if ") and ", or " in found.message


def test_each_slip_is_recognised_somewhere() -> None:
    found = set()
    for tensor, array in PLAIN.tensors.items():
        for index in np.ndindex(array.shape):
            for wrong in wrong_numbers(PLAIN, Cell(tensor, index)):
                if isinstance(wrong.mistake, Slip):
                    found |= set(diagnose_number(wrong.number, Cell(tensor, index), PLAIN).ids)
    assert set(SLIPS) <= found


def test_what_is_nearly_right_is_called_near_and_what_is_unknown_unknown() -> None:
    cell = Cell("output", (0, 0))
    right = float(PLAIN["output"][0, 0])
    assert diagnose_number(right + 0.009, cell, PLAIN).kind == "near"
    unknown = diagnose_number(right + 1234.5, cell, PLAIN)
    assert unknown.message == (
        "No known mistake gives this number. A number counts when it is within 0.005 of the full one."
    )


def test_an_earlier_mistake_is_named_for_a_number_only_when_asked() -> None:
    cell = Cell("weights", (0, 0, 2))
    number = float(plain_softmax(PLAIN["dots"])[cell.index])
    assert diagnose_number(number, cell, PLAIN, earlier=True).ids == ("B16",)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0.33", 0.33), (" .5 ", 0.5), ("0,33", 0.33), ("1/3", 1 / 3), ("-1 / 4", -0.25), ("33 %", 0.33),
        ("\N{MINUS SIGN}2", -2), ("+3.", 3), ("1e-3", 0.001), ("-inf", -np.inf), ("2/-4", -0.5),
        ("2 1/2", 2.5), ("-2 1 / 2", -2.5), ("- 0 3/4", -0.75), ("90.02/98.02", 90.02 / 98.02),
    ],
)  # fmt: skip
def test_a_number_is_read_as_it_is_written_on_paper(text: str, number: float) -> None:
    assert read_number(text) == number


@pytest.mark.parametrize(
    "text",
    ["", "one", "1/0", "1/2/3", "1.2.3", "nan", "--1", "1e999", "e", "/2", "\u00b2", "2 1/0", "1.5 1/2"],
)
def test_text_that_is_no_number_is_told_what_to_type(text: str) -> None:
    with pytest.raises(InputError, match=r"is not a number\. Type one such as"):
        read_number(text)


@given(st.text(max_size=12))
def test_any_text_is_a_number_or_told_why_not(text: str) -> None:
    try:
        assert isinstance(read_number(text), float)
    except InputError as error:
        assert "is not a number" in str(error)


# The registry as data.


def test_every_mistake_has_a_text_and_every_text_a_mistake() -> None:
    assert set(wording.text_ids()) == {*REGISTRY, *SLIPS}


def test_every_mistake_has_a_stage_of_the_walk_and_a_lesson() -> None:
    assert set(STAGE_OF) == set(LESSON_OF) == set(TENSORS)
    for mistake in REGISTRY.values():
        assert mistake.stage in STAGE_KEYS
        assert 0 <= mistake.lesson <= 10


@pytest.mark.parametrize("known", [*REGISTRY.values(), *SLIPS.values()], ids=lambda known: known.id)
def test_a_hint_is_plain_and_blames_nobody(known: Mistake | Slip) -> None:
    assert known.hint.startswith("This is the number you get if ")
    text = known.text
    assert known.hint.endswith(".")
    assert not text.title.endswith(".") and not text.cause.endswith(".")
    assert "!" not in known.hint and "you did" not in known.hint and "{" not in known.hint
    assert len(known.hint) < 240


def test_every_sentence_that_can_be_said_is_said_somewhere() -> None:
    package = Path(wording.__file__).parent
    source = "".join(path.read_text(encoding="utf-8") for path in package.glob("*.py"))
    assert [key for key in wording.says() if f'"{key}"' not in source] == []


def test_a_diagnosis_reads_as_one_line() -> None:
    told = Diagnosis("values", "Found.", "Cause.", "Advice.")
    assert told.message == "Found. Cause. Advice."


def test_the_registry_needs_numpy_alone_and_reads_its_words_when_needed() -> None:
    script = (
        "import sys, mha_tutor.mistakes as m\n"
        "assert not {'rich', 'typer', 'scipy', 'torch'} & set(sys.modules), sys.modules\n"
        "from mha_tutor.texts import texts\n"
        "assert texts.cache_info().currsize == 0\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
