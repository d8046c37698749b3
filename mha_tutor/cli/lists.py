"""Short commands that print data: the stages, and an example as a file."""

from __future__ import annotations

from ..examples import find, write_example
from ..stages import FORMULAS, OPTIONAL_STAGES
from .world import World


def print_stages() -> None:
    """One line a stage: its key and its formula."""
    world = World.here()
    for key, formula in FORMULAS.items():
        when = "  (with a mask only)" if key in OPTIONAL_STAGES else ""
        world.print(f"{key:<8}  {formula}{when}")
    world.print(
        "Pages of their own, which --stage takes too: heads, sum, after; without, where a head is removed."
    )


def print_example(name: str, seed: int) -> None:
    """The example as a TOML file."""
    world = World.here()
    world.print(write_example(find(name, seed=seed), ascii_only=not world.any_character), end="")
