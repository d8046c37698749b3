"""An example read from a file: TOML or JSON, data only, and everything in it checked."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..attention import Array
from ..errors import InputError
from . import fields, tables
from .example import BIASES, Example, word_rows
from .parsing import parse_file
from .tokens import MAX_LETTERS, check_name, check_token_count

FIELDS = (
    "name", "provenance", "built_by_hand", "tokens", "start", "heads", "features", "notes",
    "X", "W_Q", "W_K", "W_V", "W_O", *BIASES, "words", "position",
)  # fmt: skip


def read_example(path: Path) -> Example:
    """Read a .toml or .json example file. Raises InputError that names the file and the fault."""
    try:
        return example_from(parse_file(path), name=_name_of(path))
    except InputError as error:
        raise InputError(f"{_shown_path(path)}: {error}") from None


def example_from(data: Mapping[str, Any], name: str) -> Example:
    """Check every field of ``data`` and build the Example. Raises InputError that names the field."""
    for key in data:
        if key not in FIELDS:
            raise InputError(f"has an unknown field {fields.shown(key)}; the fields are {', '.join(FIELDS)}.")
    tokens = fields.names(fields.required(data, "tokens"), "tokens")
    check_token_count(len(tokens))
    features = tables.features(data)
    words = tables.word_table(data, features)
    position = tables.position(data, features)
    unknown: tuple[str, ...] = ()
    if "X" in data:  # the file's own rows win over the words table
        x_td = fields.matrix(data, "X")
    elif features and words:
        x_td, unknown = word_rows(tokens, features, words, position)
    else:
        raise InputError("has neither X nor words; expected one of them, to give each token its row.")
    _check_shape("X", x_td, (len(tokens), x_td.shape[1]), "one row a token")
    if features is not None and len(features) != x_td.shape[1]:
        raise InputError(f"features has {len(features)} names; expected {x_td.shape[1]}, one a column of X.")
    heads, matrices = _matrices(data, x_td.shape[1])
    return Example(
        name=fields.text(data, "name", name, MAX_LETTERS),
        provenance=fields.text(data, "provenance", "from a file; no provenance given", fields.MAX_LINE),
        built_by_hand=fields.flag(data, "built_by_hand"),
        tokens=tokens,
        features=features or tuple(str(j + 1) for j in range(x_td.shape[1])),
        heads=heads,
        start=_start(data, tokens),
        notes=fields.names(data["notes"], "notes", fields.MAX_LINE) if "notes" in data else (),
        X=x_td,
        words=words,
        position=position,
        unknown=unknown,
        W_Q=matrices["W_Q"],
        W_K=matrices["W_K"],
        W_V=matrices["W_V"],
        W_O=matrices["W_O"],
        biases=_biases(data, matrices),
    )


def _matrices(data: Mapping[str, Any], d: int) -> tuple[int, dict[str, Array]]:
    """The number of heads and the four packed matrices, with shapes that fit each other."""
    heads = fields.whole(data, "heads")
    found = {key: fields.matrix(data, key) for key in ("W_Q", "W_K", "W_V", "W_O")}
    c = found["W_Q"].shape[1]
    _check_shape("W_Q", found["W_Q"], (d, c), "a row for each column of X")
    _check_shape("W_K", found["W_K"], (d, c), "like W_Q")
    _check_shape("W_V", found["W_V"], (d, c), "like W_Q")
    _check_shape("W_O", found["W_O"], (c, d), "a row for each column of W_V, a column for each of X")
    if heads < 1 or c % heads:
        fits = ", ".join(str(h) for h in range(1, c + 1) if c % h == 0)
        raise InputError(
            f"heads is {fields.shown(heads)}; expected a number that divides the {c} columns of W_Q: {fits}."
        )
    return heads, found


def _biases(data: Mapping[str, Any], matrices: Mapping[str, Array]) -> dict[str, Array]:
    """The biases, a number for each column of their matrix; none, or all four."""
    given = [name for name in BIASES if name in data]
    if given and len(given) < len(BIASES):
        missing = next(name for name in BIASES if name not in given)
        raise InputError(f"has {given[0]} and no {missing}; expected all of {', '.join(BIASES)}, or none.")
    found = {}
    for name in given:
        columns = matrices[f"W_{name[-1]}"].shape[1]
        found[name] = fields.row(data, name)
        if len(found[name]) != columns:
            raise InputError(
                f"{name} has {len(found[name])} numbers; expected {columns}, one a column of W_{name[-1]}."
            )
    return found


def _start(data: Mapping[str, Any], tokens: tuple[str, ...]) -> str | None:
    """The token that a walk starts with, if the file says which."""
    start = data.get("start")
    if start is not None and start not in tokens:
        raise InputError(f"start is {fields.shown(start)}; expected one of the tokens.")
    return start


def _check_shape(key: str, matrix: Array, shape: tuple[int, int], why: str) -> None:
    if matrix.shape != shape:
        given, expected = ("{} x {}".format(*pair) for pair in (matrix.shape, shape))
        raise InputError(f"{key} is {given}; expected {expected} ({why}).")


def _shown_path(path: Path) -> str:
    return str(path) if str(path).isprintable() else repr(str(path))


def _name_of(path: Path) -> str:
    """The file's name without its ending, where it can be shown."""
    try:
        check_name(path.stem, "name")
    except InputError:
        return "example"
    return path.stem
