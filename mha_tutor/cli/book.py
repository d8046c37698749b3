"""Something with pages, and the options that say how pages are shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

from ..errors import InputError, check_choice
from ..texts import texts
from .choices import FORMATS, THEMES
from .world import LEAST_WIDTH, MOST_WIDTH

if TYPE_CHECKING:  # pages of text and of counts need no engine
    from ..addresses import Cell
    from ..trace import Trace
    from ..views.page import Page
    from ..views.pages import View


class ShowOptions(NamedTuple):
    """The options that say how pages are shown, as they were typed."""

    head: int = 1
    token: str | None = None
    format: str = "text"
    auto: float | None = None
    scroll: bool = False
    decimals: int = 2
    theme: str = "auto"
    width: int | None = None


class Book(Protocol):
    """Pages in order, each made for a chosen head and token."""

    @property
    def keys(self) -> tuple[str, ...]:
        """The pages' keys, in order."""

    @property
    def chapters(self) -> tuple[int, ...]:
        """The pages that the keys 1 to 9 lead to."""

    @property
    def sizes(self) -> dict[str, int]:
        """The walk's sizes: heads, n, d_model ..."""

    def page(self, key: str, view: View) -> Page:
        """The page of that key."""

    def per_head(self, key: str) -> bool:
        """Whether the page shows one head."""

    def command(self, key: str, view: View) -> list[str]:
        """The arguments of mha-tutor that open the book at that page."""


@runtime_checkable
class Workbook(Book, Protocol):
    """A book whose numbers can be asked where they come from, and changed."""

    @property
    def trace(self) -> Trace:
        """The run that the pages show."""

    def why(self, cell: Cell, depth: int, view: View) -> Page:
        """The page that takes a number apart."""

    def address(self, cell: Cell) -> str:
        """How a place is written."""

    def change(self, text: str) -> str:
        """Set a number, as in "X[it, noun]=1", and say so. Raises InputError."""

    def undo(self) -> str:
        """Take the last change back, and say so."""

    def reset(self) -> str:
        """Take all changes back, and say so."""

    def save(self, path: str) -> str:
        """Write the changed example to a new file, and say so. Raises InputError."""


def check_show(options: ShowOptions) -> None:
    """Raise InputError for an option that cannot be used, with what is allowed."""
    check_choice("--format", options.format, FORMATS)
    check_choice("--theme", options.theme, THEMES)
    if not 0 <= options.decimals <= 12:
        raise InputError(f"--decimals {options.decimals}: choose 0 to 12.")
    if options.width is not None and not LEAST_WIDTH <= options.width <= MOST_WIDTH:
        raise InputError(f"--width {options.width}: choose {LEAST_WIDTH} to {MOST_WIDTH} columns.")
    if options.auto is not None and not 0.1 <= options.auto <= 3600:
        raise InputError(f"--auto {options.auto:g}: choose 0.1 to 3600 seconds.")


def check_head(options: ShowOptions, heads: int) -> None:
    """Raise InputError unless there is such a head."""
    if not 1 <= options.head <= heads:
        raise InputError(f"--head {options.head}: there is no such head; choose from 1 to {heads}.")


def resume_line(arguments: list[str]) -> str:
    """How to come back: the command with those arguments, as the shell wants it."""
    return str(texts("keys")["resume"]).format(command=as_typed(["mha-tutor", *arguments]))


def as_typed(command: list[str]) -> str:
    """The parts of a command as the shell wants them."""
    import shlex
    import subprocess
    import sys

    return subprocess.list2cmdline(command) if sys.platform == "win32" else shlex.join(command)


def options_as_typed(given: NamedTuple, usual: NamedTuple, leave_out: set[str]) -> list[str]:
    """The options that differ from the usual ones, as a command line has them."""
    parts: list[str] = []
    for name, value in given._asdict().items():
        option = f"--{name.replace('_', '-')}"
        if name in leave_out or value == getattr(usual, name):
            continue
        if value is True:
            parts.append(option)
        elif isinstance(value, tuple):
            parts += [part for each in value for part in (option, str(each))]
        else:
            parts += [option, f"{value:g}" if isinstance(value, float) else str(value)]
    return parts
