"""How the parts of a page get their look: by classes of a style sheet, or by styles of their own.

A file has one style sheet, with light and dark. A notebook keeps only what stands on the part
itself: its hosts cut style sheets out, and have grounds of their own.
"""

from __future__ import annotations

from typing import Protocol

from ..colours import ground, head_colour, ink_on


class Dress(Protocol):
    """Attributes for the parts of a page, each with a space in front, or nothing."""

    def part(self, name: str) -> str:
        """For a part with a name, such as "table" or "row.chosen"."""

    def table(self, columns: int) -> str:
        """For a table of that many columns."""

    def chip(self, head: int) -> str:
        """For a head's name on the head's colour."""

    def fill(self, head: int, percent: int) -> str:
        """For a bar of that length in the head's colour."""

    def cell(self, paint: str, step: int, pad: int, first: bool) -> str:
        """For a number: its level, the places it is short of, and whether a band starts with it."""

    def word(self, step: int) -> str:
        """For a word shaded by its weight."""


_PLAIN = {"tr", "row", "col", "caption", "caption.title", "line"}  # the style sheet knows these by their tags


class ByClass:
    """Classes that page.css knows."""

    def part(self, name: str) -> str:
        return "" if name in _PLAIN else f' class="{name.replace(".", " ")}"'

    def table(self, columns: int) -> str:
        return f' style="--n:{columns}"'

    def chip(self, head: int) -> str:
        return f' class="chip h{head % 8}"'

    def fill(self, head: int, percent: int) -> str:
        return f' class="h{head % 8}" style="width:{percent}%"'

    def cell(self, paint: str, step: int, pad: int, first: bool) -> str:
        names = [_level_class(paint, step), f"p{pad}" if pad else "", "b" if first else ""]
        given = " ".join(name for name in names if name)
        return f' class="{given}"' if given else ""

    def word(self, step: int) -> str:
        return f' class="word w{step}"'


def _level_class(paint: str, step: int) -> str:
    if paint == "weights":
        return f"w{step}"
    return f"n{-step}" if step < 0 else f"s{step}"


_LINE = "1px solid #8c959f"
_STYLES = {
    "scroll": "overflow-x:auto;max-width:100%;margin:.5em 0",
    "table": "border-collapse:collapse;width:auto;margin:0;font-size:90%",
    "caption": "caption-side:bottom;text-align:left;font-size:85%;padding:.3em 0;opacity:1",
    "caption.seen": "text-align:left;font-weight:600;padding-bottom:.3em",
    "caption.title": "display:none",  # says no more than the title above the columns
    "corner": "border:0;background:none",
    "band": "text-align:left;padding:.2em .5em;border:0",
    "axis": "font-weight:normal;font-style:italic",
    "col": f"text-align:right;padding:.2em .5em;border:0;border-bottom:{_LINE}",
    "col.b": f"text-align:right;padding:.2em .5em .2em 1.3em;border:0;border-bottom:{_LINE}",
    "axis.rows": f"text-align:left;font-weight:normal;font-style:italic;padding:.2em;border-bottom:{_LINE}",
    "row": "text-align:left;padding:.2em .8em .2em .3em;white-space:nowrap;font-weight:inherit",
    "marked": "background:none;color:inherit;font-weight:bold;outline:2px solid",
    "tr": "font-weight:normal",
    "tr.chosen": "font-weight:bold",
    "tr.total": f"font-weight:normal;border-top:{_LINE}",
    "text": "text-align:left;padding:.2em .8em",
    "line": "margin:.4em 0",
    "line.lead": "margin:.4em 0",
    "line.look": "margin:.2em 0",
    "line.words": "margin:.4em 0;font-size:90%",
    "shapes": "font-family:monospace;margin-left:1em;font-size:90%",
    "listed": "text-align:right;padding:.2em .5em;font-family:monospace",
    "number": "margin:.4em 0;font-family:monospace;white-space:pre-wrap",
    "formula": "margin:.4em 0;font-size:105%",
    "title": "margin:.2em 0 .4em;font-size:115%;font-weight:bold",
    "source": "margin:.6em 0 0;font-size:85%;font-style:italic",
    "page": "margin:0;line-height:1.4",
    "bar": "display:inline-block;width:8em;height:.8em;vertical-align:middle;margin-left:.5em",
    "bars": "text-align:left;padding:.15em .8em;white-space:nowrap;font-family:monospace",
    "ribbon": "margin:.4em 0;line-height:1.3",
    "tables": "margin:0",
}


class Inline:
    """Styles on each part, for notebooks. Grounds bring their own ink, so any host ground will do."""

    def __init__(self, *, light: bool = True) -> None:
        self.light = light

    def part(self, name: str) -> str:
        style = _STYLES.get(name)
        return f' style="{style}"' if style else ""

    def table(self, columns: int) -> str:
        return self.part("table")

    def _on(self, colour: str) -> str:
        return f"background-color:{colour};color:{ink_on(colour)}"

    def chip(self, head: int) -> str:
        colour = head_colour(head, light=self.light)
        return f' style="{self._on(colour)};padding:.05em .5em;font-weight:bold;white-space:nowrap"'

    def fill(self, head: int, percent: int) -> str:
        colour = head_colour(head, light=self.light)
        return f' style="display:inline-block;height:100%;width:{percent}%;background-color:{colour}"'

    def cell(self, paint: str, step: int, pad: int, first: bool) -> str:
        right = f"calc(.5em + {pad}ch)" if pad else ".5em"
        gap = "border-left:.8em solid transparent;background-clip:padding-box;" if first else ""
        style = f"{gap}text-align:right;padding:.2em {right} .2em .5em;font-family:monospace"
        return f' style="{self._on(ground(paint, step, light=self.light))};{style}"'

    def word(self, step: int) -> str:
        style = "display:inline-block;padding:.1em .4em;margin:0 .1em .2em 0;text-align:center"
        return f' style="{self._on(ground("weights", step, light=self.light))};{style}"'
