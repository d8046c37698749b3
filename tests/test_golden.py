"""Golden screens: what the program prints, as text to read and to compare.

They are in tests/golden. After a change that is meant: python -m pytest --update-golden, then read
the difference.
"""

from __future__ import annotations

import shutil
from difflib import unified_diff
from io import StringIO
from pathlib import Path

import pytest

from mha_tutor.cli.app import app

GOLDEN = Path(__file__).parent / "golden"
ROBOT = ("step", "--heads", "3", "--head", "2", "--token", "it")
PAGES = ("embed", "project", "dots", "scale", "softmax", "heads", "mix", "concat", "output", "sum", "after")
SCREENS: dict[str, tuple[str, ...]] = {
    **{f"robot-{number:02}-{key}": (*ROBOT, "--stage", key) for number, key in enumerate(PAGES, 1)},
    "robot-one-head": ("step", "--heads", "1", "--stage", "heads"),
    "robot-40-columns": (*ROBOT, "--stage", "dots", "--width", "40"),
    "robot-20-columns": (*ROBOT, "--stage", "sum", "--width", "20"),
    "robot-120-columns": (*ROBOT, "--stage", "softmax", "--width", "120"),
    "robot-causal": (*ROBOT, "--stage", "mask", "--causal"),
    "robot-what-if": (*ROBOT, "--stage", "softmax", "--set", "W_Q[head 2, pronoun, 1]=1"),
    "robot-projector": (*ROBOT, "--stage", "softmax", "--theme", "projector", "--width", "100"),
    "robot-plain": (*ROBOT, "--stage", "mix", "--format", "plain"),
    "robot-words": (
        "step",
        "--sentence",
        "[CLS] The 机器人 🤖 A[i] :robot: was tired [/s]",
        "--stage",
        "heads",
    ),
    "trophy": ("step", "--example", "trophy", "--stage", "heads"),
    "by-hand-softmax": ("step", "--example", "by-hand", "--stage", "softmax"),
    "by-hand-mix": ("step", "--example", "by-hand", "--stage", "mix"),
    "narrow-concat": ("step", "--example", "narrow", "--stage", "concat"),
    "narrow-output": ("step", "--example", "narrow", "--stage", "output"),
    "stages": ("stages",),
}


def printed(arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> str:
    """What mha-tutor prints into a pipe."""
    out = Pipe()
    monkeypatch.setattr("sys.stdout", out)
    with pytest.raises(SystemExit) as ended:
        app(list(arguments))
    assert not ended.value.code
    monkeypatch.undo()
    return out.getvalue()


class Pipe(StringIO):
    """Text that goes nowhere; as to its encoding it is UTF-8."""

    encoding = "utf-8"  # type: ignore[assignment]


def same(name: str, shown: str, update: bool) -> None:
    """Compare with the golden screen of that name, or write it."""
    path = GOLDEN / f"{name}.txt"
    if update:
        path.parent.mkdir(exist_ok=True)
        path.write_text(shown, encoding="utf-8", newline="\n")
        return
    assert path.exists(), f"there is no {path.name} yet; write it with: python -m pytest --update-golden"
    golden = path.read_text(encoding="utf-8")
    if shown != golden:
        lines = unified_diff(golden.splitlines(), shown.splitlines(), "golden", "shown now", lineterm="", n=2)
        told = f"{path.name} has changed. If that is meant: python -m pytest --update-golden"
        raise AssertionError("\n".join([told, *lines]))


@pytest.mark.parametrize("name", SCREENS)
def test_a_screen_is_its_golden_one(
    name: str, monkeypatch: pytest.MonkeyPatch, pytestconfig: pytest.Config
) -> None:
    shown = printed(SCREENS[name], monkeypatch)
    assert "\x1b" not in shown
    same(name, shown, bool(pytestconfig.getoption("--update-golden")))


def test_the_help_page_is_its_golden_one(pytestconfig: pytest.Config) -> None:
    from mha_tutor.views.help import help_page
    from mha_tutor.views.terminal.canvas import Canvas, encoded
    from mha_tutor.views.terminal.draw import body_lines
    from mha_tutor.views.terminal.theme import Theme

    lines = body_lines(help_page(), Canvas(80, Theme("mono", None)))
    shown = "".join(f"{encoded(line, None, plain=True)}\n" for line in lines)
    same("help-page", shown, bool(pytestconfig.getoption("--update-golden")))


def test_no_golden_screen_is_left_over() -> None:
    kept = {path.stem for path in GOLDEN.glob("*.txt")}
    elsewhere = {"help-page", "compare", "compare-routes", "step-without-head-2"}
    elsewhere |= {f"present-{name}" for name in ("covered", "pointer", "bars", "votes")}
    assert kept <= {*SCREENS, *elsewhere}, "no test compares these any more"


def test_a_changed_screen_is_reported_line_by_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(GOLDEN, tmp_path, dirs_exist_ok=True)
    monkeypatch.setattr("test_golden.GOLDEN", tmp_path)
    path = tmp_path / "stages.txt"
    golden = path.read_text(encoding="utf-8")
    with pytest.raises(
        AssertionError, match=r"--update-golden(.|\n)*-concat +\[head_1(.|\n)*\+concat +no heads"
    ):
        same("stages", golden.replace("[head_1 ... head_h]", "no heads"), update=False)
    with pytest.raises(AssertionError, match=r"no unknown\.txt"):
        same("unknown", golden, update=False)
