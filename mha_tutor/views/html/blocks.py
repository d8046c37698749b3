"""The blocks of a page, and the page itself, as HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..page import Block, FirstFit, Formula, HeadBars, Listing, Page, Ribbons, Table, Terms, Text
from .bars import bars_html, chart_html, listing_html, ribbons_html
from .dress import Dress, Inline
from .tables import table_html
from .writing import lines, marked, safe

_LITERAL: frozenset[str] = frozenset({"number", "code"})
_GAP = re.compile(" {2,}")  # between two formulas on one line


def block_html(block: Block, dress: Dress, before: Block | None = None) -> str:
    """One block of a page; a label that the block ``before`` has too is said again, but quietly."""
    if isinstance(block, Text):
        return _paragraph(block, dress, again=_same_label(block, before))
    if isinstance(block, Formula):
        text = "&emsp; ".join(marked(part) for part in _GAP.split(block.text))
        return (
            f"<p{dress.part('formula')}><b>{text}</b> "
            f"<span{dress.part('shapes')}>{marked(block.shapes)}</span></p>"
        )
    if isinstance(block, Table):
        return table_html(block, dress)
    if isinstance(block, FirstFit):  # a browser puts them side by side or wraps them by itself
        tables = "".join(table_html(table, dress) for table in block.options[0])
        return f"<div{dress.part('tables')}>{tables}</div>"
    if isinstance(block, HeadBars):
        return bars_html(block, dress)
    if isinstance(block, Ribbons):
        return ribbons_html(block, dress)
    if isinstance(block, Terms):
        rows = "".join(f"<dt>{marked(name)}</dt><dd>{marked(meaning)}</dd>" for name, meaning in block.rows)
        return f"<p{dress.part('line')}><b>{safe(block.title)}</b></p><dl>{rows}</dl>"
    if isinstance(block, Listing):
        return listing_html(block, dress)
    return chart_html(block, dress)


def _same_label(block: Text, before: Block | None) -> bool:
    return isinstance(before, Text) and before[1:] == block[1:]


def _paragraph(block: Text, dress: Dress, *, again: bool) -> str:
    quiet = dress.part("again") if again else ""
    label = f"<b{quiet}>{safe(block.label)}:</b> " if block.label else ""
    if block.role in _LITERAL:
        return f"<p{dress.part('number')}>{label}<span>{lines(block.text)}</span></p>"
    body = "<br>".join(marked(line) for line in block.text.split("\n"))
    look = dress.part("line" if block.role == "note" else f"line.{block.role}")
    return f"<p{look}>{label}<span>{body}</span></p>"


def page_parts(page: Page, dress: Dress) -> Iterator[str]:
    """The blocks of a page in order."""
    before = None
    for block in page.blocks:
        yield block_html(block, dress, before)
        before = block


def fragment(page: Page, *, light: bool = True) -> str:
    """A page as HTML that stands alone and needs no style sheet: for notebooks."""
    dress = Inline(light=light)
    corner = ""
    if page.corner:
        look = dress.part("corner") if page.head is None else dress.chip(page.head)
        corner = f" <span{look}>{safe(page.corner)}</span>"
    body = "".join(page_parts(page, dress))
    return (
        f"<div{dress.part('page')}><p{dress.part('title')}>{marked(page.title)}{corner}</p>{body}"
        f"<p{dress.part('source')}>{marked(page.source)}</p></div>"
    )
