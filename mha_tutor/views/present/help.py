"""The help page of a presentation: its keys."""

from __future__ import annotations

from ...texts import texts
from ..page import Page, Terms


def present_help() -> Page:
    """The page behind the key ?."""
    say = texts("present")
    title = say["help"]["title"]
    groups = (
        Terms(say["help"][name], tuple(say["keys"][name].items())) for name in ("slides", "room", "poll")
    )
    return Page(key="help", title=title, source=title, blocks=tuple(groups))
