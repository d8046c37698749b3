"""A presentation: what a press uncovers, what stays covered until then, and what a room sees."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from drawing import few
from drawing import run_fixture as _run  # noqa: F401  the fixture "run"
from hypothesis import given
from hypothesis import strategies as st
from terminal import Terminal
from test_golden import same

from mha_tutor import masks
from mha_tutor.choose import WalkOptions
from mha_tutor.cli.book import ShowOptions
from mha_tutor.cli.paint import Painter
from mha_tutor.cli.present.polling import Result
from mha_tutor.cli.present.presentation import Presentation
from mha_tutor.cli.present.slide_book import SlideBook
from mha_tutor.cli.present.slide_screen import SlideScreen
from mha_tutor.cli.present.timer import Timer
from mha_tutor.cli.present.votes_file import keep_votes
from mha_tutor.cli.present.voting import STEPS, Voting
from mha_tutor.cli.step import StepBook
from mha_tutor.cli.world import World
from mha_tutor.errors import InputError
from mha_tutor.examples import find
from mha_tutor.mistakes import diagnose_number
from mha_tutor.quiz import Desk
from mha_tutor.quiz.poll import Poll, polls_about
from mha_tutor.stages import walk
from mha_tutor.trace import Trace
from mha_tutor.views.page import Block, FirstFit, HeadBars, Page, Ribbons, Table, Text
from mha_tutor.views.pages import View, page, page_keys
from mha_tutor.views.present import Slide, as_seen, slides_of
from mha_tutor.views.text import page_text

ROOM = 100, 30  # what a projector shows that can be read from the back row
SIZES = [(40, 15), (60, 20), (80, 24), ROOM, (160, 50)]


class Still:
    """A screen that keeps what was drawn last."""

    def __init__(self, size: tuple[int, int] = ROOM) -> None:
        self.size = lambda: size
        self.lines: list[str] = []

    def draw(self, lines: list[str]) -> None:
        self.lines = lines

    def redraw(self) -> None:
        pass


class Clock:
    """Time that passes when it is told to."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


class Room:
    """A lesson and what is seen of it."""

    def __init__(self, *, size: tuple[int, int] = ROOM, polls: bool = False, **walked: object) -> None:
        pages = StepBook(WalkOptions(**walked), ShowOptions())  # type: ignore[arg-type]
        view = View(min(1, pages.sizes["heads"] - 1), pages.sizes["n"] - 3)
        self.clock = Clock()
        self.book = SlideBook(pages, view, polls=polls)
        self.lesson = Presentation(self.book, view, 0, Timer(3, self.clock))
        self.still = Still(size)
        world = World(sys.stdin, io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), {})
        painter = Painter.of(world, "projector", None, spacious=True)
        self.screen = SlideScreen(self.lesson, painter, self.still)  # type: ignore[arg-type]
        self.screen.draw()

    def press(self, *keys: str) -> Room:
        for key in keys:
            self.lesson.press(key)
            self.screen.draw()
        return self

    def go_to(self, key: str) -> Room:
        self.lesson.place = self.lesson.place._replace(
            page=self.book.keys.index(key), top=0, window=0, point=None
        )
        self.screen.draw()
        return self

    @property
    def text(self) -> str:
        return "\n".join(self.still.lines)


@pytest.fixture(name="room", scope="module")
def room_fixture() -> Room:
    return Room()


# What is covered.


def traces() -> Iterator[tuple[str, Trace]]:
    robot = find("robot")
    causal = np.tril(np.ones((9, 9), dtype=bool))
    yield "robot", walk(robot)
    yield "causal", walk(robot, allowed=causal)
    yield "one head", walk(robot, heads=1)
    yield "shared", walk(robot, kv_heads=1)
    yield "memory", walk(robot, memory=robot.with_sentence("The chef cooked the meal"))
    yield "without head 2", walk(robot, without=[1])
    yield "by-hand", walk(find("by-hand"))
    yield "random", walk(find("random"))


TRACES = dict(traces())


def example_of(trace: Trace):  # type: ignore[no-untyped-def]
    return find(trace.example)


def other_answers(trace: Trace, stage: str) -> Trace:
    """The same walk with other numbers from that stage on: those of each tensor in another order."""
    keys = [each.key for each in trace.stages]
    first = keys.index(stage) if stage in keys else len(keys) - 1
    stages = [
        each
        if i < first
        else replace(
            each,
            outputs=tuple(replace(t, values=np.flip(t.values).copy()) for t in each.outputs),
        )
        for i, each in enumerate(trace.stages)
    ]
    return replace(trace, stages=tuple(stages))


def all_slides(trace: Trace, view: View) -> Iterator[Slide]:
    for key in page_keys(trace):
        yield from slides_of(page(key, trace, example_of(trace), view), trace, view.token)


@pytest.mark.parametrize("name", TRACES)
def test_a_slide_before_any_press_does_not_depend_on_its_answers(name: str) -> None:
    trace, view = TRACES[name], View(0, 2)
    tried = 0
    for slide in all_slides(trace, view):
        if slide.page_key == "embed":  # X is given
            continue
        lied = page(slide.page_key, other_answers(trace, slide.page.stage), example_of(trace), view)
        twin = next((s for s in slides_of(lied, trace, view.token) if s.key == slide.key), None)
        if twin is None:
            continue
        a, b = (shown(as_seen(each, ())) for each in (slide, twin))
        if not slide.key.endswith((".number", ".look")):
            assert a == b, slide.key
        if shown(slide.page) != shown(twin.page):
            tried += 1  # the answers do differ, and are seen in the end
    assert tried > 5


def shown(page: Page) -> list[str]:
    """The words and numbers of a page as a room sees them; blanks where something is covered."""

    def seen(table: Table) -> Table:
        values = table.values.copy()
        for place in table.hidden:
            values[place] = -77
        return table._replace(values=values, old=None)

    def without(block: Block) -> Block:
        if isinstance(block, Table):
            return seen(block)
        if isinstance(block, FirstFit):
            return block.each(seen)
        if isinstance(block, Ribbons) and block.covered:
            return block._replace(weights=np.full_like(block.weights, -77))
        if isinstance(block, HeadBars):
            weights = block.weights.copy()
            weights[list(block.hidden)] = -77
            return block._replace(weights=weights)
        return block

    return page_text(page._replace(blocks=tuple(map(without, page.blocks)))).split()


@pytest.mark.parametrize("name", TRACES)
def test_every_number_of_a_page_is_on_one_of_its_slides_and_comes_to_be_seen(name: str) -> None:
    trace, view = TRACES[name], View(0, 2)
    for key in page_keys(trace):
        whole = page(key, trace, example_of(trace), view)
        slides = slides_of(whole, trace, view.token)
        words = {word for slide in slides for word in page_text(as_seen(slide, slide.covered(()))).split()}
        assert set(page_text(whole._replace(corner="")).split()) <= words | {"(head"}, key
        for slide in slides:
            uncovered: set[object] = set()
            for _ in slide.covers:
                assert slide.next(uncovered)  # type: ignore[arg-type]
                uncovered |= slide.next(uncovered)  # type: ignore[arg-type]
            assert not slide.next(uncovered) and not slide.covered(uncovered)  # type: ignore[arg-type]


def test_what_is_given_comes_before_what_is_made_of_it_and_one_table_at_a_time() -> None:
    slides = list(all_slides(TRACES["robot"], View(1, 6)))
    keys = [slide.key for slide in slides]
    assert keys.index("project.given") < keys.index("project.table") < keys.index("project.number")
    assert not slides[keys.index("project.given")].covers
    assert keys[:4] == ["embed.lead", "embed.given", "embed.number", "embed.look"]
    for slide in slides:
        tables = [
            b for b in slide.page.blocks if not isinstance(b, Text) and "Formula" not in type(b).__name__
        ]
        assert len(tables) <= 1


def test_a_worked_number_grows_from_its_name_to_its_result() -> None:
    slide = next(s for s in all_slides(TRACES["robot"], View(1, 6)) if s.key == "softmax.number")
    seen, uncovered = [], set()
    for _ in range(3):
        seen.append(as_seen(slide, uncovered).blocks[0].text)  # type: ignore[union-attr]
        uncovered |= slide.next(uncovered)
    assert seen[0] == "weights[head 2, it, robot], that is weights[2, 7, 2] = __"
    assert seen[1].endswith("= 90.02 / 98.02 = __") and seen[2].endswith("= 90.02 / 98.02 = 0.92")


@pytest.mark.parametrize("name", TRACES)
def test_no_worked_number_shows_its_result_before_the_last_press(name: str) -> None:
    for slide in all_slides(TRACES[name], View(0, 2)):
        if slide.key.endswith(".number") and slide.covers:
            full = slide.page.blocks[0].text  # type: ignore[union-attr]
            first = as_seen(slide, ()).blocks[0].text  # type: ignore[union-attr]
            half = as_seen(slide, slide.covers[0]).blocks[0].text  # type: ignore[union-attr]
            assert first.endswith(("= __", ": __")) and first.count("__") == half.count("__") == 1
            before, after = half.split("__")
            assert full.startswith(before) and full[len(before) :].split(after or "\n")[0].strip()


@pytest.mark.parametrize("name", TRACES)
def test_no_slide_is_a_title_alone(name: str) -> None:
    for slide in all_slides(TRACES[name], View(0, 2)):
        assert as_seen(slide, ()).blocks, slide.key


def test_words_stand_without_shade_or_weight_until_they_are_uncovered() -> None:
    room = Room().go_to("heads.table-2")
    assert "patient" in room.text and room.text.count("__") == 27 and "0.92" not in room.text
    room.press("space")
    assert "__" not in room.text and "0.92" in room.text


def test_a_worked_number_names_no_largest_one_of_a_row_that_is_covered() -> None:
    room = Room().go_to("softmax.table").press("a", "space")
    assert "weights[head 2, it, robot]" in room.text
    room.press("tab")
    assert room.lesson.slide.key == "softmax.number"
    assert "weights[" not in room.text and "still covered: __" in room.text
    room.press("space")
    assert "weights[head 3, it" in room.text and "= __" in room.text
    for key in ("dots.number", "mix.number"):
        assert "still covered" in room.go_to(key).press("r").text


def test_what_stood_there_before_a_change_is_covered_with_the_number() -> None:
    room = Room(set=("W_Q[head 2, pronoun, 1]=1",)).go_to("softmax.table")
    assert "*" not in room.text and not any(figure in room.text for figure in ("0.92", "0.36"))
    room.press("space")
    assert "*0.36" in room.text and "0.92" in room.text


# Keys.


def test_space_uncovers_the_row_then_all_then_goes_on(room: Room) -> None:
    room.go_to("softmax.table").press("r")
    assert "0.92" not in room.text and room.text.count("__") == 81
    room.press("space")
    assert "0.92" in room.text and room.text.count("__") == 72
    room.press("right")
    assert "__" not in room.text
    room.press("space")
    assert room.lesson.slide.key == "softmax.number"
    room.press("left")
    assert room.lesson.slide.key == "softmax.table" and "__" not in room.text  # as it was left
    room.press("u")
    assert room.text.count("__") == 72
    room.press("a", "r")
    assert room.text.count("__") == 81


def test_what_is_uncovered_of_one_head_or_token_is_still_covered_of_another() -> None:
    room = Room().go_to("softmax.table").press("a")
    assert "__" not in room.text
    room.press("tab")
    assert room.text.count("__") == 81
    room.press("shift-tab")
    assert "__" not in room.text
    room.press("r", "space", "down", "space")
    assert room.text.count("__") == 63  # two tokens' rows
    room.go_to("heads.table").press("space", "up")
    assert room.text.count("__") == 27


def test_the_pointer_stands_on_numbers_rows_and_columns_and_uncovers_what_it_points_at() -> None:
    room = Room().go_to("softmax.table").press("w")
    assert " row 7 it " in room.text
    room.press("right", "right")
    assert "weights[head 2, it, robot] = __" in room.text and "[__]" in room.text
    room.press("w")
    assert "It is covered" in room.text
    room.press("enter")
    assert "weights[head 2, it, robot] = 0.92" in room.text and "[0.92]" in room.text
    assert room.text.count("__") == 80
    room.press("w")
    assert "exp(4.5)" in room.text
    room.press("escape", "up", "up", "up", "up", "up", "up", "up", "up")
    assert "weights_2, column robot" in room.text and room.text.count("[__]") == 8
    room.press("enter")
    assert room.text.count("__") == 72
    room.press("down", "left", "left", "left")
    assert "row 1 The" in room.text
    room.press("space")
    assert room.text.count("__") == 64  # the chosen row
    room.press("escape")
    assert "[" not in room.text.replace("[weights]", "")
    room.go_to("softmax.number").press("w")
    assert "no table" in room.text


def test_a_blank_screen_has_nothing_on_it_and_any_key_brings_the_slide_back(room: Room) -> None:
    for key in ("b", "."):
        room.go_to("softmax.table")
        before = room.text
        room.press(key)
        assert not room.text
        room.press("space")
        assert room.text == before
    room.press("b", "q")
    assert room.text == before and not room.lesson.leaving
    room.press("b", "ctrl-c")
    assert room.lesson.leaving
    room.lesson.leaving = False
    room.press("x")


def test_the_timer_counts_down_in_the_corner_and_stops() -> None:
    room = Room()
    assert room.screen.patience is None
    room.press("t")
    assert room.still.lines[1].endswith(" 3:00 ──") and room.screen.patience is not None
    before = list(room.still.lines)
    room.clock.now += room.screen.patience
    room.screen.waited()
    changed = [i for i, (a, b) in enumerate(zip(before, room.still.lines, strict=True)) if a != b]
    assert changed == [1] and " 2:59 " in room.still.lines[1]
    room.press("+")
    assert " 3:59 " in room.text
    room.press("-", "-", "-", "-")
    assert "time is up" in room.text and room.screen.patience is None
    room.press("t")
    assert "time is up" not in room.text


@given(st.floats(0.1, 99), st.lists(st.tuples(st.sampled_from("t+-."), st.floats(0, 90)), max_size=20))
def test_a_timer_never_shows_less_than_nothing_and_tells_when_it_changes(
    minutes: float, steps: list[tuple[str, float]]
) -> None:
    clock = Clock()
    timer = Timer(minutes, clock)
    for key, passed in steps:
        if key == "t":
            timer.toggle()
        elif key != ".":
            timer.add(1 if key == "+" else -1)
        clock.now += passed
        before, wait = timer.text(), timer.next_change()
        assert 0 <= timer.left <= 99 * 60
        if wait is None:
            clock.now += 5
            assert timer.text() == before
        else:
            assert 0 < wait <= 1.01
            clock.now += wait - 0.01
            assert timer.text() == before or wait < 0.011
            clock.now += 0.01
            assert timer.text() != before


UNCOVERING = ["space", "right", "enter", "n", "pagedown", "a"]
OTHER_KEYS = (
    "left up down home end pageup backspace tab shift-tab escape ? h f1 w b . t + - u r "
    "1 2 3 4 5 6 7 8 9 0 < > x é c d f12 resize"
)
HARMLESS = OTHER_KEYS.split()
_ROOMS: dict[bool, Room] = {}


def room_for(polls: bool) -> Room:
    """A lesson from its beginning; the slides are made once."""
    room = _ROOMS.setdefault(polls, Room(example="by-hand", polls=polls))
    view = View(1, 1)
    room.book.turn_to(view, "")
    room.lesson = room.screen.session = Presentation(room.book, view, 0, Timer(3, room.clock))
    room.screen.draw()
    return room


@few
@given(st.booleans(), st.lists(st.sampled_from([*HARMLESS, *UNCOVERING * 4, "p"]), max_size=40))
def test_no_keys_crash_and_only_those_that_uncover_uncover(polls: bool, keys: list[str]) -> None:
    room = room_for(polls)
    for key in keys:
        lesson = room.lesson
        before = {about: set().union(*steps) for about, steps in lesson.seen.steps.items() if steps}
        voting = lesson.voting
        room.press(key)
        after = {about: set().union(*steps) for about, steps in lesson.seen.steps.items() if steps}
        assert 0 <= lesson.place.page < len(room.book.slides)
        assert all(len(line) <= ROOM[0] for line in room.still.lines)
        if key not in UNCOVERING or voting is not None:
            assert all(spots <= before.get(about, set()) for about, spots in after.items()), key
        new = {about for about, spots in after.items() if spots - before.get(about, set())}
        assert len(new) <= 1, "a press uncovers something of one slide"
        if not (lesson.blank or lesson.place.help or lesson.voting or lesson.place.depth):
            covered = lesson.slide.covered(after.get(lesson.slide.about, set()))
            assert hidden_of(lesson.page()) == covered_numbers(lesson.slide, covered)


def hidden_of(page: Page) -> int:
    """How many numbers of the narrowest table are covered."""
    for block in page.blocks:
        table = block.options[-1][0] if isinstance(block, FirstFit) else block
        if isinstance(table, Table):
            return len(table.hidden)
    return 0


def covered_numbers(slide: Slide, covered: frozenset[object]) -> int:
    return sum(spot[0] == "number" for spot in covered) if slide.table is not None else 0  # type: ignore[index]


# Room for all of it.


@pytest.mark.parametrize("walked", [{}, {"example": "by-hand"}, {"causal": True}, {"heads": 1}], ids=str)
def test_at_100_by_30_every_slide_fits_covered_or_not(walked: dict[str, object]) -> None:
    room = Room(polls=True, **walked)
    room.lesson.choose("down")
    for key in room.book.keys:
        room.go_to(key)
        for _ in range(len(room.lesson.slide.covers) + 1):
            wide = "heads" in walked and key == "mix.table"  # of 25 columns, for < and >
            assert room.lesson.more == 0 and (room.lesson.pieces == 1 or wide), f"{key}\n{room.text}"
            if room.lesson.slide.next(room.lesson.uncovered):
                room.press("space")


@pytest.mark.parametrize("walked", [{}, {"example": "by-hand"}], ids=str)
def test_at_100_by_30_every_step_of_a_poll_fits(walked: dict[str, object]) -> None:
    room = Room(polls=True, **walked)
    for key in [key for key in room.book.keys if key.endswith(".poll")]:
        room.go_to(key)
        for step in STEPS:
            assert room.lesson.voting is not None and room.lesson.voting.step == step
            assert room.lesson.more == 0 and room.lesson.pieces == 1, f"{key} {step}\n{room.text}"
            room.press(*(["1", "2", "space", "1", "space", "0", "space", "7"] * room.lesson.voting.voting))
            room.press("space")


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_at_any_size_every_number_of_a_slide_can_be_reached_whole(size: tuple[int, int]) -> None:
    room = Room(size=size)
    for key in ("softmax.table", "project.table", "mix.table", "heads.table", "sum.table", "output.given"):
        room.go_to(key).press("a")
        seen = ""
        for _ in range(20):
            for _ in range(40):
                seen += room.text + "\n"
                if not room.lesson.more:
                    break
                room.press("space")
            if room.lesson.place.window + 1 >= room.lesson.pieces:
                break
            room.lesson.place = room.lesson.place._replace(top=0)
            room.press(">")
        words = set(seen.replace("[", " ").replace("]", " ").split())
        assert numbers_of(room.lesson.slide) <= words, f"{key}: {numbers_of(room.lesson.slide) - words}"


def numbers_of(slide: Slide) -> set[str]:
    block = slide.page.blocks[0]
    if isinstance(block, HeadBars):
        return {block.form(x) for x in block.weights.ravel().tolist()}
    table = slide.table
    assert table is not None
    return {
        band.form(x)
        for band in table.bands
        for x in table.values[:, band.start : band.stop].ravel().tolist()
        if x == x
    }


# Polls.


def some_polls() -> Iterator[tuple[str, Poll, Desk]]:
    for name, trace in TRACES.items():
        view = View(0, 1)
        desk = Desk(trace, view, heads=[0], tokens=[1])
        for key in page_keys(trace):
            yield from ((f"{name} {key}", poll, desk) for poll in polls_about(desk, key))


POLLS = {f"{name} {poll.question.topic}": (poll, desk) for name, poll, desk in some_polls()}
every_poll = pytest.mark.parametrize("poll, desk", POLLS.values(), ids=POLLS)


def test_most_pages_have_a_poll() -> None:
    for name in ("robot", "by-hand"):
        asked = {key.split()[1] for key in POLLS if key.startswith(name)}
        assert {"dots", "scale", "softmax", "heads", "mix", "concat", "output", "sum"} <= asked
        assert name == "by-hand" or "project" in asked  # there, too few wrong numbers can be worked out


@every_poll
def test_a_poll_has_four_choices_one_right_and_three_of_known_mistakes(poll: Poll, desk: Desk) -> None:
    choices = poll.asked.choices
    assert [choice.letter for choice in choices] == ["A", "B", "C", "D"]
    assert [choice.right for choice in choices].count(True) == 1
    assert len({choice.text for choice in choices}) == 4
    for choice, ids in zip(choices, poll.mistakes, strict=True):
        assert bool(ids) != choice.right and choice.reply
        if ids:
            assert choice.reply.startswith("This is the ") and " you get if " in choice.reply
    named = [id for ids in poll.mistakes for id in ids]
    assert len(named) == len(set(named))
    assert not {"B46", "B53"} & set(named), "chance or the computer decides these"


@every_poll
def test_each_wrong_choice_as_it_is_written_is_told_as_its_mistake(poll: Poll, desk: Desk) -> None:
    cell = poll.question.cell
    for choice, ids in zip(poll.asked.choices, poll.mistakes, strict=True):
        if cell is None or "e" in choice.text:
            continue
        found = diagnose_number(choice.text, cell, desk.problem, decimals=desk.view.decimals)
        assert found.right == choice.right
        assert choice.right or set(ids) & set(found.ids), f"{choice}: {ids}, {found.ids}"


@every_poll
def test_a_minus_sign_is_lost_only_where_the_room_sees_one(poll: Poll, desk: Desk) -> None:
    for choice, ids in zip(poll.asked.choices, poll.mistakes, strict=True):
        if "S06" in ids:
            given = [x for table in poll.asked.tables for x in table.values.ravel().tolist()]
            assert min(given) < 0, f"{poll.asked.text} {choice.text}"


@every_poll
def test_no_mistake_that_needs_numbers_the_room_is_not_shown_is_behind_a_choice(
    poll: Poll, desk: Desk
) -> None:
    """These need another head, another row, or a matrix that is not given."""
    hidden = {
        "number dots": {"F04", "F09", "S02", "B58", "B59"},
        "number hidden": {"S01", "S03"},
        "number allowed": {"S01", "S03"},
        "number weights": {"B26", "B27", "B28", "B29", "B52", "B54", "S01", "S02", "S03"},
        "number mixed": {"B07", "F06", "S01", "S02", "S03"},
        "number output": {"F10", "S01", "S03", "S04"},
        "number sum": {"F10", "F02", "B50", "S01", "S03", "S05"},
    }
    named = {id for ids in poll.mistakes for id in ids}
    assert not named & hidden.get(poll.question.topic, set())


@every_poll
def test_the_reason_of_the_right_answer_comes_with_its_question(poll: Poll, desk: Desk) -> None:
    told = next((option.text for option in poll.question.options if option.right), "")
    reply = poll.asked.choices[poll.asked.right].reply
    assert reply.endswith(f"{poll.question.why} {told}") if told else "?" not in reply


def test_the_exps_of_a_poll_are_those_that_a_room_works_out() -> None:
    robot = find("robot")
    trace = walk(robot, allowed=masks.mask(9, 9, masks.MaskKind(causal=False, padding=(8,))))
    view = View(0, 6)
    seen = 0
    for polled in polls_about(Desk(trace, view, heads=[0], tokens=[6]), "heads"):
        if polled.question.topic == "sum heads":
            scores = trace["masked"].values[:, 6]
            shifted = np.exp(scores - scores.max(axis=-1, keepdims=True)).sum()
            plain = np.exp(scores).sum()
            assert abs(shifted - plain) > 0.1
            for choice, ids in zip(polled.asked.choices, polled.mistakes, strict=True):
                assert "F05" not in ids or abs(float(choice.text) - plain) < 0.01
                assert abs(float(choice.text) - shifted) > 0.01
                seen += 1
    assert seen == 4


@pytest.mark.parametrize("walked", [{}, {"example": "by-hand"}, {"causal": True}, {"heads": 2}], ids=str)
def test_no_two_polls_of_a_lesson_ask_for_the_same_number(walked: dict[str, object]) -> None:
    book = Room(polls=True, **walked).book
    pages = [key.partition(".")[0] for key in book.keys if key.endswith(".poll")]
    for token in range(3):
        polls = [book.planned_poll(each, View(0, token)) for each in pages]
        cells = [poll.question.cell for poll in polls if poll.question.cell is not None]
        assert len(cells) == len(set(cells)), cells
    topics = [poll.question.topic for poll in polls]
    assert len(topics) == len(set(topics)) >= 4


def voting_of(poll: Poll | None = None) -> Voting:
    return Voting(poll or next(iter(POLLS.values()))[0], Timer())


def typed(voting: Voting, text: str) -> Voting:
    for key in text:
        name = "space" if key == " " else key
        assert voting.takes(name), f"{key} after {voting.typed!r}"
        voting.type(name)
    return voting


@pytest.mark.parametrize(
    "text, counts",
    [
        ("5 12 3 0", (5, 12, 3, 0)),
        ("5,12,3,0", (5, 12, 3, 0)),
        ("5, 12, 3, 0", (5, 12, 3, 0)),
        ("aabdA", (3, 1, 0, 1)),
        ("0 0 0 28", (0, 0, 0, 28)),
    ],
)
def test_a_vote_is_typed_as_counts_or_as_hands(text: str, counts: tuple[int, ...]) -> None:
    voting = voting_of()
    assert not voting.takes("5") and voting.forward()
    assert typed(voting, text).forward()
    assert voting.votes == {"vote": counts} and voting.step == "discuss"


def test_a_vote_that_is_not_whole_is_told_and_a_room_may_vote_without_counts() -> None:
    voting = voting_of()
    voting.forward()
    typed(voting, "5 12")
    assert not voting.forward() and "Type 4 counts" in voting.prompt()
    voting.type("backspace")
    assert "Type 4 counts" not in voting.prompt() and voting.typed == "5 1"
    while voting.typed:
        voting.type("backspace")
    assert voting.forward() and not voting.votes
    assert not typed(typed(voting_of_second(), "ab"), "ab").takes("space")


@given(st.lists(st.integers(0, 999), min_size=4, max_size=4))
def test_while_counts_are_typed_no_figure_depends_on_them(counts: list[int]) -> None:
    told = []
    for digits in (counts, [0] * 4):
        voting = voting_of()
        voting.forward()
        prompts = []
        for i, count in enumerate(digits):
            typed(voting, f"{count} " if i < 3 else str(count))
            prompts.append(voting.prompt())
        told.append(prompts)
    assert told[0] == told[1]
    assert told[0][1].endswith("2 of 4 counts typed. Next: C.")
    one, many = voting_of(), voting_of()
    assert one.forward() and many.forward()
    assert typed(one, "a").prompt() == typed(many, "aabbbc").prompt()


def test_a_space_after_three_counts_tells_what_is_missing() -> None:
    voting = voting_of()
    voting.forward()
    typed(voting, "5 12 3 ")
    assert "3 of 4 counts typed. Next: D." in voting.prompt() and "Type" not in voting.prompt()
    typed(voting, " ")
    assert "Type 4 counts" in voting.prompt() and voting.typed == "5 12 3 "


@pytest.mark.parametrize(
    "first, second, corner, words",
    [
        ("", "", "no votes", "No vote was counted"),
        ("0 0 0 0", "", "no votes", "No vote was counted"),
        ("aab", "", "first vote", "Only the first vote"),
        ("", "aab", "second vote", "Only the second vote"),
        ("aab", "2 1 0 0", "both votes", "came out the same"),
        ("aab", "abb", "both votes", "What made some of you change"),
    ],
)
def test_what_came_of_the_votes_is_said_as_it_is(first: str, second: str, corner: str, words: str) -> None:
    voting = voting_of()
    for text in ("", first, "", second):
        typed(voting, text)
        assert voting.forward()
    seen = voting.page(page("softmax", TRACES["robot"], find("robot"), View()))
    assert seen.corner == corner and words in voting.prompt()


def test_what_is_half_typed_stays_and_an_earlier_vote_is_told_by_its_total_alone() -> None:
    voting = voting_of()
    voting.forward()
    typed(voting, "5 12 ")
    assert voting.back() and "typed" not in voting.prompt() and voting.forward()
    assert voting.typed == "5 12 "
    assert typed(voting, "3 0").forward() and "Vote kept: 20." in voting.prompt()
    voting.back()
    assert "An earlier vote is kept: 20." in voting.prompt()
    assert typed(voting, "0 0 0 1").forward() and voting.votes == {"vote": (0, 0, 0, 1)}


def voting_of_second() -> Voting:
    voting = voting_of()
    for _ in range(3):
        voting.forward()
    return voting


@few
@given(
    st.lists(st.sampled_from([*"abcdABCD0123456789x", "space", "backspace", "enter!", "back!"]), max_size=60)
)
def test_until_both_votes_are_over_a_room_sees_neither(keys: list[str]) -> None:
    voting, silent = voting_of(), voting_of()
    base = page("softmax", TRACES["robot"], find("robot"), View())
    for key in keys:
        if key in {"enter!", "back!"}:
            _ = voting.forward() if key == "enter!" else voting.back()
        elif voting.takes(key):
            voting.type(key)
        silent.at = voting.at
        if not voting.counted:
            assert voting.page(base) == silent.page(base)
        page_text(voting.page(base))
        assert all(len(votes) == 4 for votes in voting.votes.values())


def test_a_poll_goes_from_the_question_to_why_the_others_are_wrong() -> None:
    room = Room(polls=True).go_to("softmax.poll")
    assert "think" in room.text and "A: " in room.text
    room.press("space", "5", "space", "1", "2", "space", "3", "space", "0")
    assert "4 of 4 counts typed." in room.text and "12" not in room.text
    room.press("b")
    assert not room.lesson.blank  # b is an answer here
    room.press(".")
    assert not room.text
    room.press("x", "enter")
    assert " in pairs" in room.text and " 3:00 " in room.text
    room.press("space", "a", "a", "a", "d")
    assert " 3:00 " not in room.text and "Hands are typed" in room.text
    room.press("space")
    assert "first vote" in room.text and "second vote" in room.text and "Right" not in room.text
    room.press("space")
    assert "Right. " in room.text and "you get if" not in room.text
    room.press("space")
    assert room.text.count("you get if") == 3
    room.press("space")
    assert room.lesson.slide.key == "softmax.table"
    (result,) = room.lesson.polling.results
    assert result.votes == {"vote": (5, 12, 3, 0), "vote-again": (3, 0, 0, 1)}


def test_the_timer_of_pairs_stops_wherever_they_are_left() -> None:
    for keys in (["left"], ["escape"], ["home"], ["space"]):
        room = Room(polls=True).go_to("softmax.poll").press("space", "space")
        assert room.lesson.timer.running
        assert not room.press(*keys).lesson.timer.running, keys


def test_escape_leaves_a_planned_poll_for_the_slide_after_it() -> None:
    for presses in range(len(STEPS)):
        room = Room(polls=True).go_to("softmax.poll").press(*["space"] * presses, "escape")
        assert room.lesson.slide.key == "softmax.table" and room.lesson.voting is None
        assert "0.92" not in room.text


def test_a_first_vote_without_a_second_is_kept_and_a_vote_typed_anew_takes_its_place() -> None:
    room = Room(polls=True).go_to("softmax.poll").press("space", *"aab", "space")
    assert [result.votes for result in room.lesson.polling.results] == [{"vote": (2, 1, 0, 0)}]
    room.press("left", *"dd", "space", "escape")
    (result,) = room.lesson.polling.results
    assert result.votes == {"vote": (0, 0, 0, 2)}


def test_a_digit_or_a_letter_outside_a_vote_says_where_votes_go_and_leads_nowhere() -> None:
    room = Room(polls=True).go_to("softmax.poll")
    for step in ("think", "discuss", "votes", "answer", "wrong"):
        while room.lesson.voting is not None and room.lesson.voting.step != step:
            room.press("space")
        for key in "1234567890aAcCdD":
            room.press(key)
            assert room.lesson.voting is not None and room.lesson.voting.step == step, key
            assert "votes are over" in room.text or "come to the vote" in room.text
    room.press("b")
    assert not room.text  # a blank screen again, once nothing is voted on
    room = Room(polls=True).go_to("softmax.poll").press("b")
    assert "come to the vote" in room.text


def test_q_is_asked_about_once_while_votes_are_taken() -> None:
    room = Room(polls=True).go_to("softmax.poll").press("space", "q")
    assert not room.lesson.leaving and "Press q again" in room.text
    room.press("x", "q")
    assert not room.lesson.leaving
    room.press("q")
    assert room.lesson.leaving
    for keys in (["q"], ["space", "ctrl-c"], [*["space"] * 4, "q"]):
        room = Room(polls=True).go_to("softmax.poll").press(*keys)
        assert room.lesson.leaving, keys


def test_p_within_a_poll_says_how_to_come_to_another() -> None:
    room = Room().go_to("softmax.table").press("p", "p")
    assert "Esc goes out of it" in room.text and room.lesson.voting is not None


@pytest.mark.parametrize("size", [(80, 24), ROOM], ids=str)
@pytest.mark.parametrize(
    "sentence", [None, "The cat the dog the fox the hen the pig the cow saw ran off now"]
)
def test_while_a_room_votes_it_sees_the_question_and_all_choices(
    size: tuple[int, int], sentence: str | None
) -> None:
    walked = {} if sentence is None else {"sentence": sentence}
    room = Room(size=size, polls=True, **walked)
    for key in [key for key in room.book.keys if key.endswith(".poll")]:
        voting = room.go_to(key).lesson.voting
        assert voting is not None
        while not voting.voting:
            room.press("space")
        assert room.lesson.more == 0, f"{key}\n{room.text}"
        assert all(f"{letter}: " in room.text for letter in "ABCD"), f"{key}\n{room.text}"
        assert voting.poll.asked.text.split()[-1].strip("?") in room.text


def test_the_foot_names_only_what_a_press_does() -> None:
    room = Room()
    foot = room.still.lines[-1]
    assert "left back" not in foot and "space next" in foot
    assert "w point" not in foot and "p poll" not in foot  # the first slide has words alone
    foot = room.go_to("softmax.table").still.lines[-1]
    assert "w point" in foot and "p poll" in foot and "left back" in foot
    room.press("end", "a")
    assert room.lesson.at_end and "space" not in room.still.lines[-1]


def test_p_asks_about_the_slide_at_hand_each_time_another_question() -> None:
    room = Room().go_to("softmax.table").press("p")
    first = room.lesson.voting
    room.press("escape")
    assert room.lesson.voting is None and room.lesson.slide.key == "softmax.table"
    room.press("p")
    assert first is not None and room.lesson.voting is not None
    assert first.poll.question.topic != room.lesson.voting.poll.question.topic
    room.press(*["space"] * len(STEPS))
    assert room.lesson.voting is None and room.lesson.slide.key == "softmax.table"
    room.go_to("embed.given").press("p")
    assert "no question" in room.text


# Golden screens.


@pytest.mark.parametrize(
    "name, slide, keys",
    [
        ("covered", "softmax.table", ["space"]),
        ("pointer", "mix.table", ["a", "w", "down", "right"]),
        ("bars", "heads.table", ["space", "space", "t"]),
        ("votes", "softmax.poll", ["space", *"aabbbd", "space", "space", *"aaaab", "space", "space"]),
    ],
)
def test_a_slide_is_its_golden_one(
    name: str, slide: str, keys: list[str], pytestconfig: pytest.Config
) -> None:
    room = Room(polls=True).go_to(slide).press(*keys)
    same(f"present-{name}", f"{room.text}\n", bool(pytestconfig.getoption("--update-golden")))


# The command.


def test_without_a_terminal_every_slide_is_printed_with_nothing_covered(run) -> None:  # type: ignore[no-untyped-def]
    ran = run("present", "--head", "2", "--width", "100")
    assert not ran.code and "__" not in ran.out and "0.92" in ran.out
    room = Room()
    assert ran.out.count("example robot: ") == len(room.book.slides)
    polled = run("present", "--stage", "softmax", "--poll", "--head", "2")
    assert polled.out.count("A question for the room") == 4 and polled.out.count("Right. ") == 2


def test_linear_text_has_every_slide_and_no_boxes(run) -> None:  # type: ignore[no-untyped-def]
    ran = run("present", "--format", "plain", "--stage", "heads", "--poll")
    assert "head 2, from it, to robot, 0.92" in ran.out and "A: " in ran.out
    assert "\u2500" not in ran.out and "\x1b" not in ran.out


@pytest.mark.parametrize(
    "options, words",
    [
        (["--format", "json"], "mha-tutor step --format json"),
        (["--timer", "0"], "0.1 to 99 minutes"),
        (["--head", "9"], "choose from 1 to 3"),
        (["--stage", "mask"], "not part of this walk"),
        (["--save", "missing/votes.csv"], "no folder"),
        (["--save", "votes.csv"], "without a terminal"),
    ],
)
def test_what_cannot_be_used_is_refused_in_one_line(run, options: list[str], words: str) -> None:  # type: ignore[no-untyped-def]
    ran = run("present", *options)
    assert ran.code == 2 and words in ran.err and not ran.out


def test_a_file_of_votes_is_never_overwritten(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "votes.csv"
    path.write_text("mine", encoding="utf-8")
    ran = run("present", "--poll", "--save", str(path))
    assert ran.code == 2 and "there already" in ran.err and path.read_text(encoding="utf-8") == "mine"


def test_votes_that_cannot_be_written_are_printed_and_not_lost(tmp_path: Path) -> None:
    poll, _ = next(iter(POLLS.values()))
    results = [Result("softmax", poll, {"vote": (5, 12, 3, 0)})]
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    path = tmp_path / "votes.csv"
    path.write_text("somebody else's", encoding="utf-8")
    with pytest.raises(InputError, match="there already"):
        keep_votes(path, results, World(sys.stdin, out, {}))
    out.seek(0)
    rows = list(csv.DictReader(out))
    assert [row["vote"] for row in rows][:4] == ["5", "12", "3", "0"] and rows[0]["second vote"] == ""
    assert path.read_text(encoding="utf-8") == "somebody else's"


@pytest.mark.skipif(sys.platform == "win32", reason="there is no pty")
def test_a_lesson_in_a_real_terminal(tmp_path: Path) -> None:
    path = tmp_path / "votes.csv"
    start = ["present", "--stage", "softmax", "--head", "2", "--poll", "--save", str(path)]
    with Terminal(start, columns=100, lines=30) as t:
        t.wait_for("Softmax: every token")
        assert t.alternate and t.cursor_hidden
        t.press("space")
        t.wait_for("A question for the room")
        t.press("space", "1", "space", "2", "space", "3", "space", "4", "space")
        t.wait_for("in pairs")
        t.wait_for(" 2:59 ")  # the timer runs by itself
        t.press("space", "a", "a", "b", "space")
        t.wait_for("second vote")
        t.press("space", "space", "space")
        t.wait_for("__")
        assert "0.92" not in t.screen_text()
        t.press("space")
        t.wait_for("0.92")
        t.press("w", "right", "right")
        t.wait_for("[0.92]")
        marked = t.cell(*t.find("0.92"))
        assert (marked.bold and marked.bg == "default" and marked.fg == "default") or marked.bg != "default"
        t.press("b")
        t.wait_until(lambda: not t.screen_text().strip(), "a blank screen")
        t.press("space")
        t.wait_for("[0.92]")
        t.press("q")
        assert t.close() == 0
        assert not t.alternate
        assert "Go on from here:  mha-tutor present" in t.screen_text()
    rows = list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"))))
    assert [row["vote"] for row in rows] == ["1", "2", "3", "4"]
    assert [row["second vote"] for row in rows] == ["2", "1", "0", "0"]
    assert [row["right"] for row in rows].count("yes") == 1
    assert all(row["mistakes"] for row in rows if row["right"] == "no")


@pytest.mark.skipif(sys.platform == "win32", reason="there is no pty")
def test_a_lesson_left_before_the_second_vote_keeps_the_first(tmp_path: Path) -> None:
    path = tmp_path / "votes.csv"
    start = ["present", "--stage", "softmax", "--head", "2", "--poll", "--save", str(path)]
    with Terminal(start, columns=100, lines=30) as t:
        t.wait_for("Softmax: every token")
        t.press("space")
        t.wait_for("A question for the room")
        t.press("space", "5", ",", "1", "2", ",", "3", ",", "0", "space")
        t.wait_for("Vote kept: 20.")
        t.press("q")
        t.wait_for("Press q again")
        t.press("q")
        assert t.close() == 0
    rows = list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"))))
    assert [row["vote"] for row in rows] == ["5", "12", "3", "0"]
    assert {row["second vote"] for row in rows} == {""}


@pytest.mark.skipif(sys.platform == "win32", reason="there is no pty")
def test_a_running_timer_writes_one_line_a_second_and_nothing_else() -> None:
    with Terminal(["present"], columns=100, lines=30) as t:
        t.wait_for("From words to rows")
        assert not t.wait_silently(0.3)
        t.press("t")
        t.wait_for(" 3:00 ")
        before = len(t.output)
        t.wait_for(" 2:58 ")
        ticks = t.output[before:]
        assert ticks.count(b"\x1b[2;1H") == 2 and ticks.count(b"\x1b[?2026h") == 2
        assert len(ticks) < 1000
        t.press("q")
        assert t.close() == 0
