"""How a quiz went, said at its end."""

from __future__ import annotations

from collections import Counter

from ...mistakes import REGISTRY, SLIPS, Mistake, Slip
from ...quiz.question import Question
from ...quiz.wording import summary_text
from .dialog import Dialog
from .kept_file import QuizFile
from .one_question import Outcome

MOST_SHOWN = 5
_KNOWN: dict[str, Mistake | Slip] = {**REGISTRY, **SLIPS}


class Score:
    """What was answered in one quiz."""

    def __init__(self) -> None:
        self.outcomes: list[Outcome] = []
        self.reasons: list[bool] = []
        self.mistakes: Counter[str] = Counter()
        self._lessons: dict[str, int] = {}

    def add(self, question: Question, outcome: Outcome) -> None:
        """Count one question."""
        self.outcomes.append(outcome)
        for mistake in outcome.mistakes:
            self.mistakes[mistake.id] += 1
            self._lessons.setdefault(mistake.id, getattr(mistake, "lesson", question.lesson))

    def lesson(self, id: str) -> int:
        """The lesson that treats a mistake."""
        return self._lessons[id]


def say_summary(dialog: Dialog, score: Score, file: QuizFile) -> None:
    """How many were right, which mistakes showed, most often first, and where it is kept."""
    dialog.rule()
    dialog.say(summary_text("title"), "title")
    if not score.outcomes:
        dialog.say(summary_text("none"))
    else:
        _say_counts(dialog, score)
        _say_mistakes(dialog, score, file)
    if file.trouble:
        dialog.say(file.trouble)
    if score.outcomes and file.writable:
        dialog.say(summary_text("kept", path=file.path))


def _say_counts(dialog: Dialog, score: Score) -> None:
    all = [outcome.answered for outcome in score.outcomes]
    skipped = sum(answered.skipped for answered in all)
    first, second = sum(answered.first for answered in all), sum(answered.second for answered in all)
    counts = {"asked": len(all), "first": first, "second": second, "skipped": skipped}
    dialog.say(summary_text("asked", wrong=len(all) - first - second - skipped, **counts))
    if score.reasons:
        dialog.say(summary_text("reasons", right=sum(score.reasons), asked=len(score.reasons)))
    if sure := sum(answered.sure_and_wrong for answered in all):
        dialog.say(summary_text("sure", count=sure))


def _say_mistakes(dialog: Dialog, score: Score, file: QuizFile) -> None:
    """Those of this quiz with what helps; those of earlier ones by name."""
    if score.mistakes:
        dialog.say(summary_text("mistakes"))
    for id, times in score.mistakes.most_common(MOST_SHOWN):
        text = _KNOWN[id].text
        dialog.say(
            summary_text(
                "mistake", times=times, title=text.title, advice=text.advice, lesson=score.lesson(id)
            )
        )
    before = [(id, count) for id, count in file.kept.most_often() if id in _KNOWN]
    if before and dict(before) != dict(score.mistakes):
        titles = "; ".join(
            summary_text("times", title=_KNOWN[id].text.title, count=count) for id, count in before[:3]
        )
        dialog.say(summary_text("earlier", titles=titles))
