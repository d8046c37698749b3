"""Wide tables are folded: what is shown keeps its number, its address and its name, and the page says so."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mha_tutor.addresses import Cell
from mha_tutor.attention import Array
from mha_tutor.examples import Example, find
from mha_tutor.numbers import NumberForm
from mha_tutor.stages import walk
from mha_tutor.views.page import Band, FirstFit, Table, Text, tables_among
from mha_tutor.views.pages import View, page, page_keys
from mha_tutor.views.pages.maker import cells_of
from mha_tutor.views.why_page import why_page
from mha_tutor.views.wide import COLUMNS, MOST, fold, folded

WIDTH = 96


def wide() -> Example:
    """The robot's sentence with rows of 96 random numbers, in 3 heads of 32."""
    draw = np.random.default_rng(3)
    w_q, w_k, w_v, w_o = draw.normal(scale=WIDTH**-0.5, size=(4, WIDTH, WIDTH))
    return replace(
        find("robot"),
        features=tuple(str(j + 1) for j in range(WIDTH)),
        X=draw.normal(size=(9, WIDTH)),
        W_Q=w_q,
        W_K=w_k,
        W_V=w_v,
        W_O=w_o,
        built_by_hand=False,
        words={},
        position=None,
    )


def test_a_page_without_wide_tables_stays_the_very_same() -> None:
    example = find("robot")
    trace = walk(example)
    for key in page_keys(trace):
        shown = page(key, trace, example, View(1, 6))
        assert folded(shown) is shown


def test_every_page_of_a_wide_walk_is_folded_and_says_so_once() -> None:
    example = wide()
    trace = walk(example)
    for key in page_keys(trace):
        full = page(key, trace, example, View(1, 6))
        shown = folded(full)
        notes = [b for b in shown.blocks if isinstance(b, Text) and b.label == "Folded"]
        assert len(notes) == (shown is not full)
        for option in (0, -1):
            for table in tables_among(shown.blocks, option):
                assert len(table.rows) - table.total <= MOST
                for band in table.bands:
                    assert band.stop - band.start <= MOST
    assert folded(page("embed", trace, example, View())) is not page("embed", trace, example, View())


def test_the_column_that_the_page_works_out_is_shown() -> None:
    example = wide()
    trace = walk(example)
    for key, name in (("embed", "X"), ("output", "output")):
        column = int(np.abs(trace[name].values[6]).argmax())
        shown = folded(page(key, trace, example, View(1, 6)))
        table = next(iter(tables_among(shown.blocks, 0)))
        assert str(column + 1) in table.columns
        assert f"{name}, {COLUMNS} of {WIDTH}" == table.bands[0].title


def test_a_changed_column_is_shown() -> None:
    values = np.random.default_rng(1).normal(size=(4, 60))
    old = values.copy()
    old[2, 41] += 1
    form = NumberForm(2)
    table = Table("T", values, tuple("abcd"), tuple(map(str, range(60))), (Band("T", 0, 60, form),), old=old)
    assert "41" in fold(table).columns
    many = table._replace(old=old + 1)
    assert len(fold(many).columns) == COLUMNS


sizes = st.lists(st.integers(1, 70), min_size=1, max_size=4)


@given(st.data(), sizes, st.integers(1, 60))
@settings(max_examples=150, deadline=None)
def test_what_stays_is_where_it_was(data: st.DataObject, bands: list[int], rows: int) -> None:
    columns = sum(bands)
    values: Array = np.arange(rows * columns, dtype=float).reshape(rows, columns)
    stops = np.cumsum(bands).tolist()
    made = tuple(
        Band(f"B{i}", stop - size, stop, NumberForm(0), cell=cells_of(f"B{i}"))
        for i, (size, stop) in enumerate(zip(bands, stops, strict=True))
    )
    total = data.draw(st.integers(0, min(2, rows - 1)))
    chosen = data.draw(st.none() | st.integers(0, rows - total - 1))
    marked = data.draw(
        st.frozensets(st.tuples(st.integers(0, rows - 1), st.integers(0, columns - 1)), max_size=4)
    )
    heads = tuple(i // 9 for i in range(rows)) if data.draw(st.booleans()) else ()
    table = Table(
        "T",
        values,
        tuple(f"r{i}" for i in range(rows)),
        tuple(f"c{j}" for j in range(columns)),
        made,
        chosen=chosen,
        total=total,
        marked=marked,
        heads=heads,
    )
    small = fold(table)
    assert small.values.shape == (len(small.rows), len(small.columns))
    assert small.bands[-1].stop == len(small.columns)
    if chosen is not None:
        assert small.rows[small.chosen or 0] == f"r{chosen}"
    assert small.rows[len(small.rows) - total :] == table.rows[rows - total :]
    for i, row in enumerate(small.rows):
        for j, column in enumerate(small.columns):
            was = (int(row[1:]), int(column[1:]))
            assert small.values[i, j] == values[was]
            assert small.cell(i, j) == table.cell(*was)
            assert ((i, j) in small.marked) == (was in marked)
    for old, new in zip(made, small.bands, strict=True):
        kept = small.columns[new.start : new.stop]
        assert kept == tuple(sorted(kept, key=lambda c: int(c[1:])))
        assert kept[0] in table.columns[old.start : old.stop]
        if old.stop - old.start <= MOST:
            assert kept == table.columns[old.start : old.stop]


@pytest.mark.parametrize("cell", [Cell("Q", (1, 6, 30)), Cell("output", (6, 90)), Cell("weights", (2, 6, 1))])
def test_the_page_that_takes_a_number_apart_is_folded_too(cell: Cell) -> None:
    example = wide()
    trace = walk(example)
    shown = folded(why_page(trace, example, cell))
    for block in shown.blocks:
        tables = (
            block.options[0] if isinstance(block, FirstFit) else [block] if isinstance(block, Table) else []
        )
        for table in tables:
            assert max(table.values.shape) <= MOST
