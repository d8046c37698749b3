"""The help page: the keys, and every term with its one-line meaning."""

from __future__ import annotations

from ..texts import texts
from .page import Page, Text


def help_page() -> Page:
    """The page behind the key ?."""
    say = texts("keys")
    keys = "\n".join(f"{name}: {does}" for name, does in say["keys"].items())
    terms = "\n".join(f"{term}: {meaning}" for term, meaning in texts("terms").items())
    return Page(
        key="help",
        title=say["help_title"],
        source=say["help_title"],
        blocks=(Text(keys, "words", say["keys_label"]), Text(terms, "words", texts("pages")["words"])),
    )
