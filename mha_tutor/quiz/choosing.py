"""Which question comes before which page, by chance and yet the same for the same seed."""

from __future__ import annotations

from collections.abc import Callable

from .desk import Desk
from .head_sums import sum_over_heads_question, without_question
from .numbers import mask_question, number_question
from .question import Question
from .shapes import shape_question
from .sums import sum_question
from .winners import winner_question

Make = Callable[[Desk, str], Question | None]


def _shape(name: str) -> Make:
    return lambda desk, page: shape_question(desk, page, name)


def _winner(tensor: str) -> Make:
    return lambda desk, page: winner_question(desk, page, tensor)


def _sum(what: str) -> Make:
    return lambda desk, page: sum_question(desk, page, what)


def _number(tensor: str) -> Make:
    return lambda desk, page: number_question(desk, page, tensor)


TOPICS: dict[str, Make] = {
    **{f"shape {name}": _shape(name) for name in ("X", "Q", "dots", "mixed", "concat", "output", "after")},
    **{f"winner {name}": _winner(name) for name in ("dots", "weights")},
    **{f"sum {what}": _sum(what) for what in ("row", "map", "heads")},
    **{
        f"number {name}": _number(name)
        for name in ("Q", "K", "V", "dots", "scores", "weights", "mixed", "concat", "output")
    },
    "number hidden": lambda desk, page: mask_question(desk, page, hidden=True),
    "number allowed": lambda desk, page: mask_question(desk, page, hidden=False),
    "number sum": sum_over_heads_question,
    "number without": without_question,
}

# What can be asked before each page, by kind: the kind is drawn first, then the topic.
OF_PAGE: dict[str, tuple[tuple[str, ...], ...]] = {
    "embed": (("shape X",),),
    "project": (("shape Q",), ("number Q", "number K", "number V")),
    "dots": (("shape dots",), ("winner dots",), ("number dots",)),
    "scale": (("number scores",),),
    "mask": (("number hidden", "number allowed"),),
    "softmax": (("winner weights",), ("number weights",), ("sum row", "sum map")),
    "heads": (("winner weights",), ("sum heads",)),
    "mix": (("shape mixed",), ("number mixed",)),
    "concat": (("shape concat",), ("number concat",)),
    "output": (("shape output",), ("number output",)),
    "sum": (("number sum",),),
    "without": (("number without",),),
    "after": (("shape after",),),
}
PAGE_OF = {topic: page for page, kinds in reversed(OF_PAGE.items()) for topics in kinds for topic in topics}


def ask_topic(desk: Desk, topic: str, page: str | None = None) -> Question | None:
    """A question of that topic; None where this run has none worth asking, or no such topic."""
    if topic not in TOPICS:
        return None
    page = page or PAGE_OF[topic]
    return TOPICS[topic](desk.at(page, topic), page)


def ask_about(desk: Desk, page: str) -> Question | None:
    """A question about that page; None where there is none worth asking."""
    here = desk.at(page)
    order = [topic for kind in here.drawn(OF_PAGE.get(page, ())) for topic in here.drawn(kind)]
    for topic in order:
        if question := ask_topic(desk, topic, page):
            return question
    return None
