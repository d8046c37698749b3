"""`mha-tutor class exit`: tickets on the screen, as a file to print, or as data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...classroom.exits import Ticket, make_tickets
from ...classroom.exits.paper import answer_lines, cut_line, say, ticket_lines
from ...course.flow import WIDTH
from ...errors import InputError, check_choice
from ..saving import write_new, write_whole
from ..world import World

MOST = 500
LEAST_WIDTH = 24


def run_exit(
    lesson: int, seed: int, count: int, answers: bool, out: Path | None, format: str, force: bool = False
) -> None:
    """Print the tickets of a lesson, or the sheet with their answers; with ``out`` write a file."""
    check_choice("--format", format, ("text", "plain", "json"))
    if not 1 <= count <= MOST:
        raise InputError(f"--count {count} is out of range; choose 1 to {MOST}.")
    if out is not None and out.suffix.lower() not in (".html", ".htm"):
        raise InputError(f"--out '{out}' must end in .html. Text: mha-tutor class exit {lesson} > FILE.")
    if out is not None and format != "text":
        raise InputError(
            f"--format {format} and --out do not go together: --out writes a page for the browser. "
            f"For a file of {format}: mha-tutor class exit {lesson} --format {format} > FILE."
        )
    tickets = make_tickets(lesson, seed, count)
    world = World.here()
    if out is not None:
        from ...classroom.exits.sheet import answers_html, tickets_html

        page = answers_html(tickets) if answers else tickets_html(tickets)
        if force:
            write_whole(out, page.encode())
        else:
            write_new(out, page, "Choose another name, or add --force.")
        world.print(say("written", file=out))
    elif format == "json":
        world.print_json({"format_version": 1, "tickets": [_as_json(one, answers) for one in tickets]})
    else:
        _print(tickets, answers, world, linear=format == "plain" or world.accessible)


def _print(tickets: list[Ticket], answers: bool, world: World, linear: bool) -> None:
    width = max(min(world.size()[0], WIDTH), LEAST_WIDTH) if not linear else 10_000
    if answers:
        for line in answer_lines(tickets, width):
            world.print(line)
        return
    for i, ticket in enumerate(tickets):
        if i:
            for line in ("",) if linear else ("", cut_line(width), ""):
                world.print(line)
        for line in ticket_lines(ticket, width, linear=linear):
            world.print(line)


def _as_json(ticket: Ticket, answers: bool) -> dict[str, Any]:
    """The questions as data; what is right, and what a wrong answer shows, only with ``answers``."""
    number, choice, because = ticket.number, ticket.choice, ticket.because
    options = [{"letter": option.letter, "text": option.text} for option in choice.options]
    data: dict[str, Any] = {
        "ticket": ticket.name,
        "lesson": ticket.lesson,
        "seed": ticket.seed,
        "number": {"id": number.id, "text": number.text},
        "choice": {"id": choice.id, "text": choice.text, "options": options},
        "because": {"id": because.id, "text": because.text},
    }
    if answers:
        data["number"] |= {
            "answer": number.answer,
            "from": float(number.low),
            "to": float(number.high),
            "worked": number.worked,
            "usual": [usual._asdict() for usual in number.usual],
        }
        data["choice"] |= {
            "right": choice.right.letter,
            "options": [option._asdict() for option in choice.options],
        }
        data["because"] |= {"points": because.points}
    return data
