"""`mha-tutor why ADDRESS`: where one number comes from."""

from __future__ import annotations

from ..choose import WalkOptions, chosen_walk
from ..errors import InputError
from ..explain import parse_address
from ..views.changes import what_if
from ..views.why_page import why_page
from ..views.wide import folded
from .book import ShowOptions, check_show
from .printing import print_page
from .world import World

DEEPEST = 12


def run_why(
    where: str,
    depth: int,
    walk: WalkOptions,
    options: ShowOptions,
    quiz: bool = False,
    world: World | None = None,
) -> None:
    """Print the page that takes the number at ``where`` apart; with ``quiz``, ask for a part of it first.

    Raises InputError.
    """
    world = world or World.here()
    check_show(options)
    if not 1 <= depth <= DEEPEST:
        raise InputError(f"--depth {depth}: choose 1 to {DEEPEST}.")
    chosen = chosen_walk(walk)
    cell = parse_address(chosen.trace, where)
    if quiz:
        from .quiz.asking import ask_before_why
        from .quiz.dialog import LeftError

        try:
            ask_before_why(chosen.trace, cell, options, world, None)
        except LeftError:
            return
    page = why_page(chosen.trace, chosen.example, cell, depth, options.decimals)
    if chosen.changes:
        page = page._replace(blocks=(what_if(chosen.before, chosen.changes), *page.blocks))
    print_page(folded(page), options, world)
