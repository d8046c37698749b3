"""`mha-tutor course`: start, list, read, hint, solution, reset, next, lab."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ...course import blanks, folder, needs
from ...course.lesson import HINTS, Lesson, find_exercise, find_lesson, lessons
from ...course.progress import Progress
from ...course.results import DONE
from ...errors import InputError, check_choice
from ...installing import install_line
from ...views.page import Block, Listing, Page
from ..book import ShowOptions, check_show
from ..printing import print_page
from ..showing import show
from ..world import World
from .words import flowing, say


def run_start(directory: Path | None) -> None:
    """Make the folder, and say what is new and what was left alone."""
    world = World.here()
    made = folder.start(Path(folder.DEFAULT) if directory is None else directory)
    if made.new:
        world.print(say("started", count=len(made.new), folder=made.folder))
    if made.kept:
        world.print(say("kept", count=len(made.kept), names=", ".join(made.kept)))
    quoted = shlex.quote(str(made.folder))
    first = lessons()[0].name
    if needs.missing(*needs.TO_OPEN):
        line = install_line(" ".join(needs.TO_OPEN))
        world.print(say("first_steps_without_lab", folder=quoted, first=first, line=line))
        return
    world.print(say("first_steps", folder=quoted, first=first))


def run_list(given: Path | None, output_format: str, width: int | None) -> None:
    """A line a lesson and a line an exercise."""
    check_choice("--format", output_format, ("text", "plain"))
    world, shown = World.here(), ShowOptions(format=output_format, width=width)
    check_show(shown)
    progress, found = _learner(given)
    blocks: list[Block] = []
    for lesson in lessons():
        current = progress is not None and progress.current(lesson.name, found.get(lesson.name))
        rows = []
        for exercise in lesson.exercises:
            state = progress.state(lesson.name, exercise.number) if progress else ""
            state = state or say("not_checked")
            changed = progress is not None and not current and state != say("not_checked")
            rows.append((exercise.number, exercise.title, f"{state} {say('changed')}" if changed else state))
        done = sum(row[2].startswith(DONE) for row in rows)
        title = say("lesson_line", number=lesson.number, title=lesson.title, done=done, count=len(rows))
        blocks.append(Listing(title, (say("number"), say("exercise"), say("state")), tuple(rows)))
    print_page(Page("list", say("list_title"), say("list_source"), tuple(blocks)), shown, world)
    if progress is not None and progress.broken:
        world.print(say("broken_progress", file=progress.path))


def run_read(number: int, options: ShowOptions) -> None:
    """Open the lesson as a book of pages."""
    from ...course.reading import lesson_pages

    check_choice("--format", options.format, ("text", "plain"))
    check_show(options)
    show_text(TextBook(lesson_pages(find_lesson(number)), "course", "read", str(number)), options)


def show_text(book: TextBook, options: ShowOptions) -> None:
    """Open a book of text, or print it where there is no terminal."""
    from ...views.pages import View

    show(book, View(), 0, options, World.here())


class TextBook:
    """Pages of text, in order; there is no head and no token to choose."""

    def __init__(self, pages: Sequence[Page], *arguments: str) -> None:
        self.arguments = arguments
        self.sizes = {"heads": 1, "n": 1, "d_model": 1, "d_k": 1}
        self.pages = {page.key: page for page in pages}
        self.keys = tuple(self.pages)
        self.chapters = tuple(range(len(self.keys)))

    def page(self, key: str, view: Any) -> Page:
        """The page of that key."""
        return self.pages[key]

    def per_head(self, key: str) -> bool:
        """No page shows one head."""
        return False

    def command(self, key: str, view: Any) -> list[str]:
        """The arguments of mha-tutor that open the book."""
        return list(self.arguments)


def run_hint(number: str, more: bool, given: Path | None) -> None:
    """Show the hints that were shown before, and with ``more`` the next one."""
    from ...course.markdown import plain
    from ...course.prose import filled

    world = World.here()
    _, exercise = find_exercise(number)
    progress, _ = _learner(given)
    shown = progress.hints.get(number, 0) if progress else 0
    count = min(max(shown, 1) + (1 if more and (shown or progress is None) else 0), HINTS)
    for level, hint in enumerate(exercise.hints[:count], 1):
        text = plain(filled(hint.text, hint.source))
        world.print(flowing(say("hint", level=level, count=HINTS, text=text), world))
    world.print(say("more_hints", number=number) if count < HINTS else say("last_hint", number=number))
    if progress is not None and count > shown:
        progress.hints[number] = count
        progress.save()


def run_solution(number: str, anyway: bool, given: Path | None) -> None:
    """Show the solution once the learner's own passes, or ``anyway``."""
    from ...course.markdown import plain
    from ...course.prose import filled

    world = World.here()
    lesson, exercise = find_exercise(number)
    if not anyway and not _is_done(lesson, number, given):
        world.print(say("not_yet", number=number))
        sys.exit(1)
    world.print(blanks.solved(exercise.work).strip())
    world.print("\n" + flowing(plain(filled(exercise.why.text, exercise.why)), world))


def _is_done(lesson: Lesson, number: str, given: Path | None) -> bool:
    """Whether the exercise passes now; the notebook is checked again when it has changed."""
    place = folder.find_folder(given)
    progress, path = Progress(place), folder.notebooks_in(place).get(lesson.name)
    if path is None:
        return False
    if not progress.current(lesson.name, path):
        from .checking import check_jobs

        check_jobs([(lesson, path)], progress)
    return progress.state(lesson.name, number) == DONE


def run_reset(number: str, given: Path | None) -> None:
    """Put an exercise back, and say where the copy is."""
    lesson, exercise = find_exercise(number)
    place = folder.find_folder(given)
    path = folder.notebooks_in(place).get(lesson.name)
    if path is None:
        raise InputError(say("no_notebook", name=lesson.name, folder=place))
    kept = folder.reset(lesson, exercise, path)
    World.here().print(say("was_reset", number=number, name=path.name, kept=kept))


def run_next(given: Path | None) -> None:
    """The first exercise that the last check did not find done."""
    place = folder.find_folder(given)
    progress, found = Progress(place), folder.notebooks_in(place)
    for lesson in lessons():
        for exercise in lesson.exercises:
            if progress.state(lesson.name, exercise.number) != DONE:
                path = found.get(lesson.name)
                where = path.name if path else say("missing_file", name=f"{lesson.name}.ipynb")
                World.here().print(say("next", number=exercise.number, title=exercise.title, where=where))
                if path and progress.lessons.get(lesson.name) and not progress.current(lesson.name, path):
                    World.here().print(say("next_changed", name=path.name, lesson=lesson.number))
                World.here().print(say("next_how", lesson=lesson.number, number=exercise.number))
                return
    World.here().print(say("all_done"))


def run_lab(given: Path | None) -> None:
    """Start JupyterLab in the learner's folder, until it is closed."""
    place = folder.find_folder(given)
    needs.require(*needs.TO_OPEN, "ipykernel")
    code = subprocess.call([sys.executable, "-m", "jupyterlab", str(place)])
    sys.exit(code)


def _learner(given: Path | None) -> tuple[Progress | None, dict[str, Path]]:
    """What is known of the learner's folder; nothing where there is no folder."""
    try:
        place = folder.find_folder(given)
    except InputError:
        if given is not None:
            raise
        return None, {}
    return Progress(place), folder.notebooks_in(place)
