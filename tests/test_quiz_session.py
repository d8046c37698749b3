"""A quiz held: in a real terminal, through a pipe, and with the file it keeps."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from cases import WALKS

from mha_tutor.cli.quiz.kept_file import QuizFile, data_home
from mha_tutor.quiz import Desk, Question, ask_about, ask_topic
from mha_tutor.quiz.kept import Answered
from mha_tutor.views.pages import View, page_keys

ROBOT = WALKS["robot, plain"]
SEED = "3"
VIEW = View(0, 6)  # the walk starts at `it`


def question(page: str, seed: str = SEED) -> Question:
    """The question that the quiz of that seed asks before a page."""
    found = ask_about(Desk(ROBOT, VIEW, int(seed)), page)
    assert found
    return found


def run(
    home: Path, answers: str | bytes, *args: str, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """A quiz in linear text whose answers come through a pipe."""
    raw = answers.encode() if isinstance(answers, str) else answers
    command = [sys.executable, "-m", "mha_tutor", "step", "--quiz", *(args or ("--format", "plain"))]
    done = subprocess.run(
        command,
        check=False,
        input=raw,
        capture_output=True,
        timeout=60,
        env={**os.environ, "MHA_TUTOR_HOME": str(home), "PYTHONIOENCODING": "utf-8", **(env or {})},
    )
    return subprocess.CompletedProcess(command, done.returncode, done.stdout.decode(), done.stderr.decode())


def script(*pages: str) -> str:
    """Right and sure answers, and the right reasons, to the questions before these pages."""
    return "".join(f"{right_answer(question(page))}\ns\n{right_reason(question(page))}\n" for page in pages)


def right_answer(asked: Question) -> str:
    return str(int(asked.right[0]) + 1) if asked.words else f"{asked.right[0]:.4f}".rstrip("0").rstrip(".")


def right_reason(asked: Question) -> int:
    return next(i for i, option in enumerate(asked.options) if option.right) + 1


PLAIN = ("--format", "plain", "--quiz-seed", SEED)


# Through a pipe.


def test_a_whole_quiz_of_right_answers(tmp_path: Path) -> None:
    pages = page_keys(ROBOT)
    asked = [page for page in pages if ask_about(Desk(ROBOT, VIEW, int(SEED)), page)]
    done = run(tmp_path, script(*asked), *PLAIN)
    assert done.returncode == 0 and not done.stderr
    count = len(asked)
    assert f"Questions: {count}. Right at first try {count}, at second 0, not right 0," in done.stdout
    assert f"Reasons: {count} of {count} right." in done.stdout
    assert "No known mistake" not in done.stdout and "\x1b" not in done.stdout
    kept = json.loads((tmp_path / "quiz.json").read_text(encoding="utf-8"))
    assert kept["quizzes"] == 1 and kept["again"] == {} and kept["mistakes"] == {}


def test_a_page_is_shown_only_after_its_question(tmp_path: Path) -> None:
    done = run(tmp_path, "", *PLAIN)
    assert "Before page 1 of 11: X" in done.stdout
    assert "Page 1 of 11." not in done.stdout  # the input ended before the answer
    assert "Summary" in done.stdout and "No question was answered this time." in done.stdout
    assert not (tmp_path / "quiz.json").exists()
    done = run(tmp_path, "\n", *PLAIN)
    assert done.stdout.index("X is ? x 12") < done.stdout.index("Page 1 of 11.")


def test_a_known_mistake_is_named_and_comes_back_first_next_time(tmp_path: Path) -> None:
    first = run(tmp_path, "12\ns\n4\n1\nq\n", "--format", "plain", "--quiz-seed", "3", "--stage", "project")
    assert question("project").topic == "shape Q"
    assert "Not right. That is the shape you get when every head keeps all the columns." in first.stdout
    assert "Second try: 4\nRight.\nWorked out: 12 / 3 = 4:" in first.stdout
    assert "- Heads of full width (1). The columns are shared out among the heads" in first.stdout
    assert "Lesson 2." in first.stdout
    assert "Sure and not right at first: 1." in first.stdout
    assert (
        "Go on from here:  mha-tutor step --stage dots --head 1 --token 7 --quiz --quiz-seed 3"
        in first.stdout
    )

    second = run(tmp_path, "4\nu\n\n", "--format", "plain", "--stage", "softmax")
    assert "First comes what was sure and not right in an earlier quiz: 1." in second.stdout
    assert second.stdout.index("Once more") < second.stdout.index("Before page 5")
    kept = json.loads((tmp_path / "quiz.json").read_text(encoding="utf-8"))
    assert kept["again"] == {"shape Q": {"due": 4, "gap": 2}} and kept["mistakes"] == {"B04": 1}
    assert "Most often until now: Heads of full width (1)." in second.stdout

    third = run(tmp_path, "q\n", "--format", "plain")
    assert "First comes" not in third.stdout


def test_hints_and_text_that_says_nothing_cost_no_try(tmp_path: Path) -> None:
    asked = question("scale")
    assert asked.topic == "number scores"
    answers = f"?\n?\n?\nabc\n1/0\n{right_answer(asked)}\nperhaps\n\n9\n\nq\n"
    done = run(tmp_path, answers, *PLAIN, "--stage", "scale")
    assert "Hint: Divide by the square root of d_k" in done.stdout
    assert "/ __ = ?" in done.stdout and "There are no more hints." in done.stdout
    assert "'abc' is not a number. Type one such as" in done.stdout
    assert "Type s for sure or u for unsure." in done.stdout
    assert "Type 1, 2 or 3." in done.stdout
    assert "Questions: 1. Right at first try 1," in done.stdout


def test_an_empty_line_skips_and_a_second_one_gives_up(tmp_path: Path) -> None:
    done = run(tmp_path, "\n" + "99\nu\n\n\n" + "q\n", *PLAIN, "--stage", "scale")
    assert "Your answer: \nSkipped.\nWorked out:" in done.stdout
    assert "Questions: 2. Right at first try 0, at second 0, not right 1, skipped 1." in done.stdout


@pytest.mark.parametrize(
    "answers", [b"\xff\xfe\n\nq\n", b"\x00\x1b[A\x07\n\nq\n", "\ufeff9\r\ns\r\n1\r\nq\r\n".encode()]
)
def test_any_bytes_can_be_answered(tmp_path: Path, answers: bytes) -> None:
    done = run(tmp_path, answers, *PLAIN)
    assert done.returncode == 0 and not done.stderr and "Summary" in done.stdout
    assert "\x1b" not in done.stdout and "\x07" not in done.stdout


def test_the_variable_for_screen_readers_asks_in_linear_text_too(tmp_path: Path) -> None:
    done = run(tmp_path, "\n", "--quiz-seed", SEED, env={"ACCESSIBLE": "1"})
    assert done.returncode == 0 and "Your answer: " in done.stdout


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--quiz-seed", "1"], "--quiz asks, so it needs a terminal to answer in. With --format plain"),
        (["--format", "json"], "--quiz and --format json do not go together"),
        (["--format", "plain", "--auto", "3"], "--quiz and --auto do not go together"),
        (["--format", "plain", "--quiz-seed", "-1"], "choose a whole number, 0 or more"),
    ],
)
def test_where_no_quiz_can_be_held_it_says_how(tmp_path: Path, args: list[str], said: str) -> None:
    done = run(tmp_path, "", *args)
    assert done.returncode == 2 and said in done.stderr and not done.stdout


# The file.


def test_a_broken_file_is_put_aside_and_told(tmp_path: Path) -> None:
    (tmp_path / "quiz.json").write_text("{ not json", encoding="utf-8")
    done = run(tmp_path, "\nq\n", *PLAIN)
    assert done.returncode == 0 and "cannot be read, so this one starts afresh" in done.stdout
    assert (tmp_path / "quiz.broken.json").read_text(encoding="utf-8") == "{ not json"
    assert json.loads((tmp_path / "quiz.json").read_text(encoding="utf-8"))["quizzes"] == 1


def test_a_newer_file_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "quiz.json").write_text('{"format_version": 99}', encoding="utf-8")
    done = run(tmp_path, "\nq\n", *PLAIN)
    assert done.returncode == 0 and "is in format 99, from a newer mha-tutor" in done.stdout
    assert (tmp_path / "quiz.json").read_text(encoding="utf-8") == '{"format_version": 99}'


def test_a_folder_that_cannot_be_written_costs_a_message(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    done = run(tmp_path / "file" / "folder", "\nq\n", *PLAIN)
    assert done.returncode == 0 and done.stdout.count("Nothing can be kept for next time") >= 1
    assert "Kept for next time in" not in done.stdout


def test_a_write_that_fails_leaves_the_old_file_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = QuizFile(tmp_path)
    file.keep(Answered("sum row", sure=True))
    before = (tmp_path / "quiz.json").read_text(encoding="utf-8")

    def full(*args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.replace", full)
    file.keep(Answered("sum map", sure=True))
    assert "No space left on device" in file.trouble and not file.writable
    assert set(file.kept.again) == {"sum row", "sum map"}  # this quiz still knows
    assert (tmp_path / "quiz.json").read_text(encoding="utf-8") == before
    assert [path.name for path in tmp_path.iterdir()] == ["quiz.json"]


def test_two_quizzes_at_once_lose_nothing(tmp_path: Path) -> None:
    one, other = QuizFile(tmp_path), QuizFile(tmp_path)
    one.keep(Answered("sum row", mistakes=("B26",)))
    other.keep(Answered("sum row", mistakes=("B26",)))
    one.keep(Answered("sum map", mistakes=("B29",)))
    kept = QuizFile(tmp_path).kept
    assert kept.mistakes == {"B26": 2, "B29": 1} and kept.quizzes == 2


def test_each_system_has_its_own_place() -> None:
    home = {"HOME": "/home/me"}
    assert data_home(home, "linux") == Path("/home/me/.local/share/mha-tutor")
    assert data_home({**home, "XDG_DATA_HOME": "/data"}, "linux") == Path("/data/mha-tutor")
    assert data_home({**home, "XDG_DATA_HOME": "data"}, "linux") == Path("/home/me/.local/share/mha-tutor")
    assert data_home(home, "darwin") == Path("/home/me/Library/Application Support/mha-tutor")
    assert data_home({**home, "LOCALAPPDATA": "/local"}, "win32") == Path("/local/mha-tutor")
    assert data_home({**home, "MHA_TUTOR_HOME": "/own"}, "win32") == Path("/own")


# In a terminal.

if sys.platform != "win32":
    from terminal import Terminal


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pty")
class TestTerminal:
    def test_right_wrong_unsure_skip_and_leave(self, tmp_path: Path) -> None:
        dots, scale = question("dots"), question("scale")
        assert dots.words and scale.topic == "number scores"
        env = {"MHA_TUTOR_HOME": str(tmp_path)}
        with Terminal(["step", "--quiz", "--quiz-seed", SEED, "--stage", "dots"], lines=60, env=env) as t:
            t.wait_for("Your answer:")
            assert not t.alternate and "Dot products:" not in t.screen_text()
            t.send(f"{right_answer(dots)}x\x7f\r")  # a letter too many, taken back
            t.wait_for("Sure or unsure?")
            t.send("s\r")
            t.wait_for("Enter shows the page:")
            assert "Right." in t.screen_text() and "Worked out: The largest in row" in t.screen_text()
            t.press("enter")
            t.wait_for("1, 2 or 3:")
            assert "Dot products: every query against every key" in t.screen_text()
            t.send(f"{right_reason(dots) % 3 + 1}\r")
            t.wait_for("Before page 4 of 11: scores")
            assert "The right one is" in " ".join(t.screen_text().split())
            t.wait_for("So does a fraction, such as 1/3.\n Your answer:")
            t.send(f"{scale.right[0] * 2:.2f}\r")  # as if it had not been divided
            t.wait_for("Sure or unsure?")
            t.send("u\r")
            t.wait_for("Second try:")
            assert "This is the number you get if" in " ".join(t.screen_text().split())
            t.send("\r")
            t.wait_for("Enter shows the page:")
            t.send("\r")
            t.wait_for("Why is it divided?")
            t.send("\r")
            t.wait_for("Before page 5 of 11")
            t.send("q\r")
            assert t.close() == 0
            assert "Questions: 2. Right at first try 1, at second 0, not right 1" in t.screen_text()
        assert json.loads((tmp_path / "quiz.json").read_text(encoding="utf-8"))["quizzes"] == 1

    @pytest.mark.parametrize("key", ["ctrl-c", "ctrl-d"])
    def test_ctrl_c_and_ctrl_d_leave_with_the_summary(self, tmp_path: Path, key: str) -> None:
        with Terminal(["step", "--quiz"], env={"MHA_TUTOR_HOME": str(tmp_path)}) as t:
            t.wait_for("Your answer:")
            t.press(key)
            t.wait_for("No question was answered this time.")
            assert t.close() == 0

    def test_no_colour_is_needed_to_know_right_from_wrong(self, tmp_path: Path) -> None:
        env = {"MHA_TUTOR_HOME": str(tmp_path), "NO_COLOR": "1"}
        with Terminal(["step", "--quiz", "--quiz-seed", SEED, "--stage", "project"], env=env) as t:
            t.wait_for("Your answer:")
            t.send("12\rs\r4\r")
            t.wait_for("Enter shows the page:")
            assert re.search(r"\n Not right\. That is the shape", t.screen_text())
            assert "\n Right." in t.screen_text()
            assert not re.search(rb"\x1b\[[0-9;]*3[0-9]", t.output) and b"\x1b[38" not in t.output
            t.send("q\r")
            assert t.close() == 0

    def test_linear_text_in_a_terminal_is_never_drawn_again(self, tmp_path: Path) -> None:
        env = {"MHA_TUTOR_HOME": str(tmp_path)}
        args = ["step", "--quiz", "--quiz-seed", SEED, "--stage", "project", "--format", "plain"]
        with Terminal(args, env=env, lines=50) as t:
            t.wait_for("Your answer:")
            t.send("12\r")
            t.wait_for("Sure or unsure?")
            t.send("u\r")
            t.wait_for("Second try:")
            t.send("q\r")
            assert t.close() == 0
            assert b"\x1b" not in t.output

    def test_p_asks_about_the_page_at_hand_and_goes_back_to_it(self, tmp_path: Path) -> None:
        asked = ask_about(Desk(ROBOT, View(1, 6), "0 0", heads=[1]), "softmax")
        assert asked
        env = {"MHA_TUTOR_HOME": str(tmp_path)}
        with Terminal(["step", "--stage", "softmax", "--head", "2"], env=env) as t:
            t.wait_for("Softmax: every token")
            t.press("p")
            t.wait_for("About page 5 of 11: weights")
            t.wait_for("Your answer:")
            assert not t.alternate
            t.send(f"{right_answer(asked)}\rs\r{right_reason(asked)}\r")
            t.wait_for("Enter goes back to the walk:")
            t.press("enter")
            t.wait_until(lambda: t.alternate and "Softmax: every token" in t.screen_text())
            assert f">{asked.view.token + 1} " in t.screen_text()  # the row that answers it
            t.press("right")
            t.wait_for("All heads, side by side")
            t.press("p")
            t.wait_for("About page 6 of 11")
            t.send("q\r")
            t.wait_until(lambda: t.alternate)
            t.press("q")
            assert t.close() == 0
        assert json.loads((tmp_path / "quiz.json").read_text(encoding="utf-8"))["quizzes"] == 0


def test_a_question_that_comes_back_is_of_the_same_topic() -> None:
    assert question("project").topic == "shape Q"
    back = ask_topic(Desk(ROBOT, VIEW, 9), "shape Q")
    assert back and back.topic == "shape Q" and back.page == "project"
