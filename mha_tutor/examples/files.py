"""An example as a file: TOML or JSON, data only. Reading checks everything; writing loses nothing."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np

from ..attention import Array
from ..errors import InputError
from .example import Example, Position, check_token_count, word_rows

MAX_BYTES = 20_000_000
FIELDS = {
    "name", "provenance", "built_by_hand", "tokens", "start", "heads", "features",
    "X", "W_Q", "W_K", "W_V", "W_O", "words", "position",
}  # fmt: skip


def read_example(path: Path) -> Example:
    """Read a .toml or .json example file. Raises InputError that names the file and the fault."""
    try:
        return example_from(_parsed(path), name=path.stem)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def _parsed(path: Path) -> Mapping[str, Any]:
    if path.is_dir():
        raise InputError("is a directory; give an example file (.toml or .json).")
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror or error}).") from None
    if len(raw) > MAX_BYTES:
        raise InputError(f"is larger than {MAX_BYTES // 1_000_000} MB, too large for an example.")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError("is not UTF-8 text; an example is a TOML or JSON file.") from None
    try:
        data = json.loads(text) if path.suffix.lower() == ".json" else tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        kind = "JSON" if path.suffix.lower() == ".json" else "TOML"
        raise InputError(
            f"is not valid {kind}: {error}. Start from one that works: mha-tutor example robot > mine.toml"
        ) from None
    if not isinstance(data, dict):
        raise InputError("holds no fields; expected tokens, heads, X, W_Q, W_K, W_V and W_O.")
    return data


def example_from(data: Mapping[str, Any], name: str) -> Example:
    """Check every field of ``data`` and build the Example. Raises InputError that names the field."""
    if strange := sorted(set(data) - FIELDS):
        raise InputError(f"unknown field '{strange[0]}'; the fields are {', '.join(sorted(FIELDS))}.")
    tokens = _tokens(data)
    heads = _whole(data, "heads")
    features = _features(data)
    words = _words(data, features)
    position = _position(data, features)
    if "X" in data:
        x_td = _matrix(data, "X")
        unknown: tuple[str, ...] = ()
    elif words:
        assert features is not None
        x_td, unknown = word_rows(tokens, features, words, position)
    else:
        raise InputError("has neither X nor a words table; a row a token must come from one of them.")
    d = x_td.shape[1]
    _check_shape("X", x_td, (len(tokens), d), "one row a token")
    if features is not None and len(features) != d:
        raise InputError(f"features has {len(features)} names, but X has {d} columns.")
    w_q = _matrix(data, "W_Q")
    c = w_q.shape[1]
    if heads < 1 or c % heads:
        raise InputError(f"heads = {heads} does not divide the {c} columns of W_Q.")
    _check_shape("W_Q", w_q, (d, c), "d_model rows")
    w_k, w_v, w_o = (_matrix(data, key) for key in ("W_K", "W_V", "W_O"))
    _check_shape("W_K", w_k, (d, c), "like W_Q")
    _check_shape("W_V", w_v, (d, c), "like W_Q")
    _check_shape("W_O", w_o, (c, d), "heads side by side in, d_model out")
    start = data.get("start")
    if start is not None and start not in tokens:
        raise InputError(f"start = {start!r} is not one of the tokens.")
    return Example(
        name=_line(data, "name", name),
        provenance=_line(data, "provenance", "from a file; no provenance given"),
        built_by_hand=data.get("built_by_hand") is True,
        tokens=tokens,
        features=features or tuple(str(j + 1) for j in range(d)),
        heads=heads,
        start=start,
        X=x_td,
        W_Q=w_q,
        W_K=w_k,
        W_V=w_v,
        W_O=w_o,
        words=words,
        position=position,
        unknown=unknown,
    )


def _required(data: Mapping[str, Any], key: str) -> Any:
    if key not in data:
        raise InputError(f"the field {key} is missing.")
    return data[key]


def _line(data: Mapping[str, Any], key: str, default: str) -> str:
    text = data.get(key, default)
    if not isinstance(text, str) or not text.isprintable() or not text.strip():
        raise InputError(f"{key} must be one line of text.")
    return text


def _whole(data: Mapping[str, Any], key: str) -> int:
    number = _required(data, key)
    if not isinstance(number, int) or isinstance(number, bool):
        raise InputError(f"{key} must be a whole number, not {number!r}.")
    return number


def _number(value: Any, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError(f"{where} must be a number, not {value!r}.")
    try:
        number = float(value)
    except OverflowError:
        number = float("inf")
    if not isfinite(number) or abs(number) > 1e100:
        raise InputError(f"{where} is {value}; expected a finite number of an ordinary size.")
    return number


def _names(values: Any, key: str) -> tuple[str, ...]:
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise InputError(f"{key} must be a list of texts.")
    for i, value in enumerate(values):
        if not value.strip() or not value.isprintable():
            raise InputError(f"{key}, number {i + 1}, is empty or holds characters that cannot be printed.")
    return tuple(values)


def _tokens(data: Mapping[str, Any]) -> tuple[str, ...]:
    tokens = _names(_required(data, "tokens"), "tokens")
    check_token_count(len(tokens))
    return tokens


def _features(data: Mapping[str, Any]) -> tuple[str, ...] | None:
    if "features" not in data:
        if "words" in data or "position" in data:
            raise InputError("words and position need feature names; add the field features.")
        return None
    features = _names(data["features"], "features")
    if len(set(features)) != len(features):
        raise InputError("two features have the same name; each name must be its own.")
    return features


def _words(data: Mapping[str, Any], features: tuple[str, ...] | None) -> dict[str, dict[str, float]]:
    table = data.get("words", {})
    if not isinstance(table, dict) or not all(isinstance(row, dict) for row in table.values()):
        raise InputError("words must be a table: a word, then its features and their numbers.")
    for word, row in table.items():
        for feature in row:
            if feature not in (features or ()):
                raise InputError(f"words: '{word}' has '{feature}', which is not one of the features.")
    return {
        word.lower(): {feature: _number(x, f"words: '{word}', {feature}") for feature, x in row.items()}
        for word, row in table.items()
    }


def _position(data: Mapping[str, Any], features: tuple[str, ...] | None) -> Position | None:
    table = data.get("position")
    if table is None:
        return None
    if not isinstance(table, dict) or set(table) != {"features", "periods", "decimals"}:
        raise InputError("position must have exactly the fields features, periods and decimals.")
    names = _names(table["features"], "position.features")
    if strange := [name for name in names if name not in (features or ())]:
        raise InputError(f"position.features has '{strange[0]}', which is not one of the features.")
    if not isinstance(table["periods"], list) or len(names) != 2 * len(table["periods"]):
        raise InputError("position needs two features (a cosine and a sine) for each of its periods.")
    periods = tuple(_number(period, "position.periods") for period in table["periods"])
    if not all(period > 0 for period in periods):
        raise InputError("position.periods must all be above 0.")
    decimals = _whole(table, "decimals")
    if not 0 <= decimals <= 12:
        raise InputError(f"position.decimals is {decimals}; expected 0 to 12.")
    return Position(names, periods, decimals)


def _matrix(data: Mapping[str, Any], key: str) -> Array:
    rows = _required(data, key)
    if not isinstance(rows, list) or not rows or not all(isinstance(row, list) for row in rows):
        raise InputError(f"{key} must be a list of rows, each a list of numbers.")
    widths = {len(row) for row in rows}
    if len(widths) > 1 or widths == {0}:
        odd = next(i for i, row in enumerate(rows) if len(row) != len(rows[0]) or not row)
        raise InputError(
            f"{key} is ragged: row 1 has {len(rows[0])} numbers, row {odd + 1} has {len(rows[odd])}. "
            "All rows need the same number, at least one."
        )
    return np.array(
        [[_number(x, f"{key}, row {i + 1}, column {j + 1},") for j, x in enumerate(row)]
         for i, row in enumerate(rows)]
    )  # fmt: skip


def _check_shape(key: str, matrix: Array, shape: tuple[int, int], why: str) -> None:
    if matrix.shape != shape:
        given, expected = ("{} x {}".format(*pair) for pair in (matrix.shape, shape))
        raise InputError(f"{key} is {given}; expected {expected} ({why}).")


def write_example(example: Example) -> str:
    """The example as a TOML file that ``read_example`` reads back to the same numbers."""
    lines = [
        "# An example for mha-tutor. Change it, then walk it: mha-tutor step --example mine.toml",
        "# W_Q, W_K and W_V hold all heads side by side: head 1's columns first. Rows are tokens: x W.",
        f"name = {_text(example.name)}",
        f"provenance = {_text(example.provenance)}",
        f"built_by_hand = {str(example.built_by_hand).lower()}",
        f"tokens = {_texts(example.tokens)}",
        *([f"start = {_text(example.start)}"] if example.start else []),
        f"heads = {example.heads}",
        f"features = {_texts(example.features)}",
        "",
    ]
    from_words = _x_is_from_words(example)
    if from_words:
        lines += ["# X is made from [words] and [position] below.", ""]
    for key in ("X", "W_Q", "W_K", "W_V", "W_O"):
        if key != "X" or not from_words:
            lines += [f"{key} = [", *(f"  {_row(row)}," for row in getattr(example, key)), "]", ""]
    if example.position:
        position = example.position
        lines += [
            "# A token's place: a cosine and a sine of each period, rounded.",
            "[position]",
            f"features = {_texts(position.features)}",
            f"periods = {_row(position.periods)}",
            f"decimals = {position.decimals}",
            "",
        ]
    if example.words:
        lines += ["# What each word brings, whatever the case. Used by --sentence.", "[words]"]
        for word, row in example.words.items():
            pairs = ", ".join(f"{_text(feature)} = {_plain(x)}" for feature, x in row.items())
            lines.append(f"{_text(word)} = {{ {pairs} }}" if pairs else f"{_text(word)} = {{}}")
        lines.append("")
    return "\n".join(lines)


def _x_is_from_words(example: Example) -> bool:
    if not example.words:
        return False
    rows, _ = word_rows(example.tokens, example.features, example.words, example.position)
    return np.array_equal(rows, example.X)


def _text(text: str) -> str:
    """A TOML basic string; JSON's escapes are a subset of TOML's."""
    return json.dumps(text, ensure_ascii=False)


def _texts(texts: Sequence[str]) -> str:
    return "[" + ", ".join(_text(text) for text in texts) + "]"


def _plain(x: float) -> str:
    """The shortest digits that read back as the same float; whole numbers without a point."""
    return str(int(x)) if float(x).is_integer() and abs(x) < 2**53 else repr(float(x))


def _row(values: Sequence[float] | Array) -> str:
    return "[" + ", ".join(_plain(x) for x in values) + "]"
