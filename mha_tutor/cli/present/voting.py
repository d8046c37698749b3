"""A poll on its way: think, vote, discuss in pairs, vote again, see both votes, then the answer.

What is typed is not shown, nor a total from which one count could be told from the next, and the
first vote only beside the second: a room that sees which answer leads goes over to it without a reason.
"""

from __future__ import annotations

import re

from ...quiz.poll import Poll
from ...texts import texts
from ...views.page import Page
from ...views.present.polls import Votes, question_page, result_page
from .timer import Timer

STEPS = ("think", "vote", "discuss", "vote-again", "votes", "answer", "wrong")
VOTES = ("vote", "vote-again")
MOST_DIGITS, MOST_HANDS = 4, 1000


class Voting:
    """One poll in one room. The ``timer`` runs while pairs talk."""

    def __init__(self, poll: Poll, timer: Timer) -> None:
        self.poll = poll
        self.at = 0
        self.trouble = ""
        self.votes: dict[str, Votes] = {}
        self._drafts: dict[str, str] = {}  # by step: what is typed and not yet counted
        self._timer = timer

    @property
    def step(self) -> str:
        """Where it is: one of STEPS."""
        return STEPS[self.at]

    @property
    def typed(self) -> str:
        """What is typed in this step, counted or not."""
        return self._drafts.get(self.step, "")

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

    @property
    def unfinished(self) -> bool:
        """Whether it has begun, and a vote is still to come."""
        return self.at > 0 and not self.counted

    def page(self, page: Page) -> Page:
        """What the room sees, in place of ``page``, which it is about."""
        say = texts("present")["poll"]
        corner = say["came"][self._came]["corner"] if self.step == "votes" else say["corner"][self.step]
        asked = self.poll.asked
        if not self.counted:
            return question_page(page, asked, corner)
        votes = [self.votes[step] for step in VOTES if step in self.votes]
        at = self.at - STEPS.index("votes")
        return result_page(page, asked, votes, corner, right=at > 0, wrong=at > 1)

    @property
    def _came(self) -> str:
        """What came of the voting: none, first, second, same or both."""
        first, second = map(self.votes.get, VOTES)
        if first is None or second is None:
            return "first" if first else "second" if second else "none"
        return "same" if first == second else "both"

    def prompt(self) -> str:
        """What to do now, and what of a vote there is."""
        say = texts("present")["poll"]
        if self.step == "votes":
            return str(say["came"][self._came]["prompt"])
        parts = [str(say["prompt"][self.step]), self.trouble, self._told()]
        return " ".join(part for part in parts if part)

    def _told(self) -> str:
        """How far the vote is typed, or the total of a vote that is kept: never a figure on its way."""
        say = texts("present")["poll"]["prompt"]
        if self.step == "discuss" or (self.voting and not self.typed):
            kept = self.votes.get("vote" if self.step == "discuss" else self.step)
            name = "kept" if self.step == "discuss" else "earlier"
            return str(say[name]).format(votes=sum(kept)) if kept else ""
        if not self.voting:
            return ""
        if self._letters:
            return str(say["hands"])
        choices, count = self.poll.asked.choices, len(self._counts())
        told = str(say["typed"]).format(count=count, all=len(choices))
        between = not self.typed[-1].isdigit()
        return told + (str(say["next"]).format(letter=choices[count].letter) if between else "")

    @property
    def _letters(self) -> bool:
        return self.typed[:1].isalpha()

    def _counts(self) -> list[int]:
        """The votes as far as they are typed."""
        if self._letters:
            return [self.typed.count(choice.letter.lower()) for choice in self.poll.asked.choices]
        return [int(count) for count in re.findall("[0-9]+", self.typed)]

    def takes(self, key: str) -> bool:
        """Whether this key is typed here, whatever it means elsewhere."""
        if not self.voting:
            return False
        if key == "space":  # between two counts; anywhere else it goes on
            return bool(self.typed) and not self._letters and self._wanting
        return self.writes(key) or key in {"backspace", ","}

    def writes(self, key: str) -> bool:
        """Whether a vote may have this key in it: a letter of a choice, or a figure."""
        letters = {choice.letter.lower() for choice in self.poll.asked.choices}
        return key.lower() in letters or bool(re.fullmatch("[0-9]", key))

    @property
    def _wanting(self) -> bool:
        return len(self._counts()) < len(self.poll.asked.choices)

    def type(self, key: str) -> None:
        """Take one key of a vote: a letter is a hand, figures are counts, a space or a comma ends one."""
        self.trouble = ""
        typed = self.typed
        if key == "backspace":
            self._drafts[self.step] = typed[:-1]
        elif key in {"space", ","}:
            self._end_count(key)
        elif not typed or key.isalpha() == self._letters:
            new = typed + key.lower()
            run = re.split("[ ,]", new)[-1]
            if len(run) <= (MOST_HANDS if key.isalpha() else MOST_DIGITS):
                self._drafts[self.step] = new

    def _end_count(self, key: str) -> None:
        """The count is typed whole; a space more says what is missing, except after a comma."""
        if not self.typed or self._letters or not self._wanting:
            return
        if self.typed[-1].isdigit():
            self._drafts[self.step] = self.typed + (" " if key == "space" else ",")
        elif self.typed[-1] == "," and key == "space":
            self._drafts[self.step] = self.typed[:-1] + " "
        else:
            self._want()

    def _want(self) -> None:
        choices = len(self.poll.asked.choices)
        self.trouble = str(texts("present")["poll"]["prompt"]["wanting"]).format(count=choices)

    def forward(self) -> bool:
        """Go to the next step; False where counts are missing, or nothing is left."""
        if self.voting and self.typed:
            if self._wanting:
                self._want()
                return False
            self._count()
        if self.done:
            return False
        self.leave()
        self.at += 1
        self.trouble = ""
        if self.step == "discuss":
            self._timer.start()
        return True

    def _count(self) -> None:
        """Count what is typed. Where nobody voted there is no vote, nor an earlier one."""
        counts = tuple(self._counts())
        self.votes.pop(self.step, None)
        if any(counts):
            self.votes[self.step] = counts
        del self._drafts[self.step]

    def back(self) -> bool:
        """Go one step back; False where there is none.

        A vote stays until another is typed in its place, and what is half typed is there again later.
        """
        self.trouble = ""
        if self.at == 0:
            return False
        self.leave()
        self.at -= 1
        return True

    def leave(self) -> None:
        """Turn to something else: pairs do not talk any longer."""
        if self.step == "discuss":
            self._timer.stop()
