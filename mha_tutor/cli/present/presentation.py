"""Where a lesson is among its slides, and which key leads where. Draws nothing."""

from __future__ import annotations

from ...errors import InputError
from ...texts import texts
from ...views.page import Page, Text
from ...views.pages import View
from ...views.present import Slide, Spot, as_seen
from ...views.present.help import present_help
from ...views.working import worked
from ..reader import LEAVE, Session
from .laser import cells_at, moved, span, start, where
from .polling import Polling
from .slide_book import SlideBook
from .timer import Timer
from .uncovered import Uncovered
from .voting import Voting

FORWARD = {"space", "right", "enter", "n", "pagedown"}
BACK = {"left", "backspace", "pageup"}
QUIT = {"q", "Q"}
BLANK = {"b", "."}  # what pointing devices for lectures send for a black screen


class Presentation(Session):
    """A teacher in front of a class: the keys of the walk, and those that uncover, point and poll."""

    book: SlideBook

    def __init__(self, book: SlideBook, view: View, first: int, timer: Timer) -> None:
        super().__init__(book, view, first)
        self.timer = timer
        self.blank = False
        self.presses = 0
        self.seen = Uncovered()
        self.polling = Polling(book, timer)
        self._asked = False  # whether to leave an unfinished poll

    @property
    def state(self) -> object:
        """Every press may change what is seen."""
        return self.presses

    @property
    def message(self) -> str:
        """What to do in a poll, or what came of a press."""
        return self.place.message or ("" if self.place.help or not self.voting else self.voting.prompt())

    @property
    def slide(self) -> Slide:
        """The slide to show now."""
        return self.book.slides[self.place.page]

    @property
    def uncovered(self) -> frozenset[Spot]:
        """What of the slide has been uncovered."""
        return self.seen.of(self.slide)

    @property
    def voting(self) -> Voting | None:
        """The poll that is on, if one is."""
        return self.polling.now(self.slide, self.place.view)

    def page(self) -> Page:
        """What the room sees now."""
        if self.place.help:
            return present_help()
        if self.voting is not None:
            return self.voting.page(self.slide.page)
        point, table = self.place.point, self.slide.table
        if self._names_too_soon():
            return self.slide.page._replace(blocks=(Text(texts("present")["say"]["row_first"], "lead"),))
        if point is None or table is None:
            return as_seen(self.slide, self.uncovered)
        if self.place.depth and (cell := table.cell(point.row, point.column)) is not None:
            lines = worked(self.book.trace, cell, self.place.view.decimals)
            number = Text("\n".join(lines), "number", texts("pages")["one_number"])
            return self.slide.page._replace(blocks=(number,))
        return as_seen(self.slide, self.uncovered, cells_at(table, point))

    def _names_too_soon(self) -> bool:
        """Whether the worked number would tell by its name which is the largest of a row still covered."""
        if not self.slide.key.endswith(".number") or self.slide.next(self.uncovered) != self.slide.next(()):
            return False
        table = self.book.slide(f"{self.slide.page_key}.table")
        return table is not None and bool(table.next(()) - self.seen.of(table))

    def pointed_at(self) -> str:
        """The address of what is pointed at, with its number once that is uncovered."""
        table, point = self.slide.table, self.place.point
        if table is None or point is None:
            return ""
        covered = bool(self.slide.spots(*span(table, point)) - self.uncovered)
        return where(table, point, self.book.address, covered=covered)

    def press(self, key: str) -> None:
        """Do what the key means here; a key without a meaning does nothing."""
        self.presses += 1
        self.place = self.place._replace(message="")
        asked, self._asked = self._asked, False
        if key in LEAVE and not ((self.blank or self.place.help) and key in QUIT):
            self._leave(sure=asked or key not in QUIT)
        elif self.blank:
            self.blank = False
        elif self.place.help:
            super().press("escape" if key in LEAVE else key)
        elif self.voting is not None:
            self._press_poll(self.voting, key)
        elif not self._press_room(key):
            self._press_slide(key)

    def _press_room(self, key: str) -> bool:
        """The keys that are about no slide: the blank screen and the timer. False for others."""
        if key in BLANK:
            self.blank = True
        elif key == "t":
            self.timer.toggle()
        elif key in {"+", "-"}:
            self.timer.add(1 if key == "+" else -1)
        else:
            return False
        return True

    def _press_slide(self, key: str) -> None:
        """The keys of a slide; all others mean what they do in the walk."""
        if self.place.depth:
            self.place = self.place._replace(depth=0, top=0)
        elif self.place.point is not None and self._press_pointer(key):
            pass
        elif key in FORWARD:
            self._forward()
        elif key in BACK:
            self.turn(-1)
        elif key == "w":
            self._point()
        elif key == "p":
            self._ask_poll()
        elif key in {"u", "r"}:
            self.seen.take_back(self.slide, all=key == "r")
        elif key == "a":
            self.seen.add(self.slide, self.slide.covered(()))
        else:
            self.press_page(key)

    def turn(self, by: int) -> None:
        """Go ``by`` slides on, as far as there are slides."""
        before, voting = self.place.page, self.voting
        super().turn(by)
        if self.place.page != before:
            if voting is not None:
                voting.leave()
            self.polling.end()
            self.place = self.place._replace(point=None, depth=0)

    def choose(self, key: str) -> None:
        """Another head or token, on the same slide."""
        if self.voting is not None:
            return
        super().choose(key)
        self.place = self.place._replace(page=self.book.turn_to(self.place.view, self.slide.key))

    def _forward(self) -> None:
        """The rest of a long slide, then what is covered, then the next slide."""
        if self.more:
            self.scroll(self.step)
        elif covered := self.slide.next(self.uncovered):
            self.seen.add(self.slide, covered)
        else:
            self.turn(1)

    def _point(self) -> None:
        table = self.slide.table
        if table is None:
            self._say("no_table")
        else:
            self.place = self.place._replace(point=start(table))

    def _press_pointer(self, key: str) -> bool:
        """Arrows move the pointer, Enter uncovers, w works out, Escape puts it away. False for others."""
        table, point = self.slide.table, self.place.point
        assert point is not None
        if key in {"escape", "backspace"} or table is None:
            self.place = self.place._replace(point=None)
        elif key in {"up", "down", "left", "right"}:
            self.place = self.place._replace(point=moved(table, point, key))
        elif key == "enter":
            self.seen.add(self.slide, self.slide.spots(*span(table, point)))
        elif key == "w":
            self._work_out()
        else:
            return False
        return True

    def _work_out(self) -> None:
        """Show where the number pointed at comes from, once it is uncovered."""
        table, point = self.slide.table, self.place.point
        assert table is not None and point is not None
        if self.slide.spots(*span(table, point)) - self.uncovered:
            self._say("covered")
        elif min(point.row, point.column) < 0 or table.cell(point.row, point.column) is None:
            self._say("no_number")
        else:
            self.place = self.place._replace(depth=1, top=0)

    def _ask_poll(self) -> None:
        """Another question about this page each time."""
        try:
            self.polling.ask(self.slide, self.place.view)
        except InputError as error:
            self.place = self.place._replace(message=str(error))
        else:
            self.place = self.place._replace(point=None, top=0)

    def _press_poll(self, voting: Voting, key: str) -> None:
        """The keys of a poll: what is typed, forward, back, out of it."""
        if voting.takes(key):
            voting.type(key)
        elif key in FORWARD and self.more:
            self.scroll(self.step)
        elif key in FORWARD | BACK:
            self._poll_on(voting, key in FORWARD)
        elif key == "escape":
            self._end_poll()
        elif key == "p":
            self._say_of_poll("on")
        elif voting.writes(key) and not (voting.counted and key in BLANK):
            self._say_of_poll("over" if voting.counted else "first")
        elif not key.isdecimal() and not self._press_room(key):
            self.press_page(key)

    def _poll_on(self, voting: Voting, forward: bool) -> None:
        """A step of the poll; at its end the slide that it was asked on, or the next one."""
        self.place = self.place._replace(top=0)
        stays = self.polling.step(voting, self.slide.page_key, forward=forward)
        if not stays and not self.polling.end():
            self.turn(1 if forward else -1)

    def _end_poll(self) -> None:
        """Out of the poll: back to the slide that it was asked on, or on from a slide of its own."""
        self.place = self.place._replace(top=0)
        if not self.polling.end():
            self.turn(1)

    def _leave(self, *, sure: bool) -> None:
        """End the lesson; while votes are being taken, ask once."""
        if sure or self.voting is None or not self.voting.unfinished:
            self.leaving = True
        else:
            self._asked = True
            self._say_of_poll("leave")

    def _say_of_poll(self, key: str) -> None:
        self.place = self.place._replace(message=texts("present")["poll"]["prompt"][key])

    def _say(self, key: str) -> None:
        self.place = self.place._replace(message=texts("present")["say"][key])
