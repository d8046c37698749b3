"""`mha-tutor lab prune`: one run of training, then its heads taken out one by one."""

from __future__ import annotations

from ...lab.pruning import prune
from ...views.prune_page import prune_page
from ..printing import print_page
from ..world import World
from .train import TrainOptions, check_options, exported, trained


def run_prune(options: TrainOptions, world: World | None = None) -> None:
    """Train, prune and show. Raises InputError for anything that does not fit."""
    world = world or World.here()
    check_options(options)
    pruned = prune(trained(options.plans, options.show, world)[0])
    if options.export is None and options.show.format == "json":
        world.print_json(pruned.as_json())
        return
    page = prune_page(pruned, options.show.decimals)
    if options.export is None:
        print_page(page, options.show, world)
    else:
        world.print(exported(options.export, [page], options.show.theme))
