"""`mha-tutor real prune`: a model's heads taken out one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

from ...errors import InputError, StoppedError
from ...lab.real.folder import Real, real_model
from ...lab.real.removing import Plan, Removal, removing
from ...texts import texts
from ...views.removal_page import removal_page
from ..book import ShowOptions, check_show
from ..lab.progress import EVERY
from ..lab.train import check_export, exported
from ..printing import print_page
from ..world import World

LIMITS = {"every": (1, None), "sentences": (1, 100), "orders": (1, 20), "seed": (0, None)}


def run_real_prune(
    model_dir: str | None, plan: Plan, export: str | None, options: ShowOptions, world: World | None = None
) -> None:
    """Remove heads and show what comes of it. Raises InputError and WorkError."""
    world = world or World.here()
    check_show(options)
    for name, (least, most) in LIMITS.items():
        given = getattr(plan, name)
        if given < least or (most is not None and given > most):
            allowed = f"{least} or more" if most is None else f"{least} to {most}"
            raise InputError(f"--{name} {given}: choose {allowed}.")
    if export is not None:
        check_export(export)
    real = real_model(model_dir)
    if plan.every > (most := len(real.model.layers) * real.model.heads):
        raise InputError(f"--every {plan.every}: {real.name} has {most} heads; choose 1 to {most}.")
    removal = _removed(real, plan, options.format, world)
    if export is not None:
        world.print(
            exported(export, [removal_page(removal)], options.theme, texts("real")["all"]["file_title"])
        )
    elif options.format == "json":
        world.print_json(removal.as_json())
    else:
        print_page(removal_page(removal), options, world)


def _removed(real: Real, plan: Plan, format: str, world: World) -> Removal:
    """The Removal. Raises StoppedError, with a word about how far it came, after Ctrl-C."""
    done, total = 0, 0
    try:
        with _progress(world, format) as tell:
            for news in removing(real, plan):
                if isinstance(news, Removal):
                    return news
                done, total = news
                tell(done, total)
    except KeyboardInterrupt:
        said = texts("real")["all"]["stopped" if done else "stopped_first"]
        raise StoppedError(said.format(done=done, total=total)) from None
    raise AssertionError("the last news is the result")


@contextmanager
def _progress(world: World, format: str) -> Iterator[Callable[[int, int], None]]:
    """Something to tell how many passes are done: a bar in a terminal, nothing elsewhere."""
    if format != "text" or world.accessible or not world.styled or not world.stdout.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    no_colour = bool(world.environ.get("NO_COLOR"))
    console = Console(file=world.stdout, force_terminal=True, no_color=no_colour, highlight=False)
    columns = TextColumn(texts("real")["all"]["bar"]), BarColumn(), MofNCompleteColumn()
    with Progress(*columns, console=console, transient=True, auto_refresh=False) as progress:
        task, drawn = progress.add_task("", total=None), 0.0

        def tell(done: int, total: int) -> None:
            nonlocal drawn
            progress.update(task, completed=done, total=total)
            if monotonic() - drawn > EVERY:
                progress.refresh()
                drawn = monotonic()

        yield tell
