"""What the README says is what the program does."""

import os
import re
import shlex
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from mha_tutor.course.lesson import lessons
from mha_tutor.lab.real.folder import INSTALLED, PACKAGE

ROOT = Path(__file__).parents[1]
README_FILE = ROOT / "README.md"
README = README_FILE.read_text(encoding="utf-8")
SCREENS = re.findall(r"<!-- screen: (.+?) -->\n```text\n(.*?)\n```", README, re.DOTALL)
BLOCKS = re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
REAL_BLOCKS = re.findall(r"```sh-real\n(.*?)```", README, re.DOTALL)  # they need a model's files
REAL_COMMANDS = [line for block in REAL_BLOCKS for line in block.splitlines()]
COMMANDS = [line for block in BLOCKS for line in block.splitlines() if line.startswith("mha-tutor ")]


def _rewrite(old: str, new: str) -> None:
    """Put ``new`` in the place of ``old`` in the README as it is now."""
    text = README_FILE.read_text(encoding="utf-8")
    README_FILE.write_text(text.replace(old, new), encoding="utf-8", newline="\n")


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command of the README, without a terminal, 80 columns wide."""
    arguments = shlex.split(command)[1:]
    return subprocess.run(
        [sys.executable, "-m", "mha_tutor", *arguments],
        cwd=folder,
        env={**os.environ, "COLUMNS": "80", "PYTHONIOENCODING": "utf-8", "NO_COLOR": "1"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


def test_the_readme_shows_a_screen_and_commands() -> None:
    assert SCREENS
    assert len(COMMANDS) > 10


@pytest.mark.parametrize(("command", "screen"), SCREENS)
def test_the_screen_in_the_readme_is_the_real_one(
    command: str, screen: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    page = run(command, tmp_path).stdout.split("\n\n X ")[0].rstrip("\n")
    if request.config.getoption("--update-golden"):
        _rewrite(screen, page)
        return
    assert page == screen, (
        f"README.md differs; run this test with --update-golden. '{command}' prints:\n{page}"
    )


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_in_the_readme_works(command: str, tmp_path: Path) -> None:
    own = run("mha-tutor example robot", tmp_path).stdout
    (tmp_path / "mine.toml").write_text(own, encoding="utf-8")
    result = run(command.removesuffix(" > mine.toml"), tmp_path)
    assert result.returncode == 0, result.stderr
    assert result.stdout.strip()
    assert result.stderr == ""


@pytest.mark.parametrize("command", REAL_COMMANDS)
def test_every_command_about_a_real_model_works_or_says_how_to_get_one(command: str, tmp_path: Path) -> None:
    result = run(command, tmp_path)
    if find_spec(PACKAGE) is None:
        assert result.returncode == 1 and result.stdout == ""
        assert INSTALLED in result.stderr and INSTALLED in README
        pytest.skip(f"needs the learned numbers: pip install {INSTALLED}")
    assert result.returncode == 0, result.stderr
    assert result.stdout.strip() and result.stderr == ""


def test_the_lessons_in_the_readme_are_those_of_the_course(request: pytest.FixtureRequest) -> None:
    rows = [
        f"| {lesson.number} {lesson.title} | {lesson.minutes} | {lesson.summary} |" for lesson in lessons()
    ]
    head = "| lesson | minutes | what it is about |\n|---|---|---|\n"
    start = README.index(head) + len(head)
    end = README.index("\nThe sources of the lessons", start)
    if request.config.getoption("--update-golden"):
        _rewrite(README[start:end], "".join(f"{row}\n" for row in rows))
        return
    assert README[start:end].splitlines() == rows, "run this test with --update-golden"


def test_the_house_in_the_readme_names_files_that_exist() -> None:
    rows = re.findall(r"^\| (`.+?) \|", README, re.MULTILINE)
    names = [name for row in rows for name in re.findall(r"`(.+?)`", row)]
    assert len(names) > 8
    for name in names:
        path = ROOT / name if "/" in name else ROOT / "mha_tutor" / name
        assert path.exists(), name
