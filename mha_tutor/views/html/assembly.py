"""One HTML file with all pages: nothing outside it is needed, not even a script.

Without JavaScript the pages stand one under another. With it one is shown at a time, turned by
buttons or keys, for any head, and for any token where the file holds them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from ...texts import LANGUAGE, texts
from ..page import Page
from .folding import folded
from .frame import Place, foot, head_buttons, memory_line, sentence, stages, themes
from .sheet import style_sheet
from .writing import marked, safe


class Leaf(NamedTuple):
    """One section: a page key, the head it shows (None for all), and its page for each token or one."""

    key: str
    head: int | None
    pages: tuple[Page, ...]

    @property
    def place(self) -> Place:
        name = self.key if self.head is None else f"{self.key}-head-{self.head + 1}"
        page = self.pages[0]
        return Place(name, self.key, self.head, page.here + 1, page.crumbs[page.here] if page.crumbs else "")


def document(
    leaves: Iterable[Leaf],
    *,
    title: str,
    tokens: Sequence[str],
    memory: Sequence[str] = (),
    token: int = 0,
    head: int = 0,
    theme: str = "auto",
) -> str:
    """The file. It opens at the first leaf of ``head``, following ``token``; both count from 0."""
    sections, places, every_token = [], [], False
    for leaf in leaves:  # made one by one, so that the pages of the last can be forgotten
        sections.append(_section(leaf, token))
        places.append(leaf.place)
        every_token = len(leaf.pages) > 1
    heads = list(dict.fromkeys(place.head for place in places if place.head is not None))
    say = texts("html")
    chosen = "" if theme == "auto" else f' data-theme="{theme}"'
    before = f"""<!DOCTYPE html>
<html lang="{LANGUAGE}"{chosen}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{safe(title)}</title>
<style>
{style_sheet()}</style>
</head>
<body data-token="{token}" data-head="{head}">
<a class="skip" href="#{places[0].id}">{say["skip"]}</a>
<header class="top">
<p class="name"><b>{say["name"]}</b> {say["about"]}</p>
{sentence(tokens, token, buttons=every_token)}{memory_line(memory)}
<div class="tools">{head_buttons(heads, head)}{themes(theme)}</div>
{stages(places)}
</header>
<main>
"""
    after = f"""</main>
{foot(places, heads, every_token)}
<script>
{_read("page.js")}</script>
</body>
</html>
"""
    return "".join([before, *sections, after])


@cache
def _read(name: str) -> str:
    return (Path(__file__).parent / name).read_text(encoding="utf-8")


def _section(leaf: Leaf, token: int) -> str:
    page, place = leaf.pages[token if len(leaf.pages) > 1 else 0], leaf.place
    corner = ""
    if page.corner:
        look = "chip" if page.head is None else f"chip h{page.head % 8}"
        corner = f' <span class="{look}">{safe(page.corner)}</span>'
    where = texts("html")["place"].format(number=page.number, count=page.total)
    crumb = f" · {marked(place.crumb)}" if place.crumb else ""
    head = "" if leaf.head is None else f' data-head="{leaf.head}"'
    title = f"{place.id}-title"
    return (
        f'<section class="page" id="{place.id}" data-page="{leaf.key}"{head} aria-labelledby="{title}">'
        f'<p class="place">{where}{crumb}</p>'
        f'<h2 id="{title}" tabindex="-1"><span>{marked(page.title)}</span>{corner}</h2>'
        f'{folded(leaf.pages, token)}<p class="source">{marked(page.source)}</p></section>\n'
    )
