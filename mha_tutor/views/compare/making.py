"""What the pages of comparisons are made with: how to say and how to show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...attention import Array
from ...cuts import entropy
from ...examples import Example
from ...numbers import NumberForm, form_for
from ...texts import listed, texts
from .. import noticing
from ..page import Bars, Block, Chart, Formula, Listing, Page, Text
from ..pages.maker import View, have_names, numbered
from ..working import tick


class Making(NamedTuple):
    """One page in the making: the section of its texts, the reader's choices, what all its texts know."""

    section: str
    example: Example
    view: View
    told: Mapping[str, object]

    @property
    def all(self) -> dict[str, Any]:
        return texts("compare")

    @property
    def t(self) -> int:
        return self.view.token

    @property
    def tokens(self) -> tuple[str, ...]:
        return self.example.tokens

    @property
    def token(self) -> str:
        return tick(self.tokens[self.t])

    def say(self, name: str, /, **more: object) -> str:
        """The page's text of that name, filled in."""
        return str(self.all[self.section][name]).format_map({**self.told, "token": self.token, **more})

    def lead(self, **more: object) -> Text:
        return Text(self.say("lead", **more), "lead")

    def formula(self, **more: object) -> Formula:
        return Formula(self.say("formula", **more), self.say("shapes", **more))

    def look(self, name: str, **more: object) -> Text:
        return Text(self.say(name, **more), "look", texts("pages")["look"])

    def words(self, name: str) -> Text:
        """What terms of the page mean."""
        return Text(self.say(name), "words", texts("pages")["words"])

    def number(self, text: str) -> Text:
        return Text(text, "number", texts("pages")["one_number"])

    def equal(self, off: float, **more: object) -> Text:
        """That two routes agree: digit for digit, or up to the computer's rounding."""
        return self.look("rounded" if off else "equal", difference=f"{off:.0e}", **more)

    def form(self, *arrays: Array) -> NumberForm:
        """One form for all numbers of those arrays."""
        return form_for(np.concatenate([np.ravel(array) for array in arrays]), self.view.decimals)

    def divisor(self, number: float) -> str:
        """A divisor with the digits it has, so that sqrt(4) is 2."""
        return form_for([number], self.view.decimals)(number)

    def named(self, places: Sequence[int]) -> str:
        return listed([numbered(self.tokens, place) for place in places])

    def features(self, places: Sequence[int]) -> str:
        """Features by name; those without names as numbers 1, 2 and 3; of many, the first and the last."""
        names = self.example.features
        parts = [names[j] for j in places]
        text = listed(parts)
        if len(parts) > 3 * noticing.MOST_NAMED:
            text = f"{', '.join(parts[:3])}, ..., {parts[-1]} ({len(parts)})"
        if have_names(names):
            return text
        return str(self.all["number" if len(parts) == 1 else "numbers"]).format(places=text)

    def cut_name(self, heads: int) -> str:
        """1 head; 3 heads."""
        return str(self.all["heads_one" if heads == 1 else "heads_many"]).format(heads=heads)

    def head_name(self, head: int, heads: int) -> str:
        """the one head; head 1 of 3."""
        return str(self.all["one_head" if heads == 1 else "head_of"]).format(head=head + 1, heads=heads)

    def weights_chart(self, title: str, rows: Sequence[tuple[str, Array]], form: NumberForm) -> Chart:
        """Rows of weights over the tokens, as bars that share one scale."""
        return Chart(
            title,
            self.all["to"],
            tuple(f"{s + 1} {token}" for s, token in enumerate(self.tokens)),
            tuple(
                Bars(name, tuple(row.tolist()), tuple(form(w) for w in row.tolist()), "weight")
                for name, row in rows
            ),
        )

    def spread(self, title: str, first: str, rows: Sequence[tuple[str, Array]], form: NumberForm) -> Listing:
        """For rows of weights: where most goes, and how spread out they are."""
        say = self.all["spread"]
        bits = entropy(np.stack([row for _, row in rows]))
        form_bits, form_places = self.form(bits), self.form(2**bits)
        lines = []
        for (name, row), h in zip(rows, bits.tolist(), strict=True):
            best = noticing.winners(row)
            cells = form(best.value), form_bits(h), form_places(2**h)
            lines.append((name, self.most_on(best).replace("`", ""), *cells))
        columns = (say[name] for name in (first, "most", "weight", "bits", "places"))
        return Listing(title, tuple(columns), tuple(lines), right=(2, 3, 4))

    def most_on(self, best: noticing.Winners) -> str:
        """The tokens with the largest weight, or how many there are."""
        if best.flat and len(self.tokens) > 1:
            return str(self.all["every"])
        if len(best.places) > noticing.MOST_NAMED:
            return str(self.all["many"]).format(count=len(best.places))
        return self.named(best.places)

    def page(self, key: str, keys: Sequence[str], blocks: Sequence[Block], head: int | None = None) -> Page:
        """The page of that key among ``keys``; ``head`` is the one it looks at, if it looks at one."""
        corner = "" if head is None else str(self.all["routes"]["corner"]).format_map(self.told)
        title = self._replace(section=key).say("title")
        source = texts("pages")["source"]
        return Page(
            key=key,
            stage=key,
            title=title,
            crumbs=tuple(self.all["crumbs"][each] for each in keys),
            here=keys.index(key),
            number=keys.index(key) + 1,
            total=len(keys),
            corner=corner,
            head=head,
            source=source.format(example=self.example.name, provenance=self.example.provenance),
            blocks=tuple(blocks),
        )
