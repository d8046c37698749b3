"""`mha-tutor course check`: which notebooks, how far we are, and what was found."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from ...course import folder, needs
from ...course.lesson import Lesson, find_exercise, find_lesson, lessons
from ...course.progress import Progress
from ...course.results import DONE, LessonResult, not_run
from ...course.running import TIMEOUT, Job, run_jobs
from ...errors import InputError, check_choice
from ...texts import texts
from ..world import World
from .words import flowing, say

BAR = 24


def run_check(wanted: Sequence[str], given: Path | None, output_format: str, timeout: int) -> None:
    """Check what is wanted, print it, remember it, and exit with 1 unless all is done."""
    check_choice("--format", output_format, ("text", "plain", "json"))
    needs.require(*needs.TO_CHECK)
    jobs, numbers, lacking = _jobs(wanted, given)
    home = given or (jobs[0][1].parent if jobs else Path())
    progress = Progress(home)
    results = [*check_jobs(jobs, progress, timeout, quiet=output_format != "text"), *lacking]
    results.sort(key=lambda result: result.lesson.number)
    asked = [
        result.only(numbers[result.lesson.name]) if result.lesson.name in numbers else result
        for result in results
    ]
    done = bool(asked) and all(one.state == DONE for result in asked for one in result.exercises)
    world = World.here()
    if output_format == "json":
        data = {"format_version": 1, "done": done, "lessons": [result.as_json() for result in asked]}
        world.print(json.dumps(data, indent=1, ensure_ascii=False))
    else:
        for line in _lines(asked, progress, world):
            world.print(line)
    sys.exit(0 if done else 1)


def check_jobs(
    jobs: Sequence[tuple[Lesson, Path]], progress: Progress, timeout: int = TIMEOUT, *, quiet: bool = False
) -> list[LessonResult]:
    """Run the notebooks under a progress bar, and remember what was found."""
    bar = _Bar(quiet)

    def tell(part: float, result: LessonResult | None) -> None:
        bar.draw(part)

    results = run_jobs([Job(*job) for job in jobs], timeout=timeout, tell=tell) if jobs else []
    bar.clear()
    for result in results:
        if not result.trouble:
            progress.remember(result)
    progress.save()
    return results


class _Bar:
    """A bar on a terminal's last line; nothing elsewhere."""

    def __init__(self, quiet: bool) -> None:
        self.world = World.here()
        self.on = not quiet and self.world.interactive and not self.world.accessible
        self.shown = ""

    def draw(self, part: float) -> None:
        full = int(part * BAR)
        text = f"{say('checking')} [{'#' * full}{'.' * (BAR - full)}] {part:.0%}"
        if self.on and text != self.shown:
            self.shown = text
            self.world.print(f"\r{text}", end="")

    def clear(self) -> None:
        if self.on and self.shown:
            self.world.print("\r" + " " * len(self.shown) + "\r", end="")


Wanted = tuple[list[tuple[Lesson, Path]], dict[str, set[str]], list[LessonResult]]


def _jobs(wanted: Sequence[str], given: Path | None) -> Wanted:
    """Lessons with their notebooks; the exercises asked for by name; lessons without a notebook.

    Raises InputError for something that is neither a lesson, an exercise nor a notebook.
    """
    paths: dict[str, Path] = {}
    numbers: dict[str, set[str]] = {}
    meant = [_meant(one) for one in wanted]
    for lesson, exercise, path in meant:
        if path is not None:
            paths[lesson.name] = path
        if exercise:
            numbers.setdefault(lesson.name, set()).add(exercise)
    names = [lesson.name for lesson, _, _ in meant]
    whole = {lesson.name for lesson, exercise, _ in meant if not exercise}
    numbers = {name: some for name, some in numbers.items() if name not in whole}
    if not wanted or any(name not in paths for name in names):
        place = folder.find_folder(given)
        paths = folder.notebooks_in(place) | paths
        names = names or [lesson.name for lesson in lessons() if lesson.name in paths]
    chosen = [lesson for lesson in lessons() if lesson.name in names]
    jobs = [(lesson, paths[lesson.name]) for lesson in chosen if lesson.name in paths]
    lacking = [
        not_run(lesson, "", say("no_notebook", name=lesson.name, folder=given or "."))
        for lesson in chosen
        if lesson.name not in paths
    ]
    return jobs, numbers, lacking


def _meant(one: str) -> tuple[Lesson, str, Path | None]:
    """The lesson, exercise and file that an argument names."""
    path = Path(one)
    if path.suffix == ".ipynb" or path.is_file():
        if not path.is_file():
            raise InputError(say("no_file", name=one))
        name = folder.which_lesson(path)
        for lesson in lessons():
            if lesson.name == name:
                return lesson, "", path
        raise InputError(say("not_ours", name=one))
    if one.isdecimal():
        return find_lesson(int(one)), "", None
    for lesson in lessons():
        if one == lesson.name:
            return lesson, "", None
    if "." in one:
        lesson, exercise = find_exercise(one)
        return lesson, exercise.number, None
    raise InputError(say("not_meant", given=one))


def _lines(results: Sequence[LessonResult], progress: Progress, world: World) -> list[str]:
    lines = []
    if progress.broken:
        lines.append(say("broken_progress", file=progress.path))
    marks = {"done": "+", "wrong": "x", "not started": "-", "not run": "?"}
    for result in results:
        done = sum(one.state == DONE for one in result.exercises)
        lesson = result.lesson
        lines.append(
            say(
                "lesson_line",
                number=lesson.number,
                title=lesson.title,
                done=done,
                count=len(result.exercises),
            )
        )
        if result.trouble:
            lines.append(f"  {result.trouble}")
        for one in result.exercises:
            lines.append(f"  {marks[one.state]} {one.number}  {one.state:<11}  {one.title}")
            if one.reason and one.reason != result.trouble and one.state != "not started":
                lines.append(flowing(one.reason.removeprefix(f"{one.number} "), world, " " * 6))
            if one.code:
                lines.append(f"      {texts('course')['check']['code'].format(code=one.code)}")
    total = [one for result in results for one in result.exercises]
    lines.append(say("total", done=sum(one.state == DONE for one in total), count=len(total)))
    return lines
