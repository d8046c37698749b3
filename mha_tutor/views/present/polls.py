"""A question with a few answers for a whole room, as a page: asked, counted, and answered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...texts import texts
from ..page import Bars, Block, Chart, Page, Table, Text

Votes = tuple[int, ...]


class Choice(NamedTuple):
    """One answer to choose. ``reply`` says why it is right, or what gives it if it is not."""

    letter: str
    text: str
    right: bool
    reply: str


class Asked(NamedTuple):
    """What a room is asked, what is given for it, and what can be chosen."""

    text: str
    tables: tuple[Table, ...]
    choices: tuple[Choice, ...]

    @property
    def right(self) -> int:
        """The place of the right choice, from 0."""
        return next(i for i, choice in enumerate(self.choices) if choice.right)


def question_page(page: Page, asked: Asked, corner: str) -> Page:
    """The question and its choices, in place of ``page``, of which it is a part."""
    choices = (Text(choice.text, "look", choice.letter) for choice in asked.choices)
    return _poll_page(page, corner, [Text(asked.text, "lead"), *asked.tables, *choices])


def result_page(
    page: Page, asked: Asked, votes: Sequence[Votes], corner: str, *, right: bool, wrong: bool
) -> Page:
    """The votes side by side; then the ``right`` choice and why, and what gives each ``wrong`` one."""
    say = texts("present")["poll"]
    blocks: list[Block] = [Text(asked.text, "lead"), *([_chart(asked, votes, right)] if votes else [])]
    for choice in asked.choices:
        lines = [] if votes else [choice.text]  # the chart says them too
        if right if choice.right else wrong:
            lines.append(say["right"].format(reply=choice.reply) if choice.right else choice.reply)
        if lines:
            blocks.append(Text("\n".join(lines), "look", choice.letter))
    return _poll_page(page, corner, blocks)


def _chart(asked: Asked, votes: Sequence[Votes], right: bool) -> Chart:
    say = texts("present")["poll"]
    width = max(len(choice.text) for choice in asked.choices)
    titles = say["series"] if len(votes) > 1 else [say["one"]]
    series = [
        Bars(titles[i], tuple(map(float, counts)), tuple(map(str, counts)), "votes")
        for i, counts in enumerate(votes)
    ]
    names = tuple(f"{choice.letter}  {choice.text.ljust(width)}" for choice in asked.choices)
    here = asked.right if right else None
    return Chart("", "", names, tuple(series), here=here)


def _poll_page(page: Page, corner: str, blocks: Sequence[Block]) -> Page:
    title = texts("present")["poll"]["title"]
    return page._replace(title=title, corner=corner, head=None, blocks=tuple(blocks))
