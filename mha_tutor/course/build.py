"""Build the notebooks from the lessons: ``python -m mha_tutor.course.build [NN ...]``.

Both notebooks of a lesson are run. The blank one must fail at its checks and nowhere else, the
solved one nowhere. The same source gives the same bytes. Optional notebooks, such as real-heads,
are not run: what they print depends on what the reader has.
"""

from __future__ import annotations

import sys
import warnings
from pathlib import Path
from typing import Any

from . import material
from .kernels import without_ports
from .lesson import Lesson, lessons
from .notebook import extra_notebook_of, notebook_of
from .source import LessonError, read_source

TIMEOUT = 60


def build(lesson: Lesson, *, solved: bool) -> str:
    """The text of a lesson's notebook after it was run. Raises LessonError when it runs wrongly."""
    import nbformat

    notebook = nbformat.from_dict(notebook_of(lesson, solved=solved))  # type: ignore[no-untyped-call]
    _run(notebook)
    _check_run(lesson, notebook, solved)
    nbformat.validate(notebook)
    return str(nbformat.writes(notebook)) + "\n"  # type: ignore[no-untyped-call]


def _run(notebook: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the libraries, about event loops and the like
        from nbclient import NotebookClient

        without_ports()
        client = NotebookClient(
            notebook,
            timeout=TIMEOUT,
            kernel_name="python3",
            record_timing=False,
            allow_errors=True,
            coalesce_streams=True,  # else chance decides in how many pieces a text is kept
        )
        client.execute()
    notebook.metadata.language_info = {"name": "python"}


def _check_run(lesson: Lesson, notebook: Any, solved: bool) -> None:
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        ours = cell.metadata.mha_tutor
        where = f"{lesson.name}: exercise {ours.get('exercise', '-')}, {ours.part}"
        errors = [out for out in cell.outputs if out.output_type == "error"]
        if ours.part == "check" and not solved:
            if not errors or errors[0].ename != "NotStarted":
                raise LessonError(f"{where}: the blank does not fail as not started: {cell.outputs}")
        elif errors:
            raise LessonError(f"{where}: {errors[0].ename}: {errors[0].evalue}")
        if any(out.get("name") == "stderr" for out in cell.outputs):
            raise LessonError(f"{where}: writes to stderr, which nbval counts as a failure: {cell.outputs}")


def build_extra(path: Path) -> str:
    """The text of an optional notebook, from its source."""
    import nbformat

    notebook = nbformat.from_dict(extra_notebook_of(read_source(path)))  # type: ignore[no-untyped-call]
    nbformat.validate(notebook)
    return str(nbformat.writes(notebook)) + "\n"  # type: ignore[no-untyped-call]


def write_extra(source: Path) -> Path:
    """Build and write an optional notebook; its path."""
    path = material.extra(source.stem)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(build_extra(source), encoding="utf-8", newline="\n")
    return path


def write(lesson: Lesson) -> tuple[Path, Path]:
    """Build and write both notebooks of a lesson; their paths."""
    paths = material.notebook(lesson.name), material.notebook(lesson.name, solved=True)
    for path, solved in zip(paths, (False, True), strict=True):
        text = build(lesson, solved=solved)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    return paths


def main(wanted: list[str]) -> None:
    """Write all notebooks, or those of the lessons and extras whose numbers or names are given."""
    for lesson in lessons():
        if not wanted or any(lesson.name.startswith(one.zfill(2)) for one in wanted):
            for path in write(lesson):
                print(path.relative_to(material.root()))
    for source in material.extras():
        if not wanted or source.stem in wanted:
            print(write_extra(source).relative_to(material.root()))


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except LessonError as error:
        sys.exit(f"build: {error}")
