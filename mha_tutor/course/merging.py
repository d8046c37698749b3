"""A learner's answers put into the lesson as it was shipped.

Only what stands in work cells, and cells that the learner added, is taken; checks, given code and
saved outputs are the lesson's own. Cells are matched by id, then by what their metadata says, and
where all that is lost by their text.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import InputError
from . import material

Cells = list[dict[str, Any]]
# Comments by which nbval leaves a cell out; in a learner's cell they are words like any other.
_FOR_NBVAL = re.compile(r"^(\s*#\s*)(?=NBVAL_|PYTEST_VALIDATE)", re.MULTILINE)
MOST_BYTES = 200_000_000
# Whatever a learner has called `check`, the lesson's check runs.
FIRST_LINE = "from mha_tutor.course import check\n"


class Merged(NamedTuple):
    """A notebook ready to be run, and the exercises whose work cell is not in the learner's file."""

    notebook: dict[str, Any]
    missing: tuple[str, ...]


def read_notebook(path: Path) -> dict[str, Any]:
    """A learner's notebook as data. Raises InputError, in words, for a file that is none."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise InputError(f"{path.name} is larger than {MOST_BYTES // 10**6} MB. Clear its outputs first.")
        return parse_notebook(path.read_bytes(), path.name)
    except OSError as error:
        raise InputError(f"{path.name} cannot be read: {error.strerror}.") from None


def parse_notebook(data: bytes, name: str) -> dict[str, Any]:
    """A notebook's bytes as data; ``name`` is what messages call it. Raises InputError."""
    try:
        found = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"{name} is no valid notebook file ({error}). Was it saved in part, or edited as text? "
            "Rename it and run 'mha-tutor course start' for a fresh one."
        ) from None
    cells = found.get("cells") if isinstance(found, dict) else None
    if not isinstance(cells, list) or not all(isinstance(cell, dict) for cell in cells):
        raise InputError(f"{name} is not a notebook: it has no list of cells.")
    return dict(found)


def lesson_name(notebook: dict[str, Any]) -> str | None:
    """The lesson that a notebook says it is, wherever its file lies; None when it says nothing."""
    name = _inside(notebook, "metadata", "mha_tutor", "lesson")
    return name if isinstance(name, str) else None


def pristine(name: str) -> dict[str, Any]:
    """The notebook of a lesson as it was shipped."""
    return read_notebook(material.notebook(name))


def merged(name: str, learner: dict[str, Any], folder: Path | None = None) -> Merged:
    """The lesson's notebook with the learner's answers and added cells in it, to be run in ``folder``."""
    notebook = pristine(name)
    cells: Cells = notebook["cells"]
    answers, added = _sorted_out(cells, learner["cells"])
    made = [*([] if folder is None else [_first_cell(folder)]), *added.get("", [])]
    missing = []
    for cell in cells:
        ours = cell["metadata"]["mha_tutor"]
        if ours["part"] == "work":
            if cell["id"] in answers:
                cell["source"] = answers[cell["id"]]
            else:
                missing.append(ours["exercise"])
        elif ours["part"] == "check":
            cell["source"] = FIRST_LINE + text_of(cell)
        made += [cell, *added.get(cell["id"], [])]
    for number, cell in enumerate(made):
        cell.pop("attachments", None)
        if cell["cell_type"] == "code":
            cell |= {"outputs": [], "execution_count": None}
        if not isinstance(cell.get("id"), str) or "mha_tutor" not in cell["metadata"]:
            cell["id"] = f"added-{number}"
    notebook["cells"] = made
    return Merged(notebook, tuple(missing))


def _sorted_out(cells: Cells, theirs: Cells) -> tuple[dict[str, str], dict[str, Cells]]:
    """The learner's answers by the id of their cell, and added code by the id of the cell before it."""
    place_of = places(cells, theirs)
    work = {cell["id"] for cell in cells if cell["metadata"]["mha_tutor"]["part"] == "work"}
    answers: dict[str, str] = {}
    added: dict[str, Cells] = {}
    before = ""
    for at, cell in enumerate(theirs):
        if (id := place_of.get(at)) is not None:
            before = id
            if id in work and cell.get("cell_type") == "code":
                answers[id] = _harmless(cell)
        elif cell.get("cell_type") == "code" and not _ours(cell):
            made = {"cell_type": "code", "metadata": {}, "source": _harmless(cell)}
            added.setdefault(before, []).append(made)
    return answers, added


def places(cells: Cells, theirs: Cells) -> dict[int, str]:
    """For the learner's cells, by number, the id of the lesson's cell that each one is."""
    known = {cell["id"]: cell for cell in cells}
    found: dict[int, str] = {}
    taken: set[str] = set()
    for at, cell in enumerate(theirs):
        id = cell.get("id", _inside(cell, "metadata", "id"))  # Colab keeps it in the metadata
        if isinstance(id, str) and id in known and id not in taken:
            found[at] = id
            taken.add(id)
    by_part = {_part_key(cell): id for id, cell in known.items() if _part_key(cell)}
    for at, cell in enumerate(theirs):
        id = by_part.get(_part_key(cell))
        if at not in found and id is not None and id not in taken:
            found[at] = id
            taken.add(id)
    return found or _places_by_text(cells, theirs)


def _places_by_text(cells: Cells, theirs: Cells) -> dict[int, str]:
    """The same for a notebook that lost all ids and metadata: a work cell is the code above its check."""
    by_text = {_text_key(cell): cell["id"] for cell in reversed(cells)}
    found: dict[int, str] = {}
    for at, cell in enumerate(theirs):
        id = by_text.get(_text_key(cell))
        if id is not None and id not in found.values():
            found[at] = id
    checks = {at: id for at, id in found.items() if id in _work_above(cells)}
    for at, id in checks.items():
        work = _work_above(cells)[id]
        start = max((one for one in found if one < at), default=-1) + 1
        code = [one for one in range(start, at) if theirs[one].get("cell_type") == "code"]
        if code and work not in found.values():
            found[code[0]] = work
    return found


def _work_above(cells: Cells) -> dict[str, str]:
    """By the id of a check's cell the id of its exercise's work cell."""
    of = {(part["exercise"], part["part"]): cell["id"] for cell in cells
          if (part := cell["metadata"]["mha_tutor"])["part"] in ("work", "check")}  # fmt: skip
    return {id: of[number, "work"] for (number, part), id in of.items() if part == "check"}


def _text_key(cell: dict[str, Any]) -> tuple[Any, str]:
    return cell.get("cell_type"), text_of(cell).strip().removeprefix(FIRST_LINE)


def _part_key(cell: dict[str, Any]) -> tuple[Any, Any] | None:
    ours = _inside(cell, "metadata", "mha_tutor")
    if isinstance(ours, dict) and ours.get("part") in ("task", "work", "check"):
        return str(ours.get("exercise")), ours["part"]
    return None


def _ours(cell: dict[str, Any]) -> bool:
    """Whether a cell that has no place is a copy, or an old version, of one of the lesson's."""
    part = _inside(cell, "metadata", "mha_tutor", "part")
    return part is not None and part != "work"


def text_of(cell: dict[str, Any]) -> str:
    """A cell's source, which a file may keep as one text or as lines."""
    source = cell.get("source", "")
    return (
        source if isinstance(source, str) else "".join(map(str, source)) if isinstance(source, list) else ""
    )


def _harmless(cell: dict[str, Any]) -> str:
    return _FOR_NBVAL.sub(r"\1- ", text_of(cell))


def _inside(data: Any, *names: str) -> Any:
    for name in names:
        data = data.get(name) if isinstance(data, dict) else None
    return data


def _first_cell(folder: Path) -> dict[str, Any]:
    """Run in the learner's folder, so that files beside the notebook are found."""
    source = f"import os, sys\nos.chdir({str(folder)!r})\nsys.path.insert(0, os.getcwd())\ndel os, sys"
    return {"cell_type": "code", "metadata": {}, "source": source}
