"""The teacher's guide: its commands run, its lessons are the course's, and nothing in it is out of date."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from test_readme import COMMANDS as README_COMMANDS
from test_readme import run

from mha_tutor.cli.app import app
from mha_tutor.course import material
from mha_tutor.course.lesson import find_exercise, lessons
from mha_tutor.course.reading import guide_pages
from mha_tutor.mistakes import REGISTRY, SLIPS
from mha_tutor.views.plain import plain_lines

TEXT = (material.root() / "course" / "teacher.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```sh\n(.*?)```", TEXT, re.DOTALL)
COMMANDS = list(dict.fromkeys(line for block in BLOCKS for line in block.splitlines() if line))
INLINE = re.findall(r"`(mha-tutor [^`]+)`", TEXT)

# These need a network, or a folder that a network has filled; tests/test_pack.py runs them.
NETWORK = ("class pack",)
HANDED_IN = ("class grade",)  # needs a class's notebooks
FAILS_AT_FIRST = ("course check",)  # exit code 1 says that not all is done


def names() -> set[str]:
    """Every command that the program has, as it is typed."""
    found = {str(c.name or c.callback.__name__) for c in app.registered_commands if c.callback}
    for group in app.registered_groups:
        assert group.typer_instance is not None
        for c in group.typer_instance.registered_commands:
            assert c.callback is not None
            found.add(f"{group.name} {c.name or c.callback.__name__}")
    return found


def name_of(command: str) -> str:
    words = shlex.split(command)[1:]
    return " ".join(words[:2]) if words[0] in ("class", "course", "lab") else words[0]


def test_every_command_in_the_guide_is_one_that_the_program_has() -> None:
    assert len(COMMANDS) > 15
    for command in (*COMMANDS, *INLINE):
        assert command.startswith("mha-tutor ")
        assert name_of(command) in names(), command


@pytest.mark.parametrize("command", [c for c in COMMANDS if c not in README_COMMANDS])
def test_every_command_in_the_guide_works(command: str, tmp_path: Path) -> None:
    name = name_of(command)
    if name in NETWORK + HANDED_IN:
        pytest.skip("needs what is not here")
    if name in FAILS_AT_FIRST:
        assert run("mha-tutor course start my-course", tmp_path).returncode == 0
    result = run(command, tmp_path)
    assert result.returncode in ((0, 1) if name in FAILS_AT_FIRST else (0,)), result.stderr
    assert result.stdout.strip() and result.stderr == ""


def test_the_lessons_and_their_minutes_are_those_of_the_course() -> None:
    rows = re.findall(r"^\| (\d+) \| (\d+) \|", TEXT, re.MULTILINE)
    assert [(int(number), int(minutes)) for number, minutes in rows] == [
        (lesson.number, lesson.minutes) for lesson in lessons()
    ]


@pytest.mark.parametrize("minutes", [45, 90])
def test_a_plan_fills_its_time(minutes: int) -> None:
    plan = re.search(rf"## {minutes} minutes.*?(?=\n## )", TEXT, re.DOTALL)
    assert plan is not None
    assert sum(map(int, re.findall(r"^\| (\d+) min \|", plan[0], re.MULTILINE))) == minutes


def test_every_misconception_is_answered_by_a_lesson() -> None:
    (part,) = re.findall(r"## Misconceptions.*?(?=\n## )", TEXT, re.DOTALL)
    rows = re.findall(r'^\| (".+?) \| (.+) \|$', part, re.MULTILINE)
    assert len(rows) >= 12
    assert all(re.search(r"Lesson ([1-9]|10)\b", answer) for _, answer in rows)


def test_no_number_of_the_course_is_typed_and_codes_exist() -> None:
    prose = re.sub(r"```.*?```|`[^`]*`", "", TEXT, flags=re.DOTALL)
    prose = re.sub(r"exercise \d+\.\d+", "", prose)
    assert not re.search(r"\d\.\d", prose)
    for number, id in re.findall(r"\b(\d+\.\d+):([A-Z]\d+)", TEXT):
        assert find_exercise(number) and id in {**REGISTRY, **SLIPS}


def test_the_guide_is_read_in_the_terminal_page_by_page(tmp_path: Path) -> None:
    pages = guide_pages()
    headings = re.findall(r"^##? (.+)$", TEXT, re.MULTILINE)
    assert [page.title for page in pages] == headings
    said = run("mha-tutor class guide", tmp_path).stdout
    assert all(heading in " ".join(said.split()) for heading in headings)
    assert max(map(len, said.splitlines())) <= 80
    plain = run("mha-tutor class guide --format plain", tmp_path).stdout.splitlines()
    assert {line for page in pages for line in plain_lines(page)} <= set(plain)
