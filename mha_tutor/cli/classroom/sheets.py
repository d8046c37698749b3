"""`mha-tutor class sheet`: paper for a class, and what is right on it."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from ...classroom.sheets import page, printing
from ...classroom.sheets.answer_book import AnswerBook, answer_book, answers_csv
from ...classroom.sheets.answers import AnswerSheet
from ...classroom.sheets.drawing import SIZES
from ...classroom.sheets.items import chosen_stages
from ...classroom.sheets.parts import Sheet
from ...classroom.sheets.roster import MOST_STUDENTS, Student, file_name, read_roster
from ...classroom.sheets.sheet import sheet
from ...classroom.sheets.variants import variants
from ...errors import InputError, WorkError, check_choice
from ...installing import install_line
from ...texts import texts
from ..saving import write_whole
from ..world import World

USUAL_COUNT = 30


@dataclass(frozen=True)
class SheetOptions:
    """The options of `mha-tutor class sheet` as they were typed."""

    out: Path
    students: Path | None = None
    count: int | None = None
    stages: str | None = None
    size: str = "small"
    seed: int = 0
    paper: str = "a4"
    large_print: bool = False
    separate: bool = False
    force: bool = False


class _File(NamedTuple):
    """A file to write: its name, what it is, and what makes it."""

    name: str
    what: str
    made: Callable[[], bytes]


def run_sheet(options: SheetOptions, world: World | None = None) -> None:
    """Write the sheets of a class and their answers, and say so.

    Raises InputError for anything that does not fit or a file that is there already, and WorkError
    where a file cannot be written.
    """
    world = world or World.here()
    _check(options)
    stages = chosen_stages(options.stages, options.size)
    files = _files(options, stages, _students(options))
    _check_free(options, files)
    with ThreadPoolExecutor() as pool:  # typst leaves Python free while it works
        made = list(pool.map(lambda file: file.made(), files))
    _make_folder(options.out)
    for file, data in zip(files, made, strict=True):
        write_whole(options.out / file.name, data)
    _report(options, files, world)


def _check(options: SheetOptions) -> None:
    check_choice("--size", options.size, SIZES)
    check_choice("--paper", options.paper, printing.PAPERS)
    if options.seed < 0:
        raise InputError(f"--seed {options.seed}: choose a whole number, 0 or more.")
    if options.students is not None and options.count is not None:
        raise InputError("--students and --count do not go together: the roster says how many there are.")
    if options.count is not None and not 1 <= options.count <= MOST_STUDENTS:
        raise InputError(f"--count {options.count}: choose 1 to {MOST_STUDENTS}.")


def _students(options: SheetOptions) -> list[Student | None]:
    if options.students is not None:
        return list(read_roster(options.students))
    return [None] * (USUAL_COUNT if options.count is None else options.count)


def _files(options: SheetOptions, stages: Sequence[str], students: Sequence[Student | None]) -> list[_File]:
    """The files to write: those to print where typst is there, and the same for a browser."""
    chosen = variants(options.seed, len(students), options.size)
    names = [student.shown if student else "" for student in students]
    answers, say = [AnswerSheet(it, stages) for it in chosen], texts("sheet")["wrote"]
    sheets = [sheet(it, stages, name) for it, name in zip(chosen, names, strict=True)]
    look = _Look(options.paper, options.large_print)
    if options.separate:
        stems = [file_name(it.code, student) for it, student in zip(chosen, students, strict=True)]
        what = say["sheet"].format(count=len(sheets))
        files = [
            file for stem, one in zip(stems, sheets, strict=True) for file in look.sheets(stem, [one], what)
        ]
    else:
        files = look.sheets("sheets", sheets, say["sheets"].format(count=len(sheets)))
    return [
        *files,
        *look.answers(answer_book(answers, names), say["answers"]),
        _File("answers.csv", say["csv"], lambda: answers_csv(answers, names).encode("utf-8-sig")),
    ]


class _Look(NamedTuple):
    """How files are drawn; each comes for the browser, and where typst is there, as PDF."""

    paper: str
    large: bool

    def sheets(self, stem: str, sheets: Sequence[Sheet], what: str) -> list[_File]:
        """The files of some sheets."""
        return _both(
            stem,
            what,
            lambda: page.sheets_html(sheets, paper=self.paper, large=self.large),
            lambda: printing.sheets_pdf(sheets, paper=self.paper, large=self.large),
        )

    def answers(self, book: AnswerBook, what: str) -> list[_File]:
        """The files of the answers."""
        return _both(
            "answers",
            what,
            lambda: page.answers_html(book, paper=self.paper, large=self.large),
            lambda: printing.answers_pdf(book, paper=self.paper, large=self.large),
        )


def _both(stem: str, what: str, html: Callable[[], str], pdf: Callable[[], bytes]) -> list[_File]:
    files = [_File(f"{stem}.html", what, lambda: html().encode())]
    return [_File(f"{stem}.pdf", what, pdf), *files] if printing.can_print() else files


def _check_free(options: SheetOptions, files: Sequence[_File]) -> None:
    """Raise InputError when one of the files is there already, unless it may be overwritten."""
    there = [file.name for file in files if os.path.lexists(options.out / file.name)]
    if there and not options.force:
        more = f" and {len(there) - 1} more" if len(there) > 1 else ""
        raise InputError(
            f"--out '{options.out}' holds {there[0]}{more} already, and nothing was written. "
            "Choose another folder, or add --force to overwrite."
        )


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WorkError(
            f"The folder '{folder}' cannot be made: {error.strerror or error}. Choose another one."
        ) from error


def _report(options: SheetOptions, files: Sequence[_File], world: World) -> None:
    say = texts("sheet")["wrote"]
    world.print(say["files"].format(count=len(files), folder=options.out))
    first = {(file.what, Path(file.name).suffix): file for file in reversed(files)}  # one of each kind
    told = [file for file in files if file in first.values()]
    width = max(len(file.name) for file in told)
    for file in told:
        world.print(say["file"].format(name=f"{file.name:<{width}}", what=file.what))
    if not printing.can_print():
        world.print(say["no_typst"].format(command=install_line("typst")))
