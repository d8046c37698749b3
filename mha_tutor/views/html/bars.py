"""Weights as bars and as a shaded sentence; listings and charts of counts. Digits stand by every bar."""

from __future__ import annotations

from ...texts import head_name, texts
from ..chart import shares
from ..colours import level
from ..page import Chart, HeadBars, Listing, Ribbons
from .dress import Dress
from .tables import MARK
from .writing import marked, safe


def bars_html(block: HeadBars, dress: Dress) -> str:
    """One row a token, one column a head: the weight, and a bar as long as it."""
    say = texts("html")
    heads = range(len(block.weights))
    titles = "".join(
        f'<th scope="col"{dress.part("text")}><span{dress.chip(h)}>{head_name(h)}</span></th>' for h in heads
    )
    rows = []
    for s, name in enumerate(block.rows):
        cells = "".join(_bar_cell(block, h, s, dress) for h in heads)
        rows.append(f'<tr><th scope="row"{dress.part("row")}>{s + 1} {safe(name)}</th>{cells}</tr>')
    caption = say["bars"].format(token=safe(block.token))
    head = f"<tr><td{dress.part('corner')}></td>{titles}</tr>"
    return _framed(caption, head, "".join(rows), len(heads), dress)


def _bar_cell(block: HeadBars, h: int, s: int, dress: Dress) -> str:
    weight = float(block.weights[h, s])
    text = block.form(weight)
    if weight >= float(block.weights[h].max()) - 1e-9:
        text = f"<b>{text}</b>"
    return f"<td{dress.part('bars')}>{text}{_bar(weight, h, dress)}</td>"


def _bar(share: float, head: int, dress: Dress) -> str:
    length = round(100 * min(max(share, 0.0), 1.0))
    return f'<span{dress.part("bar")} aria-hidden="true"><span{dress.fill(head, length)}></span></span>'


def _framed(caption: str, head: str, rows: str, columns: int, dress: Dress, kind: str = "caption") -> str:
    return (
        f'<div{dress.part("scroll")} role="group" aria-label="{caption}" tabindex="0">'
        f"<table{dress.table(columns)}><caption{dress.part(kind)}>{caption}</caption>"
        f"<thead>{head}</thead><tbody>{rows}</tbody></table></div>"
    )


def ribbons_html(block: Ribbons, dress: Dress) -> str:
    """The sentence once a head, each word shaded by its weight, the digits under it."""
    lines = []
    for h, row in enumerate(block.weights.tolist()):
        words = " ".join(
            f"<span{dress.word(level(weight, 1.0, 'weights'))}>{safe(word)}<br>{block.form(weight)}</span>"
            for word, weight in zip(block.words, row, strict=True)
        )
        lines.append(f"<p{dress.part('ribbon')}><span{dress.chip(h)}>{head_name(h)}</span> {words}</p>")
    label = texts("html")["ribbons"]
    return f'<div{dress.part("ribbons")} role="group" aria-label="{label}">{"".join(lines)}</div>'


def listing_html(block: Listing, dress: Dress) -> str:
    """Ready text cells under column names."""
    kinds = ["col" if j in block.right else "text" for j in range(len(block.columns))]
    head = "".join(
        f'<th scope="col"{dress.part(kind)}>{safe(name)}</th>'
        for kind, name in zip(kinds, block.columns, strict=True)
    )
    rows = []
    for i, (name, *cells) in enumerate(block.rows):
        total = dress.part("tr.total") if i == len(block.rows) - block.total else ""
        written = "".join(
            f"<td{dress.part('listed' if kind == 'col' else 'text')}>{marked(cell)}</td>"
            for kind, cell in zip(kinds[1:], cells, strict=True)
        )
        rows.append(f'<tr{total}><th scope="row"{dress.part("row")}>{marked(name)}</th>{written}</tr>')
    title = block.title or ", ".join(name for name in block.columns if name)
    kind = "caption.seen" if block.title else "caption"
    return _framed(safe(title), f"<tr>{head}</tr>", "".join(rows), len(block.columns), dress, kind)


def chart_html(block: Chart, dress: Dress) -> str:
    """One row an x, one column a series: what is written, and a bar beside it."""
    names = (block.x_name, *(bars.name for bars in block.series))
    head = "".join(f'<th scope="col"{dress.part("text")}>{safe(name)}</th>' for name in names)
    parts = shares(block)
    rows = []
    for i, x in enumerate(block.xs):
        cells = "".join(
            f"<td{dress.part('bars')}>{safe(bars.written[i])}{_bar(parts[k][i], k, dress)}</td>"
            for k, bars in enumerate(block.series)
        )
        here = i == block.here
        name = f"{MARK} {safe(x)}" if here else safe(x)
        chosen = dress.part("tr.chosen") if here else ""
        rows.append(f'<tr{chosen}><th scope="row"{dress.part("row")}>{name}</th>{cells}</tr>')
    head = f"<tr>{head}</tr>"
    return _framed(safe(block.title), head, "".join(rows), len(block.series), dress, "caption.seen")
