"""One HTML file for a reader of results: a page to read and to print, without a script."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from ...texts import LANGUAGE
from .sheet import DARK, LIGHT
from .writing import safe


def report(title: str, body: str, *, wide: bool = False) -> str:
    """The file around ``body``, which is HTML already."""
    kind = ' class="wide"' if wide else ""
    return f"""<!DOCTYPE html>
<html lang="{LANGUAGE}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>{safe(title)}</title>
<style>
{_style()}</style>
</head>
<body>
<main{kind}>
{body}
</main>
</body>
</html>
"""


@cache
def _style() -> str:
    css = (Path(__file__).parent / "report.css").read_text(encoding="utf-8")
    for name, colours in (("light", LIGHT), ("dark", DARK)):
        css = css.replace(f"/*{name}*/", "".join(f"--{key}:{colour};" for key, colour in colours.items()))
    return css


def bar(done: int, count: int, kind: str = "bar") -> str:
    """A bar as long as the part that is done; the numbers must stand beside it."""
    tag = "div" if kind == "bar" else "span"
    width = round(100 * done / count) if count else 0
    return f'<{tag} class="{kind}" aria-hidden="true"><span style="width:{width}%"></span></{tag}>'


def table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]], numbers: tuple[int, ...] = ()) -> str:
    """A table of HTML cells under column names; ``numbers`` are columns that end at the right."""

    def cells(tag: str, row: tuple[str, ...]) -> str:
        made = []
        for at, cell in enumerate(row):
            look = ' class="n"' if at in numbers else ""
            name = ' scope="col"' if tag == "th" else ""
            made.append(f"<{tag}{name}{look}>{cell}</{tag}>")
        return f"<tr>{''.join(made)}</tr>"

    top = cells("th", tuple(map(safe, head)))
    body = "".join(cells("td", row) for row in rows)
    return f'<div class="scroll"><table class="list"><thead>{top}</thead><tbody>{body}</tbody></table></div>'
