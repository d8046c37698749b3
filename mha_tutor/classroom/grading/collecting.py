"""What a class has handed in: a folder for each student, a zip, or a tree as nbgrader has it."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from ...errors import InputError
from .names import in_order, plain
from .owners import NBGRADER, Placed, owners_of
from .reading import Reading, read_notebook_of
from .unpacking import MOST_BYTES, Refused, entries_of
from .wording import say

NOTEBOOK, ZIP = ".ipynb", ".zip"
IGNORED = {"__macosx", ".ipynb_checkpoints", "backups"}


class File(NamedTuple):
    """A notebook as it was handed in: its path from the top, its bytes or why there are none, its time."""

    path: PurePosixPath
    data: bytes | str
    changed: float


class Copy(NamedTuple):
    """One notebook of a student, read."""

    student: str
    path: str
    changed: float
    reading: Reading


class Collected(NamedTuple):
    """The notebooks of a class in a stable order, and what was refused."""

    copies: tuple[Copy, ...]
    refused: tuple[Refused, ...]


Inside = tuple[PurePosixPath, Reading, float]


def collect(submissions: Path) -> Collected:
    """Find and read all notebooks. Raises InputError where there are none, or no such folder or zip,
    or where it is not clear whose they are.
    """
    if not submissions.exists():
        raise InputError(say("no_submissions", "collecting", name=submissions))
    if not submissions.is_dir() and submissions.suffix.lower() != ZIP:
        raise InputError(say("no_folder", "collecting", name=submissions))
    refused: list[Refused] = []
    inside = _of_nbgrader([(file.path, *_read(file)) for file in _files(submissions, refused)])
    if not inside:
        why = "".join(f" {one.path}: {one.reason}" for one in refused[:3])
        raise InputError(say("nothing", "collecting", name=submissions) + why)
    whole = plain(submissions.stem if submissions.suffix.lower() == ZIP else submissions.resolve().name)
    names = _told_apart([plain(str(path)) for path, _, _ in inside])
    owners = owners_of([Placed(path, reading.lesson) for path, reading, _ in inside], whole)
    copies = [
        Copy(student, name, changed, reading)
        for student, name, (_, reading, changed) in zip(owners, names, inside, strict=True)
    ]
    copies.sort(key=lambda copy: (in_order(copy.student), copy.path))
    return Collected(tuple(copies), tuple(one._replace(path=plain(one.path)) for one in refused))


def _told_apart(paths: list[str]) -> list[str]:
    """The paths, with a number where one is there before: a zip may hold the same path twice."""
    seen: Counter[str] = Counter()
    found = []
    for path in paths:
        seen[path] += 1
        found.append(path if seen[path] == 1 else f"{path} ({seen[path]})")
    return found


def _of_nbgrader(inside: list[Inside]) -> list[Inside]:
    """Of a whole course of nbgrader what was handed in, and not its sources and results."""
    return [one for one in inside if one[0].parts[0] == NBGRADER] or inside


def _read(file: File) -> tuple[Reading, float]:
    if isinstance(file.data, str):
        return Reading.broken(file.path.name, file.data), file.changed
    return read_notebook_of(file.data, file.path.name), file.changed


def _files(submissions: Path, refused: list[Refused]) -> Iterator[File]:
    """The notebooks, one after another, so that only one is held at a time."""
    if not submissions.is_dir():
        yield from _zipped(submissions, submissions.name, PurePosixPath(), refused, deeper=True)
        return
    for folder, below, names in os.walk(submissions):
        below[:] = sorted(name for name in below if not _ignored(name))
        for name in sorted(names):
            path = Path(folder, name)
            inner = PurePosixPath(path.relative_to(submissions).as_posix())
            if _ignored(name):
                continue
            if path.is_symlink():
                refused.append(Refused(str(inner), say("link", "refused")))
            elif path.suffix.lower() == NOTEBOOK:
                yield File(inner, _bytes_of(path), _time_of(path))
            elif path.suffix.lower() == ZIP and path.is_file():
                try:
                    yield from _zipped(path, str(inner), inner.with_suffix(""), refused, deeper=False)
                except InputError as error:
                    refused.append(Refused(str(inner), str(error)))


def _bytes_of(path: Path) -> bytes | str:
    """The bytes of a file, or in words why they cannot be had."""
    try:
        if not path.is_file():
            return say("no_file", "refused")
        if path.stat().st_size > MOST_BYTES:
            return say("too_large", "refused", most=MOST_BYTES // 1_000_000)
        return path.read_bytes()
    except OSError as error:
        return say("system", "refused", error=error.strerror or error)


def _time_of(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _zipped(
    file: Path | bytes, name: str, at: PurePosixPath, refused: list[Refused], *, deeper: bool
) -> Iterator[File]:
    """The notebooks of a zip, and of the zips in it where it may go ``deeper``."""
    for entry in entries_of(file, name, (NOTEBOOK, ZIP) if deeper else (NOTEBOOK,)):
        if isinstance(entry, Refused):
            refused.append(Refused(str(at / entry.path.lstrip("/")), entry.reason))
        elif any(map(_ignored, entry.path.parts)):
            continue
        elif entry.path.suffix.lower() == ZIP:
            try:
                inner = at / entry.path.with_suffix("")
                yield from _zipped(entry.data, entry.path.name, inner, refused, deeper=False)
            except InputError as error:
                refused.append(Refused(str(at / entry.path), str(error)))
        else:
            yield File(at / entry.path, entry.data, entry.changed)


def _ignored(name: str) -> bool:
    return name.startswith(".") or name.casefold() in IGNORED
