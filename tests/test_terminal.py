"""The terminal that other tests use, tried on a small program of its own."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from terminal import Terminal

PROGRAM = """
import os, sys, tty
print("before")
tty.setcbreak(0)
os.write(1, b"\\x1b[?1049h\\x1b[?25l\\x1b[H\\x1b[1;31;48;2;1;2;3mred\\x1b[0m ready")
while (key := os.read(0, 100)) != b"q":
    size = os.get_terminal_size(1)
    os.write(1, b"\\x1b[3;1Hgot %s at %d %d\\x1b[K" % (key.hex().encode(), *size))
os.write(1, b"\\x1b[?25h\\x1b[?1049l")
print("after", os.environ.get("NO_COLOR"), os.environ["EXTRA"])
sys.exit(7)
"""


@pytest.fixture
def program(tmp_path: Path) -> list[str]:
    path = tmp_path / "program.py"
    path.write_text(PROGRAM, encoding="utf-8")
    return [sys.executable, "-S", str(path)]


def test_a_program_is_driven_from_its_first_page_to_its_exit_code(
    program: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    with Terminal(program=program, columns=40, lines=6, env={"EXTRA": "yes"}) as t:
        t.wait_for("ready")
        assert t.alternate and t.cursor_hidden and "before" not in t.screen_text()
        assert t.cell(0, 0) == ("r", "red", "010203", True)
        assert t.cell(0, 4) == ("r", "default", "default", False)
        assert t.find("ready") == (0, 4)
        t.press("right")
        t.wait_for("got 1b5b43 at 40 6")
        t.resize(50, 10)
        t.press("é")
        t.wait_for("got c3a9 at 50 10")
        t.press("q")
        assert t.close() == 7
        assert not t.alternate and not t.cursor_hidden
        assert t.screen_text().split("\n")[:2] == ["before", "after None yes"]
        assert b"got 1b5b43" in t.output


def test_what_does_not_appear_fails_with_the_screen(program: list[str]) -> None:
    with Terminal(program=program, env={"EXTRA": ""}, columns=20, lines=3) as t:
        t.wait_for("ready")
        t.timeout = 0.0
        with pytest.raises(AssertionError, match=r"'never' did not appear(.|\n)*\|red ready           \|"):
            t.wait_for("never")
        with pytest.raises(AssertionError, match=r"goes on(.|\n)*red ready"):
            t.close()
        with pytest.raises(AssertionError, match="not on the screen"):
            t.find("never")


def test_a_program_ended_by_a_signal_gives_minus_its_number() -> None:
    with Terminal(program=[sys.executable, "-S", "-c", "import os; os.kill(os.getpid(), 9)"]) as t:
        assert t.close() == -9
