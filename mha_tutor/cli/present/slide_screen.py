"""Slides on the whole screen."""

from __future__ import annotations

from ...texts import texts
from ...views.page import Page, Table
from ...views.terminal.canvas import Canvas, Line
from ...views.terminal.draw import Drawn, header_lines
from ..foot import hint_line
from ..session import Pages
from .presentation import Presentation


class SlideScreen(Pages):
    """Slides as pages of the walk are drawn, with the timer in the corner; nothing at all when blank."""

    session: Presentation

    def draw(self) -> None:
        """Show the slide, or an empty screen."""
        if self.session.blank:
            self.screen.draw([])
        else:
            super().draw()

    @property
    def patience(self) -> float | None:
        """Until the timer reads differently."""
        return self.session.timer.next_change()

    def waited(self) -> None:
        """The timer reads differently: only its line is written anew."""
        self.draw()

    def head(self, shown: Page, canvas: Canvas) -> list[Line]:
        """The stages, and a rule with the timer at its end."""
        lines = header_lines(shown, canvas) if shown.crumbs else []
        timer = self.session.timer
        if not timer.running or not lines:
            return lines
        say = texts("present")["timer"]
        text = f" {say['left' if timer.left else 'over'].format(time=timer.text())} "
        rule = "─" * max(canvas.width - len(text) - 2, 0)
        return [*lines[:-1], [canvas.put(rule), canvas.put(text, "here"), canvas.put("──")]]

    def foot(self, canvas: Canvas, top: int) -> Line:
        """What can be pressed now."""
        session, say = self.session, texts("present")
        if session.place.help:
            return [canvas.put(f" {say['foot']['help_open']}")]
        if session.place.depth:
            return hint_line(say["foot"]["worked"], canvas, canvas.width - 1)
        if session.place.point is not None:
            told = canvas.put(f" {canvas.text(session.pointed_at())}  ", "strong")
            room = max(canvas.width - 1 - len(told.text), 0)
            return [told, *hint_line(say["foot"]["point"], canvas, room)]
        hints = self._slide_hints() if session.voting is None else dict(say["foot"]["poll"])
        if session.more:
            hints["uncover"] = say["foot"]["more"]
        if session.pieces > 1:
            hints["columns"] = texts("keys")["foot"]["columns"]
        return hint_line(hints, canvas, canvas.width - 1)

    def _slide_hints(self) -> dict[str, list[str]]:
        """The presses that do something on this slide."""
        session, say = self.session, texts("present")["foot"]
        hints = dict(say["slide"])
        if session.slide.next(session.uncovered):
            hints["uncover"] = say["covered"]
        missing = {
            "back": session.place.page == 0,
            "uncover": session.at_end and not session.slide.next(session.uncovered),
            "head": session.book.sizes["heads"] == 1 or not session.book.per_head(session.key),
            "why": session.slide.table is None,
            "predict": not session.book.has_poll(session.slide.page_key, session.place.view),
        }
        return {name: hint for name, hint in hints.items() if not missing.get(name)}

    def _body(self, shown: Page, canvas: Canvas, room: int) -> Drawn:
        """While a room votes, the question and its choices are seen together: what is given makes way."""
        drawn = super()._body(shown, canvas, room)
        voting = self.session.voting
        if voting is None or not voting.voting or self.session.place.help or len(drawn.lines) <= room:
            return drawn
        asked = tuple(block for block in shown.blocks if not isinstance(block, Table))
        return super()._body(shown._replace(blocks=asked), canvas, room)
