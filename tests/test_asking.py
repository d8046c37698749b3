"""Asking in the walk: pointing at numbers, why, what if, undo, saving; and `mha-tutor why`."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from terminal import Terminal

from mha_tutor.addresses import parse_address
from mha_tutor.choose import WalkOptions, chosen_walk
from mha_tutor.cli.book import ShowOptions
from mha_tutor.cli.pointing import cell_at, marked, moved, start, tables
from mha_tutor.cli.step import StepBook
from mha_tutor.views.pages import View

WALKS = [
    WalkOptions(),
    WalkOptions(heads=1),
    WalkOptions(causal=True, kv_heads=1),
    WalkOptions(memory="the chef cooked the meal"),
    WalkOptions(example="narrow"),
]
VIEW = View(head=0, token=2)


def why(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run `mha-tutor why`."""
    command = [sys.executable, "-m", "mha_tutor", "why", *arguments]
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8", "COLUMNS": "100"},
        check=False,
    )


@pytest.mark.parametrize("options", WALKS)
@given(keys=st.lists(st.sampled_from(["up", "down", "left", "right", "tab", "shift-tab"]), max_size=30))
@settings(max_examples=25, deadline=None)
def test_the_pointer_stays_on_numbers_and_every_number_can_be_named(
    options: WalkOptions, keys: list[str]
) -> None:
    book = StepBook(options, ShowOptions())
    for key in book.keys:
        page = book.page(key, VIEW)
        point = start(page)
        if point is None:
            assert not tables(page)
            continue
        for press in keys:
            point = moved(page, point, press)
            found = cell_at(page, point)
            assert found is not None
            cell, written = found
            assert parse_address(book.chosen.trace, book.address(cell)) == cell
            table = tables(page)[point.table]
            assert float(table.values[point.row, point.column]) == pytest.approx(
                cell.value(book.chosen.trace), abs=1e-12
            ), (key, cell)
            assert written


@pytest.mark.parametrize("options", WALKS)
def test_every_number_that_can_be_pointed_at_has_a_page_that_takes_it_apart(options: WalkOptions) -> None:
    book = StepBook(options, ShowOptions())
    for key in book.keys:
        page = book.page(key, VIEW)
        for table in tables(page):
            cells = {table.cell(i, j) for i in (0, len(table.rows) - 1) for j in (0, len(table.columns) - 1)}
            for cell in cells - {None}:
                assert cell is not None
                shown = book.why(cell, 2, VIEW)
                assert book.address(cell) in shown.title
                assert shown.blocks


def test_a_number_is_marked_wherever_it_stands_on_the_page() -> None:
    book = StepBook(WalkOptions(), ShowOptions())
    page = book.page("dots", VIEW)
    cell = parse_address(book.chosen.trace, "Q[1, carried, 1]")
    places = [table.marked for block in marked(page, cell).blocks for table in _all_tables(block)]
    assert places.count(frozenset({(2, 0)})) >= 2  # in both options that show Q


def _all_tables(block: object) -> list:
    options = getattr(block, "options", ())
    return [table for option in options for table in option]


def test_the_sum_of_the_printed_products_is_the_number() -> None:
    result = why("output[it, noun]", "--decimals", "4")
    assert result.returncode == 0
    lines = result.stdout.splitlines()
    rows = [line.split() for line in lines if line.strip().startswith("concat[it")]
    total = next(line.split()[-1] for line in lines if line.strip().startswith("sum"))
    assert sum(float(row[-1]) for row in rows) == pytest.approx(float(total), abs=3e-4)
    value = chosen_walk(WalkOptions()).trace["output"].values[6, 1]
    assert float(total) == pytest.approx(value, abs=1e-4)


def test_asked_deeper_the_page_goes_down_to_what_was_given() -> None:
    shallow, deep = (why("weights[2, 7, 2]", "--depth", depth).stdout for depth in ("1", "9"))
    assert "W_Q[head 2, pronoun, col 1]" not in shallow
    assert "--depth 2" in shallow
    assert "W_Q[head 2, pronoun, col 1]" in deep
    assert "Ask again" not in deep


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("weights[2, 7]", "needs 3"),
        ("wieghts[2, 7, 2]", "Did you mean weights?"),
        ("weights[4, 7, 2]", "head"),
        ("weights[head 2, teh, robot]", "teh"),
    ],
)
def test_a_wrong_address_gets_one_message(address: str, message: str) -> None:
    result = why(address)
    assert result.returncode == 2
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""


def test_in_the_walk_w_points_asks_and_comes_back() -> None:
    with Terminal(["step", "--stage", "softmax", "--head", "2"], columns=80, lines=24) as terminal:
        terminal.wait_for("Softmax")
        terminal.press("w")
        terminal.wait_for("weights[head 2, it, robot] = 0.92")
        terminal.press("left")
        terminal.wait_for("weights[head 2, it, The] = 0.01")
        terminal.press("right", "w")
        terminal.wait_for("Why weights[head 2, it, robot]?")
        terminal.press("escape")
        terminal.wait_for("arrows move")
        terminal.press("escape")
        terminal.wait_for("q leave")
        terminal.press("q")
        assert terminal.close() == 0


def test_in_the_walk_e_changes_a_number_u_takes_it_back_and_s_saves(tmp_path: Path) -> None:
    with Terminal(
        ["step", "--stage", "softmax", "--head", "2"], columns=80, lines=30, cwd=tmp_path
    ) as terminal:
        terminal.wait_for("Softmax")
        terminal.press("e")
        terminal.wait_for("Set a number:")
        terminal.send("W_Q[head 2, pronoun, 1]=1")
        terminal.press("enter")
        terminal.wait_for("What if: W_Q[head 2, pronoun, col 1] is 1. It was 3.")
        terminal.press("e")
        terminal.wait_for("Set a number:")
        terminal.send("W_Q[head 9, pronoun, 1]=1")
        terminal.press("enter")
        terminal.wait_for("W_Q, place 1")
        terminal.wait_for("*0.36")
        terminal.press("s")
        terminal.wait_for("Save the changed example as")
        terminal.send("mine")
        terminal.press("enter")
        terminal.wait_for("Saved as mine.toml")
        saved = (tmp_path / "mine.toml").read_bytes()
        terminal.press("s")
        terminal.send("mine.toml")
        terminal.press("enter")
        terminal.wait_for("is there already")
        assert (tmp_path / "mine.toml").read_bytes() == saved
        terminal.press("u")
        terminal.wait_for("Taken back")
        assert "*0." not in terminal.screen_text()
        terminal.press("q")
        assert terminal.close() == 0


def test_why_can_hide_a_part_first_and_asks_for_it(tmp_path: Path) -> None:
    result = subprocess.run(
        [sys.executable, "-m", "mha_tutor", "why", "output[it, noun]", "--quiz", "--format", "plain"],
        input="0.93\ns\n",
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8", "MHA_TUTOR_HOME": str(tmp_path)},
        check=False,
    )
    assert result.returncode == 0, result.stderr
    asked, told = result.stdout.split("Why output[it, noun]?")
    assert "?" in asked
    assert "concat[it, 2.2], 0.93, x, W_O[2.2, noun], 1, 0.93" in told


def test_in_the_walk_p_asks_about_the_number_that_is_pointed_at(tmp_path: Path) -> None:
    environ = {"MHA_TUTOR_HOME": str(tmp_path)}
    arguments = ["step", "--stage", "dots", "--head", "1"]
    with Terminal(arguments, columns=100, lines=40, env=environ) as terminal:
        terminal.wait_for("Dot products")
        terminal.press("w")
        terminal.wait_for("arrows move")
        terminal.press("p")
        terminal.wait_for("Your answer")
        terminal.send("12345")
        terminal.press("enter")
        terminal.wait_for("sure")
        terminal.press("ctrl-c")
        terminal.wait_for("arrows move")
        terminal.press("q")
        assert terminal.close() == 0


def test_the_help_page_names_only_keys_that_do_something() -> None:
    from mha_tutor.views.help import ASKING, help_page

    every, some = (str(help_page(asks=asks).blocks) for asks in (True, False))
    for key in ASKING:
        assert f"'{key}'" in every
        assert f"'{key}'" not in some
