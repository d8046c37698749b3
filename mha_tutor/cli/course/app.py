"""The commands under `mha-tutor course` and their options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..choices import THEMES

course = typer.Typer(
    help="The course: lessons as notebooks that check you, and as text.",
    epilog="Start here:  mha-tutor course start",
    no_args_is_help=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Folder = Annotated[
    Path | None,
    typer.Option(
        "--dir",
        help="The folder with your notebooks.  [default: this one, or mha-tutor-course]",
        metavar="DIR",
    ),
]
Number = Annotated[str, typer.Argument(help="An exercise, such as 4.2.", metavar="EXERCISE")]
Format = Annotated[str, typer.Option("--format", help="text, plain (linear) or json.", metavar="NAME")]
PageFormat = Annotated[
    str, typer.Option("--format", help="text, or plain (linear, for screen readers).", metavar="NAME")
]
Theme = Annotated[str, typer.Option(help=f"Colours: {', '.join(THEMES)}.", metavar="NAME")]
Width = Annotated[
    int | None, typer.Option(help="Draw N columns wide.  [default: the terminal's width]", metavar="N")
]


@course.command()
def start(
    directory: Annotated[
        Path | None, typer.Argument(help="A folder; made if it is not there.", metavar="DIR")
    ] = None,
) -> None:
    """Put the notebooks into a folder. A file that is there stays as it is."""
    from .commands import run_start

    run_start(directory)


@course.command("list")
def list_(folder: Folder = None, output_format: PageFormat = "text", width: Width = None) -> None:
    """List the lessons and their exercises, with what the last check found."""
    from .commands import run_list

    run_list(folder, output_format, width)


@course.command(epilog="Example:  mha-tutor course read 4")
def read(
    number: Annotated[int, typer.Argument(help="The lesson's number.", metavar="N")],
    output_format: PageFormat = "text",
    theme: Theme = "auto",
    width: Width = None,
    scroll: Annotated[bool, typer.Option("--scroll", help="Print pages one under another.")] = False,
) -> None:
    """Read a lesson here. In a terminal: right for the next page, left for the one before, q to leave."""
    from ..book import ShowOptions
    from .commands import run_read

    run_read(number, ShowOptions(format=output_format, theme=theme, width=width, scroll=scroll))


@course.command(epilog="Example:  mha-tutor course check 4")
def check(
    wanted: Annotated[
        list[str] | None,
        typer.Argument(
            help="Lessons (4), exercises (4.2) or notebooks (a path).  [default: every notebook]",
            metavar="[LESSON|EXERCISE|NOTEBOOK]...",
        ),
    ] = None,
    folder: Folder = None,
    output_format: Format = "text",
    timeout: Annotated[
        int, typer.Option(help="Seconds that one cell may take.", metavar="N", min=1, max=3600)
    ] = 30,
) -> None:
    """Check your notebooks with nbval. Exit code 0 when every exercise asked for is done, else 1."""
    from .checking import run_check

    run_check(wanted or [], folder, output_format, timeout)


@course.command(epilog="Example:  mha-tutor course hint 4.2 --more")
def hint(
    number: Number,
    more: Annotated[bool, typer.Option("--more", help="Show the next hint too.")] = False,
    folder: Folder = None,
) -> None:
    """Show a hint for an exercise; there are three, each says more."""
    from .commands import run_hint

    run_hint(number, more, folder)


@course.command(epilog="Example:  mha-tutor course solution 4.2")
def solution(
    number: Number,
    anyway: Annotated[bool, typer.Option("--anyway", help="Show it although yours is not done.")] = False,
    folder: Folder = None,
) -> None:
    """Show the solution of an exercise that you have done."""
    from .commands import run_solution

    run_solution(number, anyway, folder)


@course.command(epilog="Example:  mha-tutor course reset 4.2")
def reset(number: Number, folder: Folder = None) -> None:
    """Put the cells of an exercise back as they were. A copy of your notebook is kept."""
    from .commands import run_reset

    run_reset(number, folder)


@course.command("next")
def next_(folder: Folder = None) -> None:
    """Say which exercise comes next."""
    from .commands import run_next

    run_next(folder)


@course.command()
def lab(folder: Folder = None) -> None:
    """Open JupyterLab on your folder, if it is installed."""
    from .commands import run_lab

    run_lab(folder)
