"""What stands around the pages of an HTML file: the sentence, the heads, the stages, the buttons."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...texts import head_name, texts
from .writing import marked, safe


class Place(NamedTuple):
    """Where a section stands: its page and head, and its stage by number and name."""

    id: str
    key: str
    head: int | None
    stage: int
    crumb: str


def sentence(tokens: Sequence[str], token: int, *, buttons: bool) -> str:
    """The sentence; with a script its words are buttons, where the page can follow any of them."""
    if not tokens:  # pages about many sentences
        return ""
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


def memory_line(memory: Sequence[str]) -> str:
    if not memory:
        return ""
    words = " ".join(safe(word) for word in memory)
    return f'\n<p class="sentence"><span class="label">{texts("html")["memory"]}</span> {words}</p>'


def head_buttons(heads: Sequence[int], chosen: int) -> str:
    if not heads:
        return ""
    say = texts("html")
    buttons = " ".join(
        f'<button type="button" class="chip h{h % 8}" data-head="{h}" aria-pressed="{_truth(h == chosen)}">'
        f"{head_name(h)}</button>"
        for h in heads
    )
    return f'<div class="heads scripted" role="group" aria-label="{say["head"]}">{buttons}</div>'


def themes(chosen: str) -> str:
    say = texts("html")
    options = "".join(
        f'<option value="{key}"{" selected" if key == chosen else ""}>{name}</option>'
        for key, name in say["themes"].items()
    )
    return f'<label class="themes scripted">{say["colours"]} <select>{options}</select></label>'


def stages(places: Sequence[Place]) -> str:
    """A link a stage: to the first of its pages."""
    say = texts("html")
    links: dict[int, str] = {}
    for place in places:
        if place.crumb and place.stage not in links:
            number = f'<span class="count">{place.stage}</span>'
            link = f'<a href="#{place.id}" data-stage="{place.stage}">{number} {marked(place.crumb)}</a>'
            links[place.stage] = f'<li data-page="{place.key}">{link}</li>'
    return f'<nav aria-label="{say["stages"]}" class="stages"><ol>{"".join(links.values())}</ol></nav>'


def foot(places: Sequence[Place], heads: Sequence[int], every_token: bool) -> str:
    say = texts("html")
    keys = say["keys"].format(stages=max(place.stage for place in places))
    keys += say["keys_head"] if heads else ""
    keys += say["keys_token"] if every_token else ""
    return (
        f'<footer class="foot scripted"><nav aria-label="{say["turn"]}" class="turn">'
        f'<button type="button" data-turn="-1">&larr; {say["previous"]}</button>'
        f'<span class="where" role="status"></span>'
        f'<button type="button" data-turn="1">{say["next"]} &rarr;</button></nav>'
        f'<p class="keys">{keys}.</p></footer>'
    )
