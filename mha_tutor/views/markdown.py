"""Pages as GitHub-flavoured Markdown: titles, paragraphs, and a table for each matrix."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ..texts import head_name, texts
from .chart import chart_lines, listing_lines
from .page import Band, Block, FirstFit, Formula, HeadBars, Listing, Page, Ribbons, Table, Terms, Text

MARK = "▸"
_CODE = re.compile(r"`([^`]*)`")
# An underscore inside a word, as in d_model, is plain; a colon may begin :smile: or end http:.
_SPECIAL = re.compile(r"([\\`*{}\[\]#|~$]|(?<!\w)_|_(?!\w)|:(?=[\w/])|^\s*[-+])")


def markdown(pages: Sequence[Page], title: str) -> str:
    """One Markdown text with all pages, each under a heading."""
    lines = [f"# {plain(title)}", ""]
    for page in pages:
        corner = f" ({plain(page.corner)})" if page.corner else ""
        lines += [f"## {plain(page.title)}{corner}", ""]
        for block in page.blocks:
            lines += [*_block(block), ""]
        lines += [f"*{plain(page.source)}*", ""]
    return "\n".join(lines)


def plain(text: str) -> str:
    """``text`` with every mark of Markdown and HTML disarmed; what cannot be printed becomes "?"."""
    if not text.isprintable():
        text = "".join(c if c.isprintable() else "?" for c in text)
    text = _SPECIAL.sub(r"\\\1", text)
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def prose(text: str) -> str:
    """A line whose `tokens` stay code; what is not between two backticks is disarmed."""
    parts = _CODE.split(text)
    return "".join(_code(part) if i % 2 else plain(part) for i, part in enumerate(parts))


def _code(text: str) -> str:
    """Text as code; what some readers take for mathematics or tags even there is disarmed instead."""
    clean = "".join(c if c.isprintable() else "?" for c in text)
    if not clean.strip() or set("$<>&") & set(clean):
        return plain(f"`{clean}`")
    return f"`{clean}`"


def _block(block: Block) -> Iterator[str]:
    if isinstance(block, Text):
        label = f"**{plain(block.label)}:** " if block.label else ""
        write = plain if block.role == "number" else prose
        yield label + "\\\n".join(write(line) for line in block.text.split("\n"))
    elif isinstance(block, Formula):
        yield f"**{prose(' '.join(block.text.split()))}**  ({plain(block.shapes)})"
    elif isinstance(block, Table):
        yield from _table(block)
    elif isinstance(block, FirstFit):
        for table in block.options[0]:
            yield from _table(table)
    elif isinstance(block, HeadBars):
        yield from _heads(block)
    elif isinstance(block, Ribbons):
        return  # the table before has these numbers
    elif isinstance(block, Terms):
        yield f"**{plain(block.title)}**\n"
        yield "\n".join(f"- **{plain(name)}**: {prose(meaning)}" for name, meaning in block.rows)
    else:
        lines = listing_lines(block, 100) if isinstance(block, Listing) else chart_lines(block, 100)
        yield "\n".join(["```text", *(line.replace("`", "'") for line in lines), "```"])


def _table(table: Table) -> Iterator[str]:
    """One Markdown table a band, since Markdown has no second row of column names."""
    for band in table.bands:
        axis = f", {plain(band.axis)}" if band.axis else ""
        yield f"**{prose(band.title or table.title)}**{axis}"
        yield ""
        yield from _band(table, band)
        yield ""


def _band(table: Table, band: Band) -> Iterator[str]:
    names = [table.columns[j] or texts("markdown")["value"] for j in range(band.start, band.stop)]
    before = (table.values if table.old is None else table.old).tolist()
    rows = []
    for i, (row, old) in enumerate(zip(table.values.tolist(), before, strict=True)):
        places = range(band.start, band.stop)
        if any(row[j] == row[j] for j in places):
            cells = [_number(band, row[j], old[j], (i, j) in table.marked) for j in places]
            rows.append((_row_name(table, i), cells, i == table.chosen))
    yield from _lines(plain(table.row_axis), [plain(name) for name in names], rows)


def _number(band: Band, x: float, old: float, marked: bool) -> str:
    """A number as written; a changed one has a star and the number before it in brackets."""
    if x != x:
        return ""
    text = band.form(x)
    was = band.form.before(x, old)
    if was is not None:
        text = f"\\*{text} ({was})"
    return f"<u>{text}</u>" if marked else text


def _row_name(table: Table, i: int) -> str:
    name = plain(table.rows[i])
    number = table.row_number(i)
    return f"{number} {name}" if number else name


def _lines(
    corner: str, names: Sequence[str], rows: Sequence[tuple[str, Sequence[str], bool]]
) -> Iterator[str]:
    """The table itself; the chosen row is marked and bold."""
    yield f"| {corner} | {' | '.join(names)} |"
    yield f"|:--|{'--:|' * len(names)}"
    for name, cells, chosen in rows:
        line = (name, *cells)
        if chosen:
            line = (f"**{MARK} {name}**", *(f"**{cell}**" for cell in cells))
        yield f"| {' | '.join(line)} |"


def _heads(block: HeadBars) -> Iterator[str]:
    """Tokens down, heads across; each head's largest weight is bold."""
    tops = [float(row.max()) - 1e-9 for row in block.weights]
    rows = []
    for s, name in enumerate(block.rows):
        column = block.weights[:, s].tolist()
        cells = [
            block.form(w) if w < top else f"**{block.form(w)}**" for w, top in zip(column, tops, strict=True)
        ]
        rows.append((f"{s + 1} {plain(name)}", cells, False))
    yield from _lines("", [plain(head_name(h)) for h in range(len(tops))], rows)
