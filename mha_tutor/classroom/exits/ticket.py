"""A ticket: three questions of one lesson, drawn by a seed. The same seed gives the same ticket."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cache
from math import trunc
from numbers import Real
from random import Random
from typing import Any, NamedTuple

from ...answers import half_unit
from ...course.lesson import find_lesson
from ...errors import InputError
from ...mistakes import REGISTRY, SLIPS
from ...numbers import form_for
from ...texts import texts
from . import early, late, middle  # noqa: F401  they register what is drawn
from .drawing import MAKERS, Drawn

KINDS = ("number", "choice", "because")
LETTERS = "ABCD"
AHEAD = 40  # seeds that are tried for a question that was not asked
LARGEST_SEED = 10**9
EXACT = 9  # places: what lies behind them is what floats lose


class Usual(NamedTuple):
    """Usual wrong numbers of one cause: how they are written, the known mistake's id, and what to say."""

    written: tuple[str, ...]
    id: str
    say: str


class Number(NamedTuple):
    """A question for one number; it counts from ``low`` to ``high``."""

    id: str
    text: str
    answer: float
    written: str
    low: str
    high: str
    worked: str
    usual: tuple[Usual, ...]


class Option(NamedTuple):
    """One of the options of a choice, and what it shows when it is chosen."""

    letter: str
    text: str
    right: bool
    shows: str
    id: str = ""


class Choice(NamedTuple):
    """A question with four options."""

    id: str
    text: str
    options: tuple[Option, ...]

    @property
    def right(self) -> Option:
        return next(option for option in self.options if option.right)


class Because(NamedTuple):
    """A sentence to end, and the points of a good end."""

    id: str
    text: str
    points: tuple[str, ...]


class Ticket(NamedTuple):
    """The exit ticket of a lesson with that seed."""

    lesson: int
    title: str
    seed: int
    number: Number
    choice: Choice
    because: Because

    @property
    def name(self) -> str:
        """What stands on the ticket, so that its answers can be found again: 4-17."""
        return f"{self.lesson}-{self.seed}"


def pool(lesson: int) -> dict[str, dict[str, dict[str, Any]]]:
    """The words of a lesson's questions, by kind and id."""
    found = texts("exit").get(f"lesson{lesson}", {})
    return {kind: {f"{lesson}.{name}": w for name, w in found.get(kind, {}).items()} for kind in KINDS}


@cache
def make_ticket(lesson: int, seed: int = 0) -> Ticket:
    """The ticket of that lesson and seed. Raises InputError for a lesson or a seed that is none."""
    title = find_lesson(lesson).title
    if not 0 <= seed <= LARGEST_SEED:
        raise InputError(f"the seed is {seed}; expected a whole number from 0 to {LARGEST_SEED}.")
    draw = Random(f"exit {lesson} {seed}")
    picked = {kind: draw.choice(list(words.items())) for kind, words in pool(lesson).items()}
    return Ticket(
        lesson,
        title,
        seed,
        number_of(*picked["number"], draw),
        choice_of(*picked["choice"], draw),
        because_of(*picked["because"]),
    )


def make_tickets(lesson: int, seed: int = 0, count: int = 1) -> list[Ticket]:
    """That many tickets from ``seed`` on. A seed whose number question was asked already is left out.

    Where no other question is found among the next seeds, questions are asked again. More tickets
    begin with the same ones. Raises InputError.
    """
    tickets: list[Ticket] = []
    asked: set[str] = set()
    while len(tickets) < count:
        ahead = (make_ticket(lesson, seed + i) for i in range(AHEAD))
        found = next((one for one in ahead if one.number.text not in asked), None)
        if found is None:
            asked.clear()
            found = make_ticket(lesson, seed)
        asked.add(found.number.text)
        tickets.append(found)
        seed = found.seed + 1
    return tickets


def number_of(id: str, words: Mapping[str, Any], draw: Random) -> Number:
    """The number question of that id with what is drawn for it."""
    drawn = MAKERS[id](draw, words)
    answer = round(float(drawn.answer), EXACT)
    form = form_for([answer], drawn.decimals)
    filled = {**_written(drawn), "answer": form(answer)}
    low, high = _range(answer, drawn.decimals)
    by_cause: dict[str, list[str]] = {}
    for wrong in drawn.wrongs:
        written = _number(wrong.answer, drawn.decimals)
        if written != form(answer) and not low <= wrong.answer <= high:
            by_cause.setdefault(wrong.cause, []).append(written)
    usual = (
        Usual(tuple(numbers), *_cause(cause, words, filled, "number")) for cause, numbers in by_cause.items()
    )
    steps = {name: write(given) for name, given in drawn.steps.items()}
    text, worked = words["text"].format(**filled), words["worked"].format(**filled, **steps)
    first, last = (_number(end, drawn.decimals + 1) for end in (low, high))
    return Number(id, text, answer, form(answer), first, last, worked, tuple(usual))


def _range(answer: float, decimals: int) -> tuple[float, float]:
    """What counts: the answer rounded, or cut off after its decimals; a whole number counts alone."""
    if not decimals:
        return answer, answer
    unit, steps = half_unit(decimals), 10.0**decimals
    cut_off = trunc(answer * steps * (1 + 1e-12)) / steps
    return min(answer - unit, cut_off), max(answer + unit, cut_off)


def choice_of(id: str, words: Mapping[str, Any], draw: Random) -> Choice:
    """The choice of that id, its options in an order that the seed decides."""
    drawn = MAKERS[id](draw, words) if id in MAKERS else Drawn({})
    filled = _written(drawn)
    made = _worded(words, filled) if drawn.answer is None else _computed(words, drawn, filled)
    options = list(made)
    draw.shuffle(options)
    lettered = (option._replace(letter=letter) for letter, option in zip(LETTERS, options, strict=True))
    return Choice(id, words["text"].format(**filled), tuple(lettered))


def because_of(id: str, words: Mapping[str, Any]) -> Because:
    """The sentence of that id."""
    return Because(id, words["text"], tuple(words["points"]))


def _worded(words: Mapping[str, Any], filled: Mapping[str, str]) -> Iterable[Option]:
    right = words["right"]
    yield Option("", right["text"].format(**filled), True, right["shows"].format(**filled))
    for wrong in words["wrong"]:
        if "mistake" in wrong:
            id, shows = _cause(wrong["mistake"], words, filled, "choice")
            yield Option("", wrong["text"].format(**filled), False, shows, id)
        else:
            yield Option("", wrong["text"].format(**filled), False, wrong["shows"].format(**filled))


def _computed(words: Mapping[str, Any], drawn: Drawn, filled: Mapping[str, str]) -> Iterable[Option]:
    filled = {**filled, "answer": write(drawn.answer)}
    yield Option("", write(drawn.answer), True, words["right"]["shows"].format(**filled))
    for wrong in drawn.wrongs:
        id, shows = _cause(wrong.cause, words, filled, "choice")
        yield Option("", write(wrong.answer), False, shows, id)


def _cause(cause: str, words: Mapping[str, Any], filled: Mapping[str, str], kind: str) -> tuple[str, str]:
    """The id of a known mistake, or none, and the sentence that says what the answer shows."""
    say = texts("exit")["say"]
    if known := REGISTRY.get(cause) or SLIPS.get(cause):
        _, why, advice = known.text
        return cause, f"{say[f'{kind}_cause'].format(cause=why)} {advice}"
    return "", say[f"{kind}_cause"].format(cause=words["causes"][cause].format(**filled))


def _written(drawn: Drawn) -> dict[str, str]:
    return {name: write(given) for name, given in drawn.given.items()}


def write(value: Any) -> str:
    """What was drawn as a reader sees it: 3, 0.5, 3/8, [1, -2], or rows of a matrix."""
    if isinstance(value, str):
        return value
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, Real):
        return _number(float(value))
    parts = [write(part) for part in value]
    return ", ".join(parts) if isinstance(value[0], list | tuple) else f"[{', '.join(parts)}]"


def _number(number: float, decimals: int = 2) -> str:
    return form_for([number], decimals)(number)
