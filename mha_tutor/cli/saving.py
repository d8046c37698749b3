"""Files that the reader asks for: written whole or not at all."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from ..errors import InputError, WorkError


def write_new(path: Path, text: str, advice: str = "Choose another name.") -> None:
    """Write a file that does not exist yet.

    Raises InputError when it does, with ``advice``, or cannot be written.
    """
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        raise InputError(f"{path} is there already, and nothing was written. {advice}") from None
    except OSError as error:
        raise InputError(f"{path} cannot be written ({error.strerror or error}).") from None


def write_whole(path: Path, data: bytes) -> None:
    """Write beside the file, then put it in place over whatever was there, so that it is never half there.

    Raises WorkError when it cannot be written.
    """
    target = Path(os.path.realpath(path))
    if not target.parent.is_dir():
        raise WorkError(f"There is no folder '{path.parent}'. Make it first, or choose another place.")
    if target.is_dir():
        raise WorkError(f"'{path}' is a folder. Choose the name of a file.")
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with part.open("xb") as file:
            file.write(data)
        part.replace(target)
    except OSError as error:
        raise WorkError(f"'{path}' cannot be written: {error.strerror or error}.") from error
    finally:
        with suppress(OSError):
            part.unlink()
