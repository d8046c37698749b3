"""The help page: the keys, and every term with its one-line meaning."""

from __future__ import annotations

from ..texts import texts
from .page import Page, Terms

ASKING = ("w", "e", "p", "u, r, s")  # the keys of pages whose numbers can be asked and changed


def help_page(*, asks: bool = True) -> Page:
    """The page behind the key ?, with the keys that ask and change numbers where there are any."""
    say = texts("keys")
    keys = tuple((name, does) for name, does in say["keys"].items() if asks or name not in ASKING)
    return Page(
        key="help",
        title=say["help_title"],
        source=say["help_title"],
        blocks=(
            Terms(say["keys_label"], keys),
            Terms(texts("pages")["words"], tuple(texts("terms").items())),
        ),
    )
