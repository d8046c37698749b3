"""Every page of every walk: drawn whole, at any width, in any theme and encoding."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from rich.cells import cell_len
from rich.color import ColorSystem

from mha_tutor.attention import Array, causal_mask
from mha_tutor.examples import Example, find
from mha_tutor.numbers import NumberForm, form_for
from mha_tutor.stages import walk
from mha_tutor.trace import Trace
from mha_tutor.views.help import help_page
from mha_tutor.views.page import Band, FirstFit, Formula, HeadBars, Page, Ribbons, Table, Terms, Text
from mha_tutor.views.pages import View, page_keys
from mha_tutor.views.pages import page as page_of_key
from mha_tutor.views.plain import plain_lines
from mha_tutor.views.terminal.canvas import Canvas, Line, encoded, wrap
from mha_tutor.views.terminal.draw import drawn_body, page_lines
from mha_tutor.views.terminal.tables import Grid
from mha_tutor.views.terminal.theme import THEMES, Theme

ENCODINGS = ("utf-8", "ascii", "cp1252")
ODD_TOKENS = (
    "[CLS]", "[/s]", "A[i]", "[1,2]", ":robot:", "3:1", "机器人", "🤖", "é", "e\u0301", "👩\u200d💻", "🇫🇷",
    "\\", "{x}", "%s", "`", "'", "-0.5", "1e9", "naïve", "x" * 60, "한국어", "مرحبا", "·", "√", "the", "The",
)  # fmt: skip
PLAIN = Theme("mono", None)


@dataclass(frozen=True)
class Sight:
    """What a page is drawn on."""

    width: int
    theme: str = "mono"
    colors: ColorSystem | None = None
    encoding: str = "utf-8"
    spacious: bool = False

    @property
    def canvas(self) -> Canvas:
        theme = Theme(self.theme, self.colors)
        return Canvas(self.width, theme, self.encoding, None, self.spacious, 2 * self.spacious)


sights = st.builds(
    Sight,
    st.one_of(st.integers(20, 200), st.sampled_from([20, 21, 40, 80])),
    st.sampled_from(THEMES),
    st.sampled_from([None, *(ColorSystem.STANDARD, ColorSystem.EIGHT_BIT, ColorSystem.TRUECOLOR)]),
    st.sampled_from(ENCODINGS),
    st.booleans(),
)
tokens = st.one_of(
    st.sampled_from(ODD_TOKENS),
    st.text(
        st.characters(exclude_categories=["C", "Z"], exclude_characters="\u115f\u1160\u3164\uffa0"),
        min_size=1,
        max_size=8,
    ),
)


@st.composite
def examples(draw: st.DrawFn) -> Example:
    """A legal example of any size: large and tiny numbers, zeros, whole numbers, odd tokens."""
    heads, width = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    d = heads * width
    n = draw(st.integers(2, 16))
    magnitude = 10.0 ** draw(st.integers(-6, 8))
    chance = np.random.default_rng(draw(st.integers(0, 2**32)))
    kind = draw(st.sampled_from(["normal", "whole", "sparse", "zero"]))

    def matrix(rows: int, columns: int) -> Array:
        values = chance.normal(size=(rows, columns)) * magnitude
        if kind == "whole":
            return np.round(values)
        if kind == "sparse":
            return values * (chance.random((rows, columns)) < 0.3)
        return values * 0 if kind == "zero" else values

    named = draw(st.booleans())
    return Example(
        name=draw(st.sampled_from(["mine", "[bold]mine[/bold]"])),
        provenance=draw(st.sampled_from(["drawn for a test", "a[i] of [/x], " * 6])),
        tokens=tuple(draw(st.lists(tokens, min_size=n, max_size=n))),
        features=tuple(f"feature {j}" if named else str(j + 1) for j in range(d)),
        heads=heads,
        X=matrix(n, d),
        W_Q=matrix(d, d),
        W_K=matrix(d, d),
        W_V=matrix(d, d),
        W_O=matrix(d, d),
        built_by_hand=draw(st.booleans()),
    )


def text_of(lines: list[Line]) -> list[str]:
    return ["".join(segment.text for segment in line) for line in lines]


def bare(text: str) -> str:
    """Without any space, so that line breaks do not matter."""
    return "".join(text.split())


def tables_of(page: Page) -> Iterator[Table]:
    for block in page.blocks:
        if isinstance(block, Table):
            yield block
        elif isinstance(block, FirstFit):
            yield from (table for option in block.options for table in option)


def all_pages(trace: Trace, mine: Example, view: View) -> Iterator[Page]:
    for key in page_keys(trace):
        yield page_of_key(key, trace, mine, view)


def check_drawn(page: Page, sight: Sight) -> None:
    """The page is drawn whole: nothing wider than the canvas, no text or formula missing."""
    canvas = sight.canvas
    lines = text_of(page_lines(page, canvas))
    shown = "\n".join(lines)
    wide = [line for line in lines if cell_len(line) > sight.width]
    assert not wide, f"wider than {sight.width}: {wide}\n{shown}"
    shown.encode(sight.encoding)
    all_of_it = bare(shown)
    for block in page.blocks:
        parts: list[str] = []
        if isinstance(block, Text):
            parts = [block.text, block.label]
        elif isinstance(block, Formula):
            parts = [block.text, block.shapes]
        elif isinstance(block, Terms):
            parts = [part for row in block.rows for part in row]
        for part in parts:
            expected = bare(canvas.text_block(part))
            assert expected in all_of_it, f"missing: {part!r}\n{shown}"
    source = bare(canvas.text(page.source)).replace("-", "")
    assert source in all_of_it.replace("─", "").replace("-", ""), shown  # its rule goes on beside it
    for table in tables_of(page):
        check_table(table, canvas)


def check_table(table: Table, canvas: Canvas) -> None:
    """The numbers of a drawn table, read back by their places, are its values at their precision."""
    grid = Grid(table, canvas)
    lines = text_of(grid.lines())
    shown = "\n".join(lines)
    pieces = grid.pieces()
    assert [j for start, stop in pieces for j in range(start, stop)] == list(range(len(table.columns)))
    assert all(cell_len(line) <= canvas.width for line in lines), shown
    forms = [band.form for band in table.bands for _ in range(band.start, band.stop)]
    for number, (start, stop) in enumerate(pieces):
        window = text_of(Grid(table, canvas._replace(window=number)).lines())
        assert "\n".join(window) in shown, "a window is not a piece of the whole"
        tall = grid.needed[start] > grid.room
        found = tall_numbers(window, table, start) if tall else numbers_beside_names(window, table, grid)
        expected = [
            [forms[j](x) for j, x in enumerate(row) if start <= j < stop and x == x]
            for row in table.values.tolist()
        ]
        assert found == expected, f"{found}\nis not\n{expected}\n{shown}"


def numbers_beside_names(lines: list[str], table: Table, grid: Grid) -> list[list[str]]:
    """The numbers of each row of one piece, found as a reader does: right of the row's name."""
    drawn = [line for line in lines if line.strip() and set(line.strip()) not in ({"─"}, {"-"})]
    return [right_of(line, grid.names).split() for line in drawn[-len(table.rows) :]]


def is_no_rule(name: str) -> bool:
    """A row without numbers and with such a name could not be told from a rule."""
    return bool(set(name) - set("-─"))


def tall_numbers(lines: list[str], table: Table, column: int) -> list[list[str]]:
    """The numbers of one column, each in the line under its row's name."""
    empty = np.isnan(table.values[:, column]).tolist()
    drawn = iter(lines[-(2 * len(empty) - sum(empty)) :])
    found = []
    for gone in empty:
        next(drawn)  # the row's name
        found.append([] if gone else next(drawn).split())
    return found


def right_of(line: str, cells: int) -> str:
    """What stands right of so many cells."""
    for i in range(len(line) + 1):
        if cell_len(line[:i]) >= cells:
            return line[i:]
    return ""


# What a table says it shows, and where that stands in the trace.
SLICES: list[tuple[str, Callable[[Trace, re.Match[str]], NDArray[np.float64]]]] = [
    (r"(X|output|concat)", lambda trace, m: trace[m[1]].values),
    (r"W\^O", lambda trace, m: trace["W_O"].values),
    (r"(Q|K|V|dots|scores|masked|weights|mixed)_(\d+)", lambda trace, m: trace[m[1]].values[int(m[2]) - 1]),
    (r"W_(\d+)\^([QKV])", lambda trace, m: trace[f"W_{m[2]}"].values[int(m[1]) - 1]),
    (r"head (\d+)", lambda trace, m: trace["mixed"].values[int(m[1]) - 1]),
]


def check_values(page: Page, trace: Trace) -> int:
    """Tables named after a tensor hold exactly its numbers; how many such bands there were."""
    known = 0
    for table in tables_of(page):
        for band in table.bands:
            for pattern, part in SLICES:
                if (match := re.fullmatch(pattern, band.title)) and not table.total:
                    assert np.array_equal(table.values[:, band.start : band.stop], part(trace, match))
                    known += 1
    return known


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(examples(), sights, st.integers(0, 99), st.integers(0, 12), st.booleans())
def test_any_example_is_shown_whole_on_every_page(
    mine: Example, sight: Sight, choice: int, decimals: int, masked: bool
) -> None:
    n = len(mine.tokens)
    trace = walk(mine, allowed=causal_mask(n, n) if masked else None)
    view = View(choice % mine.heads, choice % n, decimals)
    for page in all_pages(trace, mine, view):
        check_drawn(page, sight)
        check_values(page, trace)
        assert all("\n" not in line for line in plain_lines(page))


@pytest.mark.parametrize(
    ("name", "width"),
    [(name, width) for name in ("robot", "by-hand", "narrow") for width in (20, 30, 40, 60, 80, 120, 200)]
    + [("trophy", 40), ("chef", 60), ("random", 80)],
)
def test_shipped_examples_are_whole_at_every_width(name: str, width: int) -> None:
    mine = find(name)
    trace = walk(mine)
    known = 0
    for head in range(trace.sizes["heads"]):
        for page in all_pages(trace, mine, View(head, len(mine.tokens) - 1)):
            check_drawn(page, Sight(width))
            known += check_values(page, trace)
    assert known >= 15 * trace.sizes["heads"], "tables are no longer named after what they show"


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("theme", THEMES)
def test_styles_change_no_character(theme: str, encoding: str) -> None:
    mine = find("robot")
    trace = walk(mine)
    for page in [*all_pages(trace, mine, View(1, 6)), help_page()]:
        for colors in (None, ColorSystem.STANDARD, ColorSystem.EIGHT_BIT, ColorSystem.TRUECOLOR):
            for line in page_lines(page, Sight(80, theme, colors, encoding).canvas):
                shown = encoded(line, colors, plain=False)
                stripped = re.sub(r"\x1b\[[0-9;]*m", "", shown)
                assert stripped == "".join(segment.text for segment in line)
                assert encoded(line, colors, plain=True) == stripped.rstrip()
                assert ("\x1b" in shown) <= any(segment.style for segment in line)
                if colors is None:
                    assert not re.search(r"\x1b\[[0-9;]*(3|4|9|10)\d[;m]", shown), "colour without colours"


def test_a_matrix_384_columns_wide_is_shown_whole_in_pieces() -> None:
    chance = np.random.default_rng(5)
    d = 384
    w_q, w_k, w_v, w_o = chance.normal(size=(4, d, d)) / d**0.5
    mine = Example(
        name="wide", provenance="drawn for a test", tokens=("a", "wide", "one"),
        features=tuple(str(j + 1) for j in range(d)), heads=6,
        X=chance.normal(size=(3, d)), W_Q=w_q, W_K=w_k, W_V=w_v, W_O=w_o,
    )  # fmt: skip
    trace = walk(mine)
    page = next(page for page in all_pages(trace, mine, View(2, 1)) if page.key == "embed")
    check_drawn(page, Sight(80))
    drawn = drawn_body(page, Sight(80).canvas._replace(window=3))
    shown = "\n".join(text_of(drawn.lines))
    titles = re.findall(r"X (\d+)-(\d+)/384", shown)
    assert len(titles) == 1, shown
    start, stop = map(int, titles[0])
    numbers = [form_for(trace["X"].values)(x) for x in trace["X"].values[1, start - 1 : stop]]
    assert " ".join(numbers) in " ".join(shown.split()), shown
    names = shown[shown.index("/384") :].split("\n")[1].split()
    assert names == [str(j) for j in range(start, stop + 1)], "the numbers of columns are whole too"
    assert drawn.pieces >= 384 // 12
    concat = page_of(trace, mine, "concat", View(2, 1))
    check_drawn(concat, Sight(200))


def page_of(trace: Trace, mine: Example, key: str, view: View | None = None) -> Page:
    return page_of_key(key, trace, mine, view or View(1, 6))


def test_names_that_look_like_markup_or_codes_stay_as_they_are() -> None:
    mine = find("robot").with_sentence("[CLS] A[i] [/s] :robot: 3:1 机器人 🤖 é robot")
    trace = walk(mine)
    for page in all_pages(trace, mine, View(0, 1)):
        shown = "\n".join(text_of(page_lines(page, Sight(120).canvas)))
        for token in ("[CLS]", "[/s]", "机器人", "🤖", "é"):
            if page.key in ("embed", "softmax", "heads", "mix"):
                assert token in shown, shown


def test_a_page_without_the_characters_uses_others() -> None:
    mine = find("robot")
    page = page_of(walk(mine), mine, "heads")
    shown = "\n".join(text_of(page_lines(page, Sight(80, encoding="ascii").canvas)))
    assert shown.isascii() and "?" not in shown, shown
    assert "0.92 ######" in shown, shown


CELLS = st.one_of(
    st.just(0.0),
    st.floats(-1e9, 1e9, allow_nan=False),
    st.integers(-9, 9).map(float),
    st.sampled_from([float("nan"), float("-inf"), 1e8, -1e8, 1e-6, 9999999.4, -0.001, 0.5]),
)


@settings(max_examples=60, deadline=None)
@given(
    st.data(),
    st.integers(1, 6),
    st.lists(st.integers(1, 9), min_size=1, max_size=4),
    sights,
    st.integers(0, 12),
)
def test_any_table_is_cut_into_whole_columns(
    data: st.DataObject, rows: int, widths: list[int], sight: Sight, decimals: int
) -> None:
    columns = sum(widths)
    values = np.array(data.draw(st.lists(CELLS, min_size=rows * columns, max_size=rows * columns)))
    values = values.reshape(rows, columns)
    bands, start = [], 0
    for i, width in enumerate(widths):
        form = form_for(values[:, start : start + width], decimals)
        bands.append(Band(f"band {i}", start, start + width, form, None if i % 2 else i, "signed", "axis"))
        start += width
    table = Table(
        title="",
        values=values,
        rows=tuple(data.draw(st.lists(tokens.filter(is_no_rule), min_size=rows, max_size=rows))),
        columns=tuple(data.draw(st.lists(tokens, min_size=columns, max_size=columns))),
        bands=tuple(bands),
        row_axis=data.draw(st.sampled_from(["", "from (asks)"])),
        chosen=data.draw(st.sampled_from([None, 0, rows - 1])),
        counted=data.draw(st.booleans()),
    )
    check_table(table, sight.canvas)


@given(st.floats(allow_nan=True, allow_infinity=True), st.integers(0, 12), st.booleans())
@example(-9999999.123456789, 12, False)
@example(99999.9999999999999, 12, False)
@example(-1.5e300, 12, True)
def test_no_number_is_wider_than_the_narrowest_page(x: float, decimals: int, exact: bool) -> None:
    form = NumberForm(decimals, exact)
    assert len(form(x)) <= 20 and form(x).strip() == form(x)
    assert len(form.aligned(x)) <= 21
    if abs(x) < 1e300:
        assert abs(form.rounded(x) - x) <= max(0.5000001 * 10.0**-decimals, abs(x) * 0.06)


@given(st.lists(st.floats(-1e12, 1e12), min_size=1, max_size=12), st.integers(0, 12))
def test_a_form_says_exact_only_where_nothing_is_lost(numbers: list[float], decimals: int) -> None:
    form = form_for(numbers, decimals)
    assert form.decimals <= decimals
    if form.exact:
        for x in numbers:
            if abs(x) < 1e4:
                assert abs(form.rounded(x) - x) <= 1e-8, (form, x)


def test_zero_is_written_0_and_what_is_only_small_is_not() -> None:
    form = form_for([0.0, 1e-5, 0.25, 0.123])
    assert [form(x) for x in (0.0, 1e-5, 0.25, 0.123, -0.001)] == ["0", "0.00", "0.25", "0.12", "0.00"]
    assert form_for([1.0, 0.5, 2.0])(0.5) == "0.5" and form_for([1.0, 2.0])(2.0) == "2"
    assert form_for([0.5, 1e-10])(1e-10) == "0.00", "a weight is never quite nothing"


@given(st.text(max_size=200), st.integers(1, 60))
def test_wrapping_loses_spaces_only_and_keeps_the_width(text: str, width: int) -> None:
    lines = wrap(text, width)
    assert bare("".join(lines)) == bare(text)
    assert all(cell_len(line) <= max(width, 2) for line in lines)


def test_a_digit_in_a_name_is_not_cut() -> None:
    names = tuple(f"head {i + 1}" for i in range(12))
    columns = tuple(str(j + 1) for j in range(120))
    bands = tuple(Band(f"Q_{j + 1}", j, j + 1, NumberForm(0, True)) for j in range(120))
    table = Table("", np.zeros((12, 120)), names, columns, bands)
    for width in (20, 30, 80):
        shown = "\n".join(text_of(Grid(table, Sight(width).canvas).lines()))
        words = shown.split()
        assert {f"Q_{j + 1}" for j in range(120)} | {str(j + 1) for j in range(120)} <= set(words), shown
        assert all(re.search(rf"^ he\S* {i + 1} ", shown, re.MULTILINE) for i in range(12)), shown


@pytest.mark.parametrize("width", [20, 40, 80, 200])
def test_the_help_page_is_whole(width: int) -> None:
    check_drawn(help_page(), Sight(width))


def test_plain_text_has_one_fact_a_line_and_no_ornament() -> None:
    mine = find("robot")
    trace = walk(mine)
    for page in [*all_pages(trace, mine, View(1, 6)), help_page()]:
        for line in plain_lines(page):
            assert not set(line) & set("─│█▏▎▍▌▋▊▉┃\x1b"), line
            assert "`" not in line or page.key != "help"
    lines = list(plain_lines(page_of(trace, mine, "softmax")))
    assert "head 2, from it, to robot, 0.92" in lines
    facts = [line for line in lines if line.startswith("head 2, from ")]
    assert len(facts) == 81 and len(set(facts)) == 81


def test_plain_text_tells_the_tokens_apart_that_read_the_same() -> None:
    mine = find("robot")
    trace = walk(mine.with_sentence("A dog met the dog"))
    for key in ("dots", "softmax"):
        lines = plain_lines(page_of(trace, mine, key, View(1, 1)))
        facts = [line for line in lines if line.startswith("head 2, from ")]
        assert len(facts) == len(set(facts)) == 25, key
        assert any("from dog (2), to dog (5), " in fact for fact in facts)


def test_the_page_of_many_heads_says_which_of_them_have_no_line() -> None:
    mine = find("random")
    trace = walk(mine, heads=12)
    looks = [
        block.text
        for block in page_of(trace, mine, "heads").blocks
        if isinstance(block, Text) and block.role == "look"
    ]
    told = {int(number) for look in looks for number in re.findall(r"^Head (\d+):", look)}
    last = looks[-1]
    assert told == set(range(1, max(told) + 1)) and f"Heads {max(told) + 1} to 12" in last


def test_a_head_of_one_column_is_not_said_to_add_products() -> None:
    mine = find("random")
    lead = next(
        block.text
        for block in page_of(walk(mine, heads=12), mine, "scale").blocks
        if isinstance(block, Text) and block.role == "lead"
    )
    assert "one product" in lead and "d_k = 1" in lead


def test_with_one_head_there_is_nothing_to_add_up() -> None:
    mine = find("robot")
    lead = plain_lines(page_of(walk(mine, heads=1), mine, "sum", View(0, 6)))
    assert any("With one head there is nothing to add up" in line for line in lead)


def test_more_than_eight_heads_are_shown_as_bars_alone() -> None:
    for heads, ribbons in ((6, True), (12, False)):
        example = find("robot")
        blocks = page_of_key("heads", walk(example, heads=heads), example, View()).blocks
        assert any(isinstance(block, HeadBars) for block in blocks)
        assert any(isinstance(block, Ribbons) for block in blocks) is ribbons


def test_counts_of_learned_numbers_have_commas() -> None:
    robot = find("robot")
    zeros = np.zeros((12, 20))
    wide = replace(
        robot,
        X=np.hstack([robot.X, zeros[:9]]),
        **{name: np.pad(getattr(robot, name), ((0, 20), (0, 20))) for name in ("W_Q", "W_K", "W_V", "W_O")},
        features=tuple(f"f{j}" for j in range(32)),
        heads=1,
    )
    shown = page_of_key("after", walk(wide), wide, View()).blocks
    text = " ".join(block.text for block in shown if isinstance(block, Text))
    assert "4,096 learned numbers: W^Q 1,024, W^K 1,024" in text
