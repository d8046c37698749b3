"""The last line of the screen: what can be pressed here, and how much of the page is below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.cells import cell_len

from ..texts import texts
from ..views.terminal.canvas import Canvas, Line, fit, line_width
from .book import Workbook
from .reader import Session

ROOMY = 50  # with fewer columns than this, the line is brief
# What goes first where there is no room for all.
_DROPPED = (
    "stage", "token", "edit", "timer", "predict", "head", "blank", "move", "back", "why", "next", "more",
    "columns", "uncover", "help",
)  # fmt: skip

Hints = Mapping[str, Sequence[str]]


def foot(session: Session, canvas: Canvas, top: int, auto: float | None) -> Line:
    """The line for where the session is; ``top`` is the first line shown of the page."""
    say, place = texts("keys"), session.place
    pointed = session.pointed() if isinstance(session.book, Workbook) else None
    more = "" if pointed and not place.depth else _more(session, canvas, top)
    room = canvas.width - cell_len(more) - 1
    if place.typed is not None:
        say = texts("whatif")
        prompt = f"{say['save_prompt' if place.saving else 'prompt']}: {place.typed}"
        left = _said(f"{prompt[-max(room - 3, 1) :]}_", canvas, room)
    elif auto is not None:
        left = _said(say["auto"].format(seconds=f"{auto:g}"), canvas, room)
    elif place.help:
        left = _said(say["help_foot"], canvas, room)
    elif place.depth:
        left = hint_line(say["why_foot"], canvas, room)
    elif pointed and isinstance(session.book, Workbook):
        told = canvas.put(f" {session.book.address(pointed[0])} = {pointed[1]}  ", "strong")
        left = [told, *hint_line(say["point_foot"], canvas, room - line_width([told]))]
    else:
        left = hint_line(hints(session), canvas, room)
    return [*left, canvas.put(more, "here" if more else "text"), canvas.put(" ")]


def _more(session: Session, canvas: Canvas, top: int) -> str:
    say = texts("keys")
    brief = "" if canvas.width >= ROOMY else "_short"
    if session.more:
        return str(say[f"more{brief}"]).format(lines=session.more)
    return str(say["end"]) if top else ""


def hints(session: Session) -> Hints:
    """The keys that do something on this page, each with what it does."""
    found: dict[str, list[str]] = dict(texts("keys")["foot"])
    if not session.more:
        del found["more"]
    if session.book.sizes["heads"] == 1 or not session.book.per_head(session.key):
        del found["head"]
    if session.book.sizes["n"] == 1:
        del found["token"]
    if session.pieces == 1:
        del found["columns"]
    if not isinstance(session.book, Workbook):
        del found["why"], found["edit"], found["predict"]
    return found


def hint_line(hints: Hints, canvas: Canvas, room: int) -> Line:
    """Keys in bold and what they do, as many as there is room for; help and leaving before all else."""
    left = dict(hints)
    for dropped in _DROPPED:
        if sum(cell_len(" ".join(hint)) + 3 for hint in left.values()) - 2 <= room:
            break
        left.pop(dropped, None)
    line: Line = [canvas.put(" ")]
    for key, does in left.values():
        line += [canvas.put(key, "label"), canvas.put(f" {does}   ")]
    line[-1] = canvas.put(line[-1].text.rstrip())
    missing = room - line_width(line)
    return [*line, canvas.put(" " * missing)] if missing >= 0 else _said("", canvas, max(room, 0))


def _said(text: str, canvas: Canvas, room: int) -> Line:
    return [canvas.put(fit(f" {canvas.text(text)}", room))]
