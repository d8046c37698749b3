"""The page of what a head could no longer see if X were cut: the blocks on the diagonal of W."""

from __future__ import annotations

import numpy as np

from ...attention import Array, split_columns
from ...routes import MADE_BY, Routes, block_diagonal
from .. import noticing
from ..page import Band, Block, FirstFit, Table, Text
from .making import Making


def seen_blocks(m: Making, routes: Routes) -> list[Block]:
    """W^Q and its blocks on the diagonal, and what the chosen head loses."""
    example = routes.example
    full = _matrix(m, routes, "full", example.W_Q)
    kept = _matrix(m, routes, "kept", _blocks_alone(routes.small["W_Q"]))
    blocks: list[Block] = [
        m.lead(),
        m.formula(),
        m.look("sees", features=m.features(_seen(m, routes))),
        *(_lost(m, routes, letter) for letter in MADE_BY),
    ]
    if routes.heads == 1:
        return [*blocks, m.look("one_slice"), full]
    counts = [sum(int((w != 0).sum()) for w in matrices) for matrices in _both(routes)]
    return [
        *blocks,
        m.look("kept", kept=counts[0], all=counts[1]),
        m.equal(off_blocks(routes)),
        FirstFit(((full, kept),)),
    ]


def _both(routes: Routes) -> tuple[list[Array], list[Array]]:
    """The third route's matrices, and the whole ones."""
    return list(routes.small.values()), [getattr(routes.example, name) for name in routes.small]


def _lost(m: Making, routes: Routes, letter: str) -> Text:
    """The features that a head's matrix reads outside its slice."""
    example, head = routes.example, m.view.head
    w_de = split_columns(getattr(example, MADE_BY[letter]), routes.heads)[head]
    lost = [j for j in noticing.rows_read(w_de) if j not in _seen(m, routes)]
    if not lost:
        return m.look("lost_none", letter=letter)
    return m.look("lost", letter=letter, features=m.features(lost))


def _seen(m: Making, routes: Routes) -> range:
    """The features of the chosen head's slice, by place."""
    return range(routes.trace.sizes["d_model"])[routes.seen(m.view.head)]


def off_blocks(routes: Routes) -> float:
    """How far X times the block-diagonal matrices is from the third route."""
    heads = routes.heads
    return max(
        float(
            np.abs(
                split_columns(routes.example.X @ block_diagonal(routes.small[name]), heads)
                - routes.made[letter].sliced_hte
            ).max()
        )
        for letter, name in MADE_BY.items()
    )


def _blocks_alone(small_hde: Array) -> Array:
    """The blocks on the diagonal; NaN, an empty place, everywhere else."""
    inside = block_diagonal(np.ones_like(small_hde)) == 1
    return np.where(inside, block_diagonal(small_hde), np.nan)


def _matrix(m: Making, routes: Routes, kind: str, w_dc: Array) -> Table:
    """A packed matrix with a band a head, or a column a head where that is all a head has."""
    heads, form = routes.heads, m.form(routes.example.W_Q)
    e = w_dc.shape[1] // heads
    title = m.say(f"{kind}_lone")
    name = "full" if kind == "full" else "kept_block"
    bands = tuple(Band(m.say(name, number=h + 1), h * e, (h + 1) * e, form, h) for h in range(heads))
    if e == 1:
        bands = (Band(title, 0, heads, form),)
    return Table(
        title=title,
        values=w_dc,
        rows=routes.example.features,
        columns=tuple(str((h if e == 1 else j) + 1) for h in range(heads) for j in range(e)),
        bands=bands,
    )
