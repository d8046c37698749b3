"""Everything that grading leaves behind, in one folder; files of an earlier run that are over go."""

from __future__ import annotations

import csv
import io
import json
from contextlib import suppress
from pathlib import Path

from ...course.files import write_whole
from ...errors import InputError
from .class_page import class_page
from .class_view import ClassView
from .feedback import feedback_page
from .kept import FOLDER as KEPT
from .marks import Marks
from .names import codes, file_name, shown_names
from .table import BOM, as_it_was, csv_text, results_csv
from .unpacking import Refused
from .wording import say

STATE = "grading.json"  # says that the folder is ours, and what we wrote
TABLE, PAGE, FEEDBACK = "results.csv", "class.html", "feedback"
NAMES = "names-for-the-teacher.csv"


def claim(out: Path, submissions: Path) -> None:
    """Make the folder for the results.

    Raises InputError where it holds other things, or lies in the submissions.
    """
    here, there = out.resolve(), submissions.resolve()
    if here == there or there in here.parents:
        raise InputError(say("out_inside", "collecting", out=out, name=submissions))
    if out.exists() and not (out / STATE).exists() and (not out.is_dir() or any(out.iterdir())):
        raise InputError(say("out_taken", "collecting", out=out))
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(say("out_system", "collecting", out=out, error=error.strerror or error)) from None
    if not (out / STATE).exists():
        write_whole(out / STATE, _state(()))


def write_all(out: Path, marks: Marks, refused: tuple[Refused, ...], *, coded: bool) -> ClassView:
    """Write the table, the class page, a page for each student, and with codes the list of names."""
    students = list(marks.sheets)
    shown = shown_names(students)
    if coded:
        drawn = codes(shown.values(), _known_codes(out / NAMES))
        view_names = {student: drawn[shown[student]] for student in students}
        _write(out / NAMES, csv_text([("code", "name"), *((view_names[s], shown[s]) for s in students)]))
    else:
        view_names = shown
    by_name = sorted(students, key=view_names.__getitem__) if coded else students
    marks = marks._replace(sheets={student: marks.sheets[student] for student in by_name})
    files = {student: f"{FEEDBACK}/{file_name(view_names[student])}.html" for student in students}
    view = ClassView(marks, view_names, files, refused, coded)
    (out / FEEDBACK).mkdir(exist_ok=True)
    for student, sheets in marks.sheets.items():
        _write(out / files[student], feedback_page(view_names[student], sheets, marks.strays[student], coded))
    _write(out / TABLE, results_csv(marks, view_names))
    _write(out / PAGE, class_page(view))
    written = {TABLE, PAGE, *files.values(), *([NAMES] if coded else [])}
    _forget(out, written)
    write_whole(out / STATE, _state(tuple(sorted(written))))
    return view


def _write(path: Path, text: str) -> None:
    """Write the file, unless it says just that already."""
    with suppress(OSError, ValueError):
        if path.read_bytes() == text.encode("utf-8"):
            return
    write_whole(path, text)


def _state(written: tuple[str, ...]) -> str:
    told = {"format": 1, "written by": "mha-tutor class grade", "files": list(written)}
    return json.dumps(told, indent=1, ensure_ascii=False) + "\n"


def _forget(out: Path, written: set[str]) -> None:
    """Remove what an earlier run wrote and this one did not: no name may stay where codes are asked for."""
    before: object = []
    with suppress(OSError, ValueError, AttributeError):
        before = json.loads((out / STATE).read_text(encoding="utf-8")).get("files")
    for name in before if isinstance(before, list) else []:
        old = isinstance(name, str) and name not in written
        if old and (name in (TABLE, PAGE) or (name.startswith(f"{FEEDBACK}/") and name.count("/") == 1)):
            (out / name).unlink(missing_ok=True)


def _known_codes(path: Path) -> dict[str, str]:
    """The codes of an earlier run by name; the list of names is never thrown away."""
    found = {}
    with suppress(OSError, ValueError, csv.Error):
        text = path.read_text(encoding="utf-8").removeprefix(BOM)
        for row in list(csv.reader(io.StringIO(text)))[1:]:
            if len(row) == 2:
                found[as_it_was(row[1])] = row[0]
    return found


__all__ = ["FEEDBACK", "KEPT", "NAMES", "PAGE", "STATE", "TABLE", "claim", "write_all"]
