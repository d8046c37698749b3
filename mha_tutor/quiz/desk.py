"""What all questions are made at: a run, the reader's choices, chance, and words to fill in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import product
from random import Random
from typing import Any

import numpy as np

from ..addresses import address
from ..answers import half_unit, tolerance
from ..attention import Array
from ..explain import Cell
from ..mistakes import LESSON_OF, Problem
from ..numbers import NumberForm, form_for
from ..trace import Trace
from ..views.pages import View
from ..views.pages.maker import numbered
from .question import Option, Question
from .wording import say, topic_text


class Desk:
    """Where questions about one run are made.

    ``heads`` and ``tokens`` (from 0) limit what is asked about. The same ``seed`` gives the same
    questions, whatever was asked before.
    """

    def __init__(
        self,
        trace: Trace,
        view: View,
        seed: int | str = 0,
        *,
        heads: Sequence[int] | None = None,
        tokens: Sequence[int] | None = None,
    ) -> None:
        self.trace = trace
        self.view = view
        self.seed = seed
        self.sizes = trace.sizes
        self.heads = tuple(range(self.sizes["heads"]) if heads is None else heads)
        self.tokens = tuple(range(self.sizes["n"]) if tokens is None else tokens)
        self.chance = Random(str(seed))
        self.forms: dict[str, NumberForm] = {}

    def at(self, *place: object) -> Desk:
        """The same desk with chances of its own for that place."""
        seed = " ".join(map(str, (self.seed, *place)))
        desk = Desk(self.trace, self.view, seed, heads=self.heads, tokens=self.tokens)
        desk.__dict__["problem"] = self.problem  # it keeps every array that was computed
        desk.forms = self.forms
        return desk

    @cached_property
    def problem(self) -> Problem:
        """The same run as the registry of mistakes knows it."""
        return Problem.of(self.trace)

    @property
    def unit(self) -> float:
        """How far a number may be off."""
        return half_unit(self.view.decimals)

    @property
    def cross(self) -> bool:
        """Whether the tokens that are asked belong to another text."""
        return "X_memory" in self.trace

    def __getitem__(self, name: str) -> Array:
        return self.trace[name].values

    def is_plain(self, cell: Cell) -> bool:
        """Whether the number is what the plain computation gives, with no head removed on the way."""
        full = cell.value(self.trace)
        return bool(np.isclose(self.problem[cell.tensor][cell.index], full, rtol=1e-9, atol=1e-12))

    def form(self, name: str) -> NumberForm:
        """How the numbers of that tensor are printed."""
        if name not in self.forms:
            self.forms[name] = form_for(self[name], self.view.decimals)
        return self.forms[name]

    def asks(self, t: int) -> str:
        """The token that asks, as texts show it."""
        return numbered(self.trace.tokens, t)

    def asked(self, s: int) -> str:
        """The token that is asked, as texts show it."""
        return numbered(self.trace.memory_tokens, s)

    def drawn(self, items: Sequence[Any], most: int = 10**6) -> list[Any]:
        """The items in an order of chance, at most so many."""
        return self.chance.sample(list(items), min(most, len(items)))

    def cells(self, tensor: str, most: int = 120) -> Iterator[Cell]:
        """Cells of that tensor in an order of chance, about the heads and tokens of this desk."""
        shape, letters = self[tensor].shape, self.trace[tensor].letters
        kv = sorted({self.trace.kv_of_head[h] for h in self.heads})
        own = {"h": self.heads, "g": kv, "t": self.tokens}
        if tensor in ("K", "V"):
            own |= {"h": kv, "s": range(self.sizes["m"]) if self.cross else self.tokens}
        spans = [own.get(letter, range(size)) for letter, size in zip(letters, shape, strict=True)]
        for index in self.drawn(list(product(*spans)), most):
            yield Cell(tensor, tuple(index))

    def fill(self, h: int = 0, **more: object) -> dict[str, object]:
        """The words and sizes that any text of the quiz may name, for head ``h``."""
        sizes = self.sizes | {"c": self.sizes["heads"] * self.sizes["d_v"]}
        return {**sizes, "i": h + 1, "kv": self.trace.kv_of_head[h] + 1, **more}

    def address(self, cell: Cell) -> str:
        """The cell in words."""
        return address(self.trace, cell)

    def question(
        self,
        topic: str,
        page: str,
        tensor: str,
        fill: dict[str, object],
        more_hints: Sequence[str] = (),
        **more: Any,
    ) -> Question:
        """A question of that topic: its words filled in, its reasons in an order of chance."""
        text = topic_text(topic)
        options = [
            Option(reason.format_map(fill), reply.format_map(fill), i == 0)
            for i, (reason, reply) in enumerate(text.get("options", ()))
        ]
        worked = (text["worked"].format_map(fill),) if "worked" in text else ()
        made = {
            "text": text["ask"].format_map(fill),
            "why": text.get("why", "").format_map(fill),
            "options": tuple(self.drawn(options)),
            "worked": worked,
            "hints": (text["hint"].format_map(fill), *more_hints),
            "accepts": self.accepts(),
            "lesson": LESSON_OF.get(tensor, 1),
            "view": self.view,
        }
        return Question(topic=topic, page=page, **{**made, **more})

    def accepts(self, key: str = "number") -> str:
        """What counts as right, in a sentence."""
        return say(key, tolerance=tolerance(self.view.decimals))
