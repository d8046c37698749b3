"""Tickets, or their answer sheet, as one HTML file for the printer. It needs nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from ...texts import LANGUAGE
from ...views.html.writing import marked, safe
from .paper import accepted, counts, option_line, say, usual_line
from .ticket import Ticket


def tickets_html(tickets: Sequence[Ticket]) -> str:
    """The tickets, several on a page, with lines to cut along."""
    title = say("title", number=tickets[0].lesson, title=tickets[0].title)
    return _file(title, "\n".join(map(_ticket, tickets)))


def answers_html(tickets: Sequence[Ticket]) -> str:
    """The teacher's sheet: a strip of all tickets, then each ticket."""
    first = tickets[0]
    title = say("sheet_title", number=first.lesson, title=first.title)
    body = "\n".join((f"<h1>{marked(title)}</h1>", _note(tickets), _strip(tickets), *map(_answers, tickets)))
    return _file(title, body)


def _file(title: str, body: str) -> str:
    style = Path(__file__).with_name("sheet.css").read_text(encoding="utf-8")
    return (
        f'<!doctype html>\n<html lang="{LANGUAGE}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{safe(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def _ticket(ticket: Ticket) -> str:
    title = say("title", number=ticket.lesson, title=ticket.title)
    options = "".join(
        f"<li><b>{option.letter}</b>{marked(option.text)}</li>" for option in ticket.choice.options
    )
    return (
        f'<section class="ticket"><header><h2>{marked(title)}</h2>'
        f'<p class="name">{safe(say("name"))} <span class="blank long"></span></p>'
        f'<p class="id">{safe(say("ticket", name=ticket.name))}</p></header>\n'
        f"{_question('number', ticket.number.text)}"
        f'<p class="answer">{safe(say("answer"))} <span class="blank"></span></p>\n'
        f'{_question("choice", ticket.choice.text)}<ul class="options">{options}</ul>'
        f'<p class="answer">{safe(say("letter"))} <span class="blank short"></span></p>\n'
        f"{_question('because', ticket.because.text)}"
        f'<p class="line"></p><p class="line"></p></section>'
    )


def _question(kind: str, text: str) -> str:
    return f"<p><b>{safe(say(kind))}.</b> {marked(text)}</p>"


def _note(tickets: Sequence[Ticket]) -> str:
    first = tickets[0]
    said = say("source", lesson=first.lesson, seed=first.seed, count=len(tickets))
    return f'<p class="note">{safe(said)}</p>'


def _strip(tickets: Sequence[Ticket]) -> str:
    names = "".join(
        f"<th scope='col'>{safe(say(f'strip_{key}'))}</th>" for key in ("ticket", "number", "range", "choice")
    )
    rows = "".join(
        f"<tr><th scope='row'>{one.name}</th><td>{safe(one.number.written)}</td>"
        f"<td>{safe(counts(one.number))}</td><td>{one.choice.right.letter}</td></tr>"
        for one in tickets
    )
    return (
        f'<section class="strip"><h2>{safe(say("strip"))}</h2><table><thead><tr>{names}</tr></thead>'
        f"<tbody>{rows}</tbody></table></section>"
    )


def _answers(ticket: Ticket) -> str:
    return f'<section class="answers">{"".join(_answer_parts(ticket))}</section>'


def _answer_parts(ticket: Ticket) -> Iterator[str]:
    number, choice = ticket.number, ticket.choice
    yield f"<h2>{safe(say('ticket', name=ticket.name))}</h2>"
    yield _question("number", number.text)
    yield f"<p>{safe(say('answer'))}: <b>{safe(number.written)}</b>. {safe(accepted(number))}.</p>"
    yield f"<p>{safe(say('worked'))}: {marked(number.worked)}</p>"
    yield _list(usual_line(usual) for usual in number.usual)
    yield _question("choice", choice.text)
    yield f"<p><b>{safe(say('right', letter=choice.right.letter))}</b></p>"
    yield _list(option_line(option) for option in choice.options)
    yield _question("because", ticket.because.text)
    yield f"<p>{safe(say('points'))}:</p>{_list(ticket.because.points)}"


def _list(lines: Iterator[str] | Sequence[str]) -> str:
    return f"<ul>{''.join(f'<li>{marked(line)}</li>' for line in lines)}</ul>"
