"""Paragraphs that flow: a source's line breaks taken out, and lines broken anew where text is shown.

Code between fences, tables and headings stay as they are; a list item is a line of its own.
"""

from __future__ import annotations

import re
import textwrap

WIDTH = 90
ITEM = re.compile(r"\s*(?:[-+*]|\d+[.)]) ")
_AS_IT_IS = ("|", "#")


def joined(text: str) -> str:
    """Each paragraph and each list item on one line."""
    made: list[str] = []
    fresh, code = True, False
    for line in text.strip("\n").split("\n"):
        fence = line.lstrip().startswith("```")
        if code or fence or line.startswith(_AS_IT_IS):
            made.append(line)
            code, fresh = code != fence, True
        elif not line.strip():
            made += [""] if made and made[-1] else []
            fresh = True
        elif fresh or ITEM.match(line):
            made.append(line.strip())
            fresh = False
        else:
            made[-1] += " " + line.strip()
    return "\n".join(made)


def wrapped(text: str, width: int = WIDTH, indent: str = "") -> str:
    """``joined``, with lines broken between words so that none is longer than ``width``."""
    made: list[str] = []
    code = False
    for line in joined(text).split("\n"):
        fence = line.lstrip().startswith("```")
        if code or fence or line.startswith(_AS_IT_IS) or not line:
            made.append(f"{indent}{line}" if line else "")
            code = code != fence
            continue
        item = ITEM.match(line)
        made += textwrap.wrap(
            line,
            max(width, len(indent) + 20),
            initial_indent=indent,
            subsequent_indent=indent + " " * (item.end() if item else 0),
            break_long_words=False,
            break_on_hyphens=False,
        )
    return "\n".join(made)


_MARKER = re.compile(r"(?P<indent>\s*)(?:(?P<sign>[-+*])|(?P<number>\d{1,9})[.)])\s")


def accidental_item(text: str) -> int | None:
    """The number of the first line, from 0, that Markdown takes for a list item though a paragraph goes on.

    A list starts after an empty line or a heading; an item beside another has its sign and its indent.
    """
    open_items: dict[int, str] = {}  # the sign, or the last number, of the list at each indent
    before, code = "", False
    for at, line in enumerate(text.split("\n")):
        fence = line.lstrip().startswith("```")
        match = None if code or fence else _MARKER.match(line)
        if match:
            indent, sign = len(match["indent"]), match["sign"] or str(int(match["number"]) - 1)
            begins = not before.strip() or before.startswith("#")
            if sign == "+" or not (open_items.get(indent) == sign or (begins and sign in ("-", "*", "0"))):
                return at
            open_items = {i: s for i, s in open_items.items() if i < indent}
            open_items[indent] = match["sign"] or match["number"]
        elif line and not line.startswith(" "):
            open_items = {}
        code = code != fence
        before = line
    return None
