"""One HTML file with all pages: nothing outside it is needed, not even a script.

Without JavaScript the pages stand one under another. With it one is shown at a time, turned by
buttons or keys, for any head, and for any token where the file holds them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from ...texts import LANGUAGE, texts
from ..page import Page
from .folding import Folder
from .sheet import style_sheet
from .writing import marked, safe


class Leaf(NamedTuple):
    """One section: a page key, the head it shows (None for all), and its page for each token or one."""

    key: str
    head: int | None
    pages: tuple[Page, ...]

    @property
    def id(self) -> str:
        return self.key if self.head is None else f"{self.key}-head-{self.head + 1}"


def document(
    leaves: Sequence[Leaf],
    *,
    title: str,
    tokens: Sequence[str],
    memory: Sequence[str] = (),
    token: int = 0,
    head: int = 0,
    theme: str = "auto",
) -> str:
    """The file. It opens at the first leaf of ``head``, following ``token``; both count from 0."""
    every_token = len(leaves[0].pages) > 1
    folder = Folder(token)
    sections = "\n".join(_section(leaf, folder, token) for leaf in leaves)
    heads = list(dict.fromkeys(leaf.head for leaf in leaves if leaf.head is not None))
    say = texts("html")
    chosen = "" if theme == "auto" else f' data-theme="{theme}"'
    return f"""<!DOCTYPE html>
<html lang="{LANGUAGE}"{chosen}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{safe(title)}</title>
<style>
{style_sheet()}</style>
</head>
<body data-token="{token}" data-head="{head}">
<a class="skip" href="#{leaves[0].id}">{say["skip"]}</a>
<header class="top">
<p class="name"><b>{say["name"]}</b> {say["about"]}</p>
{_sentence(tokens, token, buttons=every_token)}{_memory(memory)}
<div class="tools">{_heads(heads, head)}{_themes(theme)}</div>
{_stages(leaves)}
</header>
<main>
{sections}
</main>
{_foot(leaves, heads, every_token)}
<script>
{_read("page.js")}</script>
</body>
</html>
"""


@cache
def _read(name: str) -> str:
    return (Path(__file__).parent / name).read_text(encoding="utf-8")


def _section(leaf: Leaf, folder: Folder, token: int) -> str:
    page = leaf.pages[token if len(leaf.pages) > 1 else 0]
    corner = ""
    if page.corner:
        look = "chip" if page.head is None else f"chip h{page.head % 8}"
        corner = f' <span class="{look}">{safe(page.corner)}</span>'
    place = texts("html")["place"].format(number=page.number, count=page.total)
    crumb = f" · {marked(page.crumbs[page.here])}" if page.crumbs else ""
    head = "" if leaf.head is None else f' data-head="{leaf.head}"'
    title = f"{leaf.id}-title"
    return (
        f'<section class="page" id="{leaf.id}" data-page="{leaf.key}"{head} aria-labelledby="{title}">'
        f'<p class="place">{place}{crumb}</p>'
        f'<h2 id="{title}" tabindex="-1"><span>{marked(page.title)}</span>{corner}</h2>'
        f'{folder.body(leaf.pages)}<p class="source">{marked(page.source)}</p></section>'
    )


def _sentence(tokens: Sequence[str], token: int, *, buttons: bool) -> str:
    """The sentence; with a script its words are buttons, where the page can follow any of them."""
    say = texts("html")
    written = " ".join(
        f"<mark>{safe(word)}</mark>" if i == token else safe(word) for i, word in enumerate(tokens)
    )
    kind = "sentence unscripted" if buttons else "sentence"
    plain = f'<p class="{kind}"><span class="label">{say["sentence"]}</span> {written}</p>'
    if not buttons:
        return plain
    words = " ".join(
        f'<button type="button" data-token="{i}" aria-pressed="{_truth(i == token)}">{safe(word)}</button>'
        for i, word in enumerate(tokens)
    )
    return (
        f'{plain}<div class="sentence scripted" role="group" aria-label="{say["follow"]}">'
        f'<span class="label">{say["follow"]}</span> {words}</div>'
    )


def _truth(value: bool) -> str:
    return "true" if value else "false"


def _memory(memory: Sequence[str]) -> str:
    if not memory:
        return ""
    words = " ".join(safe(word) for word in memory)
    return f'\n<p class="sentence"><span class="label">{texts("html")["memory"]}</span> {words}</p>'


def _heads(heads: Sequence[int], chosen: int) -> str:
    if not heads:
        return ""
    say = texts("html")
    buttons = " ".join(
        f'<button type="button" class="chip h{h % 8}" data-head="{h}" aria-pressed="{_truth(h == chosen)}">'
        f"{say['head_name'].format(head=h + 1)}</button>"
        for h in heads
    )
    return f'<div class="heads scripted" role="group" aria-label="{say["head"]}">{buttons}</div>'


def _themes(chosen: str) -> str:
    say = texts("html")
    options = "".join(
        f'<option value="{key}"{" selected" if key == chosen else ""}>{name}</option>'
        for key, name in say["themes"].items()
    )
    return f'<label class="themes scripted">{say["colours"]} <select>{options}</select></label>'


def _stages(leaves: Sequence[Leaf]) -> str:
    """A link a stage: to the first of its pages."""
    say = texts("html")
    links: dict[str, str] = {}
    for leaf in leaves:
        page = leaf.pages[0]
        if page.crumbs and page.crumbs[page.here] not in links:
            name = page.crumbs[page.here]
            number = f'<span class="count">{page.here + 1}</span>'
            link = f'<a href="#{leaf.id}" data-stage="{page.here + 1}">{number} {marked(name)}</a>'
            links[name] = f'<li data-page="{leaf.key}">{link}</li>'
    return f'<nav aria-label="{say["stages"]}" class="stages"><ol>{"".join(links.values())}</ol></nav>'


def _foot(leaves: Sequence[Leaf], heads: Sequence[int], every_token: bool) -> str:
    say = texts("html")
    keys = say["keys"].format(stages=len({leaf.pages[0].here for leaf in leaves}))
    keys += say["keys_head"] if heads else ""
    keys += say["keys_token"] if every_token else ""
    return (
        f'<footer class="foot scripted"><nav aria-label="{say["turn"]}" class="turn">'
        f'<button type="button" data-turn="-1">← {say["previous"]}</button>'
        f'<span class="where" role="status"></span>'
        f'<button type="button" data-turn="1">{say["next"]} →</button></nav>'
        f'<p class="keys">{keys}.</p></footer>'
    )
