"""The commands under `mha-tutor class` and their options."""

from __future__ import annotations

import typer

classroom = typer.Typer(
    help="For teachers: sheets, exit tickets, an offline pack, grading.",
    epilog="Start here:  mha-tutor class sheet --count 30 --out sheets",
    no_args_is_help=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
