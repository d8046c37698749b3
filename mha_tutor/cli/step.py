"""`mha-tutor step`: from options to a walk, and from a walk to its pages."""

from __future__ import annotations

import json
from typing import NamedTuple

from ..errors import InputError
from ..examples import Example
from ..stages import STAGE_KEYS
from ..trace import Trace
from ..views.page import Page
from ..views.pages import PER_HEAD, STAGE_OF_PAGE, View, page, page_keys
from .book import ShowOptions, check_show, options_as_typed, show
from .choose import WalkOptions, check_choice, chosen_token, chosen_walk, start_token
from .world import World


class StepBook:
    """The pages of a walk."""

    def __init__(self, example: Example, trace: Trace, walk: WalkOptions, options: ShowOptions) -> None:
        self.example = example
        self.trace = trace
        self.keys = page_keys(trace)
        self.sizes = trace.sizes
        self._given = [
            *options_as_typed(walk, WalkOptions(), set()),
            *options_as_typed(options, ShowOptions(), {"head", "token", "format"}),
        ]

    @property
    def chapters(self) -> tuple[int, ...]:
        """The first page of each stage."""
        stages = [STAGE_OF_PAGE[key] for key in self.keys]
        return tuple(stages.index(stage) for stage in dict.fromkeys(stages))

    def page(self, key: str, view: View) -> Page:
        """The page of that key."""
        return page(key, self.trace, self.example, view)

    def per_head(self, key: str) -> bool:
        """Whether the page shows one head."""
        return key in PER_HEAD

    def command(self, key: str, view: View) -> list[str]:
        """The arguments of mha-tutor that open the walk at that page."""
        place = ["--stage", key, "--head", str(view.head + 1), "--token", str(view.token + 1)]
        return ["step", *self._given, *place]


class StepOptions(NamedTuple):
    """The options of `mha-tutor step` as they were typed."""

    walk: WalkOptions = WalkOptions()
    show: ShowOptions = ShowOptions()
    stage: str | None = None


def run_step(options: StepOptions, world: World | None = None) -> None:
    """Show the walk as ``options`` ask. Raises InputError for anything that does not fit."""
    world = world or World.here()
    check_show(options.show, options.show.head)
    example, trace = chosen_walk(options.walk)
    check_show(options.show, trace.sizes["heads"])
    given = options.show.token
    token = start_token(example) if given is None else chosen_token(example.tokens, given)
    book = StepBook(example, trace, options.walk, options.show)
    first = 0 if options.stage is None else page_of(options.stage, trace, book.keys)
    if options.show.format == "json":
        world.print(json.dumps(trace.as_json(), ensure_ascii=False, allow_nan=False))
        return
    view = View(options.show.head - 1, token, options.show.decimals)
    only = None if options.stage is None else pages_of(book.keys[first], book.keys)
    show(book, view, first, options.show, world, only)


def page_of(stage: str, trace: Trace, pages: tuple[str, ...]) -> int:
    """The first page of a stage, given by its key or by the name of a tensor it makes."""
    made = {t.name.lower(): s.key for s in trace.stages for t in s.outputs}
    key = made.get(stage.lower(), stage.lower())
    if key not in pages:
        known = [k for k in STAGE_KEYS if k in pages] + [k for k in pages if k not in STAGE_KEYS]
        if key in STAGE_OF_PAGE:
            raise InputError(f"--stage '{stage}' is not part of this walk. Choose one of {', '.join(known)}.")
        check_choice("--stage", stage, known)
    return pages.index(key)


def pages_of(first: str, pages: tuple[str, ...]) -> tuple[str, ...]:
    """What `--stage` prints where no keys can be pressed: all pages of the stage, or the one page."""
    if first not in STAGE_KEYS:
        return (first,)
    return tuple(key for key in pages if STAGE_OF_PAGE[key] == first)
