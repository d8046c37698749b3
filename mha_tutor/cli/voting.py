"""A poll on its way: think, vote, discuss in pairs, vote again, see both votes, then the answer.

What is typed is not shown, and the first vote only beside the second: a room that sees which answer
leads goes over to it without a reason.
"""

from __future__ import annotations

import re

from ..quiz.poll import Poll
from ..texts import texts
from ..views.page import Page
from ..views.present.polls import Votes, question_page, result_page
from .timer import Timer

STEPS = ("think", "vote", "discuss", "vote-again", "votes", "answer", "wrong")
VOTES = ("vote", "vote-again")
MOST_DIGITS, MOST_HANDS = 4, 1000


class Voting:
    """One poll in one room. The ``timer`` runs while pairs talk."""

    def __init__(self, poll: Poll, timer: Timer) -> None:
        self.poll = poll
        self.at = 0
        self.typed = ""
        self.trouble = ""
        self.votes: dict[str, Votes] = {}
        self._timer = timer

    @property
    def step(self) -> str:
        """Where it is: one of STEPS."""
        return STEPS[self.at]

    @property
    def voting(self) -> bool:
        """Whether votes are being typed."""
        return self.step in VOTES

    @property
    def done(self) -> bool:
        """Whether all of it has been seen."""
        return self.at == len(STEPS) - 1

    @property
    def counted(self) -> bool:
        """Whether both votes are over."""
        return self.at >= STEPS.index("votes")

    def page(self, page: Page) -> Page:
        """What the room sees, in place of ``page``, which it is about."""
        corner = texts("present")["poll"]["corner"][self.step]
        asked = self.poll.asked
        if not self.counted:
            return question_page(page, asked, corner)
        votes = [self.votes[step] for step in VOTES if step in self.votes]
        at = self.at - STEPS.index("votes")
        return result_page(page, asked, votes, corner, right=at > 0, wrong=at > 1)

    def prompt(self) -> str:
        """What to do now."""
        say = texts("present")["poll"]["prompt"]
        prompt = str(say[self.step])
        if not self.voting:
            return prompt
        counts = self._counts()
        typed = str(say["typed"]).format(votes=sum(counts), count=len(counts)) if counts else ""
        if counts and self._letters:
            typed = str(say["hands"]).format(votes=sum(counts))
        return " ".join(part for part in (prompt, self.trouble, typed) if part)

    @property
    def _letters(self) -> bool:
        return self.typed[:1].isalpha()

    def _counts(self) -> list[int]:
        """The votes as far as they are typed."""
        if self._letters:
            return [self.typed.count(choice.letter.lower()) for choice in self.poll.asked.choices]
        return [int(count) for count in self.typed.split()]

    def takes(self, key: str) -> bool:
        """Whether this key is typed here, whatever it means elsewhere."""
        if not self.voting:
            return False
        if key == "space":  # between two counts; anywhere else it goes on
            return bool(self.typed) and not self._letters and self._wanting
        letters = {choice.letter.lower() for choice in self.poll.asked.choices}
        return key.lower() in letters or bool(re.fullmatch("[0-9]", key)) or key == "backspace"

    @property
    def _wanting(self) -> bool:
        return len(self.typed.split()) < len(self.poll.asked.choices)

    def type(self, key: str) -> None:
        """Take one key of a vote: a letter is a hand, figures and spaces are counts."""
        self.trouble = ""
        if key == "backspace":
            self.typed = self.typed[:-1]
        elif key == "space":
            self.typed = self.typed.rstrip() + " "
        elif not self.typed or key.isalpha() == self._letters:
            new = self.typed + key.lower()
            if len(new.split()[-1]) <= (MOST_HANDS if key.isalpha() else MOST_DIGITS):
                self.typed = new

    def forward(self) -> bool:
        """Go to the next step; False where counts are missing, or nothing is left."""
        if self.voting and self.typed:
            counts, choices = self._counts(), len(self.poll.asked.choices)
            if len(counts) != choices:
                self.trouble = str(texts("present")["poll"]["prompt"]["wanting"]).format(count=choices)
                return False
            self.votes[self.step] = tuple(counts)
        if self.done:
            return False
        if self.step == "discuss":
            self._timer.stop()
        self.at += 1
        self.typed = self.trouble = ""
        if self.step == "discuss":
            self._timer.start()
        return True

    def back(self) -> bool:
        """Go one step back; False where there is none. A vote stays until another is typed in its place."""
        self.typed = self.trouble = ""
        if self.at == 0:
            return False
        self.at -= 1
        return True
