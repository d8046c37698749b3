"""`mha-tutor class grade`: the options, how far it is, and the class page in the terminal."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from ...classroom.grading.grade import Graded, News, Options, Tell, grade
from ...classroom.grading.job import Limits
from ...classroom.grading.names import shown_names
from ...classroom.grading.writing import FEEDBACK, NAMES, PAGE, TABLE
from ...errors import check_choice
from ...texts import texts
from ..book import ShowOptions, check_show
from ..printing import print_page
from ..world import World


class GradeOptions(NamedTuple):
    """The command's arguments, as they were typed."""

    submissions: Path
    out: Path
    lessons: Sequence[int]
    jobs: int | None
    timeout: int
    memory: int
    codes: bool
    again: bool
    format: str
    theme: str
    width: int | None


def _say(key: str, **values: object) -> str:
    sentence: str = texts("grading")["command"][key]
    return sentence.format(**values)


def run_grade(given: GradeOptions) -> None:
    """Grade, print the class page, and say where everything is."""
    from ...classroom.grading.class_text import class_text

    check_choice("--format", given.format, ("text", "plain"))
    world = World.here()
    shown = ShowOptions(format=given.format, theme=given.theme, width=given.width)
    check_show(shown)
    limits = Limits(given.timeout, given.memory)
    jobs = given.jobs or os.cpu_count() or 1
    options = Options(limits, jobs, given.codes, given.again, tuple(given.lessons))
    try:
        with _progress(world, given) as tell:
            graded = grade(given.submissions, given.out, options, tell)
    except KeyboardInterrupt:
        world.print(_say("stopped"))
        raise
    print_page(class_text(graded.view), shown, world)
    for line in _ends(graded, given):
        world.print(line)


def _ends(graded: Graded, given: GradeOptions) -> Iterator[str]:
    out = given.out
    yield _say("counts", run=graded.run, known=graded.known)
    yield _say("written", page=out / PAGE, table=out / TABLE, folder=out / FEEDBACK)
    if given.codes:
        yield _say("names", file=out / NAMES)


@contextmanager
def _progress(world: World, given: GradeOptions) -> Iterator[Tell]:
    """A bar in a terminal, else a line a notebook."""
    lines = given.format == "plain" or world.accessible or not world.interactive
    if lines:
        yield lambda news: world.print(_line(news, given.codes))
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    no_colour = bool(world.environ.get("NO_COLOR"))
    console = Console(file=world.stdout, force_terminal=True, no_color=no_colour, highlight=False)
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=console, transient=True, auto_refresh=False) as progress:
        bar = progress.add_task(_say("reading"), total=None)

        def tell(news: News) -> None:
            progress.update(bar, description=_say("grading"), total=news.total, completed=news.number)
            progress.refresh()

        progress.refresh()
        yield tell


def _line(news: News, coded: bool) -> str:
    copy = news.copy
    name = "" if coded else f"  {shown_names([copy.student])[copy.student]}"
    return _say(
        "line", number=news.number, count=news.total, name=name, lesson=copy.reading.lesson,
        points=news.points, most=news.most,
    )  # fmt: skip


def run_nbgrader(out: Path, numbers: Sequence[int]) -> None:
    """Write the course for nbgrader, and say what comes next."""
    from ...classroom.grading.nbgrader import write_course
    from ...course.lesson import find_lesson, lessons

    chosen = [find_lesson(number) for number in dict.fromkeys(numbers)] or list(lessons())
    say = texts("grading")["nbgrader"]
    world = World.here()
    world.print(say["written"].format(count=len(write_course(out, chosen)), out=out))
    world.print(say["next"].format(out=shlex.quote(str(out)), lesson=chosen[0].name))
