"""Pages as HTML: the numbers of the walk, valid markup, legible colours, and keys that turn pages."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from browser import CHROMIUM, Browser
from hypothesis import given, settings
from hypothesis import strategies as st
from markup import Node, numbers, read

from mha_tutor.attention import causal_mask
from mha_tutor.examples import Example, find
from mha_tutor.numbers import NumberForm, form_for
from mha_tutor.stages import walk
from mha_tutor.trace import Trace
from mha_tutor.views import colours
from mha_tutor.views.html import fragment, walk_document
from mha_tutor.views.html.dress import ByClass, Inline
from mha_tutor.views.html.sheet import style_sheet, variables
from mha_tutor.views.html.tables import table_html
from mha_tutor.views.page import Band, FirstFit, Page, Table
from mha_tutor.views.pages import PER_HEAD, View, page, page_keys

ROBOT = find("robot")
START = 6  # `it`
TAG = "<script>alert(1)</script>"
NASTY = (TAG, "&amp;", '"', "'", "[CLS]", "|", "$", "_", "\\", "🤖", "机器人", "`", "a`b")


def document(trace: Trace, example: Example, view: View, keys: list[str] | None = None) -> str:
    return walk_document(trace, lambda key, view: page(key, trace, example, view), view, keys=keys)


@pytest.fixture(scope="module")
def robot() -> str:
    return document(walk(ROBOT), ROBOT, View(1, START))


@pytest.fixture(scope="module")
def root(robot: str) -> Node:
    return read(robot)


def sections(root: Node) -> list[Node]:
    return root.all("section")


def tables_of(found: Page) -> list[Table]:
    tables: list[Table] = []
    for block in found.blocks:
        tables += [block] if isinstance(block, Table) else []
        tables += block.options[0] if isinstance(block, FirstFit) else []
    return tables


def in_sight(node: Node) -> list[Node]:
    """The tables that are not hidden."""
    if "hidden" in node.attributes:
        return []
    here = [node] if node.tag == "table" else []
    return here + [t for child in node.children if isinstance(child, Node) for t in in_sight(child)]


def expected(table: Table) -> list[list[str]]:
    forms = [band.form for band in table.bands for _ in range(band.start, band.stop)]
    return [
        ["" if x != x else form(x) for form, x in zip(forms, row, strict=True)]
        for row in table.values.tolist()
    ]


CASES = {
    "robot": (ROBOT, {}),
    "one head": (ROBOT, {"heads": 1}),
    "six heads": (ROBOT, {"heads": 6}),
    "causal": (ROBOT, {"allowed": causal_mask(9, 9)}),
    "shared": (ROBOT, {"kv_heads": 1}),
    "cross": (ROBOT, {"memory": ROBOT.with_sentence("The chef cooked the meal")}),
    "narrow": (find("narrow"), {}),
    "random": (find("random", seed=3), {}),
}


@pytest.mark.parametrize(("name", "decimals"), [*((name, 2) for name in CASES), ("robot", 5)])
def test_every_table_has_the_numbers_of_the_walk_as_the_page_writes_them(
    name: str, decimals: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mha_tutor.views.html.walk.MOST_CHOICES", 0)  # one token: a quarter of the markup
    example, options = CASES[name]
    trace = walk(example, **options)
    heads = trace.sizes["heads"]
    view = View(heads - 1, 1, decimals)
    root = read(document(trace, example, view))
    for key in page_keys(trace):
        per_head = key in PER_HEAD and heads > 1
        for head in range(heads) if per_head else [view.head]:
            drawn = in_sight(root.find("id", f"{key}-head-{head + 1}" if per_head else key))
            made = page(key, trace, example, View(head, 1, decimals))
            if key == "heads":
                form = form_for(trace["weights"].values, decimals)
                columns = trace["weights"].values[:, 1].T.tolist()
                assert [numbers(t) for t in drawn] == [[[form(w) for w in column] for column in columns]]
            else:
                assert [numbers(t) for t in drawn] == [expected(table) for table in tables_of(made)]


def test_the_weights_are_those_of_the_trace(root: Node) -> None:
    weights = walk(ROBOT)["weights"].values
    for h in range(3):
        (table,) = in_sight(root.find("id", f"softmax-head-{h + 1}"))
        shown = np.array([[float(text) for text in row[9:]] for row in numbers(table)])
        np.testing.assert_allclose(shown, weights[h], rtol=0, atol=0.005 + 1e-12)


def test_there_is_a_section_for_every_page_and_head_and_every_token_can_be_followed(root: Node) -> None:
    ids = [section.attributes["id"] for section in sections(root)]
    assert len(ids) == len(set(ids)) == 6 + 5 * 3
    assert ids[:4] == ["embed", "project-head-1", "project-head-2", "project-head-3"]
    for section in sections(root):
        following = [n for n in section.everything() if "data-for" in n.attributes]
        tokens = {t for n in following for t in n.attributes["data-for"].split()}
        assert tokens == set("012345678"), section.attributes["id"]
        shown = [n for n in following if "hidden" not in n.attributes]
        assert all(str(START) in n.attributes["data-for"].split() for n in shown)


@pytest.mark.parametrize("token", [0, 3, 8])
def test_what_is_shown_for_a_token_is_the_page_of_that_token(token: int) -> None:
    trace = walk(ROBOT)
    one = read(document(trace, ROBOT, View(1, token), keys=["mix", "softmax"]))
    other = read(document(trace, ROBOT, View(1, START), keys=["mix", "softmax"]))
    for place in ("mix-head-2", "softmax-head-2"):
        here, there = one.find("id", place), other.find("id", place)
        for node in there.everything():
            if "data-for" in node.attributes:
                node.attributes.pop("hidden", None)
                if str(token) not in node.attributes["data-for"].split():
                    node.attributes["hidden"] = ""
        assert [numbers(t) for t in in_sight(here)] == [numbers(t) for t in in_sight(there)]


def test_same_bytes_twice() -> None:
    view = View(1, START)
    assert document(walk(ROBOT), ROBOT, view) == document(walk(find("robot")), find("robot"), view)


def test_nothing_outside_the_file_is_named(robot: str) -> None:
    for outside in ("http", "//", "url(", "@import", "src=", "<link", "<img", "@font-face"):
        assert outside not in robot


def test_it_stays_below_500_kilobytes(robot: str) -> None:
    assert len(robot.encode()) < 500_000


def test_a_long_walk_follows_the_chosen_token_alone_and_stays_small() -> None:
    example = ROBOT.with_sentence(" ".join(["robot", "patient"] * 8))
    html = document(walk(example, heads=12), example, View(0, 3))
    root = read(html)
    assert not [n for n in root.everything() if "data-for" in n.attributes]
    assert not [n for n in root.all("button") if "data-token" in n.attributes]
    assert len(sections(root)) == 6 + 5 * 12 and len(html.encode()) < 1_000_000


def test_roles_and_names(root: Node) -> None:
    (html,) = root.all("html")
    assert html.attributes["lang"] == "en"
    ids = [n.attributes["id"] for n in root.everything() if "id" in n.attributes]
    assert len(ids) == len(set(ids))
    for section in sections(root):
        assert section.attributes["aria-labelledby"] in ids
    for link in root.all("a"):
        assert link.attributes["href"][1:] in ids
    for table in root.all("table"):
        assert len(table.all("caption")) == 1 and table.all("caption")[0].text()
        for heading in table.all("th"):
            assert heading.attributes["scope"] in {"row", "col", "colgroup"}
            assert heading.text().strip()
    for button in root.all("button"):
        assert button.attributes["type"] == "button"
    (select,) = root.all("select")
    assert [label for label in root.all("label") if select in label.everything()]


def test_rows_ask_and_columns_are_asked(root: Node) -> None:
    (table,) = in_sight(root.find("id", "softmax-head-2"))
    assert table.all("caption")[0].text() == "scores2, weights2. Rows: from (asks). Columns: to (is asked)."
    top, names = table.all("thead")[0].all("tr")
    assert [cell.text() for cell in top.all("th")] == ["scores2 to (is asked)", "weights2 to (is asked)"]
    assert [cell.text() for cell in names.all("th")] == ["from (asks)", *ROBOT.tokens, *ROBOT.tokens]


def test_the_chosen_row_is_marked_by_a_sign_and_bold_and_for_readers(root: Node) -> None:
    (table,) = in_sight(root.find("id", "softmax-head-2"))
    rows = table.all("tbody")[0].all("tr")
    (chosen,) = [row for row in rows if "chosen" in row.attributes.get("class", "")]
    assert chosen.all("th")[0].text() == "▸ 7 it"
    assert chosen.all("th")[0].attributes["aria-current"] == "true"
    assert "tr.chosen>*{font-weight:700}" in style_sheet()
    inline = table_html(tables_of(page("dots", walk(ROBOT), ROBOT, View(1, START)))[0], Inline())
    (row,) = [n for n in read(inline).all("tr") if n.text().startswith("▸")]
    assert "bold" in row.attributes["style"]


def relative(pairs: dict[str, str]) -> list[tuple[str, float]]:
    grounds = {"ground", "panel"}
    inks = {"ink", "muted", "accent"}
    found = [
        (f"{ink} on {ground}", colours.contrast(pairs[ink], pairs[ground]))
        for ink in inks
        for ground in grounds
    ]
    cells = [name for name in pairs if re.fullmatch(r"[wnsh]\d+", name)]
    return found + [(name, colours.contrast(pairs[name], pairs[f"{name}i"])) for name in cells]


@pytest.mark.parametrize("light", [True, False])
def test_every_text_stands_out_from_its_ground(light: bool) -> None:
    ratios = relative(variables(light=light))
    assert len(ratios) == 6 + 11 + 11 + 8
    assert [(name, ratio) for name, ratio in ratios if ratio < 4.5] == []


@pytest.mark.parametrize("light", [True, False])
def test_every_colour_of_a_notebook_brings_a_legible_ink(light: bool) -> None:
    html = fragment(page("mix", walk(ROBOT), ROBOT, View(1, START)), light=light)
    html += fragment(page("heads", walk(ROBOT), ROBOT, View(1, START)), light=light)
    pairs = set(re.findall(r"background-color:(#\w{6});color:(#\w{6})", html))
    assert len(pairs) > 10
    assert [pair for pair in pairs if colours.contrast(*pair) < 4.5] == []
    bare = re.sub(r"background-color:#\w{6};color:#\w{6}", "", html)
    assert not re.search(r"[^-]color:#", bare)


def test_the_style_sheet_knows_every_class_that_is_used(robot: str) -> None:
    sheet = style_sheet()
    used = {name for names in re.findall(r'class="([^"]*)"', robot) for name in names.split()}
    unknown = {name for name in used if not re.search(rf"\.{name}\b", sheet)}
    assert unknown <= {"tr", "for", "rows", "col"}, unknown


def with_tokens(tokens: list[str]) -> Example:
    rows = np.random.default_rng(0).integers(-2, 3, (len(tokens), 12)) / 2.0
    return replace(ROBOT, tokens=tuple(tokens), X=rows, start=None)


token = st.one_of(
    st.sampled_from(NASTY),
    st.text(st.characters(exclude_categories=["Cs", "Zs", "Zl", "Zp"]), min_size=1, max_size=8),
)


@settings(max_examples=25, deadline=None)
@given(st.lists(token, min_size=2, max_size=5))
def test_any_token_is_shown_as_text_and_the_page_stays_valid(tokens: list[str]) -> None:
    example = with_tokens(tokens)
    trace = walk(example, heads=2)
    html = document(trace, example, View(0, 0), ["embed", "softmax", "heads", "sum"])
    root = read(html)
    assert html.count("<script>") == 1
    (table,) = in_sight(root.find("id", "embed"))
    names = [row.all("th")[0].text() for row in table.all("tbody")[0].all("tr")]
    visible = ["".join(c if c.isprintable() or c in "\u200c\u200d" else "?" for c in t) for t in tokens]
    assert [name.removeprefix("▸ ").split(" ", 1)[1] for name in names] == visible
    read(fragment(page("mix", trace, example, View(0, 0))))


def test_a_changed_number_has_a_star_and_the_one_before_it() -> None:
    band = Band("A", 0, 2, NumberForm(1))
    table = Table("A", np.array([[1.0, 2.0]]), ("r",), ("1", "2"), (band,), old=np.array([[1.0, 3.0]]))
    changed = table._replace(marked=frozenset({(0, 0)}))
    (cells,) = numbers(read(table_html(changed, ByClass())))
    assert cells == ["1.0", "*2.03.0"]
    row = read(table_html(changed, ByClass()))
    assert row.all("del")[0].text() == "3.0" and row.all("mark")[0].text() == "1.0"


@pytest.mark.parametrize("module", ["mha_tutor.views.html", "mha_tutor.notebook", "mha_tutor.views.svg"])
def test_needs_numpy_alone(module: str) -> None:
    code = f"import sys, {module}; sys.exit(str({{'rich', 'typer', 'click'}} & set(sys.modules) or ''))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr.strip() == ""


needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on this machine")


@pytest.fixture(scope="module")
def opened(robot: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "walk.html"
    path.write_text(robot, encoding="utf-8")
    return path


@needs_chromium
def test_keys_turn_pages_heads_and_tokens(opened: Path) -> None:
    open_page = (
        "[...document.querySelectorAll('section.page')].filter(s => s.offsetParent).map(s => s.id).join()"
    )
    title = "document.activeElement.closest('section')?.id"
    with Browser(opened) as b:
        assert b.ask(open_page) == "embed"
        b.press("ArrowRight")
        assert b.ask(open_page) == "project-head-2" and b.ask("location.hash") == "#project-head-2"
        assert b.ask(title) == "project-head-2"
        b.press("h")
        assert b.ask(open_page) == "project-head-3"
        b.press("h")
        assert b.ask(open_page) == "project-head-1"
        b.press("H", shift=True)
        assert b.ask(open_page) == "project-head-3"
        b.press("5")
        assert b.ask(open_page) == "softmax-head-3"
        b.press("ArrowRight")
        assert b.ask(open_page) == "heads"
        b.press("ArrowLeft")
        b.press("ArrowLeft")
        assert b.ask(open_page) == "scale-head-3"
        b.press("t")
        marked = "document.querySelector('#scale-head-3 tr.chosen th').textContent"
        assert b.ask(marked) == "▸ 8 was"
        assert b.ask("document.querySelector('.sentence [aria-pressed=true]').textContent") == "was"
        parts = "[...document.querySelectorAll('#scale-head-3 .for')]"
        shown = f"{parts}.filter(d => d.offsetParent).map(d => d.dataset.for)"
        assert all("7" in names.split() for names in b.ask(shown))
        b.press("T", shift=True)
        assert b.ask(marked) == "▸ 7 it"
        assert b.ask("document.querySelectorAll('tr.chosen').length") == b.ask(
            "document.querySelectorAll('table[data-follow]').length"
        )
        b.press("1")
        b.press("ArrowLeft")
        assert b.ask(open_page) == "embed"
        b.press("9")
        b.press("ArrowRight")
        assert b.ask(open_page) == "after"


@needs_chromium
def test_buttons_and_links_do_the_same_and_a_list_keeps_its_keys(opened: Path) -> None:
    open_page = "document.querySelector('.page.open').id"
    with Browser(opened, width=400) as b:
        b.ask("document.querySelector('[data-turn=\"1\"]').click()")
        assert b.ask(open_page) == "project-head-2"
        b.ask("document.querySelector('.stages a[data-stage=\"5\"]').click()")
        assert b.ask(open_page) == "softmax-head-2"
        b.ask("document.querySelector('.heads [data-head=\"0\"]').click()")
        assert b.ask(open_page) == "softmax-head-1"
        assert b.ask("document.documentElement.scrollWidth") == 400
        b.ask("document.querySelector('#softmax-head-1 .scroll').focus()")
        b.press("ArrowRight")  # moves the table, which is wider than the page
        assert b.ask(open_page) == "softmax-head-1"
        b.ask("document.querySelector('select').focus()")
        b.press("h")
        assert b.ask(open_page) == "softmax-head-1"
        b.ask("document.activeElement.blur()")
        b.press("h")
        assert b.ask(open_page) == "softmax-head-2"


@needs_chromium
def test_without_a_script_every_page_stands_there(robot: str, tmp_path: Path) -> None:
    path = tmp_path / "plain.html"
    path.write_text(re.sub(r"<script>.*?</script>", "", robot, flags=re.DOTALL), encoding="utf-8")
    with Browser(path) as b:
        seen = "[...document.querySelectorAll('section.page')].filter(s => s.offsetParent).length"
        assert b.ask(seen) == 6 + 5 * 3
        assert (
            b.ask("[...document.querySelectorAll('button, select')].filter(s => s.offsetParent).length") == 0
        )
