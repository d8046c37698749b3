"""`mha-tutor why ADDRESS`: where one number comes from."""

from __future__ import annotations

from ..choose import WalkOptions, chosen_walk
from ..errors import InputError
from ..explain import parse_address
from ..views.why_page import why_page
from .book import ShowOptions, check_show
from .showing import print_page
from .world import World

DEEPEST = 12


def run_why(
    where: str, depth: int, walk: WalkOptions, options: ShowOptions, world: World | None = None
) -> None:
    """Print the page that takes the number at ``where`` apart. Raises InputError."""
    check_show(options)
    if not 1 <= depth <= DEEPEST:
        raise InputError(f"--depth {depth}: choose 1 to {DEEPEST}.")
    chosen = chosen_walk(walk)
    cell = parse_address(chosen.trace, where)
    page = why_page(chosen.trace, chosen.example, cell, depth, options.decimals)
    print_page(page, options, world or World.here())
