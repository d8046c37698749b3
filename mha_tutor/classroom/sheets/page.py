"""Sheets and answer sheets as one HTML file each, for the screen and for a browser's print button."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from ...texts import LANGUAGE, texts
from ...views.html.writing import marked, safe
from .answer_book import AnswerBook, Leaf, Row
from .parts import Box, Content, Grid, Part, Sheet

PAPER = {"a4": "A4", "letter": "letter"}
USUAL, LARGE = "10pt", "18pt"
WIDE = 6  # columns: with more, boxes of large print are narrower


def sheets_html(sheets: Sequence[Sheet], *, paper: str, large: bool) -> str:
    """One file with all ``sheets``; printed, each begins on a new page and carries its code on every page."""
    return _document(texts("sheet")["title"], map(_sheet, sheets), paper, large)


def answers_html(book: AnswerBook, *, paper: str, large: bool) -> str:
    """One file with the strip, the legend and every sheet's answers."""
    say = texts("sheet")["answers"]
    lead = "".join(f"<p>{safe(line)}</p>" for line in book.lead)
    strip = _table(book.strip_columns, (tuple(map(safe, row)) for row in book.strip))
    legend = _table(
        (say["id"], say["cause"], say["advice"]), (tuple(map(marked, row)) for row in book.legend)
    )
    parts = [
        f"<h1>{safe(book.title)}</h1>{lead}<h2>{say['strip']}</h2>{strip}"
        f"<p>{say['accept_note']}</p><p>{say['star']}</p>",
        f'<section class="legend"><h2>{say["legend"]}</h2><p>{say["legend_note"]}</p>{legend}</section>',
        *map(_leaf, book.leaves),
    ]
    return _document(book.title, parts, paper, large)


def _document(title: str, parts: Iterable[str], paper: str, large: bool) -> str:
    css = (Path(__file__).parent / "sheets.css").read_text(encoding="utf-8")
    css = css.replace("/*paper*/", PAPER[paper]).replace("/*size*/", LARGE if large else USUAL)
    return f"""<!DOCTYPE html>
<html lang="{LANGUAGE}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{safe(title)}</title>
<style>
{css}</style>
</head>
<body class="{"large" if large else "usual"}"><main>
{"".join(parts)}
</main></body>
</html>
"""


def _sheet(sheet: Sheet) -> str:
    say = texts("sheet")
    head = f"<b>{safe(say['sheet'].format(code=sheet.code))}</b><span>{safe(sheet.name)}</span>"
    lead = " ".join(marked(line) for line in sheet.lead)
    return (
        '<article class="sheet"><table class="frame" role="presentation">'
        f'<thead><tr><td><div class="line">{head}</div></td></tr></thead><tbody><tr><td>'
        f'<h1><span>{say["title"]}</span><span class="code">{sheet.code}</span></h1>'
        f'<p class="line"><span>{say["name"]} <span class="field">{safe(sheet.name)}</span></span>'
        f'<span>{say["date"]} <span class="field short"></span></span></p>'
        f"<p><b>{safe(sheet.sentence)}</b></p><p>{lead}</p>"
        f"{''.join(map(_part, sheet.parts))}</td></tr></tbody></table></article>\n"
    )


def _part(part: Part) -> str:
    task = f"<p>{_powers(marked(part.task))}</p>" if part.task else ""
    example = ""
    if part.example:
        label = texts("sheet")["example"]
        example = f'<p class="example"><span class="note">{label}</span> {safe(part.example)}</p>'
    if part.side:
        example = f'<div class="beside">{example}{_grid(part.side)}</div>'
    title, grids = _powers(marked(part.title)), "".join(map(_grid, part.grids))
    return (
        f'<section><div class="task"><h2>{title}</h2>{task}{example}</div>'
        f'<div class="grids">{grids}</div></section>'
    )


def _powers(text: str) -> str:
    return text.replace("e^score", "e<sup>score</sup>")


def _grid(grid: Grid) -> str:
    caption = f"<caption>{_powers(marked(grid.title))}</caption>" if grid.title else ""
    axis = ""
    if grid.axis:
        axis = (
            f'<tr><td class="axis"></td><th class="axis" colspan="{len(grid.columns)}">{grid.axis}</th></tr>'
        )
    columns = "".join(f'<th scope="col">{safe(name)}</th>' for name in grid.columns)
    rows = "".join(
        f'<tr><th scope="row">{_powers(safe(name))}</th>{"".join(map(_cell, cells))}</tr>'
        for name, cells in zip(grid.rows, grid.cells, strict=True)
    )
    look = "grid" + (" wide" if len(grid.columns) > WIDE else "") + (" roomy" if grid.roomy else "")
    corner = f'<th class="axis">{grid.corner}</th>' if grid.corner else "<td></td>"
    return (
        f'<table class="{look}">{caption}<thead>{axis}<tr>{corner}{columns}</tr></thead>'
        f"<tbody>{rows}</tbody></table>"
    )


def _cell(content: Content) -> str:
    if isinstance(content, Box):
        return f'<td class="box"><span>{content.item}</span></td>'
    return f"<td>{content}</td>"


def _leaf(leaf: Leaf) -> str:
    say = texts("sheet")["answers"]
    notes = "".join(f'<p class="note">{safe(note)}</p>' for note in leaf.notes)
    title = f'<span class="code">{leaf.code}</span> {safe(leaf.name)}'
    columns = (say["item"], f"{say['place']}, {say['worked']}", say["answer"], say["accept"], say["wrong"])
    table = _table(columns, map(_leaf_cells, leaf.rows))
    return f'<section class="leaf"><h2>{title}</h2>{notes}{table}</section>\n'


def _leaf_cells(row: Row) -> tuple[str, ...]:
    known = [f"<b>{number}</b>&nbsp;{ids}" for number, ids in row.wrong]
    wrong = "; ".join([*known, row.more] if row.more else known)
    place = f'<span class="note">{safe(row.place)}</span><br>{safe(row.worked)}'
    return row.item, place, f"<b>{row.answer}</b>", row.accept, wrong


def _table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table whose cells are HTML already; the first of a row names it."""
    head = "".join(f'<th scope="col">{safe(name)}</th>' for name in columns)
    body = "".join(
        f'<tr><th scope="row">{first}</th>{"".join(f"<td>{cell}</td>" for cell in rest)}</tr>'
        for first, *rest in rows
    )
    return f'<table class="list"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
