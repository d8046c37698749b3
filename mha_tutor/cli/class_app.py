"""The commands under `mha-tutor class` and their options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .choices import SHEET_SIZES, SHEET_STAGES
from .options import Format, Theme, Width, completed

classroom = typer.Typer(
    help="For teachers: sheets, exit tickets, an offline pack, grading.",
    epilog="Start here:  mha-tutor class sheet --count 30 --out sheets",
    no_args_is_help=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


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

    Needs the extra print for PDF; without it, pages for the browser, which print too.
    """
    from .class_sheet import SheetOptions, run_sheet

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
    from .book import ShowOptions
    from .class_answer import run_answer

    run_answer(code, item, number, ShowOptions(format=format, theme=theme, width=width))
