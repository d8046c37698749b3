"""Single fields of an example file, checked: a value comes back, or an InputError that names it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ..attention import Array
from ..errors import InputError
from .tokens import MAX_LETTERS, check_name

Data = Mapping[str, Any]

MAX_NUMBER = 1e9  # products of four such numbers, as in a score, stay far from the end of float64
MAX_LINE = 200


def shown(value: object) -> str:
    """A given value as it may stand in a message: short, on one line, whatever it is."""
    if isinstance(value, list):
        return "a list"
    if isinstance(value, dict):
        return "a table"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int) and abs(value) >= 10**20:
        return "a whole number of more than 20 digits"
    text = repr(value)
    return text if len(text) <= MAX_LETTERS else f"{text[:MAX_LETTERS]}..."


def required(data: Data, key: str) -> Any:
    if key not in data:
        raise InputError(
            f"the field {key} is missing; expected tokens, heads, W_Q, W_K, W_V, W_O, and X or words."
        )
    return data[key]


def text(data: Data, key: str, default: str, limit: int) -> str:
    """One line of at most ``limit`` characters."""
    value = data.get(key, default)
    if not isinstance(value, str):
        raise InputError(f"{key} is {shown(value)}; expected one line of text in quotes.")
    check_name(value, key, limit)
    return value


def flag(data: Data, key: str) -> bool:
    value = data.get(key, False)
    if not isinstance(value, bool):
        raise InputError(f"{key} is {shown(value)}; expected true or false, without quotes.")
    return value


def whole(data: Data, key: str) -> int:
    value = required(data, key)
    if not isinstance(value, int) or isinstance(value, bool):
        raise InputError(f"{key} is {shown(value)}; expected a whole number such as 3.")
    return value


def check_number(value: object, *where: object) -> None:
    """Raise InputError, naming the place, unless ``value`` is a finite number of ordinary size."""
    # Written so that nan fails, a bool is not taken for 0 or 1, and a huge int never becomes a float.
    if type(value) in (int, float) and abs(value) <= MAX_NUMBER:  # type: ignore[arg-type]
        return
    place = ", ".join(map(str, where))
    raise InputError(f"{place}, is {shown(value)}; expected a number from -1e9 to 1e9, without quotes.")


def names(value: object, key: str, limit: int = MAX_LETTERS) -> tuple[str, ...]:
    """A list of printable texts of at most ``limit`` characters."""
    if not isinstance(value, list):
        raise InputError(f'{key} is {shown(value)}; expected a list of texts such as ["it", "was"].')
    for i, name in enumerate(value):
        if not isinstance(name, str):
            raise InputError(f"{key}, number {i + 1}, is {shown(name)}; expected text in quotes.")
        check_name(name, f"{key}, number {i + 1},", limit)
    return tuple(value)


def matrix(data: Data, key: str) -> Array:
    """Rows of numbers, all of one length, as float64."""
    rows = required(data, key)
    if not isinstance(rows, list) or not rows or not all(isinstance(row, list) for row in rows):
        raise InputError(f"{key} must be a list of rows, each a list of numbers, such as [[1, 0], [0, 1]].")
    for i, row in enumerate(rows):
        if not row or len(row) != len(rows[0]):
            raise InputError(
                f"{key} is ragged: row 1 has length {len(rows[0])}, row {i + 1} has length {len(row)}. "
                "Expected rows of one length, at least 1; fill up or shorten the odd one."
            )
        for j, value in enumerate(row):
            check_number(value, key, f"row {i + 1}", f"column {j + 1}")
    return np.array(rows, dtype=np.float64)


def row(data: Data, key: str) -> Array:
    """A list of numbers, as float64."""
    values = required(data, key)
    if not isinstance(values, list):
        raise InputError(f"{key} is {shown(values)}; expected a list of numbers such as [0, 1.5].")
    for j, value in enumerate(values):
        check_number(value, key, f"number {j + 1}")
    return np.array(values, dtype=np.float64)


def first_repeated(names: Iterable[str]) -> str | None:
    """The first of ``names`` that stands there for the second time."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None
