"""The optional parts of an example file that belong together: feature names, words, positions."""

from __future__ import annotations

from ..errors import InputError
from .example import Position
from .fields import Data, check_number, first_repeated, names, shown, whole
from .tokens import check_name, word_key

MAX_DECIMALS = 12


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


def _check_own(found: tuple[str, ...], key: str) -> None:
    if (twice := first_repeated(found)) is not None:
        raise InputError(f"{key} has '{twice}' twice; expected each name once. Rename one.")


def _check_known(name: str, known: tuple[str, ...], where: str) -> None:
    if name not in known:
        raise InputError(
            f"{where} has {shown(name)}, which is not one of the features. Add it there, or take it out here."
        )
