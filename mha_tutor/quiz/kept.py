"""What is kept from one quiz to the next: the mistakes that showed, and what comes back when."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

FORMAT_VERSION = 1
LONGEST_GAP = 4  # quizzes; answered right after so long, a topic has been learned


class NewerFormatError(ValueError):
    """What was kept was written by a later version; its number is the argument."""


class Answered(NamedTuple):
    """How one question went: right at the first try, at the second, and was the first answer sure."""

    topic: str
    first: bool = False
    second: bool = False
    sure: bool = False
    skipped: bool = False
    mistakes: tuple[str, ...] = ()

    @property
    def sure_and_wrong(self) -> bool:
        return self.sure and not self.first and not self.skipped


class Again(NamedTuple):
    """A topic that comes back in quiz number ``due``, and then after ``gap`` more."""

    due: int
    gap: int = 1


@dataclass(frozen=True)
class Kept:
    """How many quizzes there have been, how often each mistake showed, and which topics come back."""

    quizzes: int = 0
    mistakes: Mapping[str, int] = field(default_factory=dict)
    again: Mapping[str, Again] = field(default_factory=dict)

    def due(self) -> tuple[str, ...]:
        """The topics that come back in the next quiz, the longest due first."""
        now = self.quizzes + 1
        return tuple(sorted((t for t, a in self.again.items() if a.due <= now), key=self._due_at))

    def _due_at(self, topic: str) -> tuple[int, str]:
        return self.again[topic].due, topic

    def begun(self) -> Kept:
        """A quiz later."""
        return replace(self, quizzes=self.quizzes + 1)

    def after(self, answered: Answered) -> Kept:
        """With one more question answered in the present quiz."""
        counts = Counter(self.mistakes)
        counts.update(answered.mistakes)
        again = dict(self.again)
        before = again.get(answered.topic)
        if answered.sure_and_wrong:
            again[answered.topic] = Again(self.quizzes + 1)
        elif before and before.due <= self.quizzes and not answered.skipped:
            gap = before.gap * 2 if answered.first else 1
            again[answered.topic] = Again(self.quizzes + gap, gap)
            if gap > LONGEST_GAP:
                del again[answered.topic]
        return replace(self, mistakes=dict(counts), again=again)

    def most_often(self, but: Iterable[str] = ()) -> tuple[tuple[str, int], ...]:
        """The mistakes by how often they showed."""
        left = set(but)
        found = [(id, count) for id, count in self.mistakes.items() if id not in left]
        return tuple(sorted(found, key=lambda item: (-item[1], item[0])))

    def as_json(self) -> dict[str, Any]:
        """As plain data for a file."""
        return {
            "format_version": FORMAT_VERSION,
            "quizzes": self.quizzes,
            "mistakes": dict(self.most_often()),
            "again": {topic: again._asdict() for topic, again in sorted(self.again.items())},
        }

    @classmethod
    def from_json(cls, data: Any) -> Kept:
        """Read back what ``as_json`` gave; raises ValueError, or NewerFormatError, for anything else."""
        try:
            version = _count(data["format_version"])
            if version > FORMAT_VERSION:
                raise NewerFormatError(version)
            return cls(
                _count(data["quizzes"]),
                {str(id): _count(count) for id, count in data["mistakes"].items()},
                {str(t): Again(_count(a["due"]), max(_count(a["gap"]), 1)) for t, a in data["again"].items()},
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"{type(error).__name__}: {error}") from None


def _count(value: Any) -> int:
    """A whole number, 0 or more."""
    if type(value) is not int or value < 0:
        raise ValueError(f"{value!r} is not a count")
    return value
