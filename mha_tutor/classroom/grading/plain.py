"""Values between the judge and the desk as plain data: JSON, and nothing that runs when it is read."""

from __future__ import annotations

import base64
import math
from collections.abc import Callable
from typing import Any

import numpy as np

# What stands in a blank has a name; all else is a list that starts with its kind.
BLANKS: dict[str, Any] = {"none": None, "dots": ..., "not implemented": NotImplemented}
KINDS: dict[str, type[Any]] = {"list": list, "tuple": tuple, "set": set, "frozenset": frozenset}
MOST_ARRAY = 20_000_000  # bytes
MOST_REPR = 200
MOST_NAME = 60
NUMBER_KINDS = "biufc"

Handle = Callable[[Callable[..., Any]], list[Any]]
Named = Callable[[list[Any]], Any]


class Odd:
    """Stands for a value of a type that the checks do not know; its class has that type's name."""

    def __init__(self, shown: str) -> None:
        self.shown = shown

    def __repr__(self) -> str:
        return self.shown


def packed(value: Any, handle: Handle) -> Any:
    """``value`` as plain data; ``handle`` makes a function into something to ask for it by.

    Raises ValueError for an array that is too large.
    """
    if (name := next((name for name, blank in BLANKS.items() if value is blank), None)) is not None:
        return [name]
    if isinstance(value, np.ndarray):
        return _packed_array(value, handle)
    if isinstance(value, np.generic):
        return ["number", *_packed_array(np.asarray(value), handle)[1:]]
    for kind, type_ in KINDS.items():
        if isinstance(value, type_):
            return [kind, [packed(one, handle) for one in value]]
    if isinstance(value, dict):
        return ["dict", [[packed(key, handle), packed(one, handle)] for key, one in value.items()]]
    if isinstance(value, bool | int | float | str):
        return ["value", _simple(value)]
    if callable(value):
        return ["function", *handle(value)]
    return _packed_odd(value)


def _simple(value: Any) -> bool | int | float | str:
    """The same without a subclass's own ways; JSON knows only these."""
    kinds: tuple[type[bool | int | float | str], ...] = (bool, int, float, str)
    return next(kind(value) for kind in kinds if isinstance(value, kind))


def _packed_array(value: Any, handle: Handle) -> list[Any]:
    array = np.asarray(value)
    if array.nbytes > MOST_ARRAY:
        raise ValueError(f"an array of shape {array.shape} is too large")
    if array.dtype.kind in NUMBER_KINDS:
        raw = base64.b64encode(np.ascontiguousarray(array).tobytes()).decode("ascii")
        return ["array", array.dtype.str, list(array.shape), raw]
    if array.dtype == object:
        return ["objects", list(array.shape), [packed(one, handle) for one in array.ravel().tolist()]]
    return ["array of", array.tolist()] if array.dtype.kind == "U" else _packed_odd(value)


def _packed_odd(value: Any) -> list[Any]:
    """Anything else: as a number where it can be one, as a fraction can; else its type and how it looks."""
    try:
        return ["value", float(value)]
    except Exception:
        return ["odd", type(value).__name__[:MOST_NAME], repr(value)[:MOST_REPR]]


def unpacked(data: Any, named: Named) -> Any:
    """The value again; ``named`` makes a function of what stands for one.

    Raises ValueError, TypeError or LookupError for data that ``packed`` never makes.
    """
    kind, *rest = data
    if kind in BLANKS:
        return BLANKS[kind]
    if kind == "value" and isinstance(rest[0], bool | int | float | str):
        return rest[0]
    if kind in KINDS:
        return KINDS[kind]([unpacked(one, named) for one in rest[0]])
    if kind == "dict":
        return {unpacked(key, named): unpacked(one, named) for key, one in rest[0]}
    if kind in ("array", "number"):
        array = _unpacked_array(*rest)
        return array if kind == "array" else array[()]
    if kind == "objects":
        return _unpacked_objects(rest[0], [unpacked(one, named) for one in rest[1]])
    if kind == "array of":
        return np.array(rest[0])
    if kind == "function":
        return named(rest)
    if kind == "odd":
        name = str(rest[0])[:MOST_NAME]
        return type(name if name.isidentifier() else "object", (Odd,), {})(str(rest[1])[:MOST_REPR])
    raise ValueError(f"unknown kind {kind!r}")


def _unpacked_array(dtype: str, shape: list[int], raw: str) -> Any:
    form = np.dtype(dtype)
    data = base64.b64decode(raw, validate=True)
    if form.kind not in NUMBER_KINDS or math.prod(shape) * form.itemsize != len(data):
        raise ValueError("an array that does not fit its shape")
    return np.frombuffer(data, dtype=form).reshape(shape).copy()


def _unpacked_objects(shape: list[int], items: list[Any]) -> Any:
    array = np.empty(len(items), dtype=object)
    for at, item in enumerate(items):
        array[at] = item
    return array.reshape(shape)
