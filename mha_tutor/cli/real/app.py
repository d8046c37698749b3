"""The commands under `mha-tutor real` and their options."""

from __future__ import annotations

from typing import Annotated

import typer
from typer.core import TyperGroup

from ...errors import InputError, close_to
from ..choices import REAL_PAGES
from ..lab.app import ExportTo, Format
from ..options import Decimals, ModelDir, Theme, Width

MAP = "map"


class MapFirst(TyperGroup):
    """A group whose command is `map` where none is named: `mha-tutor real "a sentence"`."""

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]
        """Put `map` in front of anything that is neither a command nor a call for help.

        Raises InputError for a single word that is nearly a command.
        """
        if not args or args[0] not in (*self.commands, *self.get_help_option_names(ctx)):
            if args and args[0].isalpha() and (close := close_to(args[0].lower(), self.commands)):
                raise InputError(
                    f"'{args[0]}' is not a command. Did you mean '{close}'? "
                    f"If it is your sentence, say so: mha-tutor real {MAP} {args[0]}"
                )
            args = [MAP, *args]
        return super().parse_args(ctx, args)


real = typer.Typer(
    cls=MapFirst,
    help="A real model's heads: where they look, and what is missing without them.\n\n"
    'A sentence in quotes instead of a command looks at it: mha-tutor real "It was tired."\n\n'
    f"--page KEY starts at a page: {', '.join(REAL_PAGES)}. The other options: mha-tutor real map --help",
    epilog="Start here:  mha-tutor real",
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@real.command(
    MAP, epilog='Example:  mha-tutor real "The dog could not catch the cat because it was too slow."'
)
def show_map(
    sentence: Annotated[
        str | None, typer.Argument(help="A sentence to look at.  [default: the robot's]")
    ] = None,
    model_dir: ModelDir = None,
    page: Annotated[
        str | None,
        typer.Option(
            help=f"Start at this page: {', '.join(REAL_PAGES)}. Without a terminal, show only this one.",
            metavar="KEY",
        ),
    ] = None,
    format: Format = "text",
    export: ExportTo = None,
    decimals: Decimals = 2,
    theme: Theme = "auto",
    width: Width = None,
) -> None:
    """Where the weight of every head goes, over 100 sentences and in yours. The name may be left out."""
    from ..book import ShowOptions
    from .maps import RealOptions, run_real

    shown = ShowOptions(format=format, decimals=decimals, theme=theme, width=width)
    run_real(RealOptions(sentence, model_dir, page, export, shown))


@real.command(epilog="Example:  mha-tutor real prune --every 12")
def prune(
    model_dir: ModelDir = None,
    every: Annotated[int, typer.Option(help="Measure after every N heads.", metavar="N")] = 6,
    sentences: Annotated[int, typer.Option(help="Sentences to measure on.", metavar="N")] = 16,
    orders: Annotated[int, typer.Option(help="Orders by chance.", metavar="N")] = 3,
    seed: Annotated[int, typer.Option(help="The seed of these orders.", metavar="N")] = 1,
    format: Format = "text",
    export: ExportTo = None,
    theme: Theme = "auto",
    width: Width = None,
) -> None:
    """Take heads out one after another: how far do the sentences' vectors turn?"""
    from ...lab.real.removing import Plan
    from ..book import ShowOptions
    from .prune import run_real_prune

    shown = ShowOptions(format=format, theme=theme, width=width)
    run_real_prune(model_dir, Plan(sentences, every, orders, seed), export, shown)
