"""Pages as LaTeX: a table for each matrix with its words, and the bare matrices to copy.

The file compiles with the article class, pdflatex included: every token is escaped, and characters
that fonts may lack are written by their number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ..numbers import NumberForm
from ..texts import head_name
from .chart import chart_lines, listing_lines
from .page import (
    Band,
    Block,
    FirstFit,
    Formula,
    HeadBars,
    Listing,
    Page,
    Ribbons,
    Table,
    Terms,
    Text,
    tables_among,
)

PREAMBLE = r"""\documentclass[a4paper,landscape]{article}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage{textcomp}
\usepackage{amsmath}
\usepackage{graphicx}
\usepackage[margin=15mm]{geometry}
\setlength{\parindent}{0pt}
\setlength{\parskip}{6pt}
\setcounter{MaxMatrixCols}{256}
% A character outside western European fonts. With LuaLaTeX or XeLaTeX and a font that has it:
% \renewcommand{\mhachar}[1]{\char"#1 }
\newcommand{\mhachar}[1]{\texttt{[U+#1]}}
\newsavebox{\mhabox}
\newcommand{\mhafit}[1]{\sbox{\mhabox}{#1}%
  \ifdim\wd\mhabox>\linewidth\resizebox{\linewidth}{!}{\usebox{\mhabox}}\else\usebox{\mhabox}\fi\par}
"""
_ESCAPED = {
    **{c: f"\\{c}" for c in "&%$#_{}"},
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}",
    ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\textquotedbl{}", "`": r"\textasciigrave{}",
    "'": r"\textquotesingle{}", "·": r"$\cdot$", "×": r"$\times$",
    "—": r"{\textemdash}", "–": r"{\textendash}",
    "[": "{[}", "]": "{]}", "*": "{*}",  # after a line's end these two are options
    "▸": r"$\triangleright$",
}  # fmt: skip
_CODE = re.compile(r"`([^`]*)`")
_SYMBOL = re.compile(
    r"\b(?:(X|Q|K|V|W|b(?=[_^])|d|dots|scores|masked|weights|mixed|concat|output)"
    r"(?:_(\d+|model|[ikv])\b)?(?:\^([A-Z])\b)?)"
)


def latex(pages: Sequence[Page], title: str) -> str:
    """One LaTeX file with all pages, each on its own."""
    parts = [PREAMBLE, "\\begin{document}\n", f"\\section*{{{escaped(title)}}}\n"]
    for i, page in enumerate(pages):
        parts += ["\\clearpage\n"] if i else []
        corner = f" ({escaped(page.corner)})" if page.corner else ""
        parts.append(f"\\subsection*{{{symbols(page.title)}{corner}}}\n")
        for block in page.blocks:
            parts += [f"{line}\n" for line in _block(block)]
            parts.append("\n")
        parts += [f"{line}\n" for line in _matrices(page)]
        parts.append(f"\\textit{{{escaped(page.source)}}}\n\n")
    return "".join([*parts, "\\end{document}\n"])


def escaped(text: str) -> str:
    """``text`` as LaTeX prints it; what pdflatex may not have is written by its number."""
    written = "".join(_ESCAPED.get(c) or _character(c) for c in text)
    return written.replace(r"-\textgreater{}", r"$\to$").replace("--", "{-}{-}")


def _character(c: str) -> str:
    if c.isascii():
        return c if c.isprintable() else "?"
    if "À" <= c <= "ÿ":
        return c
    return f"\\mhachar{{{ord(c):04X}}}" if c.isprintable() else "?"


def symbols(text: str) -> str:
    """A line of a page: W_2^Q as mathematics, `tokens` in typewriter, all else escaped."""
    parts = _CODE.split(text)
    return "".join(
        rf"\texttt{{{escaped(part)}}}" if i % 2 else _mathematics(part) for i, part in enumerate(parts)
    )


def _mathematics(text: str) -> str:
    """Only names with an index or a power become mathematics; the word "output" stays a word."""
    written, at = [], 0
    for match in _SYMBOL.finditer(text):
        if match[2] or match[3]:
            written += [escaped(text[at : match.start()]), f"${_symbol(match)}$"]
            at = match.end()
    return "".join([*written, escaped(text[at:])])


def _symbol(match: re.Match[str]) -> str:
    name, index, power = match.groups()
    name = name if len(name) == 1 else rf"\mathrm{{{name}}}"
    index = rf"\mathrm{{{index}}}" if index and len(index) > 2 else index
    return name + (f"_{{{index}}}" if index else "") + (f"^{{{power}}}" if power else "")


def number(text: str) -> str:
    """A written number as mathematics: a real minus sign, and infinity."""
    if text.endswith("inf"):
        return f"${text[:-3]}\\infty$"
    mantissa, e, power = text.partition("e")
    return f"${mantissa}\\cdot 10^{{{int(power)}}}$" if e else f"${text}$"


def _block(block: Block) -> Iterator[str]:
    if isinstance(block, Text):
        label = rf"\textbf{{{escaped(block.label)}:}} " if block.label else ""
        write = escaped if block.role == "number" else symbols
        yield label + "\\\\\n".join(write(line) for line in block.text.split("\n")) + "\\par"
    elif isinstance(block, Formula):
        gap = r"\quad "
        yield gap.join(symbols(part) for part in re.split(" {2,}", block.text))
        yield rf"\hfill {symbols(block.shapes)}\par"
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
        yield rf"\textbf{{{escaped(block.title)}}}\par"
        for name, meaning in block.rows:
            yield rf"\textbf{{{symbols(name)}}}: {symbols(meaning)}\par"
    else:
        lines = listing_lines(block, 100) if isinstance(block, Listing) else chart_lines(block, 100, True)
        yield "\\\\\n".join(rf"\texttt{{{escaped(line)}}}" for line in lines) + "\\par"


def _table(table: Table) -> Iterator[str]:
    yield r"\mhafit{\begin{tabular}{l" + "".join(f"|{'r' * (b.stop - b.start)}" for b in table.bands) + "}"
    titles = (rf"\multicolumn{{{band.stop - band.start}}}{{l}}{{{_title(band)}}}" for band in table.bands)
    yield f"& {' & '.join(titles)} \\\\"
    if any(table.columns):
        yield f"{escaped(table.row_axis)} & {' & '.join(escaped(name) for name in table.columns)} \\\\"
    yield r"\hline"
    before = (table.values if table.old is None else table.old).tolist()
    forms = [band.form for band in table.bands for _ in range(band.start, band.stop)]
    for i, row in enumerate(table.values.tolist()):
        if table.total and i == len(table.rows) - table.total:
            yield r"\hline"
        cells = [_cell(form, *pair) for form, *pair in zip(forms, row, before[i], strict=True)]
        for j in (j for k, j in table.marked if k == i):
            cells[j] = rf"\fbox{{{cells[j]}}}"
        name = escaped(table.rows[i])
        if number_of_row := table.row_number(i):
            name = f"{number_of_row} {name}"
        if i == table.chosen:
            name = rf"\textbf{{$\triangleright$ {name}}}"
            cells = [rf"{{\boldmath {cell}}}" for cell in cells]
        yield f"{name} & {' & '.join(cells)} \\\\"
    yield r"\end{tabular}}"


def _cell(form: NumberForm, x: float, old: float) -> str:
    """A number as written; a changed one has a star and the number before it in brackets."""
    if x != x:
        return ""
    was = form.before(x, old)
    return number(form(x)) if was is None else f"*{number(form(x))} ({number(was)})"


def _title(band: Band) -> str:
    axis = rf" \textit{{{escaped(band.axis)}}}" if band.axis else ""
    return f"{symbols(band.title)}{axis}"


def _heads(block: HeadBars) -> Iterator[str]:
    """Tokens down, heads across."""
    heads = range(len(block.weights))
    yield r"\mhafit{\begin{tabular}{l|" + "r" * len(heads) + "}"
    yield f"& {' & '.join(escaped(head_name(h)) for h in heads)} \\\\"
    yield r"\hline"
    for s, name in enumerate(block.rows):
        cells = " & ".join(number(block.form(float(block.weights[h, s]))) for h in heads)
        yield f"{s + 1} {escaped(name)} & {cells} \\\\"
    yield r"\end{tabular}}"


def _matrices(page: Page) -> Iterator[str]:
    """Every matrix of the page that has a symbol for a name, once, as a bmatrix."""
    known = set()
    for table in tables_among(page.blocks, 0):
        for band in table.bands:
            match = _SYMBOL.fullmatch(band.title)
            if match and band.title not in known and not table.total:
                known.add(band.title)
                rows = table.values[:, band.start : band.stop].tolist()
                body = " \\\\\n".join(" & ".join(number(band.form(x))[1:-1] for x in row) for row in rows)
                yield f"\\mhafit{{${_symbol(match)} = \\begin{{bmatrix}}\n{body}\n\\end{{bmatrix}}$}}"
