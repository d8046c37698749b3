"""Files that the reader asks for: written whole or not at all, and never over another one."""

from __future__ import annotations

from pathlib import Path

from ..errors import InputError


def write_new(path: Path, text: str) -> None:
    """Write a file that does not exist yet. Raises InputError when it does, or cannot be written."""
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        raise InputError(f"{path} is there already, and nothing was written. Choose another name.") from None
    except OSError as error:
        raise InputError(f"{path} cannot be written ({error.strerror or error}).") from None
