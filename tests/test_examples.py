"""The shipped examples: what each was built to show, and that every usual slip shows in it."""

from cmath import exp, pi
from collections.abc import Callable
from math import sqrt
from unicodedata import normalize

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mha_tutor.attention import Array, softmax
from mha_tutor.errors import InputError
from mha_tutor.examples import NAMES, Example, find, tokenize
from mha_tutor.stages import walk

MATRICES = ("W_Q", "W_K", "W_V", "W_O")
BUILT_BY_HAND = ("robot", "by-hand", "narrow")
KINDS = ("determiner", "noun", "verb", "link", "pronoun", "state")


def look(example: Example, source: str, *targets: str, head: int, heads: int | None = None) -> list[float]:
    """The weights that ``source`` gives to each of ``targets``; heads count from 1."""
    weights = walk(example, heads=heads)["weights"].values
    row = weights[head - 1, example.tokens.index(source)]
    return [float(row[example.tokens.index(target)]) for target in targets]


def cell(rows: Array, example: Example, token: str, feature: str) -> float:
    return float(rows[example.tokens.index(token), example.features.index(feature)])


# All shipped examples


@pytest.mark.parametrize("name", NAMES)
def test_a_shipped_example_is_float64_fits_its_shapes_and_walks(name: str) -> None:
    example = find(name)
    n, d = len(example.tokens), len(example.features)
    c = example.W_Q.shape[1]
    shapes = {key: getattr(example, key).shape for key in ("X", *MATRICES)}
    assert shapes == {"X": (n, d), "W_Q": (d, c), "W_K": (d, c), "W_V": (d, c), "W_O": (c, d)}
    assert {getattr(example, key).dtype for key in ("X", *MATRICES)} == {np.dtype(np.float64)}
    assert example.name == name
    assert example.start in example.tokens
    assert np.isfinite(walk(example)["output"].values).all()


@pytest.mark.parametrize("name", NAMES)
def test_a_shipped_example_says_where_its_numbers_come_from(name: str) -> None:
    example = find(name)
    assert any(words in example.provenance for words in ("by hand", "chance", "trained here"))
    assert example.built_by_hand == (name not in ("random", "trained"))


@pytest.mark.parametrize("name", BUILT_BY_HAND)
@pytest.mark.parametrize("key", MATRICES)
def test_in_a_matrix_no_column_is_empty_and_no_two_are_alike(name: str, key: str) -> None:
    columns = getattr(find(name), key).T.tolist()
    empty = [j + 1 for j, column in enumerate(columns) if not any(column)]
    alike = [(i + 1, j + 1) for j, column in enumerate(columns) for i in range(j) if columns[i] == column]
    assert not empty and not alike, f"{name}, {key}: empty columns {empty}, columns alike {alike}"


@pytest.mark.parametrize("name", BUILT_BY_HAND)
@pytest.mark.parametrize("key", MATRICES)
def test_every_entry_is_a_multiple_of_one_half(name: str, key: str) -> None:
    doubled = 2 * getattr(find(name), key)
    odd = np.argwhere(doubled != np.round(doubled)) + 1
    assert not odd.size, f"{name}, {key}: not a half-integer at (row, column) {odd.tolist()}"


@pytest.mark.parametrize("name", ["robot", "by-hand"])
def test_w_o_is_neither_identity_nor_symmetric_nor_a_permutation(name: str) -> None:
    w_o = find(name).W_O
    assert not np.array_equal(w_o, np.eye(len(w_o))), "W_O is the identity: leaving it out would not show"
    assert not np.array_equal(w_o, w_o.T), "W_O is symmetric: transposing it would not show"
    one_each = ((w_o != 0).sum(0) == 1).all() and ((w_o != 0).sum(1) == 1).all()
    assert not one_each, "W_O only reorders and scales its input"


@pytest.mark.parametrize("name", BUILT_BY_HAND)
def test_no_two_rows_of_w_o_are_alike(name: str) -> None:
    rows = find(name).W_O.tolist()
    assert len({tuple(row) for row in rows}) == len(rows), f"{name}: two rows of W_O are alike"


# Slips. Each gives an output that is wrong.


def _cut(w_dc: Array, heads: int) -> list[Array]:
    return np.split(w_dc, heads, axis=1)


def _output(
    example: Example,
    *,
    divisor: float | None = None,
    axis: int = -1,
    turned: bool = False,
    swapped: bool = False,
    values: str = "V",
    join: Callable[[list[Array]], Array] = lambda mixed: np.concatenate(mixed, axis=1),
    w_o: Array | None = None,
    cut: Callable[[Array, int], list[Array]] = _cut,
) -> Array:
    """Multi-head attention by its own short route, with one thing done wrongly where asked."""
    x, h = example.X, example.heads
    mixed = []
    for w_q, w_k, w_v in zip(*(cut(w, h) for w in (example.W_Q, example.W_K, example.W_V)), strict=True):
        q, k, v = x @ w_q, x @ w_k, x @ w_v
        dots = k @ q.T if swapped else q @ k.T
        scores = dots / (sqrt(q.shape[1]) if divisor is None else divisor)
        weights = softmax(scores) if axis == -1 else softmax(scores.T).T
        mixed.append((weights.T if turned else weights) @ {"V": v, "K": k, "Q": q}[values])
    return join(mixed) @ (example.W_O if w_o is None else w_o)


def _average(mixed: list[Array]) -> Array:
    return np.tile(np.mean(mixed, axis=0), len(mixed))


def _cut_by_reshape(w_dc: Array, heads: int) -> list[Array]:
    return list(w_dc.reshape(heads, w_dc.shape[0], -1))


def _join_by_reshape(mixed: list[Array]) -> Array:
    return np.stack(mixed).reshape(len(mixed[0]), -1)


def _join_interleaved(mixed: list[Array]) -> Array:
    return np.stack(mixed, axis=-1).reshape(len(mixed[0]), -1)


SLIPS: dict[str, Callable[[Example], Array]] = {
    "W_O transposed": lambda e: _output(e, w_o=e.W_O.T),
    "W_O left out": lambda e: _output(e, w_o=np.eye(len(e.W_O))),
    "scaled by sqrt(d_model)": lambda e: _output(e, divisor=sqrt(e.X.shape[1])),
    "heads joined in the wrong order": lambda e: _output(e, join=lambda m: np.concatenate(m[::-1], axis=1)),
    "heads averaged": lambda e: _output(e, join=_average),
    "heads joined by reshape alone": lambda e: _output(e, join=_join_by_reshape),
    "heads interleaved": lambda e: _output(e, join=_join_interleaved),
    "columns cut by reshape alone": lambda e: _output(e, cut=_cut_by_reshape),
    "K in place of V": lambda e: _output(e, values="K"),
    "Q in place of V": lambda e: _output(e, values="Q"),
    "Q and K swapped": lambda e: _output(e, swapped=True),
    "scores not scaled": lambda e: _output(e, divisor=1),
    "scaled by d_k": lambda e: _output(e, divisor=e.W_Q.shape[1] // e.heads),
    "softmax over the queries": lambda e: _output(e, axis=-2),
    "weights transposed": lambda e: _output(e, turned=True),
}
# Where W_O is not square the first two give a wrong shape, and where d_k is d_model the third is right.
NOT_IN_NARROW = ("W_O transposed", "W_O left out", "scaled by sqrt(d_model)")


@pytest.mark.parametrize("name", BUILT_BY_HAND)
def test_the_short_route_of_these_tests_agrees_with_the_walk(name: str) -> None:
    np.testing.assert_allclose(_output(find(name)), walk(find(name))["output"].values, atol=1e-12)


@pytest.mark.parametrize(
    ("name", "slip"),
    [(n, slip) for n in BUILT_BY_HAND for slip in SLIPS if n != "narrow" or slip not in NOT_IN_NARROW],
)
def test_every_usual_slip_shows_in_the_first_token_a_learner_sees(name: str, slip: str) -> None:
    example = find(name)
    wrong = SLIPS[slip](example)
    assert example.start is not None
    place = example.tokens.index(example.start)
    right = walk(example)["output"].values
    assert (np.round(wrong[place], 2) != np.round(right[place], 2)).any(), f"{slip} does not show"


# robot

ROBOT_WORDS = [
    # determiner, noun, verb, link, pronoun, state, subject*, alive
    [1, 0, 0, 0, 0, 0, 0, 0],
    [0, 1, 0, 0, 0, 0, 1, 0],
    [0, 0, 1, 0, 0, 0, 0, 0],
    [1, 0, 0, 0, 0, 0, 0, 0],
    [0, 1, 0, 0, 0, 0, 0, 1],
    [0, 0, 0, 1, 0, 0, 0, 0],
    [0, 0, 0, 0, 1, 0, 0, 0],
    [0, 0, 1, 0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0, 1, 0, 0],
]


def test_the_robot_sentence_is_the_one_on_the_cover() -> None:
    example = find("robot")
    assert example.sentence == "The robot carried the patient because it was tired"
    assert (example.start, example.heads, example.allowed_heads) == ("it", 3, (1, 2, 3, 4, 6, 12))


def test_a_row_is_the_words_features_and_two_waves_of_its_place() -> None:
    expected = []
    for place, word in enumerate(ROBOT_WORDS):
        slow, fast = (exp(2j * pi * place / period) for period in (20, 4))
        waves = [round(part, 1) for part in (slow.real, slow.imag, fast.real, fast.imag)]
        expected.append([*word, *waves])
    np.testing.assert_array_equal(find("robot").X, expected)


def test_no_two_of_sixteen_places_are_alike() -> None:
    position = find("robot").position
    assert position is not None
    rows = {tuple(position.row(place).values()) for place in range(16)}
    assert len(rows) == 16


def test_a_place_has_no_zero_below_zero() -> None:
    position = find("robot").position
    assert position is not None
    assert not any(np.signbit(x) for place in range(16) for x in position.row(place).values() if x == 0)


def assert_looks_one_back(example: Example) -> None:
    weights = walk(example)["weights"].values[0]
    for t in range(1, len(example.tokens)):
        assert weights[t, t - 1] >= 0.6, (
            f"head 1 gives {weights[t, t - 1]:.3f} from {example.tokens[t]!r} (token {t + 1}) to the token "
            f"before it in {example.sentence!r}"
        )


@pytest.mark.parametrize("count", range(2, 17))
def test_head_1_looks_one_back_at_every_length(count: int) -> None:
    assert_looks_one_back(find("robot").with_sentence("word " * count))


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_head_1_looks_one_back_in_any_sentence(data: st.DataObject) -> None:
    robot = find("robot")
    unknown = st.text("abcdefgh", min_size=1, max_size=6)
    word = st.one_of(st.sampled_from(sorted(robot.words)), unknown)
    words = data.draw(st.lists(word, min_size=2, max_size=16))
    assert_looks_one_back(robot.with_sentence(" ".join(words)))


@pytest.mark.parametrize("name", ["robot", "trophy", "chef"])
def test_head_1_looks_one_back_in_the_shipped_sentences(name: str) -> None:
    assert_looks_one_back(find(name))


def test_head_1_tells_what_kind_of_word_stands_before() -> None:
    robot = find("robot")
    mixed = walk(robot)["mixed"].values[0]
    column_of = {robot.features[int(np.argmax(column))]: e for e, column in enumerate(robot.W_V[:, :4].T)}
    assert set(column_of) == {"determiner", "noun", "verb", "link"}
    for t, before in enumerate(robot.tokens[:-1], start=1):
        kind = next(iter(robot.words[before.lower()]))
        if kind in column_of:
            told = mixed[t]
            assert np.argmax(told) == column_of[kind], f"{robot.tokens[t]}: {kind} stands before"
            assert told[column_of[kind]] >= 0.6


def test_from_it_head_2_looks_at_the_robot() -> None:
    (weight,) = look(find("robot"), "it", "robot", head=2)
    assert weight >= 0.8


def test_from_it_head_3_looks_at_the_patient_and_at_tired() -> None:
    assert min(look(find("robot"), "it", "patient", "tired", head=3)) >= 0.35


def test_cut_as_one_head_it_has_one_budget_for_everything() -> None:
    robot = find("robot")
    row = walk(robot, heads=1)["weights"].values[0, robot.tokens.index("it")]
    assert row.max() <= 0.5
    wanted = look(robot, "it", "robot", "patient", "because", "tired", head=1, heads=1)
    assert min(wanted) >= 0.05
    assert sum(wanted) >= 0.85


def test_after_head_2_it_holds_the_robots_features() -> None:
    robot = find("robot")
    trace = walk(robot)
    it, the_robot = robot.tokens.index("it"), robot.tokens.index("robot")
    mixed, values = trace["mixed"].values[1], trace["V"].values[1]
    np.testing.assert_allclose(mixed[it], values[the_robot], atol=0.1)
    nearest = np.abs(values - mixed[it]).sum(axis=1).argmin()
    assert robot.tokens[nearest] == "robot"


@pytest.mark.parametrize("feature", ["noun", "subject*"])
def test_the_output_of_it_shows_the_robots_feature_that_it_had_not(feature: str) -> None:
    robot = find("robot")
    output = walk(robot)["output"].values
    assert cell(robot.X, robot, "it", feature) == 0
    assert cell(robot.X, robot, "robot", feature) == 1
    assert cell(output, robot, "it", feature) >= 0.9
    largest = np.argsort(output[robot.tokens.index("it")])[-3:]
    assert feature in [robot.features[j] for j in largest]


@pytest.mark.parametrize(("feature", "source"), [("alive", "patient"), ("state", "tired")])
def test_head_3_brings_alive_from_the_patient_and_state_from_tired(feature: str, source: str) -> None:
    robot = find("robot")
    output = walk(robot)["output"].values
    assert cell(robot.X, robot, "it", feature) == 0
    assert cell(output, robot, "it", feature) >= 0.35
    assert [t for t in robot.tokens if cell(robot.X, robot, t, feature)] == [source]
    w_o_rows = robot.W_O[8:12, robot.features.index(feature)]
    brought = walk(robot)["mixed"].values[2, robot.tokens.index("it")] @ w_o_rows
    assert brought == pytest.approx(cell(output, robot, "it", feature)), "another head brings it too"


def test_the_robot_stays_the_subject_when_it_is_carried() -> None:
    turned = find("robot").with_sentence("The patient carried the robot because it was tired")
    (weight,) = look(turned, "it", "robot", head=2)
    assert weight >= 0.8


def test_products_stay_short_enough_to_read_aloud() -> None:
    robot = find("robot")
    for key in MATRICES:
        terms = (getattr(robot, key) != 0).sum(axis=0)
        assert terms.max() <= 4, f"{key}, column {terms.argmax() + 1} has {terms.max()} entries"


# The words


def test_every_word_of_the_shipped_sentences_is_known() -> None:
    for name in ("robot", "trophy", "chef"):
        assert find(name).unknown == ()


def test_a_word_has_one_kind_or_none() -> None:
    for word, brings in find("robot").words.items():
        kinds = [kind for kind in KINDS if kind in brings]
        assert len(kinds) == (1 if brings else 0), f"'{word}' is {kinds}"
        assert set(brings.values()) <= {1.0}
        assert not {"alive", "subject*"} & set(brings) or kinds == ["noun"], f"'{word}' is not a noun"


def test_every_kind_has_words_enough_for_sentences_of_ones_own() -> None:
    words = find("robot").words
    assert len(words) >= 60
    for kind in KINDS:
        assert sum(kind in brings for brings in words.values()) >= 4, kind


def test_subject_is_put_in_by_hand_on_the_three_shipped_subjects_only() -> None:
    words = find("robot").words
    assert [word for word, brings in words.items() if "subject*" in brings] == ["robot", "trophy", "chef"]


@pytest.mark.parametrize(
    ("word", "kind"),
    [("who", "pronoun"), ("because", "link"), ("that", "link"), ("was", "verb"), ("big", "state")],
)
def test_a_word_brings_the_kind_a_teacher_would_give_it(word: str, kind: str) -> None:
    assert dict(find("robot").words[word]) == {kind: 1.0}


@pytest.mark.parametrize("word", ["not", "too", "quickly", ",", "."])
def test_a_word_that_no_feature_fits_is_known_and_brings_nothing(word: str) -> None:
    assert dict(find("robot").words[word]) == {}


def test_words_are_found_whatever_their_case_and_however_an_accent_is_written() -> None:
    robot = find("robot")
    np.testing.assert_array_equal(robot.with_sentence("THE ROBOT").X, robot.with_sentence("the robot").X)
    with_accent = Example(**{**vars(robot), "words": {"café": {"noun": 1.0}}})
    assert with_accent.with_sentence("Cafe\u0301 Café").unknown == ()


def test_an_unknown_word_carries_only_its_position_and_is_named() -> None:
    other = find("robot").with_sentence("The zorp carried the zorp")
    assert other.unknown == ("zorp",)
    assert other.other_sentence
    assert not other.X[1, :8].any()
    assert other.X[1, 8:].any()


@pytest.mark.parametrize("name", ["trophy", "chef"])
def test_the_other_sentences_use_the_robots_matrices(name: str) -> None:
    example, robot = find(name), find("robot")
    for key in MATRICES:
        np.testing.assert_array_equal(getattr(example, key), getattr(robot, key))
    assert example.sentence.startswith(f"The {name}")
    assert "another sentence" in example.provenance
    assert not example.other_sentence


def test_punctuation_is_a_token() -> None:
    assert find("chef").tokens.count(",") == 2


@pytest.mark.parametrize("name", ["by-hand", "narrow"])
def test_without_a_table_of_words_another_sentence_is_refused_with_the_reason(name: str) -> None:
    with pytest.raises(InputError, match="has no table of words"):
        find(name).with_sentence("two words")


# by-hand


def whole(values: Array) -> list[list[int]]:
    rows = [[int(x) for x in row] for row in values]
    assert rows == values.tolist(), "not whole numbers"
    return rows


def times(left: list[list[int]], right: list[list[int]]) -> list[list[int]]:
    return [
        [sum(a * b for a, b in zip(row, column, strict=True)) for column in zip(*right, strict=True)]
        for row in left
    ]


def test_by_hand_has_three_tokens_and_two_heads_of_width_4() -> None:
    example = find("by-hand")
    assert walk(example).sizes == {
        "n": 3, "m": 3, "d_model": 8, "heads": 2, "kv_heads": 2, "d_k": 4, "d_v": 4,
    }  # fmt: skip


def test_by_hand_agrees_with_loops_over_whole_numbers_up_to_the_scores() -> None:
    example, trace = find("by-hand"), walk(find("by-hand"))
    x = whole(example.X)
    for i in range(2):
        q, k, v = (
            times(x, [row[4 * i : 4 * i + 4] for row in whole(getattr(example, key))])
            for key in ("W_Q", "W_K", "W_V")
        )
        dots = times(q, [list(column) for column in zip(*k, strict=True)])
        scores = [[dot // 2 for dot in row] for row in dots]
        assert all(dot % 2 == 0 for row in dots for dot in row), f"head {i + 1}: an odd dot product"
        for name, expected in {"Q": q, "K": k, "V": v, "dots": dots, "scores": scores}.items():
            assert trace[name].values[i].tolist() == expected, f"{name}, head {i + 1}"


def test_by_hand_has_numbers_small_enough_for_the_head() -> None:
    example, trace = find("by-hand"), walk(find("by-hand"))
    for key in ("X", *MATRICES):
        assert set(np.unique(getattr(example, key))) <= {-1, 0, 1, 2}, key
    for name in ("Q", "K", "V"):
        assert np.abs(trace[name].values).max() <= 3, name
    assert set(np.unique(trace["scores"].values)) == {0, 1, 2, 3}


@pytest.mark.parametrize("key", ["W_Q", "W_K", "W_V"])
def test_by_hand_a_number_of_a_projection_has_at_most_three_terms(key: str) -> None:
    example = find("by-hand")
    terms = (example.X[:, :, None] * getattr(example, key)[None] != 0).sum(axis=1)
    assert terms.max() <= 3


def test_by_hand_a_dot_product_has_at_most_three_terms() -> None:
    trace = walk(find("by-hand"))
    q_hte, k_hse = trace["Q"].values, trace["K"].values
    terms = (q_hte[:, :, None, :] * k_hse[:, None, :, :] != 0).sum(axis=-1)
    assert terms.max() <= 3


def test_by_hand_has_one_full_tie_and_no_other() -> None:
    trace = walk(find("by-hand"))
    rows = trace["scores"].values.reshape(-1, 3).tolist()
    assert sorted(len(set(row)) for row in rows) == [1, 3, 3, 3, 3, 3]
    weights = trace["weights"].values.reshape(-1, 3)
    tie = next(i for i, row in enumerate(rows) if len(set(row)) == 1)
    assert weights[tie].tolist() == [1 / 3] * 3
    assert rows[tie] != [0, 0, 0], "a tie of zeros could be mistaken for no question at all"
    assert trace.tokens[tie % 3] == find("by-hand").start, "the walk starts where the tie is"


def test_by_hand_the_tie_mixes_to_whole_numbers() -> None:
    mixed = walk(find("by-hand"))["mixed"].values[1, 1]
    np.testing.assert_allclose(mixed, np.round(mixed), atol=1e-12)


def test_by_hand_no_table_of_scores_could_be_read_the_wrong_way_round() -> None:
    for scores in walk(find("by-hand"))["scores"].values:
        for t, s in ((0, 1), (0, 2), (1, 2)):
            assert scores[t, s] != scores[s, t]


# narrow


def test_narrow_has_heads_as_wide_as_the_model() -> None:
    example = find("narrow")
    assert example.W_Q.shape == (4, 12)
    assert example.W_O.shape == (12, 4)
    sizes = walk(example).sizes
    assert (sizes["d_model"], sizes["heads"], sizes["d_k"]) == (4, 3, 4)


def test_narrow_has_one_number_of_heads_and_says_why() -> None:
    example = find("narrow")
    assert example.fixed_heads
    assert example.allowed_heads == (3,)
    example.check_heads(3)
    with pytest.raises(
        InputError, match=r"fixed width of 4 each, so W\^Q is 4 x 12 and not square.*--heads 3"
    ):
        example.check_heads(2)


def test_only_narrow_has_a_fixed_number_of_heads() -> None:
    assert [name for name in NAMES if find(name).fixed_heads] == ["narrow"]


@pytest.mark.parametrize("heads", [0, -3, 5, 7, 24])
def test_heads_that_do_not_divide_the_width_are_refused_with_those_that_do(heads: int) -> None:
    with pytest.raises(InputError, match="Choose one of 1, 2, 3, 4, 6, 12"):
        find("robot").check_heads(heads)


# random


def test_random_is_the_same_for_the_same_seed_and_differs_for_others() -> None:
    first, again, other = find("random", seed=3), find("random", seed=3), find("random", seed=4)
    for key in ("X", *MATRICES):
        np.testing.assert_array_equal(getattr(first, key), getattr(again, key))
        assert not np.isclose(getattr(first, key), getattr(other, key)).any(), key


def test_random_draws_its_matrices_with_the_deviation_of_a_fresh_layer() -> None:
    entries = np.concatenate(
        [getattr(find("random", seed=seed), key).ravel() for seed in range(5) for key in MATRICES]
    )
    assert entries.std() == pytest.approx(1 / sqrt(12), rel=0.05)
    assert abs(entries.mean()) < 0.02


def test_random_draws_four_different_matrices() -> None:
    example = find("random")
    for i, left in enumerate(MATRICES):
        for right in MATRICES[i + 1 :]:
            assert not np.isclose(getattr(example, left), getattr(example, right)).any()


def test_random_gives_a_word_one_row_whatever_its_place_case_and_neighbours() -> None:
    example = find("random", seed=5)
    other = example.with_sentence("Tired, the ROBOT slept")
    np.testing.assert_array_equal(other.X[3], example.X[1])
    np.testing.assert_array_equal(other.X[0], example.X[8])
    np.testing.assert_array_equal(example.X[0], example.X[3])  # The, the
    assert not np.isclose(other.X[4], other.X[3]).any()
    assert not np.isclose(other.X[3], find("random", seed=6).X[1]).any()


def test_random_says_its_seed() -> None:
    assert "seed 41" in find("random", seed=41).provenance


def test_a_seed_below_zero_is_refused() -> None:
    with pytest.raises(InputError, match="seed is -1; expected a whole number from 0 on"):
        find("random", seed=-1)


# find


def test_a_mistyped_name_is_answered_with_the_one_that_was_meant() -> None:
    with pytest.raises(
        InputError, match=r"no example 'Robto'\. Did you mean 'robot'.*Choose one of robot, trophy"
    ):
        find("Robto")


@pytest.mark.parametrize("name", ["", "no such example", "x" * 5000, "a\0b", "[/h]", "\ud800"])
def test_a_name_of_nothing_is_refused_in_one_printable_line(name: str) -> None:
    with pytest.raises(InputError) as caught:
        find(name)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 300


# tokenize


@pytest.mark.parametrize(
    ("sentence", "tokens"),
    [
        ("The robot, tired.", ["The", "robot", ",", "tired", "."]),
        ("It isn't the robot’s brother-in-law", ["It", "isn't", "the", "robot’s", "brother-in-law"]),
        ("- a 'quoted' word -", ["-", "a", "'", "quoted", "'", "word", "-"]),
        ("café naïve Zürich", ["café", "naïve", "Zürich"]),
        ("cafe\u0301 x\u0301y z", ["café", "x\u0301y", "z"]),
        ("机器人 搬运 病人", ["机器人", "搬运", "病人"]),
        ("रोबोट थका है", ["रोबोट", "थका", "है"]),
        ("робот устал", ["робот", "устал"]),
        ("می\u200cخواهم برم", ["می\u200cخواهم", "برم"]),
        ("a 🤖🤖 b", ["a", "🤖", "🤖", "b"]),
        ("👩🏽‍🚀 saw 👨‍👩‍👧‍👦 ❤️‍🔥 👍🏿", ["👩🏽‍🚀", "saw", "👨‍👩‍👧‍👦", "❤️‍🔥", "👍🏿"]),
        ("🇫🇷🇩🇪 🏳️‍🌈 🏴󠁧󠁢󠁳󠁣󠁴󠁿 1️⃣", ["🇫🇷", "🇩🇪", "🏳️‍🌈", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "1️⃣"]),
        ("[CLS] the robot [SEP] [/s]", ["[CLS]", "the", "robot", "[SEP]", "[/s]"]),
        ("[ a ] A[i]", ["[", "a", "]", "A", "[i]"]),
        ("tab\tline\nend\r\n", ["tab", "line", "end"]),
        ("snake_case 42nd 3:1", ["snake_case", "42nd", "3", ":", "1"]),
    ],
)  # fmt: skip
def test_a_sentence_is_cut_into_words_and_marks(sentence: str, tokens: list[str]) -> None:
    assert list(tokenize(sentence)) == tokens


@pytest.mark.parametrize(
    ("sentence", "count"),
    [("", 0), ("   \n", 0), ("one", 1), ("机器人搬运病人", 1), ("a " * 17, 17), ("!" * 40, 40)],
)
def test_fewer_than_2_or_more_than_16_tokens_are_refused_with_their_number(sentence: str, count: int) -> None:
    with pytest.raises(InputError, match=rf"has {count} tokens?; a walk takes 2 to 16"):
        tokenize(sentence)


@pytest.mark.parametrize("letter", ["\x00", "\x07", "\x1b", "\x7f", "\u202e", "\ufeff", "\u200b", "\udc80"])
def test_a_character_that_cannot_be_printed_is_refused_by_its_number(letter: str) -> None:
    with pytest.raises(InputError, match=rf"the sentence holds .* \(U\+{ord(letter):04X}\).*Take it out"):
        tokenize(f"the robot{letter} slept")


def test_a_joiner_with_nothing_to_join_is_refused() -> None:
    with pytest.raises(InputError, match="token 2 of the sentence is empty"):
        tokenize("a \u200d b")


def test_the_longest_word_of_a_dictionary_passes_and_a_longer_one_is_refused() -> None:
    assert len(tokenize("Pneumonoultramicroscopicsilicovolcanoconiosis hurts")) == 2
    assert len(tokenize("x" * 60 + " y")) == 2
    with pytest.raises(InputError, match="token 1 of the sentence has 61 characters; expected at most 60"):
        tokenize("x" * 61 + " y")


@given(st.text(max_size=40))
@settings(max_examples=300, deadline=None)
def test_any_text_gives_tokens_that_lose_nothing_or_an_input_error(sentence: str) -> None:
    try:
        tokens = tokenize(sentence)
    except InputError as error:
        assert str(error).isprintable()
        return
    assert "".join(tokens) == "".join(normalize("NFC", sentence).split())
    assert 2 <= len(tokens) <= 16


@pytest.mark.parametrize("sentence", ["The chef, who slept, cooked: a meal!", "A robot. It slept?"])
def test_a_sentence_is_put_together_again_from_its_tokens(sentence: str) -> None:
    assert find("robot").with_sentence(sentence).sentence == sentence
