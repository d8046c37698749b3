"""Questions for a whole room: A to D, of which one is right and the others come from known mistakes."""

from __future__ import annotations

from collections.abc import Iterator
from math import isinf
from typing import NamedTuple

from ..mistakes import Mistake, Slip, wrong_numbers
from ..numbers import form_for
from ..views.present.polls import Asked, Choice
from .choosing import OF_PAGE, ask_topic
from .desk import Desk
from .judging import judge
from .question import Question

LETTERS = "ABCD"
LARGEST = 1000.0  # nobody takes a larger number for the answer to a sum on paper


class Wrong(NamedTuple):
    """A wrong answer, how it is written, and what is known of it."""

    number: float
    text: str
    reply: str
    mistakes: tuple[Mistake | Slip, ...]


class Poll(NamedTuple):
    """A question, and what the room is asked; ``mistakes`` are the ids behind each choice."""

    question: Question
    asked: Asked
    mistakes: tuple[tuple[str, ...], ...]


def polls_about(desk: Desk, page: str) -> Iterator[Poll]:
    """The polls about that page, those first that ask for a place or a sum: they start most talk.

    A desk for some heads and tokens asks about these; without a poll there, about any.
    """
    wide = Desk(desk.trace, desk.view, desk.seed)
    topics = sorted(
        (topic for kind in OF_PAGE.get(page, ()) for topic in kind),
        key=lambda topic: topic.startswith("number") - topic.startswith("winner"),
    )
    for topic in topics:
        for each in (desk, wide):
            question = ask_topic(each, topic, page)
            if question is not None and (poll := _poll(question, each)) is not None:
                yield poll
                break


def _poll(question: Question, desk: Desk) -> Poll | None:
    """The question with three wrong answers; None where there are not so many to choose."""
    if len(question.right) != 1:
        return None
    right = _written(question, question.right[0], desk)
    wrong = _apart(_wrongs(question, desk), right, len(LETTERS) - 1)
    if len(wrong) < len(LETTERS) - 1:
        return None
    options = [*((w.number, w.text, w.reply, _ids(w)) for w in wrong)]
    options.append((question.right[0], right, _why(question), ()))
    options.sort(key=lambda option: option[0])  # in the order of numbers, so that no place is the usual one
    choices = tuple(
        Choice(letter, text, not ids, reply)
        for letter, (_, text, reply, ids) in zip(LETTERS, options, strict=True)
    )
    return Poll(
        question, Asked(question.text, question.tables, choices), tuple(option[-1] for option in options)
    )


def _wrongs(question: Question, desk: Desk) -> list[Wrong]:
    """The answers that known mistakes give, in an order of chance; formulas come before slips."""
    if question.cell is not None:
        numbers = [w.number for w in wrong_numbers(desk.problem, question.cell, decimals=desk.view.decimals)]
    else:
        numbers = [number for _, number in question.known()]
    found = []
    for number in desk.at("poll", question.topic).drawn(list(dict.fromkeys(numbers))):
        if not _can_be_meant(number, question):
            continue
        verdict = judge(question, number, desk)
        if not verdict.right and verdict.mistakes and not any(map(_by_chance, verdict.mistakes)):
            text = _written(question, number, desk)
            found.append(Wrong(number, text, verdict.message, verdict.mistakes))
    return sorted(found, key=lambda wrong: (isinstance(wrong.mistakes[0], Slip), len(wrong.mistakes)))


def _can_be_meant(number: float, question: Question) -> bool:
    """Whether somebody could take it for the answer; an infinite one only where that may be right."""
    return abs(number) <= LARGEST or (isinf(number) and isinf(question.right[0]))


def _by_chance(mistake: Mistake | Slip) -> bool:
    """Whether chance decides what comes out, so that nobody can be asked to see it."""
    return isinstance(mistake, Mistake) and not mistake.single


def _apart(wrongs: list[Wrong], right: str, most: int) -> list[Wrong]:
    """At most so many, no two of which read alike or come from the same mistake."""
    kept: list[Wrong] = []
    for wrong in wrongs:
        told = {right, *(other.text for other in kept)}
        ids = {id for other in kept for id in _ids(other)}
        if len(kept) < most and wrong.text not in told and not ids & set(_ids(wrong)):
            kept.append(wrong)
    return kept


def _ids(wrong: Wrong) -> tuple[str, ...]:
    return tuple(mistake.id for mistake in wrong.mistakes)


def _why(question: Question) -> str:
    """How the right answer comes about, and the reason for it."""
    reason = next((option.text for option in question.options if option.right), "")
    return "\n".join(line for line in (*question.worked, reason) if line)


def _written(question: Question, number: float, desk: Desk) -> str:
    """How an answer is written: a token, a size, or a number as the page has it."""
    if question.words:
        return desk.asked(int(number)).replace("`", "")
    if question.cell is not None:
        return desk.form(question.cell.tensor)(number)
    form = form_for([number], desk.view.decimals)
    return form(number)
