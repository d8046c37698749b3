"""A walk as one HTML file: its pages for every head and, where that stays small, for every token."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ...texts import texts
from ...trace import Trace
from ..page import Page
from ..pages import PER_HEAD, View, page_keys
from .assembly import Leaf, document

MOST_HEADS = 16
MOST_CHOICES = 300  # heads x tokens x tokens: beyond, a file that follows every token grows past 500 kB


def holds_every_head(trace: Trace) -> bool:
    """Whether the file has the pages of all heads, not of the chosen one alone."""
    return trace.sizes["heads"] <= MOST_HEADS


def holds_every_token(trace: Trace) -> bool:
    """Whether the file can follow any token, not the chosen one alone."""
    return trace.sizes["heads"] * trace.sizes["n"] ** 2 <= MOST_CHOICES


def walk_document(
    trace: Trace,
    make: Callable[[str, View], Page],
    view: View,
    *,
    keys: Sequence[str] | None = None,
    theme: str = "auto",
) -> str:
    """The whole file; with ``keys``, of these pages alone. It opens at the head and token of ``view``.

    ``make`` gives the page of a key for a view.
    """
    heads, n = trace.sizes["heads"], trace.sizes["n"]
    shown = range(heads) if holds_every_head(trace) else range(view.head, view.head + 1)
    tokens = range(n) if holds_every_token(trace) else range(view.token, view.token + 1)

    def leaves() -> Iterator[Leaf]:
        for key in page_keys(trace) if keys is None else keys:
            per_head = key in PER_HEAD and heads > 1
            for head in shown if per_head else (view.head,):
                pages = tuple(make(key, View(head, token, view.decimals)) for token in tokens)
                yield Leaf(key, head if per_head else None, pages)

    return document(
        leaves(),
        title=walk_title(trace),
        tokens=trace.tokens,
        memory=trace.memory_tokens if "X_memory" in trace else (),
        token=view.token,
        head=view.head,
        theme=theme,
    )


def walk_title(trace: Trace) -> str:
    """What a file with this walk is called: the example and its sentence."""
    return str(texts("html")["title"].format(example=trace.example, sentence=trace.sentence))
