"""Questions: right answers count, known mistakes are refused and named, and nothing is ambiguous."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from itertools import islice

import numpy as np
import pytest
from cases import WALKS as SHARED_WALKS
from hypothesis import given, settings
from hypothesis import strategies as st

from mha_tutor import masks
from mha_tutor.answers import half_unit
from mha_tutor.attention import causal_mask
from mha_tutor.errors import InputError
from mha_tutor.examples import find
from mha_tutor.explain import Cell, why
from mha_tutor.mistakes import Mistake, wrong_numbers
from mha_tutor.mistakes.diagnosis import MOST_NAMED
from mha_tutor.numbers import form_for
from mha_tutor.quiz import OF_PAGE, PAGE_OF, TOPICS, Desk, Question, ask_about, ask_topic, judge, read_answer
from mha_tutor.quiz.hidden import hidden_product
from mha_tutor.quiz.kept import LONGEST_GAP, Again, Answered, Kept, NewerFormatError
from mha_tutor.stages import walk
from mha_tutor.texts import texts
from mha_tutor.trace import Trace
from mha_tutor.views.pages import STAGE_OF_PAGE, View, page_keys

quick = settings(deadline=None, max_examples=25)
Asked = tuple[Question, Desk]


def asked(trace: Trace, seed: int = 0) -> Iterator[Asked]:
    """Every topic this run has a question of."""
    desk = Desk(trace, View(), seed)
    for topic in TOPICS:
        if question := ask_topic(desk, topic):
            yield question, desk


WALKS = SHARED_WALKS | {
    f"robot without head {', '.join(str(h + 1) for h in heads)}": walk(find("robot"), without=heads)
    for heads in ([1], [0, 2])
}
ALL = [(name, question, desk) for name, trace in WALKS.items() for question, desk in asked(trace)]
every_question = pytest.mark.parametrize(
    ("question", "desk"),
    [pytest.param(question, desk, id=f"{name}: {question.topic}") for name, question, desk in ALL],
)


def written(question: Question, desk: Desk, answer: float) -> list[str]:
    """The ways in which an answer can be typed."""
    if question.words:
        word = question.words[int(answer)]
        alone = sum(word.lower() == other.lower() for other in question.words) == 1
        return [str(int(answer) + 1), *([word, word.upper(), f"`{word}`"] if alone else [])]
    if question.missing is not None:
        axis, other = question.missing
        shape = (int(answer), other) if axis == 0 else (other, int(answer))
        return [str(int(answer)), f"{shape[0]} x {shape[1]}", f" {shape[0]}X{shape[1]} "]
    form = desk.form(question.cell.tensor) if question.cell else form_for([answer])
    return [form(answer), form(answer).replace(".", ",").replace("0,", ",")]


# What is right.


@every_question
def test_the_right_answer_counts_however_it_is_typed(question: Question, desk: Desk) -> None:
    assert question.right
    for right in question.right:
        assert judge(question, right, desk).right
        for text in written(question, desk, right):
            assert judge(question, read_answer(question, text), desk).right, text


@every_question
def test_a_number_counts_as_far_as_the_question_says_and_no_further(question: Question, desk: Desk) -> None:
    if question.words or question.missing or not np.isfinite(question.right[0]):
        return
    (right,) = question.right
    assert "0.005" in question.accepts
    assert judge(question, right + 0.0049, desk).right and judge(question, right - 0.0049, desk).right
    assert not judge(question, right + 0.0052, desk).right


@every_question
def test_another_size_or_token_does_not_count(question: Question, desk: Desk) -> None:
    if question.words:
        wrong = [float(s) for s in range(len(question.words)) if s not in question.right]
    else:
        wrong = [right + 1 for right in question.right if np.isfinite(right)]
    assert wrong or question.topic == "number hidden"
    assert not any(judge(question, answer, desk).right for answer in wrong)


# What is wrong, and known.


@every_question
def test_the_number_of_each_known_mistake_is_refused_and_named(question: Question, desk: Desk) -> None:
    if question.cell is None:
        return
    known = wrong_numbers(desk.problem, question.cell)
    for wrong in known:
        if not np.isfinite(wrong.number) and wrong.number != -np.inf:
            continue
        verdict = judge(question, wrong.number, desk)
        assert not verdict.right
        near = [w for w in known if abs(w.number - wrong.number) <= half_unit() or w.number == wrong.number]
        formulas = {w.mistake.id for w in near if isinstance(w.mistake, Mistake)}
        if isinstance(wrong.mistake, Mistake) and len(formulas) <= MOST_NAMED:
            assert wrong.mistake.id in verdict.ids
            assert verdict.message.startswith("This is the number you get if ")


@every_question
def test_the_answer_of_a_known_mistake_is_refused_and_named_where_it_is_the_one(
    question: Question, desk: Desk
) -> None:
    known = [(m, answer) for m, answer in question.known() if np.isfinite(answer)]
    for mistake, answer in known:
        verdict = judge(question, answer, desk)
        assert not verdict.right
        same = {m.id for m, other in known if abs(other - answer) <= half_unit()}
        if same == {mistake.id}:
            assert verdict.ids == (mistake.id,)
            assert re.match(r"(This|That) is the (number|token|shape) you get (if|when) ", verdict.message)


def test_beliefs_about_budgets_are_told_apart() -> None:
    desk = Desk(WALKS["robot, plain"], View())
    heads, whole = (ask_topic(desk, topic) for topic in ("sum heads", "sum map"))
    assert heads and whole
    assert "B28" in judge(heads, 1.0, desk).ids  # one softmax over heads and keys together
    assert judge(whole, 1.0, desk).ids == ("B29",)  # one softmax over the whole map
    assert judge(whole, 3.7, desk).message == "No known mistake gives this number."


def test_the_width_of_all_columns_is_known_as_a_mistake() -> None:
    desk = Desk(WALKS["robot, plain"], View())
    question = ask_topic(desk, "shape Q")
    assert question and question.right == (4.0,)
    assert judge(question, 12.0, desk).ids == ("B04",)
    assert judge(question, 5.0, desk).message == "No known mistake gives this size."


def test_the_winner_of_another_head_is_known_as_a_slip() -> None:
    desk = Desk(WALKS["robot, plain"], View(), heads=[1], tokens=[6])
    question = ask_topic(desk, "winner weights")
    assert question and question.right == (1.0,)
    assert judge(question, 5.0, desk).message.startswith("This is the token you get if the table of another")


# What is asked.


@every_question
def test_no_question_leaves_its_reader_guessing(question: Question, desk: Desk) -> None:
    lines = "\n".join([question.text, *question.worked, *question.hints, question.accepts])
    assert "printed digits" not in lines  # what is printed, worked by hand, gives what is right
    assert not re.search(r"[{}!]|you did|nan", lines)
    assert question.worked and question.hints and question.page in page_keys(desk.trace)
    if question.words:
        tensor = question.topic.split()[1]
        row = desk[tensor][question.view.head, question.view.token]
        form = desk.form(tensor)
        best = {form(row[int(place)]) for place in question.right}
        others = {form(x) for i, x in enumerate(row) if i not in question.right}
        assert len(best) == 1 and not best & others
    elif question.cell is not None and question.cell.tensor != "masked":
        printed = desk.form(question.cell.tensor)(question.right[0])
        assert printed.strip("-0.") or "e" in printed


@every_question
def test_there_are_three_reasons_and_one_is_right(question: Question, desk: Desk) -> None:
    assert [option.right for option in question.options].count(True) == 1
    assert len({option.text for option in question.options}) == 3
    for option in question.options:
        assert option.text.endswith(".") and option.reply.endswith(".")
        assert not re.search(r"[{}!]|[Yy]ou did", option.text + option.reply)
    assert question.why.endswith("?")


@every_question
def test_what_is_needed_is_given_in_linear_text_too(question: Question, desk: Desk) -> None:
    assert bool(question.tables) == bool(question.facts)
    if (
        question.cell is not None
        and question.cell.tensor != "masked"
        and question.topic.split()[1] not in ("sum", "without")
    ):
        forms = desk.form
        for group in why(desk.trace, question.cell).parts:
            for part in group:
                number = forms(part.tensor)(part.value(desk.trace))
                assert any(f": {number}" in fact for fact in question.facts), (number, question.facts)


def test_every_topic_is_asked_somewhere_and_its_words_are_there() -> None:
    assert {question.topic for _, question, _ in ALL} == set(TOPICS) == set(PAGE_OF)
    assert set(texts("quiz")["topic"]) == {*TOPICS, "product", "divisor", "total"}
    assert set(OF_PAGE) == set(STAGE_OF_PAGE)


@pytest.mark.parametrize("name", WALKS)
def test_every_walk_has_questions_on_most_pages(name: str) -> None:
    trace = WALKS[name]
    keys = page_keys(trace)
    found = [ask_about(Desk(trace, View(), 1), key) for key in keys]
    assert sum(question is not None for question in found) >= len(keys) // 2
    assert all(question is None or question.page == key for question, key in zip(found, keys, strict=True))


def test_the_same_seed_gives_the_same_quiz_and_another_seed_another() -> None:
    trace = WALKS["robot, causal"]

    def quiz(seed: int, keys: tuple[str, ...]) -> list[str]:
        desk = Desk(trace, View(), seed)
        found = [ask_about(desk, key) for key in keys]
        return [repr((q.text, q.right, q.options, q.view)) for q in found if q]

    keys = page_keys(trace)
    assert quiz(4, keys) == quiz(4, keys)
    assert quiz(4, keys[5:]) == quiz(4, keys)[-len(quiz(4, keys[5:])) :]  # whatever was asked before
    assert len({tuple(quiz(seed, keys)) for seed in range(6)}) == 6


def test_heads_and_tokens_can_be_chosen() -> None:
    trace = WALKS["robot, plain"]
    for seed in range(5):
        for topic in TOPICS:
            question = ask_topic(Desk(trace, View(), seed, heads=[2], tokens=[7]), topic)
            if question and question.topic.startswith(("winner", "sum row", "number dots", "number weights")):
                assert question.view == View(2, 7)


@quick
@given(st.data())
def test_any_run_at_any_seed_asks_fair_questions(data: st.DataObject) -> None:
    example = find("random", seed=data.draw(st.integers(0, 50)))
    n = data.draw(st.integers(2, 9))
    example = example.with_tokens(
        tuple(data.draw(st.sampled_from(["the", "robot", "it", "was", ".", "3", "a", "q"])) for _ in range(n))
    )
    heads = data.draw(st.sampled_from(example.allowed_heads))
    kv_heads = data.draw(st.sampled_from([g for g in range(1, heads + 1) if heads % g == 0]))
    allowed = data.draw(st.sampled_from([None, causal_mask(n, n), masks.padding(n, n, [n - 1])]))
    trace = walk(example, heads=heads, kv_heads=kv_heads, allowed=allowed)
    desk = Desk(trace, View(0, n - 1, data.draw(st.integers(0, 4))), data.draw(st.integers(0, 9)))
    for topic in data.draw(st.lists(st.sampled_from(list(TOPICS)), max_size=4)):
        if question := ask_topic(desk, topic):
            assert all(judge(question, right, desk).right for right in question.right)
            for _, answer in islice(question.known(), 20):
                assert not judge(question, answer, desk).right


def test_a_removed_head_is_missing_from_the_sum_and_from_nothing_else() -> None:
    trace = WALKS["robot without head 2"]
    question = ask_topic(Desk(trace, View(), 3), "number without")
    assert question and question.page == "without" and "Removed before W^O: head 2." in question.text
    desk = Desk(trace, View(), 3)
    whole = float(question.worked[0].rpartition(" ")[2])
    assert not judge(question, whole, desk).right  # as if nothing had been removed
    assert ask_topic(desk, "number sum") is None
    for seed in range(10):
        found = ask_topic(Desk(trace, View(), seed), "number output")
        if found:
            assert judge(found, found.right[0], desk).right


# What is typed.


@given(st.text(max_size=10))
def test_any_text_is_an_answer_or_told_why_not(text: str) -> None:
    for question in TYPED:
        try:
            assert isinstance(read_answer(question, text), float)
        except InputError as error:
            assert len(str(error)) > 10


TYPED = [
    next(question for name, question, _ in ALL if name == "robot, plain" and question.topic == topic)
    for topic in ("shape dots", "winner weights", "sum map", "number dots")
]


@given(st.integers(-99, 99), st.integers(0, 99), st.integers(1, 99))
def test_fractions_and_mixed_numbers_are_read(whole: int, top: int, below: int) -> None:
    number = TYPED[-1]
    assert read_answer(number, f"{whole}/{below}") == pytest.approx(whole / below)
    expected = abs(whole) + top / below
    assert read_answer(number, f"{abs(whole)} {top}/{below}") == pytest.approx(expected)
    assert read_answer(number, f"-{abs(whole)} {top} / {below}") == pytest.approx(-expected)
    assert read_answer(number, f"{whole},{top:02}") == pytest.approx(float(f"{whole}.{top:02}"))


def test_a_word_that_stands_twice_asks_for_its_number() -> None:
    winner = TYPED[1]
    assert read_answer(winner, "The") == 0 and read_answer(winner, "the") == 3
    with pytest.raises(InputError, match=r"'THE' stands 2 times\. Type its number: 1, 4"):
        read_answer(winner, "THE")
    with pytest.raises(InputError, match="is not one of the tokens"):
        read_answer(winner, "10")
    with pytest.raises(InputError, match="the other size is 9, as given"):
        read_answer(TYPED[0], "4 x 9")
    with pytest.raises(InputError, match="is not a size"):
        read_answer(TYPED[0], "4.5")


# What ``why`` hides.


@pytest.mark.parametrize("name", ["robot, plain", "by-hand, causal", "robot, memory"])
@pytest.mark.parametrize("tensor", ["Q", "dots", "scores", "weights", "mixed", "output"])
def test_a_hidden_number_can_be_found(name: str, tensor: str) -> None:
    desk = Desk(WALKS[name], View())
    reasons = [why(desk.trace, cell) for cell in desk.cells(tensor)]
    found = [question for reason in reasons if (question := hidden_product(desk, reason))]
    assert found
    for question in found:
        (right,) = question.right
        assert "__" in question.text and judge(question, right, desk).right
        assert not re.search(r"[{}!]", question.text + question.hints[0])
        for mistake, answer in question.known():
            verdict = judge(question, answer, desk)
            assert not verdict.right and verdict.message
            assert mistake.id in verdict.ids or len(verdict.ids) != 1


def test_a_given_number_hides_nothing() -> None:
    desk = Desk(WALKS["robot, plain"], View())
    assert hidden_product(desk, why(desk.trace, Cell("X", (0, 0)))) is None
    assert hidden_product(desk, why(desk.trace, Cell("concat", (0, 0)))) is None


# What is kept.


def test_what_was_sure_and_wrong_comes_back_next_time_and_then_less_and_less_often() -> None:
    kept = Kept().begun().after(Answered("sum row", sure=True, mistakes=("B26",)))
    assert kept.due() == ("sum row",) and kept.mistakes == {"B26": 1}
    right, gaps = Answered("sum row", first=True, sure=True), []
    while kept.again:
        waits = 1
        kept = kept.begun()
        while "sum row" not in Kept(kept.quizzes - 1, again=kept.again).due():
            kept, waits = kept.begun(), waits + 1
        gaps.append(waits)
        kept = kept.after(right)
    assert gaps == [1, 2, LONGEST_GAP]


def test_what_was_unsure_skipped_or_right_does_not_come_back() -> None:
    for answered in (
        Answered("sum row"),
        Answered("sum row", second=True),
        Answered("sum row", first=True, sure=True),
        Answered("sum row", skipped=True, sure=True),
    ):
        assert not Kept().begun().after(answered).again
    back = Kept(3, again={"sum row": Again(3, 2)})
    assert back.after(Answered("sum row", skipped=True)).again["sum row"] == Again(3, 2)
    assert back.after(Answered("sum row", second=True)).again["sum row"] == Again(4, 1)


answers = st.builds(
    Answered, st.sampled_from(list(TOPICS)), st.booleans(), st.booleans(), st.booleans(), st.booleans(),
    st.lists(st.sampled_from(["B26", "S01"]), max_size=2).map(tuple),
)  # fmt: skip


@given(st.lists(answers, max_size=8))
def test_what_is_kept_is_read_back(given_answers: list[Answered]) -> None:
    kept = Kept()
    for answered in given_answers:
        kept = kept.begun().after(answered)
    assert Kept.from_json(kept.as_json()) == kept


def test_what_was_sure_and_wrong_comes_back_even_if_it_is_right_later_in_the_same_quiz() -> None:
    wrong = Answered("sum row", sure=True, mistakes=("B26",))
    right = Answered("sum row", first=True, sure=True)
    kept = Kept(5).begun().after(wrong)
    assert kept.again == {"sum row": Again(7)}
    assert kept.after(right).again == kept.again


def test_mistakes_are_listed_by_how_often_they_showed_and_then_by_name() -> None:
    kept = Kept(mistakes={"F02": 1, "B50": 3, "B26": 1, "B16": 7})
    assert kept.most_often() == (("B16", 7), ("B50", 3), ("B26", 1), ("F02", 1))
    assert kept.most_often(but=["B16"])[0] == ("B50", 3)


@pytest.mark.parametrize(
    "data",
    [
        *[None, [], {}, {"format_version": 1}, {"format_version": "1"}, {**Kept().as_json(), "quizzes": -1}],
        {**Kept().as_json(), "again": {"sum row": {"due": True, "gap": 1}}},
        {**Kept().as_json(), "mistakes": []},
    ],
)  # fmt: skip
def test_anything_else_is_no_kept_quiz(data: object) -> None:
    with pytest.raises(ValueError):
        Kept.from_json(data)


def test_a_newer_format_is_known_as_such() -> None:
    with pytest.raises(NewerFormatError):
        Kept.from_json({"format_version": 2})


@pytest.mark.parametrize("name", ["random", "robot", "by-hand"])
def test_no_score_is_asked_for_that_lies_halfway_between_two_printed_numbers(name: str) -> None:
    trace, asked = walk(find(name)), 0
    for seed in range(40):
        desk = Desk(trace, View(), seed)
        question = ask_topic(desk, "number scores")
        if question is None or question.cell is None:
            continue
        dot = Decimal(desk.form("dots")(float(trace["dots"].values[question.cell.index])))
        assert (abs(dot) / 2).scaleb(desk.form("scores").decimals) % 1 != Decimal("0.5"), dot
        asked += 1
    assert asked
