"""`mha-tutor class sheet` and `class answer`: paper for a class, and what is right on it."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from ..classroom.sheets import page, printing
from ..classroom.sheets.answer_book import AnswerBook, answer_book, answers_csv
from ..classroom.sheets.answers import Answer, AnswerSheet
from ..classroom.sheets.drawing import SIZES
from ..classroom.sheets.items import chosen_stages
from ..classroom.sheets.judging import in_range, judged
from ..classroom.sheets.roster import MOST_STUDENTS, Student, file_name, read_roster
from ..classroom.sheets.sheet import Sheet, sheet
from ..classroom.sheets.variants import variant, variants
from ..errors import InputError, WorkError, check_choice
from ..texts import texts
from ..views.page import Listing, Page, Text
from .book import ShowOptions, check_show
from .saving import write_whole
from .showing import print_page
from .world import World

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
    students = _students(options)
    files = _files(options, stages, students)
    _check_free(options, files)
    for file in files:
        write_whole(options.out / file.name, file.made())
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
    sheets = [sheet(it, stages, name) for it, name in zip(chosen, names, strict=True)]
    answers = [AnswerSheet(it, stages) for it in chosen]
    say = texts("sheet")["wrote"]
    if options.separate:
        stems = [file_name(it.code, student) for it, student in zip(chosen, students, strict=True)]
        groups, what = [(stem, [one]) for stem, one in zip(stems, sheets, strict=True)], say["sheet"]
    else:
        groups, what = [("sheets", sheets)], say["sheets"]
    what = what.format(count=len(sheets))
    book = answer_book(answers, names)
    return [
        *(file for stem, group in groups for file in _sheet_files(stem, group, what, options)),
        *_answer_files(book, options),
        _File("answers.csv", say["csv"], lambda: answers_csv(answers, names).encode("utf-8-sig")),
    ]


def _sheet_files(stem: str, sheets: Sequence[Sheet], what: str, options: SheetOptions) -> list[_File]:
    paper, large = options.paper, options.large_print
    files = [_File(f"{stem}.html", what, lambda: page.sheets_html(sheets, paper=paper, large=large).encode())]
    if printing.can_print():
        files.insert(
            0, _File(f"{stem}.pdf", what, lambda: printing.sheets_pdf(sheets, paper=paper, large=large))
        )
    return files


def _answer_files(book: AnswerBook, options: SheetOptions) -> list[_File]:
    paper, large = options.paper, options.large_print
    what = texts("sheet")["wrote"]["answers"]
    files = [_File("answers.html", what, lambda: page.answers_html(book, paper=paper, large=large).encode())]
    if printing.can_print():
        files.insert(
            0, _File("answers.pdf", what, lambda: printing.answers_pdf(book, paper=paper, large=large))
        )
    return files


def _check_free(options: SheetOptions, files: Sequence[_File]) -> None:
    """Raise unless every file can be written; nothing is made before."""
    there = [file.name for file in files if os.path.lexists(options.out / file.name)]
    if there and not options.force:
        more = f" and {len(there) - 1} more" if len(there) > 1 else ""
        raise InputError(
            f"--out '{options.out}' holds {there[0]}{more} already, and nothing was written. "
            "Choose another folder, or add --force to overwrite."
        )
    try:
        options.out.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise InputError(f"--out '{options.out}' is a file; expected a folder.") from None
    except OSError as error:
        raise WorkError(f"'{options.out}' cannot be made: {error.strerror or error}.") from error


def _report(options: SheetOptions, files: Sequence[_File], world: World) -> None:
    say = texts("sheet")["wrote"]
    world.print(say["files"].format(count=len(files), folder=options.out))
    told: set[tuple[str, str]] = set()
    for file in files:
        kind = file.what, Path(file.name).suffix
        if options.separate and kind in told:
            continue
        told.add(kind)
        world.print(say["file"].format(name=f"{file.name:<14}", what=file.what))
    if not printing.can_print():
        world.print(say["no_typst"].format(command="python -m pip install 'mha-tutor[print]'"))


def run_answer(
    code: str, item: str | None, number: str | None, options: ShowOptions, world: World | None = None
) -> None:
    """Print the answers of a sheet, or of one item, or judge a number. Raises InputError."""
    world = world or World.here()
    check_show(options)
    answers = AnswerSheet(variant(code))
    if item is not None and number is not None:
        _print_judgement(answers, item, number, options, world)
        return
    shown = answers.answers if item is None else (answers.answer(item),)
    if options.format == "json":
        world.print_json({"code": answers.variant.code, "items": [_as_json(answer) for answer in shown]})
        return
    print_page(_page(answers, shown, item), options, world)


def _print_judgement(
    answers: AnswerSheet, item: str, number: str, options: ShowOptions, world: World
) -> None:
    found = judged(answers, item, number)
    if options.format == "json":
        world.print_json(
            {
                "code": answers.variant.code,
                "given": number,
                "right": found.right,
                "kind": found.kind,
                "mistakes": list(found.ids),
                "message": found.message,
                **_as_json(answers.answer(item)),
            }
        )
        return
    world.print(found.message)
    if not found.right and found.kind != "near":
        world.print(in_range(answers.answer(item)))


def _page(answers: AnswerSheet, shown: Sequence[Answer], item: str | None) -> Page:
    """The answers as a page: a listing a stage; for one item its usual wrong numbers in words."""
    say, code = texts("sheet")["answers"], answers.variant.code
    blocks: list[Listing | Text] = []
    stages = dict.fromkeys(answer.item.stage for answer in shown)
    for stage in stages:
        columns = (say["item"], say["worked"], say["accept"])
        rows = tuple(
            (answer.item.name, answer.worked, answer.accepted)
            for answer in shown
            if answer.item.stage == stage
        )
        blocks.append(Listing(texts("sheet")["part"][stage]["title"], columns, rows))
    if item is not None:
        blocks.insert(0, Text(shown[0].place))
        blocks += [
            Text(mistake.hint, "words", f"{wrong.number} {mistake.id}")
            for wrong in shown[0].wrong
            for mistake in wrong.mistakes
        ]
        title = say["item_title"].format(item=shown[0].item.name, code=code)
    else:
        blocks.append(Text(say["walk"].format(code=code)))
        title = say["file_title"].format(code=code)
    return Page("answers", title, say["source"].format(code=code), tuple(blocks))


def _as_json(answer: Answer) -> dict[str, object]:
    return {
        "item": answer.item.name,
        "stage": answer.item.stage,
        "place": answer.place,
        "answer": answer.number,
        "in_full": answer.full,
        "accept": [answer.low, answer.high],
        "worked": answer.worked,
        "wrong_numbers": [
            {"number": wrong.number, "mistakes": [mistake.id for mistake in wrong.mistakes]}
            for wrong in answer.wrong
        ],
    }
