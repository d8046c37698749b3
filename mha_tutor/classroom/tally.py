"""Codes of failing checks, read out of what people type or paste, and counted."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from ..course.codes import Meaning, meanings
from ..errors import InputError

_PART = r"(?:[A-Z]\d+[a-z]?|[A-Z]|\?)"
# 4.2:B26, 4.2 b26, 4,2 - B26, 4.2:B16+S01, 4.2:? ... and behind it perhaps how often: x3, × 3, (3)
_CODE = re.compile(
    r"(?<![\d.,:])(?P<lesson>\d{1,2})\s?[.,]\s?(?P<exercise>\d{1,2})"
    rf"(?:\s*[:;=/_-]\s*(?P<rest>{_PART}(?:\s?[+&]\s?{_PART})*)|\s+(?P<spaced>[A-Z]\d+[a-z]?))"
    r"(?![\w])(?:\s*(?:[x×*]\s*(?P<times>\d{1,3})\b|\((?P<count>\d{1,3})\)))?",
    re.IGNORECASE,
)
_LIKE_A_CODE = re.compile(r"(?<![\d.,:])\d{1,2}[.,]\d{1,2}:[\w?+]{1,8}(?!\w)")


class Read(NamedTuple):
    """What a text holds: codes with how often each is meant, and what only looks like one."""

    codes: Counter[str]
    unread: Counter[str]


class Row(NamedTuple):
    """One kind of answer: the code, how often it came, and what its parts stand for."""

    code: str
    times: int
    parts: tuple[Meaning, ...]

    @property
    def exercise(self) -> str:
        return self.code.partition(":")[0]

    @property
    def mistake(self) -> str:
        return self.code.partition(":")[2]


class Tally:
    """Codes counted so far."""

    def __init__(self) -> None:
        self.codes: Counter[str] = Counter()
        self.unread: Counter[str] = Counter()
        self._added: list[Read] = []

    def add(self, text: str) -> Read:
        """Count the codes in ``text``; what was found in it."""
        found = read_codes(text)
        self.codes += found.codes
        self.unread += found.unread
        if found.codes or found.unread:
            self._added.append(found)
        return found

    def undo(self) -> Read:
        """Take back what was added last; what that was."""
        last = self._added.pop() if self._added else Read(Counter(), Counter())
        self.codes -= last.codes
        self.unread -= last.unread
        return last

    @property
    def total(self) -> int:
        return self.codes.total()

    def rows(self) -> tuple[Row, ...]:
        """What came, the most frequent first; ties in the course's order."""
        rows = (Row(code, count, meanings(code)[2]) for code, count in self.codes.items())
        return tuple(sorted(rows, key=lambda row: (-row.times, _order(row.code))))

    def as_json(self) -> dict[str, Any]:
        """Plain data: every code with its count and its meaning, and what could not be read."""
        return {
            "format_version": 1,
            "total": self.total,
            "codes": [
                {
                    "code": row.code,
                    "exercise": row.exercise,
                    "count": row.times,
                    "mistakes": [part._asdict() for part in row.parts],
                }
                for row in self.rows()
            ],
            "unread": [{"text": text, "count": count} for text, count in self.unread.items()],
        }


def read_codes(text: str) -> Read:
    """The codes in a text of any kind: a list, a chat, sentences around them, lower case."""
    read = Read(Counter(), Counter())
    rest = text
    for match in _CODE.finditer(text):
        times = int(match["times"] or match["count"] or 1)
        rest = rest.replace(match[0], " ", 1)
        written = f"{int(match['lesson'])}.{int(match['exercise'])}:" + re.sub(
            r"\s", "", match["rest"] or match["spaced"]
        ).replace("&", "+")
        try:
            read.codes[_as_printed(written)] += times
        except InputError:
            read.unread[written] += times
    for match in _LIKE_A_CODE.finditer(rest):
        read.unread[match[0]] += 1
    return read


def _as_printed(written: str) -> str:
    """A code as the check prints it. Raises InputError for one that the course does not have."""
    parts = (part.id for part in meanings(written)[2])
    return f"{written.partition(':')[0]}:{'+'.join(dict.fromkeys(parts))}"


def _order(code: str) -> tuple[int, int, str]:
    number, _, mistake = code.partition(":")
    lesson, _, exercise = number.partition(".")
    return int(lesson), int(exercise), mistake


def decoded(raw: bytes) -> str:
    """The text of a pasted file: UTF-8, or UTF-16 where its first bytes say so; nothing stops it."""
    utf_16 = raw.startswith((b"\xff\xfe", b"\xfe\xff"))
    return raw.decode("utf-16" if utf_16 else "utf-8-sig", "replace")


def lines_to_say(row: Row) -> Iterator[str]:
    """What helps with this answer, each line once."""
    yield from dict.fromkeys(part.say for part in row.parts)
