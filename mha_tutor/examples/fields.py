"""The fields of an example file, each checked: a value comes back, or an InputError that names it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ..attention import Array
from ..errors import InputError
from .example import Position
from .tokens import MAX_LETTERS, check_name, word_key

Data = Mapping[str, Any]

MAX_NUMBER = 1e9  # products of five such numbers stay far from the end of float64
MAX_LINE = 200
MAX_DECIMALS = 12


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


def names(value: object, key: str) -> tuple[str, ...]:
    """A list of short printable texts."""
    if not isinstance(value, list):
        raise InputError(f'{key} is {shown(value)}; expected a list of texts such as ["it", "was"].')
    for i, name in enumerate(value):
        if not isinstance(name, str):
            raise InputError(f"{key}, number {i + 1}, is {shown(name)}; expected text in quotes.")
        check_name(name, f"{key}, number {i + 1},")
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


def features(data: Data) -> tuple[str, ...] | None:
    """The names of the columns of X, each its own; None when the file gives none."""
    if "features" not in data:
        if "words" in data or "position" in data:
            raise InputError("words and position name features, so the field features is expected; add it.")
        return None
    found = names(data["features"], "features")
    _check_own(found, "features")
    return found


def word_table(data: Data, known: tuple[str, ...] | None) -> dict[str, dict[str, float]]:
    """What each word brings, by ``word_key``."""
    table = data.get("words", {})
    if not isinstance(table, dict):
        raise InputError(f'words is {shown(table)}; expected a table such as robot = {{ "noun" = 1 }}.')
    found: dict[str, dict[str, float]] = {}
    for word, row in table.items():
        check_name(word, f"words: {shown(word)}")
        key = word_key(word)
        if key in found:
            raise InputError(f"words has '{word}' twice, since case does not count; keep one of them.")
        found[key] = _word_features(word, row, known or ())
    return found


def _word_features(word: str, row: object, known: tuple[str, ...]) -> dict[str, float]:
    if not isinstance(row, dict):
        raise InputError(f"words: '{word}' is {shown(row)}; expected a table of features and numbers.")
    for feature, value in row.items():
        _check_known(feature, known, f"words: '{word}'")
        check_number(value, f"words: '{word}'", feature)
    return {feature: float(value) for feature, value in row.items()}


def position(data: Data, known: tuple[str, ...] | None) -> Position | None:
    """How a place becomes numbers; None when the file does not say."""
    if "position" not in data:
        return None
    table = data["position"]
    if not isinstance(table, dict) or set(table) != {"features", "periods", "decimals"}:
        raise InputError("position must be a table with exactly the fields features, periods and decimals.")
    columns = names(table["features"], "position.features")
    _check_own(columns, "position.features")
    for name in columns:
        _check_known(name, known or (), "position.features")
    periods = _periods(table["periods"], len(columns))
    decimals = whole(table, "decimals")
    if not 0 <= decimals <= MAX_DECIMALS:
        raise InputError(f"position.decimals is {shown(decimals)}; expected 0 to {MAX_DECIMALS}.")
    return Position(columns, periods, decimals)


def _periods(values: object, columns: int) -> tuple[float, ...]:
    if not isinstance(values, list) or not values or columns != 2 * len(values):
        raise InputError("position.periods must be a list: one period for every two of position.features.")
    for i, period in enumerate(values):
        check_number(period, "position.periods", f"number {i + 1}")
        if period < 1:
            raise InputError(f"position.periods, number {i + 1}, is {shown(period)}; expected 1 or more.")
    return tuple(float(period) for period in values)


def first_repeated(names: Iterable[str]) -> str | None:
    """The first of ``names`` that stands there for the second time."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None


def _check_own(found: tuple[str, ...], key: str) -> None:
    if (twice := first_repeated(found)) is not None:
        raise InputError(f"{key} has '{twice}' twice; expected each name once. Rename one.")


def _check_known(name: str, known: tuple[str, ...], where: str) -> None:
    if name not in known:
        raise InputError(
            f"{where} has {shown(name)}, which is not one of the features. Add it there, or take it out here."
        )
