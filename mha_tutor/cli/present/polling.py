"""The polls of a lesson: those with a slide of their own, and those asked for in between."""

from __future__ import annotations

from typing import NamedTuple

from ...quiz.poll import Poll
from ...views.pages import View
from ...views.present import Slide
from ...views.present.polls import Votes
from .slide_book import SlideBook
from .timer import Timer
from .voting import Voting


class Result(NamedTuple):
    """A poll that was held: on which page, the poll, and what was counted in each vote."""

    page: str
    poll: Poll
    votes: dict[str, Votes]


class Polling:
    """Which poll is on, and what came of those before."""

    def __init__(self, book: SlideBook, timer: Timer) -> None:
        self.results: list[Result] = []
        self._book = book
        self._timer = timer
        self._planned: dict[tuple[str, View], Voting] = {}  # by slide, head and token
        self._between: Voting | None = None
        self._asked = 0

    def now(self, slide: Slide, view: View) -> Voting | None:
        """The poll that is on, if one is."""
        if self._between is not None or not slide.key.endswith(".poll"):
            return self._between
        at = slide.key, view
        if at not in self._planned:
            self._planned[at] = Voting(self._book.planned_poll(slide.page_key, view), self._timer)
        return self._planned[at]

    def ask(self, slide: Slide, view: View) -> None:
        """Begin a poll about that slide's page, each time another. Raises InputError where there is none."""
        self._between = Voting(self._book.poll(slide.page_key, view, self._asked), self._timer)
        self._asked += 1

    def end(self) -> bool:
        """End the poll that was asked for in between; False where there is none."""
        between, self._between = self._between, None
        if between is not None:
            between.leave()
        return between is not None

    def step(self, voting: Voting, page: str, *, forward: bool) -> bool:
        """Go one step on or back; False where the poll is over, or had not begun."""
        if not (voting.forward() if forward else voting.back()):
            return bool(voting.trouble)
        self._keep(Result(page, voting.poll, dict(voting.votes)))
        return True

    def _keep(self, result: Result) -> None:
        """Keep what was counted, a first vote without a second too; a poll keeps its place."""
        places = [i for i, kept in enumerate(self.results) if kept.poll is result.poll]
        at = places[0] if places else len(self.results)
        self.results[at : at + 1] = [result] if result.votes else []
