"""The slides of a walk, in order, and the polls about its pages."""

from __future__ import annotations

from collections.abc import Iterable

from ...addresses import Cell
from ...errors import InputError
from ...quiz import Desk
from ...quiz.poll import Poll, polls_about
from ...texts import texts
from ...trace import Trace
from ...views.page import Page
from ...views.pages import STAGE_OF_PAGE, View
from ...views.present import Slide, slides_of
from ..step import StepBook


class SlideBook:
    """The slides of a walk for the head and token that are looked at now; see ``turn_to``.

    With ``polls`` the pages that a question can be asked about have one, before their numbers.
    """

    def __init__(self, walk: StepBook, view: View, *, polls: bool = False) -> None:
        self.walk = walk
        self.sizes = walk.sizes
        self._first_view = view
        self._polls: dict[tuple[str, View], list[Poll]] = {}
        self._planned = self._plan(view) if polls else {}
        self._plans = {view: self._planned}
        self._view: View | None = None
        self.slides: tuple[Slide, ...] = ()
        self.turn_to(view, "")

    def turn_to(self, view: View, key: str) -> int:
        """Look at another head or token: the place of the slide of that key, or of its page's last one."""
        if view != self._view:
            self._view, self.slides = view, tuple(self._made(view))
        keys = self.keys
        page = [i for i, other in enumerate(keys) if other.partition(".")[0] == key.partition(".")[0]]
        return keys.index(key) if key in keys else (page or [0])[-1]

    def _made(self, view: View) -> list[Slide]:
        found: list[Slide] = []
        for key in self.walk.keys:
            page = self.walk.page(key, view)
            first, *rest = slides_of(page, self.trace, view.token)
            poll = [Slide(f"{key}.poll", page)] if key in self._planned else []
            found += [first, *poll, *rest]
        return [
            slide._replace(page=slide.page._replace(number=i, total=len(found)))
            for i, slide in enumerate(found, 1)
        ]

    @property
    def keys(self) -> tuple[str, ...]:
        """The slides' keys, in order."""
        return tuple(slide.key for slide in self.slides)

    def slide(self, key: str) -> Slide | None:
        """The slide of that key, for the head and token that are looked at now."""
        return next((slide for slide in self.slides if slide.key == key), None)

    @property
    def chapters(self) -> tuple[int, ...]:
        """The first slide of each stage."""
        stages = [STAGE_OF_PAGE[slide.page_key] for slide in self.slides]
        return tuple(stages.index(stage) for stage in dict.fromkeys(stages))

    @property
    def trace(self) -> Trace:
        """The run that the slides show."""
        return self.walk.trace

    def page(self, key: str, view: View) -> Page:
        """The slide of that key with nothing covered."""
        return self.slides[self.turn_to(view, key)].page

    def per_head(self, key: str) -> bool:
        """Whether the slide shows one head."""
        return self.walk.per_head(key.partition(".")[0])

    def address(self, cell: Cell) -> str:
        """How a place is written."""
        return self.walk.address(cell)

    def command(self, key: str, view: View) -> list[str]:
        """The arguments of mha-tutor that open the presentation at that page."""
        _, *options = self.walk.command(key.partition(".")[0], view)
        return ["present", *options, *(["--poll"] if self._planned else [])]

    def planned_poll(self, page: str, view: View) -> Poll:
        """The poll that has a slide of its own on that page."""
        if view not in self._plans:
            self._plans[view] = self._plan_for(view)
        return self._plans[view][page]

    def _plan_for(self, view: View) -> dict[str, Poll]:
        """The planned topics in another view; as in the first one where a number would be asked for twice."""
        planned: dict[str, Poll] = {}
        for page, first in self._planned.items():
            topic = first.question.topic
            same = (poll for poll in self._about(page, view) if poll.question.topic == topic)
            planned[page] = next(same, first)
            if _asks_again(planned[page], [planned[before] for before in planned if before != page]):
                return self._planned
        return planned

    def poll(self, page: str, view: View, count: int = 0) -> Poll:
        """A poll about that page, another for each ``count``; those without a slide come first.

        Raises InputError where there is none.
        """
        planned = self._planned.get(page)
        topic = None if planned is None else planned.question.topic
        polls = sorted(self._between(page, view), key=lambda poll: poll.question.topic == topic)
        if not polls:
            raise InputError(texts("present")["say"]["no_poll"])
        return polls[count % len(polls)]

    def has_poll(self, page: str, view: View) -> bool:
        """Whether there is a poll about that page."""
        return bool(self._between(page, view))

    def _between(self, page: str, view: View) -> list[Poll]:
        return self._about(page, view) or self._about(page, self._first_view)

    def _plan(self, view: View) -> dict[str, Poll]:
        """The pages that have a poll, and each poll: no topic twice, nor a number."""
        planned: dict[str, Poll] = {}
        for page in self.walk.keys:
            new = (poll for poll in self._about(page, view) if not _asks_again(poll, planned.values()))
            if poll := next(new, None):
                planned[page] = poll
        return planned

    def _about(self, page: str, view: View) -> list[Poll]:
        if (page, view) not in self._polls:
            desk = Desk(self.trace, view, heads=[view.head], tokens=[view.token])
            self._polls[page, view] = list(polls_about(desk, page))
        return self._polls[page, view]


def _asks_again(poll: Poll, asked: Iterable[Poll]) -> bool:
    """Whether one of these has the same topic, or asks for the same number."""
    question = poll.question
    return any(
        question.topic == other.question.topic
        or (question.cell is not None and question.cell == other.question.cell)
        for other in asked
    )
