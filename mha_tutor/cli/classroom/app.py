"""The commands under `mha-tutor class` and their options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..choices import SHEET_SIZES, SHEET_STAGES
from ..course.app import PageFormat
from ..options import Format, Theme, Width, completed

classroom = typer.Typer(
    help="For teachers: sheets, exit tickets, an offline pack, grading.",
    epilog="Start here:  mha-tutor class sheet --count 30 --out sheets",
    no_args_is_help=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


ISOLATES = (
    "What this isolates: every notebook is a process of its own in an empty folder, with limits on time and "
    "memory, without your variables, and as far as Python goes without your files, other programs and the "
    "network. The checks run in another process. What it does not: code that runs as the same user cannot be "
    "fully contained, and Windows and macOS do not bound memory. To run code that you do not trust, use "
    "nbgrader on JupyterHub, or a container."
)


@classroom.command(epilog=f"{ISOLATES}  Example:  mha-tutor class grade submissions --out graded")
def grade(
    submissions: Annotated[
        Path,
        typer.Argument(
            help="A folder with a folder for each student, a zip, or nbgrader's tree. It stays as it is.",
            metavar="SUBMISSIONS",
        ),
    ],
    out: Annotated[Path, typer.Option(help="The folder for the results.", metavar="DIR")],
    lesson: Annotated[
        list[int] | None,
        typer.Option(
            help="Grade this lesson. Can be given several times.  [default: all handed in]", metavar="N"
        ),
    ] = None,
    codes: Annotated[
        bool,
        typer.Option(
            "--codes",
            help="Codes in place of names; one file with names is for you alone. "
            "A name that students write into their answers or errors stays in the notes.",
        ),
    ] = False,
    again: Annotated[
        bool, typer.Option("--again", help="Run notebooks again whose result is known.")
    ] = False,
    jobs: Annotated[
        int | None,
        typer.Option(help="Notebooks at a time.  [default: one a core]", metavar="N", min=1, max=256),
    ] = None,
    timeout: Annotated[
        int, typer.Option(help="Seconds that one cell may take.", metavar="N", min=1, max=3600)
    ] = 10,
    memory: Annotated[
        int, typer.Option(help="MB that one notebook may take.", metavar="N", min=100, max=100_000)
    ] = 1000,
    output_format: Annotated[
        str, typer.Option("--format", help="text, or plain (linear, for screen readers).", metavar="NAME")
    ] = "text",
    theme: Theme = "auto",
    width: Width = None,
) -> None:
    """Grade a class's notebooks: a table, a page for each student, and a page of the class.

    A notebook whose result is known is not run again, so a run that was stopped goes on where it was.
    """
    from .grading import GradeOptions, run_grade

    run_grade(
        GradeOptions(
            submissions, out, lesson or [], jobs, timeout, memory, codes, again, output_format, theme, width
        )
    )


@classroom.command(epilog="Example:  mha-tutor class nbgrader --out school")
def nbgrader(
    out: Annotated[Path, typer.Option(help="The folder for nbgrader's course.", metavar="DIR")],
    lesson: Annotated[
        list[int] | None,
        typer.Option(help="This lesson. Can be given several times.  [default: all]", metavar="N"),
    ] = None,
) -> None:
    """Write the lessons as nbgrader wants them, for a school that grades with it."""
    from .grading import run_nbgrader

    run_nbgrader(out, lesson or [])


@classroom.command(epilog="Example:  mha-tutor class sheet --students roster.csv --out sheets")
def sheet(
    out: Annotated[Path, typer.Option("--out", help="The folder to write to.", metavar="DIR")],
    students: Annotated[
        Path | None,
        typer.Option(
            help="A CSV file with a column name, and id if you like: a sheet for each.", metavar="FILE"
        ),
    ] = None,
    count: Annotated[
        int | None, typer.Option(help="So many sheets without names.  [default: 30]", metavar="N")
    ] = None,
    stages: Annotated[
        str | None,
        typer.Option(
            help=f"What is left blank: some of {','.join(SHEET_STAGES)}.  [default: all]", metavar="LIST"
        ),
    ] = None,
    size: Annotated[
        str,
        typer.Option(
            help="tiny (3 tokens, 1 head), small (3 tokens, 2 heads) or large (5 tokens, 2 heads).",
            metavar="NAME",
            autocompletion=completed(SHEET_SIZES),
        ),
    ] = "small",
    seed: Annotated[
        int, typer.Option(help="Other numbers for each N, and the same for the same N.", metavar="N")
    ] = 0,
    paper: Annotated[
        str, typer.Option(help="a4 or letter.", metavar="NAME", autocompletion=completed(("a4", "letter")))
    ] = "a4",
    large_print: Annotated[bool, typer.Option("--large-print", help="Letters of 18 points.")] = False,
    separate: Annotated[bool, typer.Option("--separate", help="A file for each student.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite files that are there.")] = False,
) -> None:
    """Print sheets to fill in by hand, other numbers for each student, and the answers for you.

    PDF needs typst: pip install typst. Without it there are pages for the browser, which print too.
    """
    from .sheets import SheetOptions, run_sheet

    run_sheet(SheetOptions(out, students, count, stages, size, seed, paper, large_print, separate, force))


@classroom.command(
    epilog="Example:  mha-tutor class answer 893-RYM W10 0.33",
    context_settings={"ignore_unknown_options": True},  # a number may begin with a minus
)
def answer(
    code: Annotated[str, typer.Argument(help="The code on a sheet.", metavar="CODE")],
    item: Annotated[
        str | None, typer.Argument(help="A box of the sheet, such as W10.", metavar="[ITEM]")
    ] = None,
    number: Annotated[
        str | None,
        typer.Argument(help="What a student wrote there: right, or which mistake?", metavar="[NUMBER]"),
    ] = None,
    format: Format = "text",
    theme: Theme = "auto",
    width: Width = None,
) -> None:
    """Answers of a sheet, with the working; or say what a student's number tells."""
    from ..book import ShowOptions
    from .answer import run_answer

    run_answer(code, item, number, ShowOptions(format=format, theme=theme, width=width))


@classroom.command(epilog="Example:  mha-tutor class tally 4.3:B26 4.3:B26 4.1:S02")
def tally(
    codes: Annotated[
        list[str] | None,
        typer.Argument(help="Codes of failing checks, or any text with codes in it.", metavar="[CODE]..."),
    ] = None,
    file: Annotated[
        Path | None, typer.Option(help="Read the codes out of a file, such as a saved chat.", metavar="FILE")
    ] = None,
    format: Format = "text",
    theme: Theme = "auto",
    width: Width = None,
) -> None:
    """Count codes of failing checks, and say what helps.

    Students call them out or paste them. The table says which mistakes the class makes, how often,
    what to say, and where the course answers it. Without codes it asks for them, line by line; an
    empty line or q ends it. From a pipe it reads everything.
    """
    from ..book import ShowOptions
    from .tally import run_tally

    run_tally(codes or (), file, ShowOptions(format=format, theme=theme, width=width))


@classroom.command("exit", epilog="Example:  mha-tutor class exit 4 --count 30 --out tickets.html")
def exit_(
    lesson: Annotated[int, typer.Argument(help="The lesson's number, 0 to 10.", metavar="N")],
    seed: Annotated[
        int,
        typer.Option(
            help="The first ticket; each seed has its own.",
            metavar="S",
        ),
    ] = 0,
    count: Annotated[int, typer.Option(help="How many tickets, with different numbers.", metavar="N")] = 1,
    answers: Annotated[
        bool, typer.Option("--answers", help="The teacher's sheet for the same tickets.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option(help="Write a page to print, several tickets each.", metavar="FILE.html")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite a file that is there.")] = False,
    format: Format = "text",
) -> None:
    """Make exit tickets of a lesson, and their answers.

    A ticket has one number, one choice and one "because", and the lesson shows none of them. The
    same lesson and seed give the same ticket, today and next year.
    """
    from .exits import run_exit

    run_exit(lesson, seed, count, answers, out, format, force)


@classroom.command(epilog="Example:  mha-tutor class pack --out room --python 3.12 --with lab")
def pack(
    out: Annotated[Path, typer.Option(help="The folder; made if it is not there.", metavar="DIR")],
    platform: Annotated[
        list[str] | None,
        typer.Option(
            help="windows, macos-arm, macos-intel or linux. Can be given several times.  [default: all]",
            metavar="NAME",
        ),
    ] = None,
    python: Annotated[
        list[str] | None,
        typer.Option(
            help="A version of Python, such as 3.12. Can be given several times.  [default: this one's]",
            metavar="3.N",
        ),
    ] = None,
    with_: Annotated[
        list[str] | None,
        typer.Option(
            "--with", help="course (nbval and what it needs) or lab (JupyterLab) too.", metavar="EXTRA"
        ),
    ] = None,
    from_: Annotated[
        Path | None,
        typer.Option("--from", help="Take wheels from this folder alone, without a network.", metavar="DIR"),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Try the pack here: install it with the network cut, and walk.")
    ] = False,
) -> None:
    """Make one folder for a room without internet.

    It holds wheels for the machines named, the course, and what to type on each system. This is the
    only command that needs a network, or pip's cache, or a folder of wheels. It can be started again
    after an interruption, and overwrites nothing.
    """
    from .packing import run_pack

    run_pack(out, platform or (), python or (), with_ or (), from_, check)


@classroom.command()
def guide(
    format: PageFormat = "text",
    theme: Theme = "auto",
    width: Width = None,
    scroll: Annotated[bool, typer.Option("--scroll", help="Print pages one under another.")] = False,
) -> None:
    """Read the teacher's guide.

    Lesson plans, what to ask before each page, what answers which misconception, access, printing.
    """
    from ..book import ShowOptions
    from .guide import run_guide

    run_guide(ShowOptions(format=format, theme=theme, width=width, scroll=scroll))
