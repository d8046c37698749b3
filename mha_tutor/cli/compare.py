"""`mha-tutor compare`: the same matrices cut differently, or three routes to Q, K and V."""

from __future__ import annotations

from typing import NamedTuple

from ..attention import Mask, causal_mask
from ..choose import WalkOptions, chosen_example, first_token
from ..cuts import Comparison, compare_cuts
from ..errors import InputError, check_choice
from ..examples import Example
from ..routes import Routes, take_routes
from ..views.compare import CUT_KEYS, PER_HEAD, ROUTE_KEYS, cut_page, route_page
from ..views.page import Page
from ..views.pages import View
from .book import ShowOptions, check_head, check_show, options_as_typed
from .showing import show
from .world import World


class CompareOptions(NamedTuple):
    """The options of `mha-tutor compare` as they were typed."""

    heads: tuple[int, ...] = ()
    routes: bool = False
    page: str | None = None
    walk: WalkOptions = WalkOptions()
    show: ShowOptions = ShowOptions()

    def typed(self) -> list[str]:
        """The arguments of mha-tutor that open these pages, but for the place."""
        return [
            "compare",
            *options_as_typed(self, CompareOptions(), {"page", "walk", "show"}),
            *options_as_typed(self.walk, WalkOptions(), set()),
            *options_as_typed(self.show, ShowOptions(), {"head", "token", "format"}),
        ]


class CutsBook:
    """The pages of the cuts."""

    def __init__(self, example: Example, comparison: Comparison, options: CompareOptions) -> None:
        self.example = example
        self.comparison = comparison
        self.options = options
        self.keys = CUT_KEYS
        self.chapters = tuple(range(len(CUT_KEYS)))
        self.sizes = comparison.one.trace.sizes

    def page(self, key: str, view: View) -> Page:
        """The page of that key."""
        return cut_page(key, self.comparison, self.example, view)

    def per_head(self, key: str) -> bool:
        """No page of a comparison shows one head."""
        return False

    def command(self, key: str, view: View) -> list[str]:
        """The arguments of mha-tutor that open the comparison at that page."""
        return [*self.options.typed(), "--page", key, "--token", str(view.token + 1)]


class RoutesBook:
    """The pages of the routes."""

    def __init__(self, routes: Routes, options: CompareOptions) -> None:
        self.routes = routes
        self.options = options
        self.keys = ROUTE_KEYS
        self.chapters = tuple(range(len(ROUTE_KEYS)))
        self.sizes = routes.trace.sizes

    def page(self, key: str, view: View) -> Page:
        """The page of that key."""
        return route_page(key, self.routes, view)

    def per_head(self, key: str) -> bool:
        """Whether the page shows one head."""
        return key in PER_HEAD

    def command(self, key: str, view: View) -> list[str]:
        """The arguments of mha-tutor that open the routes at that page."""
        place = ["--page", key, "--head", str(view.head + 1), "--token", str(view.token + 1)]
        return [*self.options.typed(), *place]


def run_compare(options: CompareOptions, world: World | None = None) -> None:
    """Show the comparison. Raises InputError for anything that does not fit."""
    world = world or World.here()
    shown = options.show
    check_show(shown)
    keys = ROUTE_KEYS if options.routes else CUT_KEYS
    if options.page is not None:
        check_choice("--page", options.page, keys)
    example = chosen_example(options.walk)
    book, data = _routes(example, options) if options.routes else _cuts(example, options)
    token = first_token(example, shown.token)
    if shown.format == "json":
        world.print_json(data.as_json())
        return
    first = 0 if options.page is None else keys.index(options.page)
    only = None if options.page is None else (options.page,)
    show(book, View(shown.head - 1, token, shown.decimals), first, shown, world, only)


def _cuts(example: Example, options: CompareOptions) -> tuple[CutsBook, Comparison]:
    if options.show.head != 1:
        raise InputError("--head goes with --routes. Without it each page shows all heads: leave it out.")
    comparison = compare_cuts(example, options.heads, allowed=_mask(example, options))
    return CutsBook(example, comparison, options), comparison


def _routes(example: Example, options: CompareOptions) -> tuple[RoutesBook, Routes]:
    if len(options.heads) > 1:
        given = " ".join(f"--heads {count}" for count in options.heads)
        raise InputError(f"{given}: --routes shows one cut. Give --heads once.")
    heads = options.heads[0] if options.heads else None
    routes = take_routes(example, heads, allowed=_mask(example, options))
    check_head(options.show, routes.heads)
    return RoutesBook(routes, options), routes


def _mask(example: Example, options: CompareOptions) -> Mask | None:
    n = len(example.tokens)
    return causal_mask(n, n) if options.walk.causal else None
