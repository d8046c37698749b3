"""The files of a zip, read in place: nothing is unpacked, and what is not a plain file inside is refused."""

from __future__ import annotations

import io
import stat
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from time import mktime
from typing import IO, NamedTuple

from ...errors import InputError
from .wording import say

MOST_BYTES = 100_000_000  # of one file
MOST_TOTAL = 2_000_000_000
MOST_ENTRIES = 20_000
DRIVE = 2  # letters of "C:"


class Refused(NamedTuple):
    """A file that is not looked at, and why."""

    path: str
    reason: str


class Entry(NamedTuple):
    """A file of a zip: its path inside, its bytes, and when it was last changed."""

    path: PurePosixPath
    data: bytes
    changed: float


def entries_of(file: Path | bytes, name: str, suffixes: tuple[str, ...]) -> Iterator[Entry | Refused]:
    """The files of a zip whose names end in ``suffixes``, and what is refused of it.

    Raises InputError for a file that is no zip.
    """
    opened: Path | IO[bytes] = io.BytesIO(file) if isinstance(file, bytes) else file
    try:
        archive = zipfile.ZipFile(opened)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise InputError(say("no_zip", "collecting", name=name, error=error)) from None
    total = 0
    with archive:
        infos = archive.infolist()
        if len(infos) > MOST_ENTRIES:
            raise InputError(say("many_entries", "collecting", name=name, most=MOST_ENTRIES))
        for info in infos:
            if fault := _fault(info):
                yield Refused(info.filename, say(fault, "refused"))
                continue
            if info.is_dir() or not info.filename.lower().endswith(suffixes):
                continue
            entry = _read(archive, info, MOST_TOTAL - total)
            total += len(entry.data) if isinstance(entry, Entry) else 0
            yield entry


def _fault(info: zipfile.ZipInfo) -> str:
    """Why an entry is refused, by the key of its sentence; empty for a plain file inside."""
    name = info.orig_filename.replace("\\", "/")
    path = PurePosixPath(name)
    if path.is_absolute() or str(path)[1:DRIVE] == ":":
        return "absolute"
    if ".." in path.parts or "\0" in name:
        return "climbs"
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        return "no_file"
    return ""


def _read(archive: zipfile.ZipFile, info: zipfile.ZipInfo, left: int) -> Entry | Refused:
    """One file, never more of it than is allowed, whatever the zip says about its size."""
    most = min(MOST_BYTES, left)
    try:
        with archive.open(info) as file:
            data = file.read(most + 1)
    except (zipfile.BadZipFile, zlib.error, OSError, RuntimeError, NotImplementedError, EOFError, ValueError):
        return Refused(info.filename, say("unreadable", "refused"))
    if len(data) > most:
        return Refused(info.filename, say("too_large", "refused", most=most // 1_000_000))
    return Entry(PurePosixPath(info.filename.replace("\\", "/")), data, _time(info))


def _time(info: zipfile.ZipInfo) -> float:
    """Seconds since 1970, as for a file; 0 for a date that there is not."""
    try:
        return mktime((*info.date_time, 0, 0, -1))
    except (ValueError, OverflowError):
        return 0.0
