"""What is remembered in the learner's folder: hints that were shown, and the last check.

It is one readable file. When it is missing or broken the hints are forgotten, and nothing else:
whether an exercise is done is a matter of the notebook.
"""

from __future__ import annotations

import json
from pathlib import Path
from time import localtime, strftime
from typing import Any

from .files import fingerprint, write_whole
from .results import LessonResult

FILE = "progress.json"
FORMAT = 1


class Progress:
    """The file in one folder; ``broken`` says that there was one that could not be read."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE
        self.broken = False
        self.hints: dict[str, int] = {}
        self.lessons: dict[str, dict[str, Any]] = {}
        if not self.path.exists():
            return
        try:
            data = json.loads(self.path.read_text(encoding="utf-8"))
            self.hints = {str(key): int(count) for key, count in data.get("hints", {}).items()}
            for name, entry in data.get("lessons", {}).items():
                states = {str(key): str(state) for key, state in entry["exercises"].items()}
                self.lessons[name] = {**entry, "exercises": states}
        except (OSError, ValueError, TypeError, AttributeError, KeyError, RecursionError):
            self.broken, self.hints, self.lessons = True, {}, {}

    def state(self, lesson: str, exercise: str) -> str:
        """The exercise's state at the last check; empty when it was not checked."""
        entry = self.lessons.get(lesson)
        return "" if entry is None else str(entry["exercises"].get(exercise, ""))

    def current(self, lesson: str, notebook: Path | None) -> bool:
        """Whether the notebook is as it was at the last check."""
        entry = self.lessons.get(lesson)
        return bool(notebook and entry and entry.get("fingerprint") == fingerprint(notebook))

    def remember(self, result: LessonResult) -> None:
        """Take the states of a check over."""
        path = Path(result.notebook)
        self.lessons[result.lesson.name] = {
            "notebook": path.name,
            "fingerprint": fingerprint(path),
            "checked": strftime("%Y-%m-%d %H:%M", localtime()),
            "exercises": {one.number: one.state for one in result.exercises},
        }

    def save(self) -> None:
        """Write the file, whole; a folder that cannot be written to only forgets."""
        data = {"format": FORMAT, "hints": self.hints, "lessons": self.lessons}
        try:
            write_whole(self.path, json.dumps(data, indent=1, ensure_ascii=False) + "\n")
        except OSError:
            return
