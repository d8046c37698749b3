"""Questions for a whole room: A to D, of which one is right and the others come from known mistakes."""

from __future__ import annotations

from collections.abc import Iterator
from math import isinf
from typing import NamedTuple

from ..mistakes import Mistake, Slip, wrong_numbers
from ..mistakes.diagnosis import told
from ..numbers import NumberForm, form_for
from ..views.present.polls import Asked, Choice
from .choosing import OF_PAGE, ask_topic
from .desk import Desk
from .judging import judge
from .question import Known, Question
from .reachable import REACHABLE, reachable

LETTERS = "ABCD"
PLACES = 5  # that a topic is tried with
MOST_COLUMNS = 16  # of a table that a room can read at once
LARGEST = 1000.0  # nobody takes a larger number for the answer to a sum on paper


class Wrong(NamedTuple):
    """A wrong answer, and what is known of it."""

    number: float
    reply: str
    mistakes: tuple[Mistake | Slip, ...]

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the mistakes that give it."""
        return tuple(mistake.id for mistake in self.mistakes)


class Poll(NamedTuple):
    """A question, and what the room is asked; ``mistakes`` are the ids behind each choice."""

    question: Question
    asked: Asked
    mistakes: tuple[tuple[str, ...], ...]


def polls_about(desk: Desk, page: str) -> Iterator[Poll]:
    """The polls about that page, those first that ask for a place or a sum: they start most talk.

    A desk for some heads and tokens asks about these; without a poll there, about other tokens, and
    then about other heads.
    """
    wider = Desk(desk.trace, desk.view, desk.seed, heads=desk.heads)
    widest = Desk(desk.trace, desk.view, desk.seed)
    topics = sorted(
        (topic for kind in OF_PAGE.get(page, ()) for topic in kind),
        key=lambda topic: topic.startswith("number") - topic.startswith("winner"),
    )
    for topic in topics:
        polls = (_asked(each, topic, page) for each in (desk, wider, widest))
        if poll := next(filter(None, polls), None):
            yield poll


def _asked(desk: Desk, topic: str, page: str) -> Poll | None:
    """A poll of that topic: about the first place of a few, drawn by chance, that gives four choices."""
    for drawn in range(PLACES if topic in REACHABLE else 1):
        here = desk.at("place", drawn) if drawn else desk
        question = ask_topic(here, topic, page)
        if question is not None and (poll := _poll(question, here)) is not None:
            return poll
    return None


def _poll(question: Question, desk: Desk) -> Poll | None:
    """The question with three wrong answers; None where that cannot be put to a room."""
    if len(question.right) != 1 or any(len(table.columns) > MOST_COLUMNS for table in question.tables):
        return None
    wrong = _apart(_wrongs(question, desk), question.right[0], desk.view.decimals)
    if len(wrong) < len(LETTERS) - 1:
        return None
    options = [*wrong, Wrong(question.right[0], _why(question), ())]
    options.sort(key=lambda option: option.number)  # in order, so that no place is the usual one
    texts = _written(question, [option.number for option in options], desk)
    choices = tuple(
        Choice(letter, text, not option.mistakes, option.reply)
        for letter, text, option in zip(LETTERS, texts, options, strict=True)
    )
    asked = Asked(question.text, question.tables, choices)
    return Poll(question, asked, tuple(option.ids for option in options))


def _wrongs(question: Question, desk: Desk) -> list[Wrong]:
    """The answers that known mistakes give, in an order of chance.

    Those come first that have no more decimals than the right one, which would stand out otherwise;
    and formulas come before slips.
    """
    found = []
    for number in desk.at("poll", question.topic).drawn(_known_numbers(question, desk)):
        verdict = judge(question, number, desk)
        if verdict.right or not verdict.mistakes or any(map(_by_chance, verdict.mistakes)):
            continue
        kept = tuple(mistake for mistake in verdict.mistakes if reachable(question, mistake, desk.problem))
        if kept:
            said = verdict.message if kept == verdict.mistakes else " ".join(told("number_cause", kept))
            found.append(Wrong(number, said, kept))
    right, decimals = question.right[0], desk.view.decimals
    most = form_for([right], decimals).decimals

    def stands_out(wrong: Wrong) -> bool:
        return form_for([right, wrong.number], decimals).decimals > most

    return sorted(found, key=lambda w: (stands_out(w), isinstance(w.mistakes[0], Slip), len(w.mistakes)))


def _known_numbers(question: Question, desk: Desk) -> list[float]:
    """What known mistakes give, each once and as the room will read it: so it is judged, too."""
    decimals = desk.view.decimals
    if question.cell is not None:
        wrongs = wrong_numbers(desk.problem, question.cell, decimals=decimals)
        numbers = _by_hand((wrong.mistake, wrong.number) for wrong in wrongs)
    else:
        numbers = _by_hand(question.known())
    if not question.words:
        numbers = list(map(NumberForm(decimals).rounded, numbers))
    return [number for number in dict.fromkeys(numbers) if _can_be_meant(number, question)]


def _by_hand(known: Known) -> list[float]:
    """What slips give, and each formula in its first form: the others are ways to write it in code."""
    seen: set[str] = set()
    numbers = []
    for mistake, number in known:
        if isinstance(mistake, Slip) or mistake.id not in seen:
            numbers.append(number)
            seen.add(mistake.id)
    return numbers


def _can_be_meant(number: float, question: Question) -> bool:
    """Whether somebody could take it for the answer; an infinite one only where that may be right."""
    return abs(number) <= LARGEST or (isinf(number) and isinf(question.right[0]))


def _by_chance(mistake: Mistake | Slip) -> bool:
    """Whether chance decides what comes out, so that nobody can be asked to see it."""
    return isinstance(mistake, Mistake) and not mistake.single


def _apart(wrongs: list[Wrong], right: float, decimals: int) -> list[Wrong]:
    """Three of them at most, no two of which read alike or come from the same mistake."""
    form = NumberForm(decimals)
    kept: list[Wrong] = []
    for wrong in wrongs:
        read = {form(right), *(form(other.number) for other in kept)}
        known = {id for other in kept for id in other.ids}
        if len(kept) < len(LETTERS) - 1 and form(wrong.number) not in read and not known & set(wrong.ids):
            kept.append(wrong)
    return kept


def _why(question: Question) -> str:
    """How the right answer comes about; then what there is to ask about it, with its answer."""
    told = next((option.text for option in question.options if option.right), "")
    reason = f"{question.why} {told}".strip() if told else ""
    return "\n".join(line for line in (*question.worked, reason) if line)


def _written(question: Question, numbers: list[float], desk: Desk) -> list[str]:
    """The answers as they are written: tokens, or numbers with as many decimals as all of them need."""
    if question.words:
        return [desk.asked(int(number)).replace("`", "") for number in numbers]
    form = form_for(numbers, desk.view.decimals)
    return [form(number) for number in numbers]
