"""The commands under `mha-tutor class` and their options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

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
    """Count the codes that students call out or paste: which mistakes the class makes, and what to say.

    Without codes it asks for them, line by line, and the table follows; an empty line or q ends it.
    From a pipe it reads everything.
    """
    from .book import ShowOptions
    from .class_tally import run_tally

    run_tally(codes or (), file, ShowOptions(format=format, theme=theme, width=width))
