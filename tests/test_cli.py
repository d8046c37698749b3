"""The command line as someone uses it: wrong input, pipes, encodings, environments."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from rich.cells import cell_len

import mha_tutor
from mha_tutor.cli import main
from mha_tutor.examples import find
from mha_tutor.stages import walk
from mha_tutor.trace import Trace

PROGRAM = (sys.executable, "-m", "mha_tutor")
posix = pytest.mark.skipif(os.name != "posix", reason="needs a shell's pipes")


class Run(NamedTuple):
    """How a run ended and what it wrote."""

    code: int
    out: str
    err: str


Inside = Callable[..., Run]


@pytest.fixture
def inside(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Inside:
    """Run main() in this process, as if it had been typed."""

    def run(*arguments: str) -> Run:
        monkeypatch.setattr(sys, "argv", ["mha-tutor", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        code = ended.value.code
        return Run(code if isinstance(code, int) else int(code is not None), *capsys.readouterr())

    return run


def outside(
    *arguments: str, env: Mapping[str, str] | None = None, encoding: str = "utf-8", **more: Any
) -> Run:
    """Run the program as a process of its own, its output going to a pipe."""
    given = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more}
    done = subprocess.run(
        [*PROGRAM, *arguments], env={**os.environ, **(env or {})}, timeout=60, check=False, **given
    )
    return Run(done.returncode, *((data or b"").decode(encoding) for data in (done.stdout, done.stderr)))


def told(run: Run) -> str:
    """The one message of a run that was refused; AssertionError unless it was refused as it should be."""
    assert run.code == 2, run
    assert not run.out, run
    assert "Traceback" not in run.err and "fault of the program" not in run.err, run
    assert len(run.err.strip().splitlines()) == 1 and run.err.startswith("mha-tutor: "), run
    return run.err


REFUSED: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "heads do not divide": (("--heads", "5"), ("5 heads", "d_model = 12", "1, 2, 3, 4, 6, 12")),
    "no heads": (("--heads", "0"), ("0 heads", "1, 2, 3, 4, 6, 12")),
    "negative heads": (("--heads", "-3"), ("-3 heads", "1, 2, 3, 4, 6, 12")),
    "heads of fixed width": (("--example", "narrow", "--heads", "2"), ("2 heads", "--heads 3")),
    "unknown stage": (("--stage", "sofmax"), ("'sofmax'", "Did you mean 'softmax'", "embed, project, dots")),
    "stage of another walk": (("--stage", "mask"), ("'mask'", "not part of this walk", "embed, project")),
    "unknown token": (("--token", "zebra"), ("'zebra'", "7 it, 8 was")),
    "token number": (("--token", "10"), ("'10'", "9 tired")),
    "token number 0": (("--token", "0"), ("'0'", "1 The")),
    "unknown example": (("--example", "robto"), ("'robto'", "Did you mean 'robot'", "by-hand, random")),
    "unknown format": (("--format", "jsn"), ("'jsn'", "Did you mean 'json'", "text, plain, json")),
    "unknown theme": (("--theme", "drak"), ("'drak'", "Did you mean 'dark'", "projector-dark, mono")),
    "too many decimals": (("--decimals", "99"), ("99", "0 to 12")),
    "negative decimals": (("--decimals", "-1"), ("-1", "0 to 12")),
    "too narrow": (("--width", "5"), ("5", "20 to 10000")),
    "too wide": (("--width", "99999999999"), ("99999999999", "20 to 10000")),
    "no such head": (("--head", "9"), ("9", "1 to 3")),
    "head 0": (("--head", "0"), ("0", "1 to 3")),
    "one token": (("--sentence", "robot"), ("1 token", "2 to 16")),
    "no token": (("--sentence", " "), ("0 tokens", "2 to 16")),
    "too many tokens": (("--sentence", "a " * 40), ("40 tokens", "2 to 16")),
    "no table of words": (("--example", "by-hand", "--sentence", "two words"), ("by-hand", "[words]")),
    "no token to ask": (("--memory", " "), ("The text of --memory has 0 tokens", "2 to 16")),
    "negative seed": (("--example", "random", "--seed", "-1"), ("-1", "0")),
    "no time": (("--auto", "0"), ("0", "0.1 to 3600")),
    "time that is none": (("--auto", "nan"), ("nan", "0.1 to 3600")),
    "endless time": (("--auto", "inf"), ("inf", "0.1 to 3600")),
}


@pytest.mark.parametrize("command", [("cost",), ("course", "list"), ("decode",), ("compare",)], ids=" ".join)
def test_every_command_refuses_a_width_that_it_cannot_draw(inside: Inside, command: tuple[str, ...]) -> None:
    message = told(inside(*command, "--width", "3"))
    assert "--width 3" in message and "20 to 10000" in message


def test_the_cost_page_refuses_a_theme_that_there_is_not(inside: Inside) -> None:
    message = told(inside("cost", "--theme", "drak"))
    assert "'drak'" in message and "Did you mean 'dark'" in message


@pytest.mark.parametrize("command", [("cost",), ("course", "list")], ids=" ".join)
def test_pages_of_counts_and_of_text_need_no_numpy(command: tuple[str, ...]) -> None:
    code = (
        f"import sys; from mha_tutor.cli import main; sys.argv = ['mha-tutor', *{command!r}]\n"
        "try:\n    main()\nexcept SystemExit as end:\n    assert not end.code\n"
        "sys.exit('numpy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.DEVNULL, check=False)
    assert done.returncode == 0, "numpy was loaded"


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_used_is_refused_in_one_line_that_says_what_can(inside: Inside, case: str) -> None:
    arguments, words = REFUSED[case]
    message = told(inside("step", *arguments))
    missing = [word for word in words if word not in message]
    assert not missing, f"{missing} not in: {message}"


def lines_of(**changes: str) -> str:
    """A small example file; a change replaces the line of that name."""
    lines = {
        "name": 'name = "mine"',
        "tokens": 'tokens = ["a", "b"]',
        "heads": "heads = 1",
        "features": 'features = ["x", "y"]',
        **{key: f"{key} = [[1, 0], [0, 1]]" for key in ("X", "W_Q", "W_K", "W_V", "W_O")},
        **changes,
    }
    return "\n".join(lines.values()) + "\n"


FILES: dict[str, tuple[bytes, tuple[str, ...]]] = {
    "wrong shape": (lines_of(W_Q="W_Q = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]").encode(), ("W_Q", "3 x 3", "2")),
    "ragged": (lines_of(X="X = [[1, 0], [1]]").encode(), ("X", "row 2")),
    "not a number": (lines_of(X="X = [[1, nan], [0, 1]]").encode(), ("X", "row 1", "nan")),
    "infinity": (lines_of(W_O="W_O = [[1, 0], [0, -inf]]").encode(), ("W_O", "row 2", "inf")),
    "words for numbers": (lines_of(W_V='W_V = [["a", "b"], ["c", "d"]]').encode(), ("W_V", "number")),
    "too many tokens": (lines_of(tokens=f"tokens = {['t'] * 40}").encode(), ("40", "2 to 16")),
    "no tokens": (lines_of(tokens="tokens = []").encode(), ("0", "2 to 16")),
    "missing matrix": (lines_of(W_K="").encode(), ("W_K",)),
    "not TOML": (b"tokens = [", ("TOML",)),
    "empty": (b"", ("mine.toml",)),
    "binary": (bytes(range(256)) * 20, ("UTF-8", "TOML")),
}


@pytest.mark.parametrize("case", FILES)
def test_a_file_that_cannot_be_used_is_refused_in_one_line(inside: Inside, tmp_path: Path, case: str) -> None:
    data, words = FILES[case]
    path = tmp_path / "mine.toml"
    path.write_bytes(data)
    message = told(inside("step", "--example", str(path)))
    missing = [word for word in (*words, "mine.toml") if word not in message]
    assert not missing, f"{missing} not in: {message}"


def test_what_is_no_file_is_refused_in_one_line(inside: Inside, tmp_path: Path) -> None:
    assert "directory" in told(inside("step", "--example", str(tmp_path)))
    assert "No such file" in told(inside("step", "--example", str(tmp_path / "gone.json")))
    locked = tmp_path / "locked.toml"
    locked.touch(mode=0o000)
    if not os.access(locked, os.R_OK):
        assert "ermission" in told(inside("step", "--example", str(locked)))


def test_a_good_file_is_walked(inside: Inside, tmp_path: Path) -> None:
    path = tmp_path / "a folder named é.toml"
    path.write_text(lines_of(), encoding="utf-8")
    run = inside("step", "--example", str(path), "--stage", "embed")
    assert run.code == 0 and "example mine" in run.out and not run.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("stpe",), ("stpe", "Did you mean", "step")),
        (("step", "--haeds", "3"), ("--haeds", "--heads")),
        (("step", "--heads", "three"), ("--heads", "'three'", "int")),
        (("step", "--heads"), ("--heads", "argument")),
        (("step", "surplus"), ("surplus",)),
    ],
)
def test_a_misspelt_command_or_option_gets_a_hint_c22(
    inside: Inside, arguments: tuple[str, ...], words: tuple[str, ...]
) -> None:
    run = inside(*arguments)
    assert run.code == 2 and not run.out and "Traceback" not in run.err
    assert all(word in run.err for word in words), run.err


def test_a_negative_number_is_taken_where_one_makes_sense_c19(inside: Inside) -> None:
    run = inside("step", "--set", "X[it, noun]=-0.5", "--stage", "embed", "--token", "it")
    assert run.code == 0 and "-0.5" in run.out
    assert inside("step", "-0.5").code == 2


def test_an_error_inside_the_program_is_one_line_c20(inside: Inside, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("[/broken] on purpose")

    monkeypatch.setattr("mha_tutor.cli.lists.print_stages", broken)
    run = inside("stages")
    assert run.code == 1 and not run.out
    assert "RuntimeError: [/broken] on purpose" in run.err and "fault of the program" in run.err
    assert len(run.err.splitlines()) == 1 and "│" not in run.err
    monkeypatch.setenv("MHA_TUTOR_DEBUG", "1")
    monkeypatch.setattr(sys, "argv", ["mha-tutor", "stages"])
    with pytest.raises(RuntimeError, match="on purpose"):
        main()


def test_ctrl_c_is_130_and_says_nothing(inside: Inside, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("mha_tutor.cli.lists.print_stages", interrupted)
    assert inside("stages").code == 130


def test_the_version_is_printed() -> None:
    assert outside("--version") == (0, f"mha-tutor {mha_tutor.__version__}\n", "")


def test_help_shows_option_names_whole_when_narrow_c21() -> None:
    run = outside("step", "--help", env={"COLUMNS": "30"})
    assert run.code == 0 and not run.err
    for option in ("--heads", "--example", "--sentence", "--stage", "--format", "--theme", "--decimals"):
        assert re.search(rf"^ +{option}\b", run.out, re.MULTILINE), run.out
    assert "Example:" in run.out and "\x1b" not in run.out


@pytest.mark.parametrize("command", ["step", "example", "stages", "cost"])
def test_every_command_has_an_example_that_works(inside: Inside, command: str) -> None:
    run = inside(command, "--help")
    found = re.search(r"Example: +mha-tutor ([^>\n]+)", run.out)
    assert run.code == 0 and found, run.out
    assert inside(*found[1].split()).code == 0


def test_everything_is_printed_when_there_is_no_terminal() -> None:
    run = outside("step", "--heads", "3")
    assert run.code == 0 and not run.err
    pages = re.findall(r" (\d+)/11$", run.out, re.MULTILINE)
    assert pages == [str(number) for number in range(1, 12)]
    assert "\x1b" not in run.out and "\r" not in run.out
    assert max(map(cell_len, run.out.splitlines())) == 80, "C07: one known width"


@posix
def test_a_reader_who_has_seen_enough_ends_it_quietly() -> None:
    for arguments in ("step", "step --format json", "--help"):
        command = f"'{sys.executable}' -m mha_tutor {arguments} | head -c 10; echo ${{PIPESTATUS[0]}}"
        done = subprocess.run(
            ["bash", "-c", command], capture_output=True, text=True, timeout=60, check=False
        )
        assert done.stdout[10:].strip() == "0" and not done.stderr, (arguments, done)


@posix
def test_closed_streams_are_no_fault() -> None:
    for closed, empty in (("<&-", False), (">&-", True), ("</dev/null", False)):
        command = f"exec '{sys.executable}' -m mha_tutor step --stage dots {closed}"
        done = subprocess.run(
            ["bash", "-c", command], capture_output=True, text=True, timeout=60, check=False
        )
        assert done.returncode == 0 and not done.stderr, (closed, done)
        assert (not done.stdout) == empty


def escapes(text: str) -> set[str]:
    return {code for codes in re.findall(r"\x1b\[([0-9;]*)m", text) for code in codes.split(";")}


def has_colours(text: str) -> bool:
    return any(re.fullmatch(r"(3|4|9|10)[0-9]", code) for code in escapes(text))


DOTS = ("step", "--stage", "dots")


@pytest.mark.parametrize(
    ("env", "styled", "coloured"),
    [
        ({}, False, False),
        ({"FORCE_COLOR": "1"}, True, True),
        ({"FORCE_COLOR": "3", "COLORTERM": "truecolor"}, True, True),
        ({"FORCE_COLOR": "0"}, False, False),
        ({"FORCE_COLOR": ""}, False, False),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, True, False),
        ({"FORCE_COLOR": "1", "NO_COLOR": ""}, True, True),
        ({"NO_COLOR": "1"}, False, False),
        ({"TERM": "dumb"}, False, False),
    ],
    ids=str,
)
def test_colour_is_as_the_environment_asks_c10(env: dict[str, str], styled: bool, coloured: bool) -> None:
    run = outside(*DOTS, env=env)
    assert run.code == 0
    assert (bool(escapes(run.out)), has_colours(run.out)) == (styled, coloured)


def test_without_colour_every_meaning_is_in_words_and_signs_c10() -> None:
    plain = outside("step", "--stage", "softmax", "--head", "2", "--token", "it").out
    assert re.search(r"^>7 it ", plain, re.MULTILINE), "the chosen row is marked"
    assert "[weights]" in plain and "head 2 of 3" in plain and "weights_2" in plain


@pytest.mark.parametrize("width", [20, 40, 120])
def test_the_width_follows_columns_even_on_a_dumb_terminal_c03_c08(width: int) -> None:
    run = outside(*DOTS, env={"COLUMNS": str(width), "TERM": "dumb"})
    lines = run.out.splitlines()
    assert max(map(cell_len, lines)) == width and "…" not in run.out
    assert "─" * width in lines


def test_the_width_can_be_chosen() -> None:
    assert max(map(cell_len, outside(*DOTS, "--width", "33").out.splitlines())) == 33
    assert outside(*DOTS, env={"COLUMNS": "²"}).code == 0
    huge = outside(*DOTS, env={"COLUMNS": "99999999999"})
    assert huge.code == 0 and len(huge.out) < 10_000_000


ODD = "机器人 🤖 é √ carried [CLS] A[i]"


@pytest.mark.parametrize(
    ("env", "encoding"),
    [
        ({"PYTHONIOENCODING": "ascii"}, "ascii"),
        ({"PYTHONIOENCODING": "ascii:strict"}, "ascii"),
        ({"PYTHONIOENCODING": "cp1252"}, "cp1252"),
        ({"PYTHONIOENCODING": "cp1252:strict"}, "cp1252"),
        ({"PYTHONIOENCODING": "cp437:strict"}, "cp437"),
        ({"PYTHONIOENCODING": "utf-16"}, "utf-16"),
        ({"LC_ALL": "C"}, "utf-8"),
        ({"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, "ascii"),
    ],
    ids=str,
)
def test_an_output_without_the_characters_gets_others_c15(env: dict[str, str], encoding: str) -> None:
    typed = env.get("PYTHONUTF8") != "0"  # else what is typed cannot be read either
    for format in ("text", "plain") if "strict" in str(env) else ("text",):
        arguments = ("step", "--stage", "heads", "--format", format)
        if typed:
            arguments = (*arguments, "--sentence", ODD)
        run = outside(*arguments, env=env, encoding=encoding)
        assert run.code == 0 and not run.err, run
        assert "carried" in run.out and run.out.count("head 1") >= 1
        if typed:
            assert "[CLS]" in run.out and "[i]" in run.out
            assert ("é" in run.out) == (encoding != "ascii")


@pytest.mark.parametrize("encoding", ["ascii", "cp1252:strict"])
def test_a_message_without_the_characters_gets_others_c15(encoding: str) -> None:
    refused = outside("step", "--token", "√é", env={"PYTHONIOENCODING": encoding}, encoding="cp1252")
    assert refused.code == 2 and "Traceback" not in refused.err and "is not in the sentence" in refused.err


def test_accessible_gives_linear_text_c12() -> None:
    run = outside(*DOTS, env={"ACCESSIBLE": "1", "FORCE_COLOR": "1"})
    assert run.code == 0 and "from it, to robot, " in run.out
    assert not set(run.out) & set("─│█▏\x1b") and run.out.isascii()
    assert run.out == outside(*DOTS, "--format", "plain").out


@pytest.mark.parametrize("name", ["robot", "by-hand", "random", "narrow"])
def test_json_has_every_number_exactly(inside: Inside, name: str) -> None:
    run = inside("step", "--example", name, "--format", "json")
    assert run.code == 0 and not run.err
    data = json.loads(run.out)
    trace = walk(find(name))
    assert data == trace.as_json() == json.loads(json.dumps(data))
    for tensor in trace.tensors:
        assert np.array_equal(np.array(data["tensors"][tensor.name]["values"]), tensor.values)


def test_json_is_the_whole_walk_whatever_page_was_asked_for(inside: Inside) -> None:
    whole = inside("step", "--format", "json").out
    assert inside("step", "--format", "json", "--stage", "mix", "--head", "2", "--width", "30").out == whole
    masked = json.loads(inside("step", "--causal", "--format", "json").out)
    assert masked["tensors"]["masked"]["values"][0][0][1] is None


def test_json_keeps_every_character_whatever_the_output_can_carry() -> None:
    arguments = ("step", "--format", "json", "--sentence", "é 机器人 was")
    run = outside(*arguments, env={"PYTHONIOENCODING": "cp1252"}, encoding="cp1252")
    assert json.loads(run.out)["tokens"] == ["é", "机器人", "was"]


def test_the_program_is_the_same_as_a_module_and_as_a_script() -> None:
    script = Path(sys.executable).with_name("mha-tutor")
    if not script.exists():
        pytest.skip("mha-tutor is not installed beside this Python")
    done = subprocess.run([script, "stages"], capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout == outside("stages").out


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_printed_for_a_named_shell_c23(shell: str) -> None:
    run = outside(env={"_MHA_TUTOR_COMPLETE": f"source_{shell}"}, encoding="utf-8", **as_script())
    assert run.code == 0 and "mha-tutor" in run.out and "Traceback" not in run.err


def as_script() -> dict[str, Any]:
    """Completion asks for the program by its own name, as the script has it."""
    script = Path(sys.executable).with_name("mha-tutor")
    if not script.exists():
        pytest.skip("mha-tutor is not installed beside this Python")
    return {"executable": str(script)}


@posix
def test_completion_without_a_shell_is_no_crash_c23() -> None:
    env = {"HOME": "/nowhere", "PATH": os.environ["PATH"]}
    done = subprocess.run(
        [*PROGRAM, "--show-completion"], env=env, capture_output=True, text=True, timeout=60, check=False,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert "Traceback" not in done.stderr
    assert done.returncode == 0 or done.stderr.strip(), "either a script or a reason"


@posix
def test_names_are_completed() -> None:
    env = {"_MHA_TUTOR_COMPLETE": "complete_bash", "COMP_CWORD": "3"}
    script = as_script()
    for words, expected in (
        ("mha-tutor step --example ro", ["robot"]),
        ("mha-tutor step --theme d", ["dark"]),
        ("mha-tutor step --stage s", ["scale", "softmax"]),
    ):
        run = outside(env={**env, "COMP_WORDS": words}, **script)
        assert run.out.split() == expected, run


def test_an_example_file_is_what_the_program_reads_back(inside: Inside, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(inside("example", "robot").out, encoding="utf-8")
    mine = json.loads(inside("step", "--example", str(path), "--format", "json").out)
    trace: Trace = walk(find("robot"))
    assert mine["tensors"] == trace.as_json()["tensors"]
