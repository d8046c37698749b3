"""`mha-tutor step`: from options to a walk, and from a walk to pages on the output."""

from __future__ import annotations

import json
from collections.abc import Sequence
from difflib import get_close_matches
from typing import NamedTuple

from ..errors import InputError
from ..examples import Example, find
from ..stages import STAGE_KEYS, walk
from ..trace import Trace
from ..views.pages import STAGE_OF_PAGE, View, page, page_keys
from .world import LEAST_WIDTH, World

FORMATS = ("text", "plain", "json")
THEMES = ("auto", "dark", "light", "projector", "mono")


class StepOptions(NamedTuple):
    """The options of `mha-tutor step` as they were typed."""

    heads: int | None = None
    example: str = "robot"
    sentence: str | None = None
    stage: str | None = None
    head: int = 1
    token: str | None = None
    format: str = "text"
    auto: float | None = None
    scroll: bool = False
    decimals: int = 2
    theme: str = "auto"
    width: int | None = None
    seed: int = 0


class Walk(NamedTuple):
    """A walk that is ready to be shown."""

    example: Example
    trace: Trace
    view: View
    pages: tuple[str, ...]
    first: int


def run_step(options: StepOptions, world: World | None = None) -> None:
    """Show the walk as ``options`` ask. Raises InputError for anything that does not fit."""
    world = world or World.here()
    walk = prepare(options)
    wanted = "plain" if options.format == "text" and world.accessible else options.format
    if wanted == "json":
        world.print(json.dumps(walk.trace.as_json(), ensure_ascii=False, allow_nan=False))
    elif wanted == "plain":
        _print_plain(walk, options, world)
    elif world.interactive:
        from .session import run_session

        run_session(walk, options, world)
    else:
        _print_pages(walk, options, world)


def prepare(options: StepOptions) -> Walk:
    """Check the options and run the walk."""
    check_choice("--format", options.format, FORMATS)
    check_choice("--theme", options.theme, THEMES)
    if not 0 <= options.decimals <= 12:
        raise InputError(f"--decimals {options.decimals}: choose 0 to 12.")
    if options.width is not None and options.width < LEAST_WIDTH:
        raise InputError(f"--width {options.width} is too narrow for a table; choose {LEAST_WIDTH} or more.")
    if options.auto is not None and not 0.1 <= options.auto <= 3600:
        raise InputError(f"--auto {options.auto:g}: choose 0.1 to 3600 seconds.")
    if options.seed < 0:
        raise InputError(f"--seed {options.seed}: choose a whole number, 0 or more.")
    example = find(options.example, seed=options.seed)
    if options.sentence is not None:
        example = example.with_sentence(options.sentence)
    trace = walk(example, heads=options.heads)
    heads = trace.sizes["heads"]
    if not 1 <= options.head <= heads:
        raise InputError(
            f"--head {options.head}: this walk has {_count(heads, 'head')}; choose 1 to {heads}."
        )
    token = _start(example) if options.token is None else chosen_token(example.tokens, options.token)
    pages = page_keys(trace)
    first = 0 if options.stage is None else _page_of(options.stage, trace, pages)
    return Walk(example, trace, View(options.head - 1, token, options.decimals), pages, first)


def check_choice(option: str, given: str, allowed: Sequence[str]) -> None:
    """Raise InputError, with a suggestion where one is close, unless ``given`` is allowed."""
    if given not in allowed:
        close = get_close_matches(given, allowed, n=1)
        hint = f" Did you mean '{close[0]}'?" if close else ""
        raise InputError(f"{option} '{given}' is not known.{hint} Choose one of {', '.join(allowed)}.")


def chosen_token(tokens: Sequence[str], given: str) -> int:
    """The place of a token given by its word or by its number from 1. Raises InputError."""
    for same in (given.__eq__, lambda token: token.lower() == given.lower()):
        places = [i for i, token in enumerate(tokens) if same(token)]
        if len(places) == 1:
            return places[0]
        if places:
            numbers = " or ".join(str(i + 1) for i in places)
            raise InputError(f"--token '{given}' stands {len(places)} times; say which by number: {numbers}.")
    if given.isdecimal() and 1 <= int(given) <= len(tokens):
        return int(given) - 1
    choices = ", ".join(f"{i + 1} {token}" for i, token in enumerate(tokens))
    raise InputError(f"--token '{given}' is not in the sentence. Choose a word or its number: {choices}.")


def _start(example: Example) -> int:
    """The token the walk starts with: the example's own, else the last word that is not a mark."""
    if example.start is not None:
        return example.tokens.index(example.start)
    words = [i for i, token in enumerate(example.tokens) if token[0].isalnum()]
    return words[-1] if words else len(example.tokens) - 1


def _page_of(stage: str, trace: Trace, pages: Sequence[str]) -> int:
    """The first page of a stage, given by its key or by the name of a tensor it makes."""
    made = {t.name.lower(): s.key for s in trace.stages for t in s.outputs}
    key = made.get(stage.lower(), stage.lower())
    if key not in pages:
        known = [k for k in STAGE_KEYS if k in pages] + [k for k in pages if k not in STAGE_KEYS]
        if key in STAGE_OF_PAGE:
            raise InputError(f"--stage '{stage}' is not part of this walk. Choose one of {', '.join(known)}.")
        check_choice("--stage", stage, known)
    return pages.index(key)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def shown_pages(walk: Walk, options: StepOptions) -> list[str]:
    """Without keys to press: every page, or those of the one stage that was asked for."""
    if options.stage is None:
        return list(walk.pages)
    first = walk.pages[walk.first]
    if first not in STAGE_KEYS:
        return [first]
    return [key for key in walk.pages if STAGE_OF_PAGE[key] == first]


def _print_plain(walk: Walk, options: StepOptions, world: World) -> None:
    from ..views.plain import plain_lines

    token = None if options.token is None else walk.trace.tokens[walk.view.token]
    for key in shown_pages(walk, options):
        for line in plain_lines(page(key, walk.trace, walk.example, walk.view), token):
            world.print(line)


def _print_pages(walk: Walk, options: StepOptions, world: World) -> None:
    from ..views.terminal.draw import page_lines
    from .paint import Painter

    painter = Painter.of(world, options.theme, options.width)
    for key in shown_pages(walk, options):
        painter.print([*page_lines(page(key, walk.trace, walk.example, walk.view), painter.canvas()), []])
