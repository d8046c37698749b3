"""`mha-tutor step`: from options to a walk, and from a walk to its pages."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from ..addresses import Cell, address
from ..choose import WalkOptions, chosen_walk, first_token
from ..errors import InputError, check_choice
from ..stages import STAGE_KEYS
from ..texts import texts
from ..trace import Trace
from ..views.page import Page
from ..views.pages import PER_HEAD, STAGE_OF_PAGE, View, page, page_keys
from ..views.wide import folded
from .book import ShowOptions, check_head, check_show, options_as_typed
from .showing import show
from .world import World


class StepBook:
    """The pages of a walk."""

    def __init__(self, walk: WalkOptions, options: ShowOptions) -> None:
        self.walk = walk
        self.options = options
        self.chosen = chosen_walk(walk)
        self.keys = page_keys(self.chosen.trace)
        self.sizes = self.chosen.trace.sizes

    @property
    def chapters(self) -> tuple[int, ...]:
        """The first page of each stage."""
        stages = [STAGE_OF_PAGE[key] for key in self.keys]
        return tuple(stages.index(stage) for stage in dict.fromkeys(stages))

    def page(self, key: str, view: View) -> Page:
        """The page of that key."""
        chosen = self.chosen
        if not chosen.changes:
            return folded(page(key, chosen.trace, chosen.example, view))
        example = replace(chosen.example, built_by_hand=False)  # no longer as it was built
        from ..views.changes import with_changes  # a walk without changes does without

        after, before = (page(key, trace, example, view) for trace in (chosen.trace, chosen.before))
        return folded(with_changes(after, before, chosen.before, chosen.changes))

    @property
    def trace(self) -> Trace:
        """The run that the pages show."""
        return self.chosen.trace

    def why(self, cell: Cell, depth: int, view: View) -> Page:
        """The page that takes a number apart."""
        from ..views.why_page import why_page

        return folded(why_page(self.chosen.trace, self.chosen.example, cell, depth, view.decimals))

    def address(self, cell: Cell) -> str:
        """How a place is written."""
        return address(self.chosen.trace, cell)

    def change(self, text: str) -> str:
        """Set a number, as in "X[it, noun]=1", and say so. Raises InputError."""
        self._walk_again((*self.walk.set, text))
        return str(texts("whatif")["changed"])

    def undo(self) -> str:
        """Take the last change back, and say so."""
        if not self.walk.set:
            return str(texts("whatif")["nothing"])
        undone = self.walk.set[-1]
        self._walk_again(self.walk.set[:-1])
        return str(texts("whatif")["undone"].format(change=undone))

    def reset(self) -> str:
        """Take all changes back, and say so."""
        self._walk_again(())
        return str(texts("whatif")["reset"])

    def save(self, path: str) -> str:
        """Write the changed example to a new file, and say so. Raises InputError."""
        from ..examples import write_example
        from ..whatif import changed_example
        from .saving import write_new

        chosen = self.chosen
        if not path.lower().endswith(".toml"):
            path += ".toml"
        write_new(Path(path), write_example(changed_example(chosen.example, chosen.trace, chosen.changes)))
        return str(texts("whatif")["saved"].format(path=path))

    def _walk_again(self, changes: tuple[str, ...]) -> None:
        walk = self.walk._replace(set=changes)
        self.chosen = chosen_walk(walk)  # raises before anything is changed
        self.walk = walk
        self.keys = page_keys(self.chosen.trace)

    def per_head(self, key: str) -> bool:
        """Whether the page shows one head."""
        return key in PER_HEAD

    def command(self, key: str, view: View) -> list[str]:
        """The arguments of mha-tutor that open the walk at that page."""
        place = ["--stage", key, "--head", str(view.head + 1), "--token", str(view.token + 1)]
        given = options_as_typed(self.walk, WalkOptions(), set())
        shown = options_as_typed(self.options, ShowOptions(), {"head", "token", "format"})
        return ["step", *given, *shown, *place]


class StepOptions(NamedTuple):
    """The options of `mha-tutor step` as they were typed."""

    walk: WalkOptions = WalkOptions()
    show: ShowOptions = ShowOptions()
    stage: str | None = None
    quiz: bool = False
    quiz_seed: int | None = None


def run_step(options: StepOptions, world: World | None = None) -> None:
    """Show the walk as ``options`` ask. Raises InputError for anything that does not fit."""
    world = world or World.here()
    check_show(options.show)
    asked = options.quiz or options.quiz_seed is not None
    if asked:
        from .quiz.asking import check_quiz

        check_quiz(options.show, options.quiz_seed, world)
    book = StepBook(options.walk, options.show)
    example, trace = book.chosen.example, book.chosen.trace
    check_head(options.show, trace.sizes["heads"])
    token = first_token(example, options.show.token)
    first = 0 if options.stage is None else page_of(options.stage, trace, book.keys)
    if options.show.format == "json":
        world.print_json(trace.as_json())
        return
    view = View(options.show.head - 1, token, options.show.decimals)
    if asked:
        from .quiz.asking import run_quiz

        run_quiz(book, view, first, options.show, world, options.quiz_seed)
        return
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
