"""One question held with a reader: answer, sure or unsure, a second try, the worked line, the reason."""

from __future__ import annotations

from typing import NamedTuple

from ...errors import InputError
from ...mistakes import Mistake, Slip
from ...quiz import Desk, Verdict, judge, read_answer
from ...quiz.kept import Answered
from ...quiz.question import Question
from ...quiz.wording import say
from ...views.page import Page
from .dialog import Dialog

SURE = {"s": True, "sure": True, "y": True, "yes": True, "u": False, "unsure": False, "n": False, "no": False}


class Outcome(NamedTuple):
    """How a question went, and the known mistakes that showed."""

    answered: Answered
    mistakes: tuple[Mistake | Slip, ...] = ()


class OneQuestion:
    """A question on its way from being asked to being explained."""

    def __init__(self, dialog: Dialog, question: Question, desk: Desk) -> None:
        self.dialog = dialog
        self.question = question
        self.desk = desk
        self._hints = list(question.hints)

    def hold(self) -> Outcome:
        """Ask until it is right, was tried twice, or is skipped; then work it out.

        Raises LeftError when the reader leaves before the first answer was judged.
        """
        outcome = self._tries()
        for i, line in enumerate(self.question.worked):
            self.dialog.say(f"{say('worked')}{line}" if i == 0 else line)
        return outcome

    def show(self) -> None:
        """What is given, what is asked, and what counts as an answer."""
        dialog, question = self.dialog, self.question
        if dialog.plain:
            for fact in question.facts:
                dialog.say(fact)
        elif question.tables:
            dialog.blocks(Page("quiz", "", "", question.tables))
            dialog.say("")
        dialog.say(question.text, "strong")
        if question.words and (dialog.plain or not any(table.counted for table in question.tables)):
            tokens = ", ".join(f"{i + 1} {word}" for i, word in enumerate(question.words))
            dialog.say(say("tokens", tokens=tokens))
        dialog.say(question.accepts)

    def reason(self) -> bool | None:
        """Why it is so: one of three. Whether the right one was chosen; None when it was skipped."""
        question, dialog = self.question, self.dialog
        if not question.options:
            return None
        dialog.say(question.why, "strong")
        for i, option in enumerate(question.options):
            dialog.say(f"{i + 1}  {option.text}")
        while (typed := dialog.ask(say("reason"))) not in {"1", "2", "3"}:
            if not typed:
                return None
            dialog.say(say("reason_unread"))
        chosen = question.options[int(typed) - 1]
        right = next(i for i, option in enumerate(question.options) if option.right)
        if chosen.right:
            dialog.say(say("option_right", reply=chosen.reply))
        else:
            text = question.options[right].text
            dialog.say(say("option_wrong", number=typed, reply=chosen.reply, right=right + 1, text=text))
        return chosen.right

    def _tries(self) -> Outcome:
        topic = self.question.topic
        if (first := self._answer("answer")) is None:
            self.dialog.say(say("skipped"))
            return Outcome(Answered(topic, skipped=True))
        sure = self._sure()
        verdict = self._judged(first)
        if verdict.right:
            return Outcome(Answered(topic, first=True, sure=sure))
        mistakes = verdict.mistakes
        second = self._answer("second")
        again = None if second is None else self._judged(second)
        if again is not None:
            mistakes += tuple(m for m in again.mistakes if m not in mistakes)
        right = again is not None and again.right
        ids = tuple(mistake.id for mistake in mistakes)
        return Outcome(Answered(topic, second=right, sure=sure, mistakes=ids), mistakes)

    def _answer(self, prompt: str) -> float | None:
        """What was answered; None when it is skipped. A hint, or text that says nothing, is no try."""
        while typed := self.dialog.ask(say(prompt)):
            if typed == "?":
                self._hint()
                continue
            try:
                return read_answer(self.question, typed)
            except InputError as error:
                self.dialog.say(str(error))
        return None

    def _hint(self) -> None:
        hint = say("hint", text=self._hints.pop(0)) if self._hints else say("no_more_hints")
        self.dialog.say(hint)

    def _sure(self) -> bool:
        while (typed := self.dialog.ask(say("sure")).lower()) and typed not in SURE:
            self.dialog.say(say("sure_unread"))
        return SURE.get(typed, False)

    def _judged(self, answer: float) -> Verdict:
        verdict = judge(self.question, answer, self.desk)
        if verdict.right:
            self.dialog.say(say("right"), "strong")
        else:
            self.dialog.say(f"{say('wrong')} {verdict.message}", "strong")
        return verdict
