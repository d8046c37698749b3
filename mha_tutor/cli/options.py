"""Options that several commands share."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from .choices import FORMATS, THEMES


def completed(names: tuple[str, ...]) -> Any:
    """What a shell offers for an option: those of the names that begin so."""
    return lambda incomplete: [name for name in names if name.startswith(incomplete)]


Decimals = Annotated[int, typer.Option(help="Decimals of rounded numbers, 0 to 12.", metavar="N")]
Width = Annotated[
    int | None, typer.Option(help="Draw N columns wide.  [default: the terminal's width]", metavar="N")
]
Theme = Annotated[
    str,
    typer.Option(help=f"Colours: {', '.join(THEMES)}.", metavar="NAME", autocompletion=completed(THEMES)),
]
ModelDir = Annotated[
    str | None,
    typer.Option(
        help="A folder with a BERT-type model.  [default: the installed all-MiniLM-L6-v2]", metavar="DIR"
    ),
]
Format = Annotated[
    str,
    typer.Option(
        "--format",
        help="text, plain (linear, for screen readers and logs) or json (all numbers).",
        metavar="NAME",
        autocompletion=completed(FORMATS),
    ),
]
