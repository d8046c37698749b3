"""How far training has come: bars in a terminal, lines for screen readers, nothing in a pipe."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from time import monotonic

from ...lab import News, Plan
from ...texts import texts
from ..world import World

EVERY = 0.1  # seconds between two drawings of the bars
Tell = Callable[[News], None]


@contextmanager
def progress_of(world: World, format: str, plans: Sequence[Plan]) -> Iterator[Tell]:
    """Something to tell news to, for as long as training goes on."""
    if format == "json" or not world.styled or not world.stdout.isatty():
        plain = format == "plain" and world.stdout.isatty()
        yield _lines(world, plans) if plain else lambda news: None
    elif format == "plain" or world.accessible:
        yield _lines(world, plans)
    else:
        with _bars(world, plans) as tell:
            yield tell


def _lines(world: World, plans: Sequence[Plan]) -> Tell:
    """A line when a run has ended."""

    def tell(news: News) -> None:
        if news.result is not None:
            said = texts("lab")["all"]["done"]
            told = {"heads": news.plan.heads, "seed": news.plan.seed, "loss": f"{news.result.loss:.3f}"}
            world.print(said.format(run=news.run + 1, runs=len(plans), **told))

    return tell


@contextmanager
def _bars(world: World, plans: Sequence[Plan]) -> Iterator[Tell]:
    """A bar for each number of heads, with the seed it is at and its loss."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    say = texts("lab")["all"]
    no_colour = bool(world.environ.get("NO_COLOR"))
    console = Console(file=world.stdout, force_terminal=True, no_color=no_colour, highlight=False)
    columns = TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[told]}")
    with Progress(*columns, console=console, transient=True, auto_refresh=False) as progress:
        bars = {}
        for heads in dict.fromkeys(plan.heads for plan in plans):
            name = say["heads_one"] if heads == 1 else say["heads_many"].format(heads=heads)
            steps = sum(plan.steps for plan in plans if plan.heads == heads)
            bars[heads] = progress.add_task(name, total=steps, told="")
        drawn = 0.0

        def tell(news: News) -> None:
            nonlocal drawn
            told = say["at"].format(seed=news.plan.seed, loss=f"{news.loss:.3f}")
            progress.update(bars[news.plan.heads], advance=1, told=told)
            if monotonic() - drawn > EVERY or news.result is not None:
                progress.refresh()
                drawn = monotonic()

        yield tell
