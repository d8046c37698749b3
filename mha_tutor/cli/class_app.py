"""The commands under `mha-tutor class` and their options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .course_app import PageFormat
from .options import Format, Theme, Width

classroom = typer.Typer(
    help="For teachers: sheets, exit tickets, an offline pack, grading.",
    epilog="Start here:  mha-tutor class sheet --count 30 --out sheets",
    no_args_is_help=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


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
    from .book import ShowOptions
    from .class_tally import run_tally

    run_tally(codes or (), file, ShowOptions(format=format, theme=theme, width=width))


@classroom.command("exit", epilog="Example:  mha-tutor class exit 4 --count 30 --out tickets.html")
def exit_(
    lesson: Annotated[int, typer.Argument(help="The lesson's number, 0 to 10.", metavar="N")],
    seed: Annotated[int, typer.Option(help="The first ticket; each seed has its own.", metavar="S")] = 0,
    count: Annotated[int, typer.Option(help="How many different tickets.", metavar="N")] = 1,
    answers: Annotated[
        bool, typer.Option("--answers", help="The teacher's sheet for the same tickets.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option(help="Write a page to print, several tickets each.", metavar="FILE.html")
    ] = None,
    format: Format = "text",
) -> None:
    """Make exit tickets of a lesson, and their answers.

    A ticket has one number, one choice and one "because", and the lesson shows none of them. The
    same lesson and seed give the same ticket, today and next year.
    """
    from .class_exit import run_exit

    run_exit(lesson, seed, count, answers, out, format)


@classroom.command(epilog="Example:  mha-tutor class pack --out room --platform windows --with course")
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
    from .class_pack import run_pack

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
    from .book import ShowOptions
    from .class_guide import run_guide

    run_guide(ShowOptions(format=format, theme=theme, width=width, scroll=scroll))
