"""Codes called out, pasted or typed: read in any form, counted, and answered."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from terminal import Terminal

from mha_tutor.classroom.tally import Tally, decoded, read_codes
from mha_tutor.course.lesson import lessons
from mha_tutor.mistakes import REGISTRY, SLIPS

EXERCISES = [exercise.number for lesson in lessons() for exercise in lesson.exercises]
KNOWN = [f"{exercise}:{id}" for exercise in EXERCISES for id in (*REGISTRY, *SLIPS, "?")]


def run(*arguments: str, given: bytes | None = None, **env: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "mha_tutor", "class", "tally", *arguments],
        env={**os.environ, "COLUMNS": "80", "PYTHONIOENCODING": "utf-8", "NO_COLOR": "1", **env},
        input=given or b"",
        capture_output=True,
        timeout=60,
        check=False,
    )
    out, err = (stream.decode("utf-8") for stream in (done.stdout, done.stderr))
    return subprocess.CompletedProcess(done.args, done.returncode, out, err)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("4.2:B26", {"4.2:B26": 1}),
        ("4.2:b26 x3", {"4.2:B26": 3}),
        ("4.2:b26 X 3, 4.2:B26", {"4.2:B26": 4}),
        ("4.2:B26×2 4.2:B26 (2)", {"4.2:B26": 4}),
        ("4.2 b26", {"4.2:B26": 1}),
        ("4,2 : b26", {"4.2:B26": 1}),
        ("4.2-S01;4.2_s01", {"4.2:S01": 2}),
        ("Ana: I have 4.2:B26. And you?", {"4.2:B26": 1}),
        ("is it 4.2:B26? No: 4.2:?", {"4.2:B26": 1, "4.2:?": 1}),
        ("4.2:?", {"4.2:?": 1}),
        ("(4.10:B45),[4.10:b44A]", {"4.10:B45": 1, "4.10:B44a": 1}),
        ("4.2:S01+S02 4.2:s01 & s02", {"4.2:S01+S02": 2}),
        ("04.02:B26", {"4.2:B26": 1}),
        ("4.4:a", {"4.4:A": 1}),
        ("Code: 0.2:W1\r\nCode: 0.2:w2", {"0.2:W1": 1, "0.2:W2": 1}),
        ("[29.11.26, 10:31] Ana: 4.2:B26", {"4.2:B26": 1}),
        ("at 10:31 lesson 4.2, the second b26", {}),
        ("we did 4.2 and 4.3 A lot", {}),
        ("version 1.4.2:B26", {}),
        ("", {}),
    ],
)
def test_a_code_is_read_in_any_form(text: str, found: dict[str, int]) -> None:
    assert read_codes(text).codes == Counter(found)


@pytest.mark.parametrize("code", ["4.2:B99", "4.4:Z", "99.1:B26", "4.77:?", "0.2:W9", "4.2:hello"])
def test_what_only_looks_like_a_code_is_kept_and_said(code: str) -> None:
    read = read_codes(f"I have {code} here, and 4.2:B26")
    assert read.codes == Counter({"4.2:B26": 1})
    assert read.unread == Counter({code: 1})


@given(
    st.lists(st.sampled_from(KNOWN), max_size=12),
    st.sampled_from([" ", ", ", "\n", "; ", " and ", " | ", "\t", " - ", " \N{BULLET} "]),
    st.booleans(),
)
def test_any_list_of_codes_is_counted_whatever_stands_between(
    codes: list[str], between: str, lower: bool
) -> None:
    text = between.join(codes)
    tally = Tally()
    tally.add(text.lower() if lower else text)
    assert tally.codes == Counter(codes) and not tally.unread
    assert [row.times for row in tally.rows()] == sorted(Counter(codes).values(), reverse=True)


@given(st.text(max_size=200))
def test_any_text_can_be_pasted(text: str) -> None:
    tally = Tally()
    tally.add(text)
    json.dumps(tally.as_json())


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_file_is_read_as_windows_writes_it(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "chat é.txt"
    path.write_text("Zoë: 4.3:B26\nJo: 4.3:b26 x2\n", encoding=encoding)
    assert "é" not in decoded(path.read_bytes())
    data = json.loads(run("--file", str(path), "--format", "json").stdout)
    assert data["total"] == 3 and data["codes"][0]["code"] == "4.3:B26"
    assert data["codes"][0]["mistakes"][0]["id"] == "B26"


def test_the_table_says_how_many_what_it_is_what_to_say_and_where() -> None:
    result = run("4.3:B26", "4.3:b26", "x2", "4.4:A", "4.3:B99")
    assert result.returncode == 0 and result.stderr == ""
    said = " ".join(result.stdout.split())
    assert "4 codes called out, of 2 kinds." in said
    assert "4.3:B26 3 Softmax over the queries" in said
    assert REGISTRY["B26"].text.advice in said
    assert "mha-tutor course read 4" in said and "mha-tutor step --stage softmax" in said
    assert "Not read: '4.3:B99' is no code of this course." in said


def test_codes_come_from_a_pipe_and_plain_text_has_a_fact_a_line() -> None:
    result = run("--format", "plain", given=b"4.3:B26\n4.3:b26\nbye\n")
    assert "4.3:B26, how many, 2" in result.stdout.splitlines()
    assert not any(ord(sign) > 127 for sign in result.stdout)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "No code was found in the input"),
        (("hello",), "No code was found in what was typed"),
        (("--file", "nothing.txt"), "'nothing.txt' cannot be read"),
        (("--format", "jsno", "4.3:B26"), "Did you mean 'json'"),
    ],
)
def test_nothing_to_count_is_told(arguments: tuple[str, ...], said: str) -> None:
    result = run(*arguments)
    assert (result.returncode, result.stdout) == (2, "") and said in result.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal that can be driven")
def test_in_a_terminal_the_table_follows_what_is_typed() -> None:
    with Terminal(["class", "tally"]) as screen:
        screen.wait_for("Codes (")
        assert "No code yet." in screen.screen_text()
        screen.send("4.3:b26 and 4.4:A\r")
        screen.wait_for("2 codes called out")
        screen.send("what\r")
        screen.wait_for("No code in 'what'")
        screen.send("4.3:B26 4.3:B99\r")
        screen.wait_for("3 codes called out")
        screen.wait_for("'4.3:B99' is no code")
        screen.send("undo\r")
        screen.wait_for("2 codes called out")
        assert "4.3:B99" not in screen.screen_text()
        screen.send("\r")
        assert screen.close() == 0
        assert "What the class gets stuck on" in screen.screen_text()


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal that can be driven")
@pytest.mark.parametrize("end", ["q\r", "\x04", "\x03"])
def test_linear_text_is_never_drawn_again_and_ends_with_the_table(end: str) -> None:
    with Terminal(["class", "tally"], env={"ACCESSIBLE": "1"}) as screen:
        screen.wait_for("Codes (")
        screen.send("4.3:b26 x2\r")
        screen.wait_for("4.3:B26: 2")
        screen.send(end)
        assert screen.close() == 0
        assert "\x1b[2J" not in screen.output.decode() and "4.3:B26, how many, 2" in screen.screen_text()


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal that can be driven")
def test_data_is_not_mixed_with_questions() -> None:
    with Terminal(["class", "tally", "--format", "json"]) as screen:
        screen.wait_for("asks for nothing")
        assert screen.close() == 2


def test_lines_are_taken_back_one_by_one() -> None:
    tally = Tally()
    for line in ("4.3:B26 x2", "nothing", "4.3:B26, 4.3:B99"):
        tally.add(line)
    assert tally.undo().codes == Counter({"4.3:B26": 1}) and not tally.unread
    assert tally.undo().codes == Counter({"4.3:B26": 2})
    assert tally.total == 0 and not tally.undo().codes
