"""The short codes of failing checks, such as 4.2:B26: an exercise, and what its answer comes from.

Behind the colon stand the id of a known mistake, the letter of a claim, W2 for the second wrong
answer that the exercise itself knows, or a question mark. Several causes are joined: 4.3:B16+S01.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..errors import InputError
from .lesson import Exercise, Lesson, find_exercise
from .wording import say

if TYPE_CHECKING:
    from ..mistakes import Mistake, Slip

UNKNOWN = "?"
OWN = "W"
CODE = re.compile(r"\d+\.\d+:[\w?+]+")


class Meaning(NamedTuple):
    """What one part of a code stands for, in words. ``id`` is as the code has it."""

    id: str
    title: str
    say: str
    lesson: int
    stage: str = ""


def code_of(exercise: str, ids: Sequence[str] = ()) -> str:
    """The code of a failing check whose answer comes from the mistakes ``ids``."""
    try:
        found = find_exercise(exercise)[1]
    except InputError:
        return f"{exercise}:{UNKNOWN}"
    told = [id for id in ids if id not in _known()[1]] or ids  # beside another cause no slip is named
    parts = dict.fromkeys(_short(found, id) for id in told)
    return f"{exercise}:{'+'.join(parts) or UNKNOWN}"


def _known() -> tuple[dict[str, Mistake], dict[str, Slip]]:
    """The known mistakes and the slips; they need numpy, which a list of results does not."""
    from ..mistakes import REGISTRY, SLIPS

    return REGISTRY, SLIPS


def _short(exercise: Exercise, id: str) -> str:
    registry, slips = _known()
    if id in registry or id in slips or any(claim.letter == id for claim in exercise.claims):
        return id
    names = [answer.name for answer in exercise.wrongs]
    return f"{OWN}{names.index(id) + 1}" if id in names else UNKNOWN


def meanings(code: str) -> tuple[Lesson, Exercise, tuple[Meaning, ...]]:
    """The exercise of a code, and what its parts stand for. Raises InputError for a code of nothing."""
    number, _, rest = code.partition(":")
    lesson, exercise = find_exercise(number)
    return lesson, exercise, tuple(_meaning(lesson, exercise, part) for part in rest.split("+"))


def _meaning(lesson: Lesson, exercise: Exercise, part: str) -> Meaning:
    if part == UNKNOWN:
        return Meaning(part, say("code_unknown"), say("code_ask", number=exercise.number), lesson.number)
    registry, slips = _known()
    ids = {id.lower(): id for id in (*registry, *slips)}
    if id := ids.get(part.lower()):
        known = registry.get(id) or slips[id]
        title, cause, advice = known.text
        own = (answer.code.attributes.get("cause") for answer in exercise.wrongs if answer.name == id)
        said = f"{say('own_cause', cause=next(filter(None, own), cause))} {advice}"
        if id in registry:
            return Meaning(id, title, said, registry[id].lesson, registry[id].stage)
        return Meaning(id, title, said, lesson.number)
    return _own_meaning(lesson, exercise, part.upper())


def _own_meaning(lesson: Lesson, exercise: Exercise, part: str) -> Meaning:
    """The meaning of a claim's letter, or of a wrong answer of this exercise."""
    from .flow import joined
    from .markdown import plain
    from .prose import filled

    for claim in exercise.claims:
        if claim.letter == part:
            text, behind = (
                " ".join(plain(joined(filled(one, claim.source))).split())
                for one in (claim.text, claim.behind)
            )
            return Meaning(part, text, behind, lesson.number)
    place = part.removeprefix(OWN)
    if part.startswith(OWN) and place.isdecimal() and 1 <= int(place) <= len(exercise.wrongs):
        answer = exercise.wrongs[int(place) - 1]
        cause = answer.code.attributes.get("cause", "")
        told = say("own_cause", cause=cause) if cause else say("code_ask", number=exercise.number)
        return Meaning(part, answer.name, told, lesson.number)
    raise InputError(say("no_code", code=f"{exercise.number}:{part}"))
