"""What was found, kept by the content of a notebook: the next run starts where this one ended.

A file says nothing of who handed the notebook in.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from functools import cache
from pathlib import Path

from ... import __version__
from ...course import material
from ...course.files import write_whole
from .job import Found, Limits
from .reading import Reading

FOLDER = "kept"
PRINT = 24  # hex digits


class Kept:
    """The results in ``folder``, for the limits they were found under."""

    def __init__(self, folder: Path, limits: Limits) -> None:
        self.folder = folder / FOLDER
        self.limits = limits

    def name(self, reading: Reading) -> str:
        """The name of a notebook's result: it changes with the notebook, the course and the limits."""
        parts = (reading.fingerprint, reading.lesson, _course(reading.lesson), *map(str, self.limits))
        return hashlib.sha256(" ".join((__version__, *parts)).encode()).hexdigest()[:PRINT]

    def find(self, name: str) -> Found | None:
        """The result of that name; None when there is none that can be read."""
        with suppress(OSError, ValueError, TypeError, AttributeError, RecursionError):
            return Found.read(json.loads((self.folder / f"{name}.json").read_text(encoding="utf-8")))
        return None

    def keep(self, name: str, found: Found) -> None:
        """Write the result, whole."""
        self.folder.mkdir(parents=True, exist_ok=True)
        write_whole(self.folder / f"{name}.json", json.dumps(found, indent=1) + "\n")


@cache
def _course(lesson: str) -> str:
    """What changes when the lesson does."""
    files = [path for path in material.sources() if path.stem == lesson]
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()[:PRINT]
