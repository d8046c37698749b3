"""`mha-tutor course ...` as a learner types it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from learner import answered, fresh, save, solved
from terminal import Terminal

from mha_tutor.cli.course.commands import run_start
from mha_tutor.course import needs
from mha_tutor.course.lesson import Lesson, lessons
from mha_tutor.course.markdown import plain
from mha_tutor.course.progress import FILE
from mha_tutor.course.reading import lesson_pages
from mha_tutor.installing import install_line
from mha_tutor.views.page import Page, Text
from mha_tutor.views.terminal.canvas import Canvas
from mha_tutor.views.terminal.draw import page_lines
from mha_tutor.views.terminal.theme import Theme

FOLDER = "mha-tutor-course"


def run(*arguments: str, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "mha_tutor", "course", *arguments],
        cwd=cwd,
        env={**os.environ, "COLUMNS": "80", "PYTHONIOENCODING": "utf-8", "NO_COLOR": "1", **env},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which lesson 0 is done but for 0.2, lesson 4 was not touched, and both were checked."""
    place = tmp_path_factory.mktemp("schöner ordner")
    assert run("start", cwd=place).returncode == 0
    folder = place / FOLDER
    save(answered(solved(0), e0_2="def total(w):\n    return w.sum(axis=0)"), folder / "00-start-here.ipynb")
    (place / "check.txt").write_text(run("check", cwd=folder).stdout, encoding="utf-8")
    return folder


def test_start_makes_a_folder_and_never_writes_over_a_file(tmp_path: Path) -> None:
    first = run("start", "my course é", cwd=tmp_path)
    assert first.returncode == 0 and f": {len(lessons()) + 1}." in first.stdout
    folder = tmp_path / "my course é"
    names = [*(one.name for one in lessons()), "extra-real-heads"]
    assert sorted(path.name for path in folder.iterdir()) == [f"{name}.ipynb" for name in names]
    (folder / "00-start-here.ipynb").write_text("mine", encoding="utf-8")
    (folder / "04-softmax.ipynb").unlink()
    again = run("start", "my course é", cwd=tmp_path)
    assert "Left as they are" in again.stdout and "00-start-here.ipynb" in again.stdout
    assert (folder / "00-start-here.ipynb").read_text(encoding="utf-8") == "mine"
    assert (folder / "04-softmax.ipynb").exists()
    assert not list(folder.glob(".*"))


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    result = run("start", "file", cwd=tmp_path)
    assert (result.returncode, result.stdout) == (2, "")
    assert "'file' cannot be used for the course" in result.stderr


def test_check_says_for_each_exercise_what_is_so(checked: Path) -> None:
    said = (checked.parent / "check.txt").read_text(encoding="utf-8")
    assert "Lesson 0: Start here  (3 of 4 done)" in said
    assert "x 0.2  wrong" in said and "That is what you get when each column is added up" in " ".join(
        said.split()
    )
    assert "\n      Code: 0.2:W1\n" in said and said.count("Code: ") == 1
    assert "- 4.12  not started" in said
    total = sum(len(lesson.exercises) for lesson in lessons())
    assert f"Done: 3 of {total}." in said


def test_list_and_next_go_by_the_last_check(checked: Path) -> None:
    said = run("list", cwd=checked).stdout
    assert "Lesson 0: Start here  (3 of 4 done)" in said
    assert run("next", cwd=checked.parent).stdout.startswith(
        "Next: exercise 0.2, A function, in 00-start-here.ipynb"
    )
    plain = run("list", "--format", "plain", cwd=checked).stdout
    assert "0.2, state, wrong" in plain


@pytest.mark.parametrize(("wanted", "code"), [("0.1", 0), ("0.2", 1), ("0", 1)])
def test_the_exit_code_is_0_when_all_that_was_asked_for_is_done(
    checked: Path, wanted: str, code: int
) -> None:
    result = run("check", wanted, "--format", "json", cwd=checked)
    data = json.loads(result.stdout)
    assert result.returncode == code and data["done"] is (code == 0)
    (lesson,) = data["lessons"]
    assert (lesson["lesson"], lesson["trouble"]) == ("00-start-here", "")
    assert {one["number"] for one in lesson["exercises"]} >= {wanted if "." in wanted else "0.4"}
    assert len(lesson["exercises"]) == (1 if "." in wanted else 4)
    codes = {one["number"]: one["code"] for one in lesson["exercises"]}
    assert codes.get("0.1", "") == "" and codes.get("0.2", "0.2:W1") == "0.2:W1"
    assert not any("Code: " in one["reason"] for one in lesson["exercises"])


def test_a_notebook_is_known_wherever_it_lies_and_whatever_it_is_called(tmp_path: Path) -> None:
    path = save(solved(0), tmp_path / "elsewhere ß" / "my copy.ipynb")
    result = run("check", str(path), cwd=tmp_path)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "Done: 4 of 4." in result.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("check", "17"), "There is no lesson 17. Choose one of 0,"),
        (("check", "0.17"), "There is no exercise 0.17. Lesson 0 has: 0.1,"),
        (("check", "nothing.ipynb"), "There is no file 'nothing.ipynb'."),
        (("check", "softmax"), "'softmax' is not a lesson (4), an exercise (4.2) or a notebook"),
        (("check", "--dir", "nowhere"), "There is no folder 'nowhere'."),
        (("check", "--format", "xml"), "--format 'xml' is not known."),
        (("read", "17"), "There is no lesson 17."),
        (("hint", "4"), "'4' is not the number of an exercise. Write it like 4.2."),
        (("next",), "Run 'mha-tutor course start' first"),
        (("reset", "0.1"), "Run 'mha-tutor course start' first"),
    ],
)
def test_wrong_usage_is_told(tmp_path: Path, arguments: tuple[str, ...], said: str) -> None:
    result = run(*arguments, cwd=tmp_path)
    assert (result.returncode, result.stdout) == (2, "")
    assert said in result.stderr


def test_hints_come_one_by_one_and_are_remembered(tmp_path: Path) -> None:
    run("start", cwd=tmp_path)
    counts = []
    for arguments in (("0.2",), ("0.2", "--more"), ("0.2",), ("0.2", "--more"), ("0.2", "--more")):
        counts.append(run("hint", *arguments, cwd=tmp_path).stdout.count(" of 3: "))
    assert counts == [1, 2, 2, 3, 3]
    (tmp_path / FOLDER / FILE).write_text("{broken", encoding="utf-8")
    assert run("hint", "0.2", cwd=tmp_path).stdout.count(" of 3: ") == 1
    (tmp_path / FOLDER / FILE).write_text("[1]", encoding="utf-8")
    result = run("list", cwd=tmp_path)
    assert result.returncode == 0 and "could not be read" in result.stdout


def test_hints_work_without_a_folder(tmp_path: Path) -> None:
    assert run("hint", "4.2", cwd=tmp_path).returncode == 0
    assert not list(tmp_path.iterdir())


def test_the_solution_comes_after_the_exercise_or_anyway(checked: Path) -> None:
    assert "how_many = 9" in run("solution", "0.1", cwd=checked).stdout
    refused = run("solution", "0.2", cwd=checked)
    assert refused.returncode == 1 and "not done yet" in refused.stdout and "axis=1" not in refused.stdout
    assert "weights_ts.sum(axis=1)" in run("solution", "0.2", "--anyway", cwd=checked).stdout


def test_the_solution_is_checked_again_when_the_notebook_has_changed(tmp_path: Path) -> None:
    run("start", cwd=tmp_path)
    save(solved(0), tmp_path / FOLDER / "00-start-here.ipynb")
    assert "weights_ts.sum(axis=1)" in run("solution", "0.2", cwd=tmp_path).stdout


def test_reset_puts_one_exercise_back_and_keeps_a_copy(tmp_path: Path) -> None:
    run("start", cwd=tmp_path)
    path = tmp_path / FOLDER / "00-start-here.ipynb"
    mine = solved(0)
    parts = [
        (c["metadata"]["mha_tutor"].get("exercise"), c["metadata"]["mha_tutor"]["part"])
        for c in mine["cells"]
    ]
    for lost in (("0.2", "work"), ("0.2", "check")):
        del mine["cells"][parts.index(lost)]
        parts.remove(lost)
    save(mine, path)
    before = path.read_bytes()
    result = run("reset", "0.2", cwd=tmp_path)
    assert result.returncode == 0 and "as it was" in result.stdout
    now = json.loads(path.read_text(encoding="utf-8"))
    assert [c["id"] for c in now["cells"]] == [c["id"] for c in fresh(0)["cells"]]
    changed = [
        c["id"]
        for c, old in zip(now["cells"], fresh(0)["cells"], strict=True)
        if c["source"] != old["source"]
    ]
    assert changed == ["0-1-work", "0-3-work", "0-4-work"]
    (copy,) = (tmp_path / FOLDER / "backups").iterdir()
    assert copy.read_bytes() == before


def test_a_lesson_is_read_page_by_page(tmp_path: Path) -> None:
    said = run("read", "4", cwd=tmp_path).stdout
    assert "scores_2   to (is asked)" in said and "{{" not in said and "**" not in said
    assert said.index("What is exp(2)?") < said.index("Warm-up: exp: answers")
    for exercise in lessons()[-1].exercises:
        assert f"Exercise {exercise.number}: " in said or lessons()[-1].number != 4
    assert max(map(len, said.splitlines())) <= 80
    plain = run("read", "4", "--format", "plain", cwd=tmp_path).stdout
    assert "head 2, from it, to robot, 4.5" in plain and "─" not in plain


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ('*"Attention means it."*', '"Attention means it."'),
        ('*"`it` looks at `robot`."*', '"`it` looks at `robot`."'),
        ("**One `a * b` and *two*.** `subject*` and *three*", "One `a * b` and two. `subject*` and three"),
        ("[*Title*](https://x.org), 2 * 3 * 4", "Title (https://x.org), 2 * 3 * 4"),
        ("`a*` and `*b`", "`a*` and `*b`"),
    ],
)
def test_signs_of_emphasis_are_taken_out_and_code_is_kept(text: str, shown: str) -> None:
    assert plain(text) == shown


@pytest.mark.parametrize("lesson", lessons(), ids=[lesson.name for lesson in lessons()])
@pytest.mark.parametrize("width", [60, 80])
def test_no_word_of_a_lesson_is_broken(lesson: Lesson, width: int) -> None:
    canvas = Canvas(width, Theme("mono", None))
    for page in lesson_pages(lesson):
        drawn = "\n".join("".join(segment.text for segment in line) for line in page_lines(page, canvas))
        drawn_words = set(drawn.split())
        for block in page.blocks:
            if isinstance(block, Text):
                assert set(canvas.text_block(block.text).split()) <= drawn_words


def test_items_of_a_list_begin_under_their_text() -> None:
    page = Page(
        "1", "T", "S", (Text("1. " + "word " * 20 + "\n- " + "more " * 20 + "\nplain " + "end " * 20),)
    )
    lines = ["".join(s.text for s in line) for line in page_lines(page, Canvas(40, Theme("mono", None)))]
    assert " 1. word word" in lines[1] and lines[2].startswith("    word")
    more = [line for line in lines if "more" in line]
    assert more[0].startswith(" - more") and more[1].startswith("   more")
    assert [line for line in lines if "end" in line][1].startswith(" end")


def test_a_lesson_is_paged_in_a_terminal() -> None:
    with Terminal(["course", "read", "4"], columns=80, lines=24) as t:
        t.wait_for("Lesson 4: Softmax")
        t.press("right")
        t.wait_for("What this lesson is for")
        t.press("right")
        t.wait_for("Three questions from earlier lessons")
        assert "token" not in t.screen_text().splitlines()[-1].split("?")[0]
        t.press("right")
        t.wait_for("earlier lessons: answers")
        t.press("q")
        assert t.close() == 0


def test_a_bar_is_drawn_while_checking(checked: Path) -> None:
    with Terminal(["course", "check", "0", "--dir", str(checked)], columns=80, lines=24) as t:
        t.timeout = 60
        t.wait_for("Checking [")
        t.wait_for("Done: 3 of 4.")
        assert "Checking" not in t.screen_text()
        assert t.close() == 1


@pytest.mark.parametrize("there", [True, False])
def test_start_offers_jupyterlab_only_where_it_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], there: bool
) -> None:
    monkeypatch.setattr(needs, "find_spec", lambda name: object() if there else None)
    run_start(tmp_path / "mine")
    said = capsys.readouterr().out
    assert ("mha-tutor course lab" in said) == there
    assert (install_line("jupyterlab") in said) == (not there)
    assert f"cd {tmp_path / 'mine'}" in said


def test_what_is_missing_is_named_with_the_line_that_installs_it(tmp_path: Path) -> None:

    program = (
        "import sys, importlib.util as u; find = u.find_spec;"
        "u.find_spec = lambda name, *a: None if name in ('nbval', 'jupyterlab') else find(name, *a);"
        "from mha_tutor.cli import main; sys.argv = ['mha-tutor', 'course', *sys.argv[1:]]; main()"
    )

    run("start", cwd=tmp_path)
    for command, package in (("check", "nbval"), ("lab", "jupyterlab")):
        result = subprocess.run(
            [sys.executable, "-c", program, command],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=60,
            check=False,
        )
        assert result.returncode == 1
        assert f" install {package}" in result.stderr and sys.executable in result.stderr


def test_checks_need_numpy_alone(tmp_path: Path) -> None:
    program = """
import sys
for name in ("rich", "typer", "nbformat", "jupytext", "pytest", "IPython"):
    sys.modules[name] = None
from mha_tutor.course import check
check.numbers("0.1", {"n": 9})
check.stage("4.3", __import__("mha_tutor.attention").attention.softmax, "scores_hts -> weights_hts")
check.choice("4.4", "B")
"""
    result = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout.count(" done. ") == 3
