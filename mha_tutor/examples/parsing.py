"""A TOML or JSON file as plain data; whatever is wrong with the file itself is found here."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from ..errors import InputError
from .fields import first_repeated, shown

MAX_BYTES = 20_000_000
START_FROM = "Start from one that works: mha-tutor example robot > mine.toml"


def parse_file(path: Path) -> dict[str, Any]:
    """The fields of a .json file, or of any other as TOML. Raises InputError with the fault."""
    text = _text(_bytes(path))
    return _json(text) if path.suffix.lower() == ".json" else _toml(text)


def _bytes(path: Path) -> bytes:
    try:
        if path.is_dir():
            raise InputError("is a directory; expected an example file, .toml or .json.")
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise InputError(
            f"cannot be read ({error.strerror or error}). Check the path, or write a file to start from: "
            "mha-tutor example robot > mine.toml"
        ) from None
    except ValueError as error:
        if isinstance(error, InputError):
            raise
        raise InputError("is not a path; expected the path of a .toml or .json file.") from None
    if len(raw) > MAX_BYTES:
        raise InputError(f"is larger than {MAX_BYTES // 1_000_000} MB; expected an example, which is small.")
    return raw


def _text(raw: bytes) -> str:
    """UTF-8; or UTF-16, which `>` writes in Windows PowerShell 5."""
    utf_16 = raw.startswith((b"\xff\xfe", b"\xfe\xff"))
    try:
        text = raw.decode("utf-16" if utf_16 else "utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"is not UTF-8 text; expected a TOML or JSON file. {START_FROM}") from None
    if not text.strip():
        raise InputError(f"is empty; expected a TOML or JSON file. {START_FROM}")
    return text


def _toml(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise InputError(f"is nested too deeply; expected lists of rows. {START_FROM}") from None
    except ValueError as error:
        raise InputError(f"is not valid TOML: {error}. {START_FROM}") from None


def _json(text: str) -> dict[str, Any]:
    import json  # only for those who bring JSON

    try:
        data = json.loads(text, object_pairs_hook=_once_each)
    except RecursionError:
        raise InputError(f"is nested too deeply; expected lists of rows. {START_FROM}") from None
    except ValueError as error:
        raise InputError(f"is not valid JSON: {error}. {START_FROM}") from None
    if not isinstance(data, dict):
        raise InputError(f"holds {shown(data)}; expected an object with the fields of an example.")
    return data


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """JSON's parser would keep the last of two fields with one name, silently."""
    if (twice := first_repeated(key for key, _ in pairs)) is not None:
        raise ValueError(f"{shown(twice)} stands twice in one object; keep one of them")
    return dict(pairs)
