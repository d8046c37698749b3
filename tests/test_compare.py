"""One set of matrices cut differently, and three routes to Q, K and V."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from itertools import chain
from math import log2, sqrt

import numpy as np
import pytest
from drawing import Ran, drawn_example, drawn_examples, few, run_fixture, steady_fixture  # noqa: F401
from hypothesis import given
from hypothesis import strategies as st
from terminal import Terminal
from test_golden import same

from mha_tutor.attention import causal_mask, softmax, split_columns, textbook_attention
from mha_tutor.cli.choices import COMPARE_PAGES
from mha_tutor.cuts import Comparison, compare_cuts, entropy
from mha_tutor.errors import InputError
from mha_tutor.examples import Example, find
from mha_tutor.routes import MADE_BY, block_diagonal, take_routes
from mha_tutor.stages import walk
from mha_tutor.views.compare import CUT_KEYS, ROUTE_KEYS, cut_page, route_page
from mha_tutor.views.page import Chart, FirstFit, Listing, Page, Table, Text
from mha_tutor.views.pages import View

Run = Callable[..., Ran]
CLOSE = {"rtol": 0, "atol": 1e-12}
EXAMPLES = ("robot", "trophy", "chef", "by-hand", "random")


@st.composite
def compared(draw: st.DrawFn) -> tuple[Example, Comparison]:
    example = draw(drawn_examples.filter(lambda e: e.X.shape[1] > 1))
    allowed = causal_mask(len(example.tokens), len(example.tokens)) if draw(st.booleans()) else None
    heads = draw(st.lists(st.sampled_from(example.allowed_heads), min_size=2, unique=True, max_size=4))
    return example, compare_cuts(example, heads, allowed=allowed)


# Cuts


@few
@given(compared())
def test_the_dots_of_all_heads_add_up_to_those_of_the_one_head(drawn: tuple[Example, Comparison]) -> None:
    example, comparison = drawn
    packed = (example.X @ example.W_Q) @ (example.X @ example.W_K).T
    for cut in (comparison.one, *comparison.cuts):
        np.testing.assert_allclose(cut.summed_dots_ts, packed, **CLOSE)
        assert comparison.off(cut) < 1e-12


@few
@given(compared())
def test_all_cuts_have_the_same_learned_numbers(drawn: tuple[Example, Comparison]) -> None:
    example, comparison = drawn
    d = example.X.shape[1]
    for cut in comparison.cuts:
        assert cut.parameters == dict.fromkeys(("W_Q", "W_K", "W_V", "W_O"), d * d)
        assert cut.width * cut.heads == d
        assert cut.divisor == sqrt(d / cut.heads)


@few
@given(compared())
def test_another_divisor_gives_the_softmax_of_the_dots_over_it(drawn: tuple[Example, Comparison]) -> None:
    _, comparison = drawn
    for cut in comparison.cuts:
        np.testing.assert_array_equal(cut.weights_over(cut.divisor), cut.weights_hts)
        other = comparison.one.weights_over(cut.divisor)[0]
        dots_ts = comparison.one.trace["dots"].values[0]
        if "allowed" in cut.trace:
            dots_ts = np.where(cut.trace["allowed"].values.astype(bool), dots_ts, -np.inf)
        np.testing.assert_allclose(other, softmax(dots_ts / cut.divisor), **CLOSE)


@few
@given(compared())
def test_a_smaller_divisor_never_spreads_a_row(drawn: tuple[Example, Comparison]) -> None:
    _, comparison = drawn
    before = entropy(comparison.one.weights_hts)
    for cut in comparison.cuts:
        assert (entropy(comparison.one.weights_over(cut.divisor)) <= before + 1e-9).all()


@few
@given(st.lists(st.floats(-50, 50), min_size=1, max_size=20))
def test_entropy_lies_between_one_place_and_all_places(scores: list[float]) -> None:
    weights = softmax(np.array([scores]))
    bits = float(entropy(weights)[0])
    assert 0 <= bits <= log2(len(scores)) + 1e-12
    assert bits == pytest.approx(-sum(w * log2(w) for w in weights[0].tolist() if w), abs=1e-12)


def test_entropy_of_equal_weights_is_their_number_and_of_one_weight_nothing() -> None:
    for n in (1, 2, 7):
        assert 2 ** entropy(np.full((1, n), 1 / n))[0] == pytest.approx(n)
        assert entropy(np.eye(n)).tolist() == [0] * n


def test_the_robot_with_one_head_and_the_divisor_of_three() -> None:
    one = compare_cuts(find("robot")).one
    assert one.weights_hts[0, 6].round(2).tolist()[1] == 0.47
    assert one.weights_over(2)[0, 6].round(2).tolist()[1] == 0.68


@pytest.mark.parametrize(("heads", "expected"), [((), [1, 3]), ((3, 1), [1, 3]), ((4, 2, 12, 2), [2, 4, 12])])
def test_cuts_come_once_each_with_the_fewest_heads_first(heads: tuple[int, ...], expected: list[int]) -> None:
    assert [cut.heads for cut in compare_cuts(find("robot"), heads).cuts] == expected


def test_an_example_with_one_head_is_compared_with_the_next_cut() -> None:
    assert [cut.heads for cut in compare_cuts(drawn_example(3, 1, 9, 0)).cuts] == [1, 3]


# Routes


@few
@given(drawn_examples)
def test_cutting_the_result_and_own_matrices_agree_and_are_the_walks(example: Example) -> None:
    routes, trace = take_routes(example), walk(example)
    for name, route in routes.made.items():
        np.testing.assert_allclose(route.own_hte, route.wide_hte, **CLOSE)
        np.testing.assert_array_equal(route.own_hte, trace[name].values)
        assert route.off_own < 1e-12


@few
@given(drawn_examples)
def test_cutting_x_is_x_times_the_blocks_on_the_diagonal(example: Example) -> None:
    routes, h = take_routes(example), example.heads
    d = example.X.shape[1] // h
    for name, route in routes.made.items():
        blocks = np.zeros_like(example.W_Q)
        for i in range(h):
            own = slice(i * d, (i + 1) * d)
            blocks[own, own] = getattr(example, MADE_BY[name])[own, own]
        np.testing.assert_array_equal(block_diagonal(routes.small[MADE_BY[name]]), blocks)
        np.testing.assert_allclose(route.sliced_hte, split_columns(example.X @ blocks, h), **CLOSE)
        for i in range(h):
            alone = example.X[:, routes.seen(i)] @ routes.small[MADE_BY[name]][i]
            np.testing.assert_allclose(route.sliced_hte[i], alone, **CLOSE)


@few
@given(drawn_examples)
def test_only_with_one_head_is_cutting_x_right(example: Example) -> None:
    routes = take_routes(example)
    for route in routes.made.values():
        assert (route.off_sliced < 1e-12) == (example.heads == 1)


@few
@given(drawn_examples)
def test_the_routes_need_4_d_squared_numbers_or_the_wrong_count(example: Example) -> None:
    d, h = example.X.shape[1], example.heads
    counts = take_routes(example).parameters()
    assert counts["wide_hte"] == counts["own_hte"] == 4 * d * d
    assert counts["sliced_hte"] == 3 * d * d // h + d * d == h * 3 * (d // h) ** 2 + d * d


@few
@given(drawn_examples)
def test_the_outputs_of_the_routes(example: Example) -> None:
    routes = take_routes(example)
    matrices = [getattr(example, name) for name in ("W_Q", "W_K", "W_V")]
    right = textbook_attention(example.X, *matrices, example.W_O, example.heads)
    blocks = [block_diagonal(routes.small[name]) for name in ("W_Q", "W_K", "W_V")]
    wrong = textbook_attention(example.X, *blocks, example.W_O, example.heads)
    np.testing.assert_allclose(routes.output("own_hte"), right, **CLOSE)
    np.testing.assert_allclose(routes.output("sliced_hte"), wrong, **CLOSE)


def test_a_mask_reaches_the_weights_of_every_route() -> None:
    example = find("robot")
    allowed = causal_mask(9, 9)
    routes = take_routes(example, allowed=allowed)
    np.testing.assert_allclose(
        routes.weights("wide_hte"), walk(example, allowed=allowed)["weights"].values, **CLOSE
    )
    assert not routes.weights("sliced_hte")[:, ~allowed].any()


# Pages


def blocks(page: Page, kind: type) -> list:
    """All blocks of a kind, those in a choice of tables too."""
    inner = (block.options[-1] if isinstance(block, FirstFit) else (block,) for block in page.blocks)
    return [block for block in chain.from_iterable(inner) if isinstance(block, kind)]


def words(page: Page) -> str:
    return "\n".join(block.text for block in blocks(page, Text))


def comparisons() -> Iterator[tuple[Example, Comparison]]:
    for name in EXAMPLES:
        example = find(name)
        for heads in ((), example.allowed_heads, example.allowed_heads[1:3]):
            yield example, compare_cuts(example, heads)
        yield example, compare_cuts(example, allowed=causal_mask(len(example.tokens), len(example.tokens)))


CASES = list(comparisons())


def rounded(x: float) -> str:
    return "0" if x == 0 else re.sub(r"^-(0\.0+)$", r"\1", f"{x:.2f}")


def test_budgets_show_the_weights_of_every_head_and_their_spread() -> None:
    for example, comparison in CASES:
        for t in range(len(example.tokens)):
            page = cut_page("budgets", comparison, example, View(0, t))
            (chart,), (listing,) = blocks(page, Chart), blocks(page, Listing)
            rows = np.concatenate([walk_weights(example, cut)[:, t] for cut in comparison.cuts])
            np.testing.assert_allclose([bars.values for bars in chart.series], rows, **CLOSE)
            for bars, row, line in zip(chart.series, rows, listing.rows, strict=True):
                assert [float(text) for text in bars.written] == pytest.approx(row, abs=0.0051)
                bits = -sum(w * log2(w) for w in row.tolist() if w)
                shown = [float(text) for text in line[2:]]
                assert shown == pytest.approx([row.max(), bits, 2**bits], abs=0.0051)


def walk_weights(example: Example, cut: object) -> np.ndarray:
    trace = cut.trace  # type: ignore[attr-defined]
    allowed = causal_mask(len(example.tokens), len(example.tokens)) if "allowed" in trace else None
    return walk(example, heads=trace.sizes["heads"], allowed=allowed)["weights"].values


GIVES = re.compile(
    r"Head (\d+) of (\d+) gives (.*?) ([\d.]+)( each)?\. "
    r"(?:The one head gives (?:it|them)|With (\d+) heads, the most (?:it gets|they get) is) (.*)\."
)


def test_what_the_lines_say_about_the_heads_is_so() -> None:
    found = 0
    for example, comparison in CASES:
        for t in range(len(example.tokens)):
            text = words(cut_page("budgets", comparison, example, View(0, t)))
            for head, heads, asked, value, _, base, least in GIVES.findall(text):
                found += 1
                allowed = (
                    causal_mask(len(example.tokens), len(example.tokens))
                    if "allowed" in comparison.one.trace
                    else None
                )
                row = walk(example, heads=int(heads), allowed=allowed)["weights"].values[int(head) - 1, t]
                other = walk(example, heads=int(base or 1), allowed=allowed)["weights"].values[:, t]
                places = np.flatnonzero(row >= row.max() - 1e-9)
                names = re.findall(r"`(.*?)`", asked)
                assert names == [example.tokens[s] for s in places]
                assert float(value) == pytest.approx(row.max(), abs=0.0051)
                most = [float(x) for x in re.findall(r"[\d.]+\d|\d", least)]
                assert most == pytest.approx(other[:, places].max(axis=0), abs=0.0051)
    assert found > 100


def test_the_table_of_dots_adds_up_to_the_one_head() -> None:
    for example, comparison in CASES:
        t = len(example.tokens) - 1
        page = cut_page("added", comparison, example, View(0, t))
        cuts = [cut for cut in comparison.cuts if cut.heads > 1]
        for table, cut in zip(blocks(page, Table), cuts, strict=True):
            dots = walk(example, heads=cut.heads)["dots"].values[:, t]
            one = walk(example, heads=1)["dots"].values[0, t]
            np.testing.assert_allclose(table.values[:-2], dots, **CLOSE)
            np.testing.assert_allclose(table.values[-2:], [one, one], **CLOSE)
        assert ("The mask comes after the sum." in words(page)) == ("allowed" in comparison.one.trace)


def test_the_page_of_the_divisor_shows_the_one_head_with_each() -> None:
    for example, comparison in CASES:
        for t in range(len(example.tokens)):
            page = cut_page("divisor", comparison, example, View(0, t))
            (chart,) = blocks(page, Chart)
            heads = [1, *(cut.heads for cut in comparison.cuts if cut.heads > 1)]
            dots = walk(example, heads=1)["dots"].values[0, t]
            if "allowed" in comparison.one.trace:
                dots = np.where(np.arange(len(dots)) <= t, dots, -np.inf)
            rows = [softmax(dots / sqrt(example.X.shape[1] / h)) for h in heads]
            np.testing.assert_allclose([bars.values for bars in chart.series], rows, **CLOSE)
            told = re.findall(
                r"With its own, ([\d.]+)\. Its places go from ([\d.]+) to ([\d.]+):", words(page)
            )
            flat = np.ptp(dots[np.isfinite(dots)]) < 1e-9
            assert len(told) == (0 if flat else len(heads) - 1)
            for row, (own, *places) in zip(rows[1:], told, strict=bool(told)):
                expected = [2 ** entropy(rows[0]), 2 ** entropy(row)]
                assert float(own) == pytest.approx(rows[0].max(), abs=0.0051)
                assert [float(x) for x in places] == pytest.approx(expected, abs=0.0051)


def test_the_last_page_counts_the_same_numbers_and_says_what_is_not_shown() -> None:
    for example, comparison in CASES:
        page = cut_page("same", comparison, example, View())
        (listing,) = blocks(page, Listing)
        d = example.X.shape[1]
        totals = [cell for cell in listing.rows[-1][1:] if cell]
        assert totals == [str(4 * d * d)] * len(comparison.cuts)
        assert page.blocks[-1].label == "Not shown"
        chance = example.name == "random"
        assert ("drawn by chance" if chance else f"built by hand for {example.heads} heads") in words(page)


def test_a_file_of_other_origin_is_not_said_to_be_built_by_hand() -> None:
    example = drawn_example(3, 2, 2, 1)
    text = words(cut_page("same", compare_cuts(example), example, View()))
    assert "belong to 2 heads" in text and "by hand" not in text and "chance" not in text


def test_the_tables_of_the_routes_hold_the_computed_numbers() -> None:
    for name in EXAMPLES:
        example = find(name)
        for heads in example.allowed_heads:
            routes = take_routes(example, heads)
            for key, letter in (("q", "Q"), ("k", "K"), ("v", "V")):
                for h in range(heads):
                    page = route_page(key, routes, View(h, 0))
                    (table,) = blocks(page, Table)
                    right = walk(example, heads=heads)[letter].values[h]
                    width = example.X.shape[1] // heads
                    own = slice(h * width, (h + 1) * width)
                    wrong = example.X[:, own] @ getattr(example, MADE_BY[letter])[own, own]
                    expected = np.concatenate([right, right, wrong], axis=1)
                    np.testing.assert_allclose(table.values, expected, **CLOSE)
                    assert [(band.start, band.stop) for band in table.bands][-1][1] == 3 * width


@few
@given(drawn_examples, st.integers(0, 3), st.integers(0, 5), st.sampled_from(ROUTE_KEYS))
def test_the_pages_of_any_routes_are_made(example: Example, head: int, token: int, key: str) -> None:
    routes = take_routes(example)
    view = View(head % example.heads, token % len(example.tokens))
    page = route_page(key, routes, view)
    text = words(page)
    assert "{" not in text + page.title
    if key in ("q", "k", "v"):
        route = routes.made[key.upper()]
        off = ~np.isclose(route.sliced_hte, route.wide_hte, rtol=0, atol=1e-9)
        told = re.findall(r"(\d+) of (\d+) numbers differ, by up to ([\d.]+)\. In head \d: (\d+) of", text)
        if example.heads > 1:
            ((different, count, _, here),) = told
            assert (int(different), int(count)) == (off.sum(), off.size)
            assert int(here) == off[view.head].sum()
        else:
            assert not told and "route 3 is right, too" in text


@few
@given(compared(), st.integers(0, 5), st.sampled_from(CUT_KEYS))
def test_the_pages_of_any_cuts_are_made(drawn: tuple[Example, Comparison], token: int, key: str) -> None:
    example, comparison = drawn
    page = cut_page(key, comparison, example, View(0, token % len(example.tokens)))
    assert "{" not in words(page) + page.title


def test_what_a_head_could_no_longer_see_is_what_its_matrix_reads_elsewhere() -> None:
    example = find("robot")
    routes = take_routes(example)
    text = words(route_page("seen", routes, View(0, 6)))
    assert "Head 1 would see determiner, noun, verb and link." in text
    assert "W_1^Q also reads slow cos, slow sin, fast cos and fast sin." in text
    blocks_kept = sum(int((w != 0).sum()) for w in routes.small.values())
    whole = sum(int((getattr(example, w) != 0).sum()) for w in routes.small)
    assert f"route 3 uses {blocks_kept} of {whole}." in text


def test_a_head_whose_slice_holds_what_it_needs_is_said_to_keep_its_weights() -> None:
    routes = take_routes(find("robot"))
    np.testing.assert_allclose(routes.weights("sliced_hte")[1, 6], routes.weights("wide_hte")[1, 6], **CLOSE)
    assert "head 2 gives the same weights" in words(route_page("effect", routes, View(1, 6)))
    assert "head 1 gives the same weights" not in words(route_page("effect", routes, View(0, 6)))
    assert "In row `it` of head 2 nothing differs" in words(route_page("q", routes, View(1, 6)))


# The command line


def test_the_cuts_of_the_robot_read_as_approved(run: Run, steady: None, pytestconfig: pytest.Config) -> None:
    ran = run("compare", "--heads", "1", "--heads", "3", "--token", "it")
    assert (ran.code, ran.err) == (0, "")
    assert ran == run("compare")
    same("compare", ran.out, bool(pytestconfig.getoption("--update-golden")))


def test_the_routes_of_the_robot_read_as_approved(
    run: Run, steady: None, pytestconfig: pytest.Config
) -> None:
    ran = run("compare", "--routes", "--head", "2", "--token", "was")
    assert (ran.code, ran.err) == (0, "")
    same("compare-routes", ran.out, bool(pytestconfig.getoption("--update-golden")))


@pytest.mark.parametrize(
    "args", [[], ["--routes"], ["--heads", "2", "--heads", "12"], ["--example", "by-hand"]]
)
@pytest.mark.parametrize("width", ["40", "80", "120"])
def test_no_line_is_wider_than_the_page(run: Run, args: list[str], width: str) -> None:
    ran = run("compare", *args, "--width", width)
    assert max(map(len, ran.out.split("\n"))) <= int(width)


def test_the_help_names_the_pages_there_are() -> None:
    assert COMPARE_PAGES == CUT_KEYS + ROUTE_KEYS


def test_one_page_alone(run: Run) -> None:
    whole = run("compare").out
    for key in CUT_KEYS:
        assert run("compare", "--page", key).out.strip() in whole


def test_plain_text_says_one_number_a_line(run: Run) -> None:
    lines = run("compare", "--format", "plain").out.split("\n")
    trace = walk(find("robot"))
    assert f"head 2 of 3, to 2 robot, {trace['weights'].values[1, 6, 1]:.2f}" in lines
    dots = walk(find("robot"), heads=1)["dots"].values[0, 6, 1]
    assert f"dots from `it`, 3 heads, the one head, robot, {dots:.2f}" in lines
    lines = run("compare", "--routes", "--format", "plain").out.split("\n")
    assert "head 1 of 3." in lines


def test_the_json_of_the_cuts_holds_their_walks(run: Run) -> None:
    data = json.loads(run("compare", "--format", "json").out)
    one, three = data["cuts"]
    assert three["walk"] == walk(find("robot")).as_json()
    assert one["walk"] == walk(find("robot"), heads=1).as_json()
    assert [cut["parameters"] for cut in data["cuts"]] == [
        dict.fromkeys(("W_Q", "W_K", "W_V", "W_O"), 144)
    ] * 2
    np.testing.assert_allclose(three["summed_dots"], data["one_head"]["dots"], **CLOSE)
    over = data["one_head"]["with_divisor"][1]
    np.testing.assert_allclose(over["weights"], softmax(np.array(data["one_head"]["dots"]) / over["divisor"]))
    np.testing.assert_allclose(three["effective_places"], 2 ** np.array(three["entropy_bits"]))


def test_the_json_of_the_routes_holds_all_three(run: Run) -> None:
    data = json.loads(run("compare", "--routes", "--format", "json").out)
    routes = take_routes(find("robot"))
    assert data["parameters"] == {"wide_hte": 576, "own_hte": 576, "sliced_hte": 288}
    for name, route in routes.made.items():
        assert data["routes"][name]["sliced_hte"] == route.sliced_hte.tolist()
        assert data["off_sliced"][name] == route.off_sliced
    assert data["features_seen"][0] == ["determiner", "noun", "verb", "link"]


ROBOT_HEADS = "1, 2, 3, 4, 6, 12"


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--heads", "3"], "two different numbers of heads are needed; there is only 3"),
        (["--heads", "3", "--heads", "3"], f"each one of {ROBOT_HEADS}"),
        (["--heads", "1", "--heads", "5"], f"5 heads do not divide d_model = 12 of 'robot'.*{ROBOT_HEADS}"),
        (["--heads", "0", "--heads", "1"], f"0 heads do not divide .*{ROBOT_HEADS}"),
        (
            ["--example", "narrow"],
            "'narrow' cannot be cut differently: each of its 3 heads has a fixed width of 4",
        ),
        (["--example", "narrow", "--routes"], "the rows of 'narrow' hold 4 numbers"),
        (["--heads", "1", "--heads", "3", "--routes"], "--routes shows one cut. Give --heads once."),
        (["--head", "2"], "--head goes with --routes."),
        (["--routes", "--head", "4"], "--head 4: there is no such head; choose from 1 to 3."),
        (["--page", "q"], "--page 'q' is not known.*budgets, added, divisor, same."),
        (["--page", "budget"], "Did you mean 'budgets'?"),
        (["--token", "robots"], "--token 'robots' is not in the sentence"),
        (["--format", "html"], "--format 'html' is not known"),
        (["--decimals", "13"], "--decimals 13: choose 0 to 12."),
    ],
)
def test_what_does_not_fit_is_one_message(run: Run, args: list[str], message: str) -> None:
    ran = run("compare", *args)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("mha-tutor: ") and ran.err.count("\n") == 1
    assert re.search(message.replace("?", r"\?"), ran.err)


def test_the_message_for_a_fixed_width_is_the_engines_too() -> None:
    with pytest.raises(InputError, match="cannot be cut differently"):
        compare_cuts(find("narrow"), (1, 3))


def test_keys_turn_the_pages_and_the_way_back_is_said() -> None:
    with Terminal(["compare"]) as t:
        t.wait_for("cut into 1 and 3 heads")
        t.press("right")
        t.wait_for("What changes, first")
        t.press("down", "q")
        assert t.close() == 0
        assert "mha-tutor compare --page added --token 8" in t.screen_text()
    with Terminal(["compare", "--routes", "--page", "k"]) as t:
        t.wait_for("Three routes to K")
        t.press("tab")
        t.wait_for("head 2 of 3")
        t.press("q")
        assert t.close() == 0
        assert "mha-tutor compare --routes --page k --head 2 --token 7" in t.screen_text()
