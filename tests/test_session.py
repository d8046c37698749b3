"""The walk in a terminal: what keys do, and what is seen of it in a real one."""

from __future__ import annotations

import os
import re
import shlex
import signal
import sys
import time
from collections.abc import Iterator, Mapping, Sequence

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from terminal import Cell, Terminal

from mha_tutor.cli.reader import Place, Session
from mha_tutor.views.page import Page, Text
from mha_tutor.views.pages import View

TITLES = (
    "From words to rows", "Projection: three short rows", "Dot products: every query", "Scaling: divide",
    "Softmax: every token", "All heads, side by side", "Mixing: a weighted average", "Concatenation",
    "W^O: the heads meet", "W^O again", "From the outside",
)  # fmt: skip
FOOT = "q leave"
RESUME = "Go on from here:  "


class Booklet:
    """A book of pages with nothing on them."""

    def __init__(self, pages: int = 5, heads: int = 3, tokens: int = 4) -> None:
        self.keys = tuple(f"page{i}" for i in range(pages))
        self.chapters = tuple(range(0, pages, 2))
        self.sizes = {"heads": heads, "n": tokens, "m": tokens}
        self.made = 0

    def page(self, key: str, view: View) -> Page:
        self.made += 1
        return Page(key, key, "a test", (Text(f"{key} {view}"),))

    def per_head(self, key: str) -> bool:
        return key != "page0"

    def command(self, key: str, view: View) -> list[str]:
        return ["step", key, str(view)]


def session(first: int = 0, **sizes: int) -> Session:
    return Session(Booklet(**sizes), View(), first)


def pressed(session: Session, *keys: str) -> Place:
    for key in keys:
        session.press(key)
    return session.place


NAMES = (
    "left right up down home end pageup pagedown space enter tab shift-tab backspace escape ? h f1 n p b j k "
    "1 2 3 4 5 6 7 8 9 0 < > q Q ctrl-c ctrl-d eof x é ² ٣ f12 alt-x ctrl-left insert w e u r s"
)
KEYS = st.sampled_from(NAMES.split())


@settings(max_examples=300)
@example([("pagedown", 3, 1), ("?", 0, 1), ("left", 0, 1)], 2, 1, 2)
@given(
    st.lists(st.tuples(KEYS, st.integers(0, 30), st.integers(1, 4)), max_size=40),
    st.integers(1, 7),
    st.integers(1, 4),
    st.integers(2, 6),
)
def test_any_keys_lead_to_a_place_that_exists(
    keys: list[tuple[str, int, int]], pages: int, heads: int, tokens: int
) -> None:
    reader = session(pages=pages, heads=heads, tokens=tokens)
    opened_at = 0  # the line at the top of the page when help was opened over it
    for key, more, pieces in keys:
        reader.more, reader.pieces = more, pieces  # as whoever draws the page found them
        before = reader.place
        opened_at = before.top if not before.help else opened_at
        reader.press(key)
        place = reader.place
        assert 0 <= place.page < pages and 0 <= place.view.head < heads and 0 <= place.view.token < tokens
        lines_to_come = opened_at if before.help and not place.help else before.top + more
        assert 0 <= place.top <= max(lines_to_come, 0) and place.window >= 0
        assert place.window < pieces or place.window == before.window
        reader.page()
        if reader.leaving:
            assert place == before
            break


@given(st.integers(0, 4), st.integers(0, 2), st.integers(0, 3))
def test_every_key_that_goes_somewhere_has_one_that_goes_back(page: int, head: int, token: int) -> None:
    ways = [
        ("right", "left"),
        ("n", "b"),
        ("enter", "backspace"),
        ("tab", "shift-tab"),
        ("down", "up"),
        ("j", "k"),
    ]
    for there, back in ways:
        reader = Session(Booklet(), View(head, token), page)
        home = reader.place
        if (there, page) not in {("right", 4), ("n", 4), ("enter", 4)}:
            assert pressed(reader, there) != home
            assert pressed(reader, back) == home


def test_the_first_and_the_last_page_are_ends_and_heads_and_tokens_go_round() -> None:
    reader = session()
    assert pressed(reader, "left", "b", "backspace").page == 0
    assert pressed(reader, "end").page == 4 and reader.at_end
    assert pressed(reader, "right", "n", "enter", "space").page == 4
    assert pressed(reader, "home").page == 0
    assert pressed(reader, "tab", "tab", "tab").view.head == 0
    assert pressed(reader, "up").view.token == 3


def test_numbers_jump_to_stages_and_other_numbers_do_nothing() -> None:
    reader = session(pages=22)
    assert [pressed(reader, key).page for key in "1290"] == [0, 2, 16, 18]
    reader = session(pages=5)
    assert [pressed(reader, key).page for key in "3940"] == [4, 4, 4, 4]


def test_space_shows_the_rest_of_a_long_page_before_the_next() -> None:
    reader = session()
    reader.more, reader.step = 7, 5
    assert pressed(reader, "space") == Place(0, View(), top=5)
    reader.more = 2
    assert pressed(reader, "space").top == 7
    reader.more = 0
    assert pressed(reader, "space") == Place(1, View())
    reader.more, reader.step = 7, 5
    assert pressed(reader, "right") == Place(2, View()), "other keys turn the page at once"
    assert pressed(reader, "pagedown", "pageup").top == 0


def test_help_comes_back_to_the_very_place() -> None:
    reader = session()
    reader.more, reader.pieces = 9, 3
    place = pressed(reader, "right", "tab", "down", ">", "pagedown")
    assert place.top and place.window == 1
    reader.more = 0
    for key in ("x", "right", "?", "escape", "space", "down"):
        assert pressed(reader, "?").help and reader.page().key == "help"
        assert pressed(reader, key) == place
    pressed(reader, "?")
    reader.more = 3
    assert pressed(reader, "down").top == 1 and pressed(reader, "space").top == 2 and reader.place.help
    assert not reader.leaving
    pressed(reader, "q")
    assert reader.leaving


def test_columns_go_from_run_to_run_and_a_new_page_starts_at_the_first() -> None:
    reader = session()
    assert pressed(reader, ">").window == 0, "nothing is cut"
    reader.pieces = 3
    assert pressed(reader, ">", ">", ">").window == 2
    assert pressed(reader, "<").window == 1
    assert pressed(reader, "right").window == 0


def test_a_page_is_made_once_for_each_place() -> None:
    reader = session()
    reader.page(), reader.page(), pressed(reader, "pagedown", "?"), reader.page(), pressed(reader, "x")
    reader.page()
    assert isinstance(reader.book, Booklet) and reader.book.made == 1
    pressed(reader, "tab")
    reader.page()
    assert reader.book.made == 2


# From here on in a real terminal.


@pytest.fixture
def open_walk() -> Iterator[type[Walk]]:
    yield Walk
    while Walk.open:
        Walk.open.pop().__exit__()


class Walk(Terminal):
    """`mha-tutor step` in a terminal of 80 x 24, its first page drawn."""

    open: list[Terminal] = []  # noqa: RUF012

    def __init__(
        self,
        *args: str,
        columns: int = 80,
        lines: int = 24,
        env: Mapping[str, str] | None = None,
        shows: str = FOOT,
    ) -> None:
        super().__init__(["step", *args], columns=columns, lines=lines, env=env)
        self.open.append(self)
        self.wait_for(shows)

    def title_after(self, keys: Sequence[str], title: str) -> str:
        """Press, wait for the page, and give the screen."""
        self.press(*keys)
        self.wait_for(title)
        return self.screen_text()

    def leave(self) -> list[str]:
        """Press q; the command that goes on from here."""
        self.press("q")
        assert self.close() == 0
        assert not self.alternate and not self.cursor_hidden
        line = next(line for line in self.screen_text().replace("\n", "").split(RESUME)[1:])
        return shlex.split(line)


Opener = type[Walk]


def test_the_walk_goes_to_its_end_and_back(open_walk: Opener) -> None:
    walk = open_walk("--heads", "3")
    assert walk.alternate and walk.cursor_hidden
    walk.wait_for(TITLES[0])
    for title in TITLES[1:]:
        walk.title_after(["right"], title)
    walk.press("right")
    for title in reversed(TITLES[:-1]):
        walk.title_after(["left"], title)
    assert walk.leave()[:2] == ["mha-tutor", "step"]
    assert TITLES[0] not in walk.screen_text(), "the page is gone with the screen"


def test_numbers_heads_tokens_and_help(open_walk: Opener) -> None:
    walk = open_walk()
    assert "[weights]" in walk.title_after(["5"], TITLES[4])
    walk.title_after(["tab"], "head 2 of 3")
    assert re.search(r"^>7 it ", walk.screen_text(), re.MULTILINE)
    walk.press("down")
    walk.wait_until(lambda: bool(re.search(r"^>8 was ", walk.screen_text(), re.MULTILINE)), "the next token")
    before = walk.screen_text()
    walk.title_after(["?"], "press any key to go back")
    assert "dot product" not in before and "page before" in walk.screen_text()
    walk.title_after(["x"], TITLES[4])
    assert walk.screen_text() == before
    assert "[output]" in walk.title_after(["8"], TITLES[8])
    walk.title_after(["9"], TITLES[10])


def test_a_resized_window_is_drawn_anew_without_leftovers(open_walk: Opener) -> None:
    walk = open_walk("--stage", "softmax", columns=120, lines=40)
    walk.wait_for("scores_1")
    for columns, lines in ((60, 20), (80, 24), (40, 12), (120, 40)):
        walk.resize(columns, lines)
        walk.wait_until(lambda c=columns: has_width(walk, c), f"a page of {columns} columns")  # type: ignore[misc]
    resized = walk.screen_text()
    fresh = open_walk("--stage", "softmax", columns=120, lines=40)
    fresh.wait_for("scores_1")
    assert resized == fresh.screen_text()


def has_width(walk: Terminal, columns: int) -> bool:
    """Whether the rule at the top is as wide as the window, and the foot is drawn."""
    rows = walk.screen_text().split("\n")
    return len(rows) > 2 and rows[1] == "─" * columns and "leave" in rows[-1]


@pytest.mark.parametrize(("columns", "lines"), [(20, 6), (30, 5), (40, 10), (250, 80)])
def test_every_page_is_drawn_at_any_size(open_walk: Opener, columns: int, lines: int) -> None:
    walk = open_walk("--heads", "3", columns=columns, lines=lines, shows="[X]")
    for name in (
        "Q K V",
        "dots",
        "scores",
        "weights",
        "weights",
        "mixed",
        "concat",
        "output",
        "output",
        "after",
    ):
        walk.title_after(["right"], f"[{name}]")
    rows = walk.screen_text().split("\n")
    assert "[after]" in rows[0] and "leave" in rows[-1]
    walk.press("5")
    walk.wait_for("[weights]")
    seen = walk.screen_text()
    walk.press(*["pagedown"] * 40)  # a screenful at a time, to the page's end
    walk.press("?", "x")
    walk.wait_for("[weights]")
    assert "…" not in seen and "Traceback" not in walk.screen_text()


def test_a_window_too_narrow_says_what_is_needed(open_walk: Opener) -> None:
    walk = open_walk(columns=15, lines=10, shows="needs 20")
    walk.resize(80, 24)
    walk.wait_for(TITLES[0])
    walk.leave()


def test_pages_turn_by_themselves_and_any_key_stops_that(open_walk: Opener) -> None:
    walk = open_walk("--auto", "0.3", shows="The next page comes in 0.3 s")
    walk.wait_for(TITLES[1])
    walk.wait_for(TITLES[2])
    walk.press("x")
    walk.wait_for(FOOT)
    stopped = walk.screen_text()
    time.sleep(0.8)
    assert not walk.wait_silently() and walk.screen_text() == stopped
    walk.leave()


def test_at_the_end_pages_stop_by_themselves(open_walk: Opener) -> None:
    walk = open_walk("--auto", "0.1", "--stage", "sum", lines=40, shows=TITLES[10])
    walk.wait_for(FOOT)
    assert TITLES[10] in walk.screen_text()
    walk.leave()


def test_space_shows_the_rest_before_it_turns_the_page(open_walk: Opener) -> None:
    walk = open_walk("--stage", "project", shows="more below: space")
    seen = walk.screen_text()
    pages = 0
    while TITLES[2] not in walk.screen_text():
        before = walk.screen_text()
        walk.press("space")
        walk.wait_until(lambda before=before: walk.screen_text() != before, "something else")  # type: ignore[misc]
        seen += walk.screen_text()
        pages += 1
        assert pages < 20
    assert pages >= 3 and "W_1^Q" in seen and "fast sin" in seen


def test_wide_tables_are_paged_by_columns(open_walk: Opener) -> None:
    walk = open_walk("--stage", "output", "--decimals", "4", columns=60, shows="< > columns")
    first = walk.screen_text()
    assert "output 1-6/12" in first and "7-12/12" not in first
    walk.title_after([">"], "output 7-12/12")
    assert "1-6/12" not in walk.screen_text()
    walk.press(">")
    walk.title_after(["<"], "output 1-6/12")
    assert walk.screen_text() == first


def test_a_number_that_is_pointed_at_is_seen_even_in_a_table_cut_into_columns(open_walk: Opener) -> None:
    walk = open_walk("--stage", "output", "--decimals", "4", columns=60, shows="< > columns")
    walk.press("w")
    walk.wait_for("output[it, ")
    for _ in range(14):
        walk.press("right")
    walk.wait_for("output[it, fast sin]")
    assert "output 7-12/12" in walk.screen_text()
    assert [cell for cell in reversed_cells(walk) if cell.char.isdigit()], "the number is marked"
    walk.press(*["left"] * 14)
    walk.wait_for("output[it, determiner]")
    assert "output 1-6/12" in walk.screen_text()


def reversed_cells(walk: Terminal) -> list[Cell]:
    """The cells of the page's tables that are shown in reverse."""
    cells = [walk.cell(row, column) for row in range(5, 22) for column in range(13, 60)]
    return [
        cell
        for cell in cells
        if cell.bold and cell.char != " " and (cell.fg, cell.bg) == ("default", "default")
    ]


def test_leaving_says_how_to_come_back_to_the_very_place(open_walk: Opener) -> None:
    sentence = 'The robot\'s "patient" was $HOME tired'
    walk = open_walk("--heads", "6", "--sentence", sentence, "--decimals", "3", "--theme", "light")
    walk.title_after(["4"], TITLES[3])
    walk.title_after(["tab", "tab"], "head 3 of 6")
    walk.press("up")
    walk.wait_until(lambda: ">" in walk.screen_text())
    time.sleep(0.2)
    walk.wait_silently()
    place = walk.screen_text()
    command = walk.leave()
    assert command[0] == "mha-tutor" and sentence in command
    again = open_walk(*command[2:])
    again.wait_for(TITLES[3])
    assert again.screen_text() == place


def test_ctrl_c_leaves_cleanly(open_walk: Opener) -> None:
    walk = open_walk()
    walk.press("ctrl-c")
    assert walk.close() == 0
    assert not walk.alternate and not walk.cursor_hidden and RESUME in walk.screen_text()


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_with_the_screen_restored(open_walk: Opener, number: int) -> None:
    walk = open_walk()
    walk.kill(number)
    assert walk.close() in {128 + number, -number, 130}
    assert not walk.alternate and not walk.cursor_hidden and "Traceback" not in walk.screen_text()


def test_a_terminal_that_is_closed_ends_it(open_walk: Opener) -> None:
    walk = open_walk()
    pid = walk.pid
    walk.hang_up()
    deadline = time.monotonic() + 10
    while is_running(pid):
        assert time.monotonic() < deadline, "it goes on without a terminal"
        time.sleep(0.02)


def is_running(pid: int) -> bool:
    try:
        return os.waitpid(pid, os.WNOHANG) == (0, 0)
    except ChildProcessError:
        return False


def test_ctrl_z_gives_the_shell_its_screen_and_fg_the_page(open_walk: Opener) -> None:
    shell = ("bash", "--norc", "--noprofile", "-i")
    with Terminal(program=shell, env={"PS1": "prompt> "}) as t:
        t.wait_for("prompt>")
        t.send(f"{shlex.quote(sys.executable)} -m mha_tutor step --stage dots\r")
        t.wait_for(TITLES[2])
        t.press("ctrl-z")
        t.wait_for("Stopped")
        assert not t.alternate and not t.cursor_hidden
        t.send("fg\r")
        t.wait_until(lambda: t.alternate and TITLES[2] in t.screen_text(), "the page")
        t.press("q")
        t.wait_for(RESUME)
        assert not t.alternate


def test_scroll_leaves_every_page_in_the_history(open_walk: Opener) -> None:
    walk = open_walk("--scroll")
    assert not walk.alternate
    for title in TITLES[1:4]:
        walk.press("right")
        walk.wait_until(lambda t=title: t.encode() in walk.output, title)  # type: ignore[misc]
    command = walk.leave()
    assert "--scroll" in command and "scale" in command
    printed = walk.output.decode()
    assert [title for title in TITLES if title in printed] == list(TITLES[:4])
    assert "\x1b[?1049h" not in printed


def test_a_dumb_terminal_gets_all_pages_and_no_escape_codes() -> None:
    with Terminal(["step"], env={"TERM": "dumb"}) as t:
        assert t.close() == 0
        assert b"\x1b" not in t.output and t.output.count(b"/11\r\n") == 11


def test_accessible_prints_facts_and_waits_for_nothing() -> None:
    with Terminal(["step", "--stage", "softmax"], env={"ACCESSIBLE": "1"}) as t:
        assert t.close() == 0
        assert b"\x1b" not in t.output and b"from it, to robot, " in t.output


# What colours are seen.

SOFTMAX = ("--stage", "softmax", "--head", "2", "--token", "it")
COLOURS = {
    "dark": (("--theme", "dark"), {"COLORTERM": "truecolor"}),
    "light": (("--theme", "light"), {"COLORTERM": "truecolor"}),
    "256": (("--theme", "dark"), {}),
    "16": (("--theme", "dark"), {"TERM": "xterm"}),
    "light by COLORFGBG": ((), {"COLORTERM": "truecolor", "COLORFGBG": "0;15"}),
}


@pytest.mark.parametrize("case", COLOURS)
def test_a_cell_is_shaded_by_its_number_and_the_chosen_row_is_bold(open_walk: Opener, case: str) -> None:
    arguments, env = COLOURS[case]
    walk = open_walk(*SOFTMAX, *arguments, env=env)
    row, column = walk.find("0.92")
    much, little = walk.cell(row, column), walk.cell(row, column + 8)
    assert much.bold and little.bold and not walk.cell(row - 1, column).bold
    assert much.bg != little.bg and much.bg != "default"
    assert ink(much) != much.bg
    name = walk.cell(row, walk.screen_text().split("\n")[row].index("it"))
    assert name.bold and (name.fg, name.bg) == ("default", "default"), (
        "reversed, in the terminal's own colours"
    )
    chip_row, chip_column = walk.find("head 2 of 3")
    assert walk.cell(chip_row, chip_column).bg != "default" and walk.cell(chip_row, chip_column).bold
    light = case.startswith("light")
    if case != "16":
        assert (brightness(much.bg) < brightness(little.bg)) == light


def ink(cell: Cell) -> str:
    return cell.fg


def brightness(color: str) -> int:
    return sum(int(color[i : i + 2], 16) for i in (0, 2, 4))


def test_no_color_leaves_marks_and_bold_only(open_walk: Opener) -> None:
    for arguments, env in (((), {"NO_COLOR": "1"}), (("--theme", "mono"), {})):
        walk = open_walk(*SOFTMAX, *arguments, env=env)
        cells = [walk.cell(row, column) for row in range(24) for column in range(80)]
        assert {(cell.fg, cell.bg) for cell in cells} == {("default", "default")}
        row, column = walk.find("0.92")
        assert walk.cell(row, column).bold and walk.cell(row, 0).char == ">"


def test_the_projector_is_light_and_gives_rows_room(open_walk: Opener) -> None:
    walk = open_walk(*SOFTMAX, "--theme", "projector", env={"COLORTERM": "truecolor"}, columns=100, lines=45)
    rows = walk.screen_text().split("\n")
    first = next(i for i, row in enumerate(rows) if row.startswith(" 1 The"))
    assert not rows[first + 1] and rows[first + 2].startswith(" 2 robot")
    small = open_walk(*SOFTMAX, "--theme", "projector", columns=100, lines=24)
    assert re.search(r"^ 1 The.*\n 2 robot", small.screen_text(), re.MULTILINE), (
        "where there is no room, none is given"
    )
