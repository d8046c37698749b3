"""`mha-tutor export`: files of every kind, and what is said where one cannot be written."""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
import subprocess
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mha_tutor.errors import InputError, WorkError
from mha_tutor.examples import Example, find
from mha_tutor.numbers import NumberForm
from mha_tutor.stages import walk
from mha_tutor.views.markdown import markdown, plain, prose
from mha_tutor.views.page import Band, Page, Table
from mha_tutor.views.pages import View, page, page_keys
from mha_tutor.views.svg import HEIGHT, WIDTH, slides
from mha_tutor.views.tex import escaped, latex, number, symbols

ROBOT = find("robot")
SVG = "{http://www.w3.org/2000/svg}"
NASTY = (
    "<script>",
    "&amp;",
    '"',
    "'",
    "[CLS]",
    "|",
    "||",
    "$x$",
    "_",
    "a_b",
    "\\",
    "\\\\",
    "`",
    "a`b",
    "🤖",
    "机器人",
)
NASTY += (
    "*b*",
    "~~",
    "#1",
    "%",
    "{",
    "}",
    "^",
    "--",
    "é",
    ":smile:",
    "@me",
    "-",
    "+",
    "1.",
    "\x1b[2J",
    "\u202e",
)


def run(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "mha_tutor", "export", *arguments],
        cwd=folder, capture_output=True, text=True, encoding="utf-8", check=False,
    )  # fmt: skip


def export(to: Path | str, *arguments: str) -> str:
    """Run the command in this process; what it printed."""
    import io
    from typing import cast

    from mha_tutor.choose import WalkOptions
    from mha_tutor.cli.book import ShowOptions
    from mha_tutor.cli.export import ExportOptions, run_export
    from mha_tutor.cli.world import World

    given = dict(part.split("=", 1) for part in arguments if "=" in part)
    out = io.StringIO()
    walk_options = WalkOptions(example=given.get("example", "robot"))
    show = ShowOptions(
        head=int(given.get("head", 1)), token=given.get("token"), theme=given.get("theme", "auto")
    )
    options = ExportOptions(str(to), walk_options, show, given.get("stage"), "force" in arguments)
    run_export(options, World(io.StringIO(), cast("io.TextIOWrapper", out), {}))
    return out.getvalue()


def pages(example: Example = ROBOT, heads: int | None = None, head: int = 0) -> list[Page]:
    trace = walk(example, heads=heads)
    return [page(key, trace, example, View(head, 0, 2)) for key in page_keys(trace)]


def with_tokens(tokens: tuple[str, ...]) -> Example:
    rows = np.random.default_rng(0).integers(-2, 3, (len(tokens), 12)) / 2.0
    return replace(ROBOT, tokens=tokens, X=rows, start=None)


@pytest.mark.parametrize("ending", ["html", "svg", "md", "json", "tex"])
def test_every_kind_is_written_and_told(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"walk.{ending}"
    said = export(path)
    text = path.read_text(encoding="utf-8")
    assert said == f"Wrote {path}: {len(text.encode()):,} bytes ({len(text.encode()) / 1024:.1f} KiB).\n"
    assert "robot" in text and text.endswith("\n")
    assert [p.name for p in tmp_path.iterdir()] == [path.name]
    before = path.read_bytes()
    export(path, "force")
    assert path.read_bytes() == before


def test_the_command(tmp_path: Path) -> None:
    done = run(
        "--to", "w.md", "--heads", "3", "--stage", "softmax", "--head", "2", "--token", "it", folder=tmp_path
    )
    assert (done.returncode, done.stderr) == (0, "") and done.stdout.startswith("Wrote w.md: ")
    text = (tmp_path / "w.md").read_text(encoding="utf-8")
    assert "## Softmax: every token spends one budget (head 2 of 3)" in text and "## All heads" in text
    assert "## Projection" not in text
    again = run("--to", "w.md", folder=tmp_path)
    assert again.returncode == 2 and again.stdout == ""
    assert again.stderr == "mha-tutor: --to 'w.md' is there already. Add --force to overwrite it.\n"
    assert (tmp_path / "w.md").read_text(encoding="utf-8") == text
    missing = run("--to", "no/such/w.md", folder=tmp_path)
    assert missing.returncode == 1 and len(missing.stderr.splitlines()) == 1
    assert "no folder 'no/such'" in missing.stderr
    wrong = run("--to", "w.pdf", folder=tmp_path)
    assert wrong.returncode == 2 and ".html, .svg, .md, .json, .tex" in wrong.stderr


@pytest.mark.parametrize("name", ["walk", "walk.", ".html", "walk.pdf", "walk.html.zip"])
def test_an_unknown_ending_is_told_with_those_there_are(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"Choose one of \.html, \.svg, \.md, \.json, \.tex"):
        export(tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_a_folder_is_never_overwritten(tmp_path: Path) -> None:
    (tmp_path / "walk.html").mkdir()
    with pytest.raises(InputError, match="already"):
        export(tmp_path / "walk.html")
    with pytest.raises(WorkError, match="is a folder"):
        export(tmp_path / "walk.html", "force")


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_to(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(WorkError, match=r"cannot be written: Permission denied\."):
        export(tmp_path / "walk.md")


def test_a_write_that_fails_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "walk.md"
    path.write_text("mine", encoding="utf-8")

    def full(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(WorkError, match="No space left on device"):
        export(path, "force")
    assert path.read_text(encoding="utf-8") == "mine" and len(list(tmp_path.iterdir())) == 1


@pytest.mark.skipif(os.name == "nt", reason="no links or modes as on Unix")
def test_a_link_keeps_pointing_and_a_file_gets_the_usual_rights(tmp_path: Path) -> None:
    target, link = tmp_path / "real.md", tmp_path / "link.md"
    link.symlink_to(target)
    with pytest.raises(InputError, match="already"):
        export(link)
    export(link, "force")
    assert link.is_symlink() and target.is_file()
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE(target.stat().st_mode) == 0o666 & ~mask


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["stage=nonsense"], "--stage 'nonsense' is not known"),
        (["stage=mask"], "not part of this walk"),
        (["head=4"], "choose from 1 to 3"),
        (["token=robots"], "--token 'robots' is not in the sentence"),
        (["theme=pink"], "--theme 'pink' is not known"),
        (["example=robto"], "Did you mean 'robot'"),
    ],
)
def test_an_option_that_does_not_fit_writes_nothing(
    arguments: list[str], message: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        export(tmp_path / "walk.html", *arguments)
    assert not list(tmp_path.iterdir())


def test_json_is_the_whole_trace_whatever_the_stage(tmp_path: Path) -> None:
    export(tmp_path / "w.json", "stage=softmax")
    data = json.loads((tmp_path / "w.json").read_text(encoding="utf-8"))
    assert data == json.loads(json.dumps(walk(ROBOT).as_json()))


# SVG


def texts_of(svg: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(svg).iter(f"{SVG}text")]


def test_one_stage_is_one_slide_and_the_walk_one_a_page(tmp_path: Path) -> None:
    export(tmp_path / "one.svg", "stage=softmax")
    export(tmp_path / "all.svg")
    one, every = (ET.parse(tmp_path / name).getroot() for name in ("one.svg", "all.svg"))
    assert one.get("viewBox") == "0 0 1280 720" and one.get("width") == "1280"
    assert every.get("viewBox") == f"0 0 1280 {720 * len(page_keys(walk(ROBOT)))}"
    assert WIDTH / HEIGHT == 16 / 9


@pytest.mark.parametrize("theme", ["light", "dark", "mono"])
@pytest.mark.parametrize("heads", [1, 3, 12])
def test_a_slide_has_its_tables_numbers_as_text_inside_the_frame(heads: int, theme: str) -> None:
    trace = walk(ROBOT, heads=heads)
    for found in pages(heads=heads):
        svg = slides([found], "robot", theme=theme)
        root = ET.fromstring(svg)
        written = texts_of(svg)
        form = {"softmax": "weights", "output": "output", "embed": "X"}.get(found.key)
        if form:
            values = trace[form].values
            values = values[0] if values.ndim == 3 else values
            (band,) = [b for b in bands(found) if b.title.startswith(form)]
            for x in values.ravel().tolist():
                assert band.form(x) in written
        for element in [*root.iter(f"{SVG}rect"), *root.iter(f"{SVG}text")]:
            x, y = float(element.get("x", 0)), float(element.get("y", 0))
            assert 0 <= x <= WIDTH and 0 <= y <= HEIGHT
            right = x + float(element.get("width", 0))
            if element.text and element.get("text-anchor") is None:
                right += 0.602 * float(element.get("font-size", 0)) * len(element.text)
            assert right <= WIDTH + 1, element.text
        ids = [element.get("id") for element in root.iter() if element.get("id")]
        assert len(ids) == len(set(ids))


def bands(found: Page) -> list[Band]:
    tables = [b for b in found.blocks if isinstance(b, Table)]
    tables += [t for b in found.blocks if hasattr(b, "options") for t in b.options[-1]]
    return [band for table in tables for band in table.bands][:1]


def test_a_slide_names_nothing_outside() -> None:
    svg = slides(pages(), "robot").replace('xmlns="http://www.w3.org/2000/svg"', "")
    for outside in ("http", "//", "url(", "@import", "href", "<image", "@font-face", "<style"):
        assert outside not in svg
    assert slides(pages(), "robot") == slides(pages(), "robot")


def test_no_digit_is_covered_by_the_next_cell() -> None:
    example = find("robot")
    trace = walk(example, allowed=np.tri(9, dtype=bool))
    svg = slides([page("mask", trace, example, View(0, 6, 2))], "robot")
    cells, places = [], []
    for element in ET.fromstring(svg).iter():
        if element.tag == f"{SVG}rect":
            cells.append(
                (float(element.get("x", 0)), float(element.get("width", 0)), float(element.get("y", 0)))
            )
        elif element.tag == f"{SVG}text" and element.text == "-inf":
            places.append((float(element.get("x", 0)), cells[-1]))
    assert len(places) == 36
    assert all(left <= end - 4 and end <= left + width for end, (left, width, _) in places)


# Markdown and LaTeX


def test_markdown_tables_have_the_numbers_of_the_walk() -> None:
    trace = walk(ROBOT)
    text = markdown(pages(), "robot")
    table = text.split("**weights_1**, to (is asked)\n\n")[1].split("\n\n")[0].splitlines()
    assert table[0] == "| from (asks) | " + " | ".join(ROBOT.tokens) + " |"
    rows = [[cell.strip(" *") for cell in line.strip("|").split("|")] for line in table[2:]]
    expected = [[f"{x:.2f}" for x in row] for row in trace["weights"].values[0].tolist()]
    assert [row[1:] for row in rows] == expected
    assert rows[0][0] == "▸ 1 The" and table[2].startswith("| **▸ 1 The** |")


def cells(line: str) -> list[str]:
    """A row of a Markdown table, cut where GitHub cuts it: at every bar without a backslash."""
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


token = st.one_of(
    st.sampled_from(NASTY), st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6)
)


@settings(max_examples=40, deadline=None)
@given(st.lists(token, min_size=2, max_size=4))
def test_any_token_leaves_markdown_tables_whole(tokens: list[str]) -> None:
    example = with_tokens(tuple(tokens))
    text = markdown(pages(example, heads=2), "robot")
    for block in re.split(r"\n\s*\n", text):
        lines = block.splitlines()
        if len(lines) > 1 and set(lines[1]) <= set("|:-"):
            assert len({len(cells(line)) for line in lines}) == 1, block
    assert "<script" not in text


@pytest.mark.parametrize("text", NASTY)
def test_markdown_reads_back_as_what_was_written(text: str) -> None:
    shown = re.sub(r"\\([\\`*_{}\[\]#|~$:+-])", r"\1", plain(text))
    shown = shown.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
    assert shown == "".join(c if c.isprintable() else "?" for c in text)
    assert "`$" not in prose(f"`{text}`") and "$`" not in prose(f"`{text}`").replace("\\$\\`", "")


def test_latex_escapes_every_active_character() -> None:
    assert escaped("50% of $x_1 & #{a}~^\\") == (
        r"50\% of \$x\_1 \& \#\{a\}\textasciitilde{}\textasciicircum{}\textbackslash{}"
    )
    assert escaped("é 🤖 机") == r"é \mhachar{1F916} \mhachar{673A}"
    assert escaped("[CLS]*") == "{[}CLS{]}{*}"
    assert escaped("a\x00b\n") == "a?b?"
    assert symbols("W_2^Q reads `a_b`; d_model, output") == (
        r"$W_{2}^{Q}$ reads \texttt{a\_b}; $d_{\mathrm{model}}$, output"
    )
    assert [number(x) for x in ("-0.3", "-inf", "1.5e+07")] == ["$-0.3$", r"$-\infty$", r"$1.5\cdot 10^{7}$"]


@settings(max_examples=40, deadline=None)
@given(st.lists(token, min_size=2, max_size=4))
def test_any_token_leaves_latex_balanced(tokens: list[str]) -> None:
    text = latex(pages(with_tokens(tuple(tokens)), heads=2), "robot")
    bare = re.sub(r"\\[\\{}$&%#_]", "", text)
    assert bare.count("{") == bare.count("}") and bare.count("$") % 2 == 0
    assert all(c.isascii() or "À" <= c <= "ÿ" for c in text)
    for environment in ("tabular", "bmatrix"):
        assert text.count(f"\\begin{{{environment}}}") == text.count(f"\\end{{{environment}}}") > 0
    body = re.search(r"\\begin\{tabular\}\{l((?:\|r+)+)\}\n(.*?)\\end\{tabular\}", bare, re.DOTALL)
    assert body is not None


def test_latex_has_each_matrix_once_on_a_page_as_a_bmatrix() -> None:
    found = pages()[1]
    text = latex([found], "robot")
    assert [text.count(f"{name} = \\begin{{bmatrix}}") for name in ("$Q_{1}", "$K_{1}", "$W_{1}^{Q}")] == [
        1,
        1,
        1,
    ]


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="there is no LaTeX on this machine")
def test_latex_compiles(tmp_path: Path) -> None:
    text = latex(pages(with_tokens(NASTY[:16]), heads=3), "robot <&%$#_>")
    (tmp_path / "w.tex").write_text(text, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "w.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout.decode("latin-1")[-2000:]


def test_what_changed_is_said_in_every_kind() -> None:
    band = Band("A", 0, 2, NumberForm(1))
    table = Table("A", np.array([[1.0, 2.0]]), ("r",), ("1", "2"), (band,), old=np.array([[1.0, 3.0]]))
    found = [Page("key", "title", "source", (table,))]
    assert r"| r | 1.0 | \*2.0 (3.0) |" in markdown(found, "")
    assert "r & $1.0$ & *$2.0$ ($3.0$)" in latex(found, "")
    assert "*2.0" in texts_of(slides(found, ""))
