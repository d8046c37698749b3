"""The learner's folder: made, found, and one exercise of it put back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import InputError
from . import material
from .files import backup, write_whole
from .lesson import Exercise, Lesson, lessons
from .merging import Cells, lesson_name, places, pristine, read_notebook
from .progress import FILE

DEFAULT = "mha-tutor-course"


class Started(NamedTuple):
    """What `course start` did: notebooks that are new, and notebooks that were there."""

    folder: Path
    new: tuple[str, ...]
    kept: tuple[str, ...]


def start(folder: Path) -> Started:
    """Put all notebooks, of lessons and extras, into ``folder``; a file that is there stays as it is.

    Raises InputError when the folder cannot be made or written to.
    """
    new, kept = [], []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, source in _shipped().items():
            path = folder / name
            if path.exists() or path.is_symlink():
                kept.append(path.name)
                continue
            write_whole(path, source.read_text(encoding="utf-8"))
            new.append(path.name)
    except OSError as error:
        raise InputError(f"'{folder}' cannot be used for the course: {error.strerror}.") from None
    return Started(folder, tuple(new), tuple(kept))


def _shipped() -> dict[str, Path]:
    """The notebooks a learner gets: the file's name there, and the file that is shipped."""
    of_lessons = {f"{lesson.name}.ipynb": material.notebook(lesson.name) for lesson in lessons()}
    return of_lessons | {f"extra-{path.stem}.ipynb": material.extra(path.stem) for path in material.extras()}


def find_folder(given: Path | None = None) -> Path:
    """The learner's folder: the given one, this one, or the one `course start` makes here.

    Raises InputError when there is none.
    """
    if given is not None:
        if not given.is_dir():
            raise InputError(f"There is no folder '{given}'. 'mha-tutor course start {given}' makes it.")
        return given
    here = Path()
    for folder in (here, here / DEFAULT):
        if (folder / FILE).exists() or any(folder.glob("[0-9][0-9]-*.ipynb")):
            return folder
    raise InputError(
        f"There are no notebooks of the course here or in '{DEFAULT}'. Run 'mha-tutor course start' first. "
        "Where you gave it a folder of your own: 'cd' to that folder first, or name it with --dir."
    )


def notebooks_in(folder: Path) -> dict[str, Path]:
    """The learner's notebook of each lesson by the lesson's name, also where the file was renamed."""
    names = [lesson.name for lesson in lessons()]
    found = {name: folder / f"{name}.ipynb" for name in names if (folder / f"{name}.ipynb").exists()}
    if len(found) < len(names):
        for path in sorted(folder.glob("*.ipynb")):
            name = which_lesson(path)
            if name in names and name not in found:
                found[name] = path
    return found


def which_lesson(path: Path) -> str | None:
    """The name of the lesson a notebook belongs to, by what it says, else by its file's name."""
    try:
        if name := lesson_name(read_notebook(path)):
            return name
    except InputError:
        pass
    for lesson in lessons():
        if path.name.startswith(lesson.name[:3]):
            return lesson.name
    return None


def reset(lesson: Lesson, exercise: Exercise, path: Path) -> Path:
    """Put the cells of one exercise back as they were; the path of the copy of the old file.

    Raises InputError for a file that is no notebook.
    """
    notebook = read_notebook(path)
    kept = backup(path)
    shipped = pristine(lesson.name)["cells"]
    theirs = notebook["cells"]
    cell_of = {id: theirs[at] for at, id in places(shipped, theirs).items()}
    after = -1
    for cell in shipped:
        there = cell_of.get(cell["id"])
        if cell["metadata"]["mha_tutor"].get("exercise") == exercise.number:
            if there is None:
                theirs.insert(after + 1, cell)
            else:
                theirs[_index(theirs, there)] = cell
            there = cell
        if there is not None:
            after = _index(theirs, there)
    write_whole(path, json.dumps(notebook, indent=1, ensure_ascii=False) + "\n")
    return kept


def _index(cells: Cells, cell: dict[str, Any]) -> int:
    return next(at for at, one in enumerate(cells) if one is cell)
