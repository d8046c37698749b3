"""Tickets and their answer sheet as lines of text: to print, to read aloud, to paste."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...course.flow import wrapped
from ...texts import sentence
from .ticket import Number, Option, Ticket, Usual

LINE = "_"
BLANK = 12  # how many of them a short answer gets
CUT = "- "


def say(key: str, **values: object) -> str:
    """The sentence of that key from the part "say" of texts/exit.en.toml."""
    return sentence("exit", "say", key, **values)


def ticket_lines(ticket: Ticket, width: int, *, linear: bool = False) -> Iterator[str]:
    """One ticket with blanks to write on; ``linear`` leaves out lines that a screen reader would spell."""
    yield from _flowing(say("title", number=ticket.lesson, title=ticket.title), width)
    yield say("ticket", name=ticket.name)
    yield say("name") if linear else f"{say('name')}: {LINE * (width // 2)}"
    yield from _part("number", ticket.number.text, width)
    yield _blank("answer", BLANK, linear)
    yield from _part("choice", ticket.choice.text, width)
    for option in ticket.choice.options:
        yield from _flowing(f"{option.letter}. {option.text}", width, "   ")
    yield _blank("letter", BLANK // 2, linear)
    yield from _part("because", ticket.because.text, width)
    yield from _flowing(say("because_task"), width, "" if linear else "   ")
    if not linear:
        yield from ("", "   " + LINE * (width - 3), "", "   " + LINE * (width - 3))


def cut_line(width: int) -> str:
    """What stands between two tickets on paper."""
    note = f" {say('cut')} "
    return f"{note:-^{width}}".replace("--", CUT)


def _part(kind: str, text: str, width: int) -> Iterator[str]:
    yield ""
    yield from _flowing(f"{say(kind)}. {text}", width)


def _blank(key: str, length: int, linear: bool) -> str:
    return f"{say(key)}:" if linear else f"   {say(key)}: {LINE * length}"


def _flowing(text: str, width: int, indent: str = "") -> Iterator[str]:
    yield from wrapped(text, width, indent).split("\n")


def answer_lines(tickets: Sequence[Ticket], width: int) -> Iterator[str]:
    """The teacher's sheet: all tickets at a glance, then each with what its answers show."""
    first = tickets[0]
    yield from _flowing(say("sheet_title", number=first.lesson, title=first.title), width)
    yield from _flowing(say("source", lesson=first.lesson, seed=first.seed, count=len(tickets)), width)
    if len(tickets) > 1:
        yield ""
        yield say("strip")
        yield from strip_lines(tickets)
    for ticket in tickets:
        yield ""
        yield say("ticket", name=ticket.name)
        for line in sheet_items(ticket):
            yield from _flowing(line, width, "  ")


def strip_lines(tickets: Sequence[Ticket]) -> Iterator[str]:
    """A line a ticket: its number, what counts, the letter."""
    rows = [[say(f"strip_{key}") for key in ("ticket", "number", "range", "choice")]]
    rows += [[one.name, one.number.written, counts(one.number), one.choice.right.letter] for one in tickets]
    widths = [max(len(row[i]) for row in rows) for i in range(4)]
    for row in rows:
        yield "  " + "  ".join(cell.ljust(size) for cell, size in zip(row, widths, strict=True)).rstrip()


def counts(number: Number) -> str:
    """Which answers count, in few words."""
    if number.low == number.high:
        return number.written
    return say("range", low=number.low, high=number.high)


def accepted(number: Number) -> str:
    """The same as a sentence."""
    if number.low == number.high:
        return say("exactly", answer=number.written)
    return say("accepted", low=number.low, high=number.high)


def sheet_items(ticket: Ticket) -> Iterator[str]:
    """What the teacher wants to know about one ticket, an item a line."""
    number, choice = ticket.number, ticket.choice
    yield f"{say('number')}. {number.text}"
    yield f"{say('answer')}: {number.written}. {accepted(number)}. {say('worked')}: {number.worked}"
    yield from (f"- {usual_line(usual)}" for usual in number.usual)
    yield f"{say('choice')}. {choice.text}"
    yield f"{say('right', letter=choice.right.letter)}"
    yield from (f"- {option_line(option)}" for option in choice.options)
    yield f"{say('because')}. {ticket.because.text}"
    yield f"{say('points')}:"
    yield from (f"- {point}" for point in ticket.because.points)


def usual_line(usual: Usual) -> str:
    """A usual wrong number, its mistake, and what to say."""
    written = ", ".join(usual.written)
    return say("usual_known" if usual.id else "usual_item", written=written, id=usual.id, say=usual.say)


def option_line(option: Option) -> str:
    """An option and what it shows."""
    key = "option_known" if option.id else "option"
    return say(key, letter=option.letter, id=option.id, shows=option.shows)
