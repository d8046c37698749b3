"""`mha-tutor present`: the walk for a room, a slide at a time, nothing shown before a press."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from ...choose import WalkOptions, first_token
from ...errors import InputError
from ...texts import texts
from ...views.page import Page, Ribbons
from ...views.pages import View
from ...views.present.polls import question_page, result_page
from ..book import ShowOptions, check_head, check_show, resume_line
from ..paint import Painter
from ..printing import print_page
from ..session import full_screen
from ..step import StepBook, page_of, pages_of
from ..world import World
from .presentation import Presentation
from .slide_book import SlideBook
from .slide_screen import SlideScreen
from .timer import Timer
from .votes_file import check_votes_file, keep_votes

THEMES = {"light": "projector", "dark": "projector-dark"}


class PresentOptions(NamedTuple):
    """The options of `mha-tutor present` as they were typed."""

    walk: WalkOptions = WalkOptions()
    show: ShowOptions = ShowOptions()
    stage: str | None = None
    poll: bool = False
    timer: float = 3.0
    save: Path | None = None


def run_present(options: PresentOptions, world: World | None = None) -> None:
    """Present the walk in a terminal; elsewhere print its slides. Raises InputError."""
    world = world or World.here()
    _check(options)
    theme = world.theme if options.show.theme == "auto" else options.show.theme
    show = options.show._replace(theme=THEMES.get(theme, theme))
    walk = StepBook(options.walk, options.show)
    check_head(show, walk.sizes["heads"])
    view = View(show.head - 1, first_token(walk.chosen.example, show.token), show.decimals)
    start = walk.keys[0 if options.stage is None else page_of(options.stage, walk.trace, walk.keys)]
    book = SlideBook(walk, view, polls=options.poll)
    if _can_press(options, world):
        if _present(book, view, book.turn_to(view, f"{start}.lead"), options, show, world):
            return
    elif options.save is not None:
        raise InputError(texts("present")["use"]["save"])
    _print(book, view, walk.keys if options.stage is None else pages_of(start, walk.keys), show, world)


def _check(options: PresentOptions) -> None:
    say = texts("present")["use"]
    check_show(options.show)
    if options.show.format == "json":
        raise InputError(say["json"])
    if not 0.1 <= options.timer <= 99:
        raise InputError(say["timer"].format(given=f"{options.timer:g}"))
    if options.save is not None:
        check_votes_file(options.save)


def _can_press(options: PresentOptions, world: World) -> bool:
    return world.interactive and options.show.format == "text" and not world.accessible


def _present(
    book: SlideBook, view: View, first: int, options: PresentOptions, show: ShowOptions, world: World
) -> bool:
    """On the whole screen; False on a console that knows no escape codes."""
    painter = Painter.of(world, show.theme, show.width, spacious=True)
    lesson = Presentation(book, view, first, Timer(options.timer))
    shown = False
    try:
        shown = full_screen(lesson, painter, pages=SlideScreen)
    finally:
        if options.save is not None and (shown or lesson.polling.results):
            keep_votes(options.save, lesson.polling.results, world)
    if shown:
        world.print(resume_line(book.command(lesson.key, lesson.place.view)))
    return shown


def _print(book: SlideBook, view: View, only: Sequence[str], show: ShowOptions, world: World) -> None:
    """Every slide of these pages with nothing covered; a poll, then its answers."""
    corner = texts("present")["poll"]["corner"]
    for slide in book.slides:
        if slide.page_key not in only:
            continue
        if slide.key.endswith(".poll"):
            asked = book.planned_poll(slide.page_key, view).asked
            pages = [
                question_page(slide.page, asked, corner["think"]),
                result_page(slide.page, asked, [], corner["answer"], right=True, wrong=True),
            ]
        else:
            pages = [slide.page]
        for page in pages:
            if not _said_before(page, show, world):
                print_page(page, show, world)


def _said_before(page: Page, show: ShowOptions, world: World) -> bool:
    """Whether linear text has nothing to add: the shaded sentences repeat the bars."""
    linear = show.format == "plain" or world.accessible
    return linear and all(isinstance(block, Ribbons) for block in page.blocks)
