"""The commands under `mha-tutor lab` and their options."""

from __future__ import annotations

from typing import Annotated

import typer

from ..options import Decimals, Theme, Width

lab = typer.Typer(
    help="Experiments: train small heads here and see what each takes on.",
    epilog="Start here:  mha-tutor lab train",
    no_args_is_help=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Heads = Annotated[
    list[int] | None,
    typer.Option(help="A number of heads; give it for each.  [default: 1 and 3]", metavar="N"),
]
Vocab = Annotated[int, typer.Option(help="Names in the pool.", metavar="N")]
DModel = Annotated[int, typer.Option(help="Width of the model; the heads share it.", metavar="N")]
Steps = Annotated[int, typer.Option(help="Steps of training a run.", metavar="N")]
Format = Annotated[
    str, typer.Option("--format", help="text, plain (linear, for screen readers) or json.", metavar="NAME")
]
ExportTo = Annotated[
    str | None, typer.Option("--export", help="Write the pages to a new .html or .svg file.", metavar="FILE")
]


@lab.command(epilog="Example:  mha-tutor lab train --heads 1 --heads 2 --heads 3 --seeds 3")
def train(
    heads: Heads = None,
    seeds: Annotated[int, typer.Option(help="Runs for each number of heads.", metavar="N")] = 5,
    vocab: Vocab = 24,
    d_model: DModel = 24,
    steps: Steps = 400,
    seed: Annotated[int, typer.Option(help="The first seed.", metavar="N")] = 1,
    mixed: Annotated[
        bool, typer.Option("--mixed", help="Let keys and values read both name and tag.")
    ] = False,
    page: Annotated[str | None, typer.Option(help="Start at this page.", metavar="KEY")] = None,
    format: Format = "text",
    export: ExportTo = None,
    decimals: Decimals = 2,
    theme: Theme = "auto",
    width: Width = None,
) -> None:
    """Train heads to say who did what to whom: one is not enough, and which does what is found."""
    from ..book import ShowOptions
    from .train import TrainOptions, run_train

    shown = ShowOptions(format=format, decimals=decimals, theme=theme, width=width)
    chosen = tuple(dict.fromkeys(heads or (1, 3)))
    run_train(TrainOptions(chosen, seeds, vocab, d_model, steps, seed, mixed, page, export, shown))


@lab.command(epilog="Example:  mha-tutor lab prune --heads 6 --seed 2")
def prune(
    heads: Annotated[int, typer.Option(help="Heads that are trained, then removed.", metavar="N")] = 6,
    vocab: Vocab = 24,
    d_model: DModel = 24,
    steps: Steps = 400,
    seed: Annotated[int, typer.Option(help="The seed of the run.", metavar="N")] = 1,
    format: Format = "text",
    export: ExportTo = None,
    decimals: Decimals = 2,
    theme: Theme = "auto",
    width: Width = None,
) -> None:
    """Take trained heads out one after another: how many can go?"""
    from ..book import ShowOptions
    from .prune import run_prune
    from .train import TrainOptions

    shown = ShowOptions(format=format, decimals=decimals, theme=theme, width=width)
    run_prune(TrainOptions((heads,), 1, vocab, d_model, steps, seed, export=export, show=shown))
