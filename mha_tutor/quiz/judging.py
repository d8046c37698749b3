"""An answer read, and held against the right one and against what known mistakes give."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from ..answers import agree, read_number
from ..errors import InputError
from ..mistakes import Mistake, Problem, Slip, diagnose_number
from ..mistakes.diagnosis import MOST_NAMED, told
from ..mistakes.wording import say as say_mistake
from .desk import Desk
from .question import Question
from .wording import say

_SHAPE = re.compile(r"([0-9]{1,6})\s*(?:x|×|by|,|\*)\s*([0-9]{1,6})", re.IGNORECASE)


class Verdict(NamedTuple):
    """Whether an answer is right; if not, what is known of it, in words and as mistakes."""

    right: bool
    message: str = ""
    mistakes: tuple[Mistake | Slip, ...] = ()

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(mistake.id for mistake in self.mistakes)


def read_answer(question: Question, text: str) -> float:
    """The number, size or place (from 0) that was typed. Raises InputError that says what can be."""
    text = text.strip()
    if question.words:
        return float(_word(question.words, text))
    if question.missing is not None:
        return float(_size(question, text))
    return read_number(text)


def judge(question: Question, answer: float, desk: Desk) -> Verdict:
    """Say whether ``answer`` is right, and what known mistake gives it if it is not."""
    if question.cell is not None:
        return _diagnosed(question, answer, desk.problem, desk.view.decimals)
    unit = desk.unit if question.missing is None and not question.words else 0.0
    if any(agree(answer, right, unit) for right in question.right):
        return Verdict(True)
    return _named(question, [m for m, number in question.known() if agree(answer, number, unit)])


def _diagnosed(question: Question, answer: float, problem: Problem, decimals: int) -> Verdict:
    assert question.cell is not None
    found = diagnose_number(answer, question.cell, problem, decimals=decimals)
    if found.right:
        return Verdict(True)
    if not found.mistakes:
        return Verdict(False, found.found)
    return Verdict(False, f"{found.cause} {found.advice}", found.mistakes)


def _named(question: Question, matches: Iterable[Mistake | Slip]) -> Verdict:
    """The formula mistakes first; a token, which many ways lead to, is told only where one does."""
    formulas = list(dict.fromkeys(m for m in matches if isinstance(m, Mistake)))
    slips = list(dict.fromkeys(m for m in matches if isinstance(m, Slip)))
    found: list[Mistake | Slip] = [*formulas] or [*slips]
    if len(found) > (1 if question.words else MOST_NAMED):
        return Verdict(False, say_mistake("many_numbers"))
    if not found:
        unknown = {"winner": "unknown_word", "shape": "unknown_size"}.get(question.kind)
        return Verdict(False, say(unknown) if unknown else say_mistake("unknown_number"))
    cause, advice = told("shape_cause" if question.missing else "number_cause", found)
    if question.words:
        cause = say("word_cause", cause=found[0].text.cause)
    return Verdict(False, f"{cause} {advice}", tuple(found))


def _size(question: Question, text: str) -> int:
    """The missing size, typed alone or within the whole shape."""
    assert question.missing is not None
    axis, other = question.missing
    if whole := _SHAPE.fullmatch(text):
        sizes = int(whole[1]), int(whole[2])
        if sizes[1 - axis] != other:
            raise InputError(say("size_other", given=text, size=other))
        return sizes[axis]
    if not re.fullmatch(r"[0-9]{1,6}", text, re.ASCII):
        raise InputError(say("size_unread", given=text))
    return int(text)


def _word(words: tuple[str, ...], text: str) -> int:
    """The place of a token given by its word, in any case, or by its number from 1."""
    plain = text.strip("`\"'") or text
    for same in (plain.__eq__, lambda word: word.lower() == plain.lower()):
        places = [i for i, word in enumerate(words) if same(word)]
        if len(places) == 1:
            return places[0]
        if places:
            numbers = ", ".join(str(i + 1) for i in places)
            raise InputError(say("word_twice", given=text, count=len(places), numbers=numbers))
    if re.fullmatch(r"[0-9]{1,4}", plain, re.ASCII) and 1 <= int(plain) <= len(words):
        return int(plain) - 1
    tokens = ", ".join(f"{i + 1} {word}" for i, word in enumerate(words))
    raise InputError(say("word_unread", given=text, count=len(words), tokens=tokens))
