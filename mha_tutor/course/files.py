"""Files written so that there is always a whole one: the old or the new."""

from __future__ import annotations

import hashlib
from pathlib import Path
from time import localtime, strftime


def write_whole(path: Path, text: str) -> None:
    """Write ``text`` beside ``path``, then put it in its place."""
    part = path.with_name(f".{path.name}.part")
    part.write_text(text, encoding="utf-8", newline="\n")
    part.replace(path)


def fingerprint(path: Path) -> str:
    """What changes when the file does; empty for a file that cannot be read."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()[:16]
    except OSError:
        return ""


def backup(path: Path) -> Path:
    """A copy of the file in the folder ``backups`` beside it; never over another one."""
    folder = path.parent / "backups"
    folder.mkdir(exist_ok=True)
    stamp = strftime("%Y-%m-%d-%H%M%S", localtime())
    for number in range(1, 1000):
        copy = folder / f"{path.stem}-{stamp}{f'-{number}' if number > 1 else ''}{path.suffix}"
        if not copy.exists():
            break
    copy.write_bytes(path.read_bytes())
    return copy
