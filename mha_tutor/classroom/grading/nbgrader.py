"""The course as nbgrader wants it: its folder ``source``, with cells it may grade and cells it must lock."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ...course.files import write_whole
from ...course.lesson import Lesson
from ...course.merging import FIRST_LINE, pristine, text_of
from ...errors import InputError
from .wording import say

CONFIG = "nbgrader_config.py"
SETTINGS = '''"""Settings of nbgrader for the lessons of mha-tutor."""

c = get_config()  # noqa: F821
c.CourseDirectory.course_id = "mha-tutor"
# The notebooks in source/ have their blanks already, and each blank its own words.
c.ClearSolutions.enabled = False
c.ExecutePreprocessor.timeout = 60
'''


def write_course(out: Path, lessons: Sequence[Lesson]) -> list[Path]:
    """Write nbgrader's course folder; the paths of the notebooks. Raises InputError where files are there."""
    notebooks = {
        out / "source" / lesson.name / f"{lesson.name}.ipynb": notebook_for(lesson) for lesson in lessons
    }
    for path in (out / CONFIG, *notebooks):
        if path.exists():
            raise InputError(say("file_there", "collecting", name=path))
    try:
        for path, notebook in notebooks.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, json.dumps(notebook, indent=1, ensure_ascii=False) + "\n")
        write_whole(out / CONFIG, SETTINGS)
    except OSError as error:
        raise InputError(say("out_system", "collecting", out=out, error=error.strerror or error)) from None
    return list(notebooks)


def notebook_for(lesson: Lesson) -> dict[str, Any]:
    """The lesson's notebook without outputs; nbgrader puts its given cells back as it does its checks."""
    notebook = pristine(lesson.name)
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        cell |= {"outputs": [], "execution_count": None}
        cell["metadata"].setdefault("nbgrader", _locked(cell["id"]))
        if cell["metadata"]["mha_tutor"]["part"] == "check":  # whatever a student has called `check`
            cell["source"] = FIRST_LINE + text_of(cell)
    return notebook


def _locked(name: str) -> dict[str, Any]:
    return {
        "grade": False,
        "grade_id": name,
        "locked": True,
        "schema_version": 3,
        "solution": False,
        "task": False,
    }
