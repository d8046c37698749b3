"""Arrays out of a .safetensors file, read where they lie.

The file is 8 bytes with the length of a header (little-endian), the header as JSON, and the numbers.
The header names each array with its type, its shape, and where its bytes begin and end.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import prod
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ...attention import Array
from ...errors import WorkError

MAX_HEADER = 100_000_000  # bytes; the format's own limit
TYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2"}
LENGTH = 8


class Place(NamedTuple):
    """Where an array lies: its type, its shape, and its first and last byte after the header."""

    type: str
    shape: tuple[int, ...]
    start: int
    stop: int


class Arrays(Mapping[str, Array]):
    """The arrays of a file by name, as float32 or float64; nothing is read before it is asked for."""

    def __init__(self, path: Path) -> None:
        """Read the header. Raises WorkError for a file that is not safetensors, or is cut short."""
        self.path = path
        try:
            self._bytes = np.memmap(path, dtype=np.uint8, mode="r")
        except (OSError, ValueError) as error:  # ValueError: the file is empty
            raise WorkError(f"{path} cannot be read ({_reason(error)}).") from None
        self._places, self._data = _header(self._bytes, path)

    def __getitem__(self, name: str) -> Array:
        """The array of that name. Raises KeyError, and WorkError for a type that is no float."""
        place = self._places[name]
        if place.type not in TYPES:
            raise WorkError(
                f"{self.path}: {name} is of type {place.type}; expected one of {', '.join(TYPES)}."
            )
        raw = self._bytes[self._data + place.start : self._data + place.stop]
        if (self._data + place.start) % 8:
            raw = raw.copy()
        numbers = raw.view(TYPES[place.type]).reshape(place.shape)
        if place.type == "BF16":  # the upper half of a float32
            wide: Array = (numbers.astype(np.uint32) << 16).view(np.float32)
            return wide
        return numbers.astype(np.float32) if place.type == "F16" else numbers.view(np.ndarray)

    def __iter__(self) -> Any:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


def _reason(error: OSError | ValueError) -> str:
    return getattr(error, "strerror", None) or "it is empty"


def _header(raw: Any, path: Path) -> tuple[dict[str, Place], int]:
    """The places by name, and where the numbers begin."""
    broken = f"{path} is not a whole .safetensors file: "
    again = " Get the file again."
    if len(raw) < LENGTH:
        raise WorkError(
            f"{broken}it has {len(raw)} bytes, and its header's length alone takes {LENGTH}.{again}"
        )
    length = int.from_bytes(raw[:LENGTH].tobytes(), "little")
    if length > min(MAX_HEADER, len(raw) - LENGTH):
        raise WorkError(
            f"{broken}its header should have {length} bytes, and {len(raw) - LENGTH} follow.{again}"
        )
    try:
        entries = json.loads(raw[LENGTH : LENGTH + length].tobytes().decode("utf-8"))
        if not isinstance(entries, dict):
            raise ValueError("no table")
    except (ValueError, RecursionError):
        raise WorkError(f"{broken}its header is not JSON.{again}") from None
    entries.pop("__metadata__", None)
    room = len(raw) - LENGTH - length
    places = {}
    for name, entry in entries.items():
        place = _place(entry)
        if place is None or not 0 <= place.start <= place.stop:
            raise WorkError(f"{broken}the header's entry of {name} makes no sense.{again}")
        if place.stop > room:
            raise WorkError(f"{broken}{name} should end at byte {place.stop}, and there are {room}.{again}")
        size = np.dtype(TYPES[place.type]).itemsize if place.type in TYPES else None
        if size is not None and place.stop - place.start != size * prod(place.shape):
            raise WorkError(
                f"{broken}{name} has {place.stop - place.start} bytes, and its shape {list(place.shape)} of "
                f"{place.type} takes {size * prod(place.shape)}.{again}"
            )
        places[name] = place
    return places, LENGTH + length


def _place(entry: Any) -> Place | None:
    """The entry as a Place; None when it is not one."""
    if not isinstance(entry, dict):
        return None
    kind, shape, offsets = (entry.get(name) for name in ("dtype", "shape", "data_offsets"))
    if not isinstance(kind, str) or not isinstance(shape, list) or not isinstance(offsets, list):
        return None
    whole = all(type(x) is int and x >= 0 for x in (*shape, *offsets))
    return Place(kind, tuple(shape), *offsets) if whole and len(offsets) == 2 else None
