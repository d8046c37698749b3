"""`mha-tutor lab train`: runs of training, then their pages."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from ...errors import InputError, StoppedError, check_choice
from ...lab import Lab, Plan, Result, best_graded, built_graded, sit
from ...texts import texts
from ...views.lab_pages import lab_keys, lab_page, lab_stopped
from ...views.page import Page
from ...views.pages import View
from ..book import ShowOptions, check_show, options_as_typed
from ..saving import write_new
from ..showing import show
from ..world import World
from .progress import progress_of

LIMITS = {"seeds": (1, 50), "vocab": (6, 200), "d_model": (1, 256), "steps": (1, 20_000), "seed": (0, None)}
ENDINGS = (".html", ".svg")


class TrainOptions(NamedTuple):
    """The options of `mha-tutor lab train` as they were typed."""

    heads: tuple[int, ...] = (1, 3)
    seeds: int = 5
    vocab: int = 24
    d_model: int = 24
    steps: int = 400
    seed: int = 1
    mixed: bool = False
    page: str | None = None
    export: str | None = None
    show: ShowOptions = ShowOptions()

    @property
    def plans(self) -> list[Plan]:
        """Every run, seed by seed, so that what is done so far has all numbers of heads."""
        return [
            Plan(heads, seed, self.vocab, self.d_model, self.steps, self.mixed)
            for seed in range(self.seed, self.seed + self.seeds)
            for heads in self.heads
        ]


class LabBook:
    """The pages of the runs."""

    def __init__(self, lab: Lab, options: TrainOptions) -> None:
        self.lab = lab
        self.keys = lab_keys(lab)
        self.chapters = tuple(range(len(self.keys)))
        self.sizes = {"heads": 1, "n": 1}
        self._given = [
            *options_as_typed(options, TrainOptions(), {"show", "page", "export"}),
            *options_as_typed(options.show, ShowOptions(), {"format"}),
        ]

    def page(self, key: str, view: View) -> Page:
        """The page of that key."""
        return lab_page(key, self.lab, view.decimals)

    def per_head(self, key: str) -> bool:
        """Every page shows all heads."""
        return False

    def command(self, key: str, view: View) -> list[str]:
        """The arguments of mha-tutor that train the same heads again and open that page."""
        return ["lab", "train", *self._given, "--page", key]


def run_train(options: TrainOptions, world: World | None = None) -> None:
    """Train and show. Raises InputError for anything that does not fit.

    Ctrl-C shows what is done, and then raises StoppedError.
    """
    world = world or World.here()
    check_options(options)
    results = trained(options.plans, options.show, world)
    lab = Lab(tuple(results), len(options.plans), best_graded(options.vocab), built_graded(options.vocab))
    keys = lab_keys(lab)
    if options.page is not None:
        check_choice("--page", options.page, keys)
    if options.export is not None:
        pages = [lab_page(key, lab, options.show.decimals) for key in keys]
        world.print(exported(options.export, pages, options.show.theme))
    elif options.show.format == "json":
        world.print_json(lab.as_json())
    else:
        first = 0 if options.page is None else keys.index(options.page)
        only = None if options.page is None else (options.page,)
        show(LabBook(lab, options), View(0, 0, options.show.decimals), first, options.show, world, only)
    if lab.stopped:
        raise StoppedError(lab_stopped(lab))


def trained(plans: list[Plan], shown: ShowOptions, world: World) -> list[Result]:
    """The results of the runs; after Ctrl-C of those that are done. KeyboardInterrupt if none is."""
    results: list[Result] = []
    try:
        with progress_of(world, shown.format, plans) as tell:
            for news in sit(plans):
                tell(news)
                if news.result is not None:
                    results.append(news.result)
    except KeyboardInterrupt:
        if not results:
            raise
    return results


def check_options(options: TrainOptions) -> None:
    """Raise InputError, with what is allowed, for options that cannot be used."""
    check_show(options.show)
    for name, (least, most) in LIMITS.items():
        given = getattr(options, name)
        if given < least or (most is not None and given > most):
            allowed = f"{least} or more" if most is None else f"{least} to {most}"
            raise InputError(f"--{name.replace('_', '-')} {given}: choose {allowed}.")
    fits = [str(h) for h in range(1, options.d_model + 1) if options.d_model % h == 0]
    for heads in options.heads:
        if str(heads) not in fits:
            raise InputError(
                f"--heads {heads} does not divide the width {options.d_model}. "
                f"Choose one of {', '.join(fits)}."
            )
    if options.page is not None:
        check_choice("--page", options.page, tuple(texts("lab")["crumbs"]))
    if options.export is not None:
        check_export(options.export)


def check_export(to: str) -> None:
    """Raise InputError unless that file can be a new page or slide: before the training, not after."""
    path = Path(to)
    if path.suffix.lower() not in ENDINGS:
        raise InputError(f"--export '{to}' must end in {' or '.join(ENDINGS)}.")
    if path.exists():
        raise InputError(f"--export '{to}' is there already. Choose another name.")


def exported(to: str, pages: list[Page], theme: str, title: str | None = None) -> str:
    """Write the pages, and say so."""
    title = title or str(texts("lab")["all"]["file_title"])
    if to.lower().endswith(".svg"):
        from ...views.svg import slides

        text = slides(pages, title, theme="light" if theme == "auto" else theme)
    else:
        from ...views.html.assembly import Leaf, document

        leaves = [Leaf(page.key, None, (page,)) for page in pages]
        text = document(leaves, title=title, tokens=(), theme=theme)
    write_new(Path(to), text)
    return str(texts("lab")["all"]["wrote"].format(path=to))
