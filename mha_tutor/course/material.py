"""Where the lessons and the notebooks are: beside the code in a checkout, inside the package elsewhere."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from ..errors import InputError

INSTALLED = Path(__file__).parent / "material"
CHECKOUT = Path(__file__).parents[2]


def root() -> Path:
    """The folder that holds ``course`` and ``notebooks``. Raises InputError when neither is there."""
    for folder in (INSTALLED, CHECKOUT):
        if (folder / "course").is_dir():
            return folder
    raise InputError(
        f"The lessons are missing: there is no folder {INSTALLED / 'course'}. Install mha-tutor again."
    )


@cache
def sources() -> tuple[Path, ...]:
    """The source of every lesson, in order: course/NN-name.py."""
    return tuple(sorted((root() / "course").glob("[0-9][0-9]-*.py")))


@cache
def extras() -> tuple[Path, ...]:
    """The source of every optional notebook: course/extra/name.py."""
    return tuple(sorted((root() / "course" / "extra").glob("*.py")))


def extra(name: str) -> Path:
    """The committed optional notebook with that name, such as real-heads."""
    return root() / "notebooks" / "extra" / f"{name}.ipynb"


def notebook(name: str, *, solved: bool = False) -> Path:
    """The committed notebook of the lesson with that name, such as 04-softmax."""
    folder = root() / "notebooks"
    return (folder / "solutions" if solved else folder) / f"{name}.ipynb"
