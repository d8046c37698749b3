"""Turning a page stays quick: asserted as a ratio to a reference in the same run, never in ms."""

from __future__ import annotations

import sys

import pytest
from page_turn import CASES, SIXTEEN, Case, Window, page_turns, walked

# The reference takes 12 to 16 ms where the goals of 16 and 33 ms were set: generous, as turns are short.
FACTORS = {"robot, 80x24": 1.3, "16 tokens, 200x60": 2.6}
PAGES = """
import os, sys, time, tty
tty.setraw(0)
page = 0
os.write(1, b"\\x1b[?2026hpage 0\\x1b[?2026l")
while key := os.read(0, 3):
    to = min(4, max(0, page + (1 if key == b"\\x1b[C" else -1)))
    if to != page:
        time.sleep(float(sys.argv[1]))
        page = to
        os.write(1, b"\\x1b[?2026hpage %d\\x1b[?2026l" % page)
"""


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_page_turns_about_as_quickly_as_one_rich_table_is_drawn(case: Case) -> None:
    # A busy machine may spoil one run, a slow page spoils all of them.
    for _ in range(3):
        found = page_turns(case, 24)
        if found.ratio <= FACTORS[case.name]:
            break
    assert found.ratio <= FACTORS[case.name], str(found)


def test_the_long_sentence_has_sixteen_words() -> None:
    assert len(SIXTEEN.split()) == 16


def pages(seconds: float) -> Case:
    return Case("pages", (sys.executable, "-S", "-c", PAGES, str(seconds)), 80, 24, 0.016)


def test_the_time_up_to_the_end_of_the_update_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("page_turn.SILENCE", 0.2)
    slow = page_turns(pages(0.05), 6)
    assert len(slow.times) == len(slow.reference) == 6 and min(slow.times) >= 0.05
    assert "pages" in str(slow)


def test_it_turns_round_at_the_ends() -> None:
    class FivePages(Window):
        page = 0

        def __init__(self) -> None:
            pass

        def turn(self, key: bytes) -> tuple[float, bytes]:
            before, self.page = self.page, min(4, max(0, self.page + (1 if key.endswith(b"C") else -1)))
            return 0.001, b"" if self.page == before else b"%d" % self.page

    assert walked(FivePages(), 10)[1] == [b"1", b"2", b"3", b"4", b"3", b"2", b"1", b"0", b"1", b"2"]


@pytest.mark.parametrize("program", ["print('hello')", "import time; time.sleep(9)"])
def test_a_program_that_turns_no_page_is_an_error(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("page_turn.START", 0.2)
    with pytest.raises(RuntimeError, match=r"hello|draws no page"):
        page_turns(Case("none", (sys.executable, "-S", "-c", program), 80, 24, 0.016), 2)
