"""What a learner reads, apart from layout and code: one TOML file a subject and language."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

LANGUAGE = "en"


@cache
def texts(subject: str) -> dict[str, Any]:
    """All texts of a subject ("pages", "terms" ...), by key."""
    path = Path(__file__).parent / f"{subject}.{LANGUAGE}.toml"
    return tomllib.loads(path.read_text(encoding="utf-8"))


def sentence(subject: str, part: str, key: str, /, **values: object) -> str:
    """The sentence of that key in a part of a subject, with ``values`` filled in."""
    found: str = texts(subject)[part][key]
    return found.format_map(values)


def head_name(head: int) -> str:
    """What a head is called, counted from 0: head 1, head 2 ..."""
    name: str = texts("pages")["head_name"]
    return name.format(head=head + 1)


def listed(items: Sequence[str]) -> str:
    """a; a and b; a, b and c."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {texts('pages')['and']} {items[-1]}"
