"""The tally as a page: what came how often, what to say, and what answers it."""

from __future__ import annotations

from collections.abc import Collection
from functools import reduce

from ..texts import texts
from ..views.page import Block, Listing, Page, Text
from .tally import Row, Tally, lines_to_say

LONGEST_TITLE = 44


def tally_page(tally: Tally, only: Collection[str] | None = None) -> Page:
    """The page of what was counted so far; with ``only``, the advice for those codes alone."""
    say = texts("tally")
    rows = tally.rows()
    blocks: list[Block] = [Text(_lead(tally, len(rows)), "lead")]
    if rows:
        columns = say["code"], say["count"], say["what"]
        listed = ((row.code, str(row.times), _short(_title(row))) for row in rows)
        blocks.append(Listing("", columns, tuple(listed), right=(1,)))
    for row in rows:
        if only is None or row.code in only:
            blocks += _advice(row)
    unread = [
        say["unread_item"].format(text=text) + (f" (x{count})" if count > 1 else "")
        for text, count in tally.unread.items()
    ]
    blocks += [Text(""), *(Text(text, "look", say["unread"]) for text in unread)] if unread else []
    return Page("tally", say["title"], say["source"], tuple(blocks))


def _lead(tally: Tally, kinds: int) -> str:
    say = texts("tally")
    if not tally.total:
        return str(say["none"])
    codes = say["code_one"] if tally.total == 1 else say["codes"].format(count=tally.total)
    of = say["kind_one"] if kinds == 1 else say["kinds"].format(count=kinds)
    return str(say["lead"].format(codes=codes, kinds=of))


def _title(row: Row) -> str:
    """What the answer is: the titles of all its causes."""

    def joined(first: str, second: str) -> str:
        return str(texts("tally")["or"].format(first=first, second=second))

    return reduce(joined, dict.fromkeys(part.title for part in row.parts))


def _short(title: str) -> str:
    """A claim may be long; in the table its beginning does."""
    if len(title) <= LONGEST_TITLE:
        return title
    return f"{title[:LONGEST_TITLE].rsplit(' ', 1)[0]} ..."


def _advice(row: Row) -> list[Block]:
    """The code, what to say, and where the course answers it."""
    say = texts("tally")
    places = dict.fromkeys(
        line
        for part in row.parts
        for line in (
            say["lesson"].format(number=part.lesson),
            say["page"].format(stage=part.stage) if part.stage else "",
        )
        if line
    )
    return [
        Text(f"{row.code}  {_title(row)}", "lead"),
        *(Text(line, "look", say["say"]) for line in lines_to_say(row)),
        Text("; ".join(places), "words", say["answered"]),
    ]
