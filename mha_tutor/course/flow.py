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
