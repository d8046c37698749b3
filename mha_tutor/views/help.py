"""The help page: the keys, and every term with its one-line meaning."""

from __future__ import annotations

from ..texts import texts
from .page import Page, Terms


def help_page() -> Page:
    """The page behind the key ?."""
    say = texts("keys")
    return Page(
        key="help",
        title=say["help_title"],
        source=say["help_title"],
        blocks=(
            Terms(say["keys_label"], tuple(say["keys"].items())),
            Terms(texts("pages")["words"], tuple(texts("terms").items())),
        ),
    )
