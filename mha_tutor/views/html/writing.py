"""Text made safe for HTML, and the small marks that formulas and names carry."""

from __future__ import annotations

import re

# A joiner holds some scripts' letters and emoji together; other format characters may reorder text.
_JOINERS = "\u200c\u200d"
_CODE = re.compile(r"`([^`]*)`")
_SYMBOL = re.compile(r"\b(Q|K|V|W|b|d|dots|scores|masked|weights|mixed)_(\d+|model|[ikv])\b(?:\^([A-Z])\b)?")
_POWER = re.compile(r"\b(W|K|b|K<sub>\d+</sub>)\^([A-Z])\b")


def safe(text: str) -> str:
    """``text`` for use between tags or in a quoted attribute; what cannot be printed becomes "?"."""
    if not text.isprintable():
        text = "".join(c if c.isprintable() or c in _JOINERS else "?" for c in text)
    if not text.isascii() or not text.isalnum():
        text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        text = text.replace('"', "&quot;").replace("'", "&#39;")
    return text


def marked(text: str) -> str:
    """A line of a page: `tokens` as code, W_2^Q and d_model with their index and power."""
    parts = _CODE.split(safe(text))
    return "".join(f"<code>{part}</code>" if i % 2 else _symbols(part) for i, part in enumerate(parts))


def lines(text: str) -> str:
    """Several lines, tokens as code, all else as it is: addresses and workings must stay literal."""
    return "<br>".join(_CODE.sub(r"<code>\1</code>", safe(line)) for line in text.split("\n"))


def _symbols(text: str) -> str:
    text = _SYMBOL.sub(_indexed, text)
    return _POWER.sub(r"\1<sup>\2</sup>", text)


def _indexed(match: re.Match[str]) -> str:
    name, index, power = match.groups()
    return f"{name}<sub>{index}</sub>" + (f"<sup>{power}</sup>" if power else "")
