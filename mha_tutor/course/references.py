"""Numbers in a lesson's text: ``{{weights[head 2, it, robot]}}`` becomes the number itself.

A reference is an expression of cells, sizes, cited figures and a few functions; behind `` : `` may
stand how it is written:

    {{weights[head 2, it, robot]}}            {{one.weights[head 1, it, robot]}}   a walk of walks.toml
    {{exp(scores[head 2, it, robot]) : 1}}    one decimal; also %, %1, words, bytes
    {{sum(weights[head 2, *, robot])}}        * is a whole axis
    {{d_k}}  {{one.heads}}  {{figures.bleu_1_head}}  {{parameters(512, 8)}}
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import numbers
from ..addresses import parse_address
from ..attention import Array
from ..errors import InputError
from .figures import FUNCTIONS, figures, walk_names, walk_of

REFERENCE = re.compile(r"\{\{(.+?)\}\}", re.DOTALL)
_FORM = re.compile(r"(.*?)(?:\s+:\s*(\S+))?\s*", re.DOTALL)
_CELL = re.compile(r"(?:(\w+)\.)?([A-Za-z]\w*)\[([^\]]*)\]")
_OPERATORS: dict[type, Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Pow: operator.pow,
    ast.USub: operator.neg,
}


def resolved(reference: str) -> str:
    """The text of a reference, without its braces. Raises InputError for one that has no meaning."""
    match = _FORM.fullmatch(reference)
    assert match is not None
    expression, form = match[1].strip(), match[2]
    kind, colon, name = expression.partition(":")
    if colon and kind == "source":
        return _figure(name.strip())["source"]
    if form is None and expression.startswith("figures.") and expression[8:].isidentifier():
        return _figure(expression[8:])["value"]
    return _written(value_of(expression), form)


def value_of(expression: str) -> Any:
    """The number that an expression stands for, at full precision. Raises InputError."""
    cells: dict[str, Any] = {}

    def named(match: re.Match[str]) -> str:
        name = f"cell{len(cells)}"
        cells[name] = cell_value(match[2], match[3], match[1] or "robot")
        return name

    try:
        tree = ast.parse(_CELL.sub(named, expression).strip(), mode="eval")
        return _evaluated(tree.body, cells)
    except (SyntaxError, TypeError, ValueError, ZeroDivisionError, KeyError, AttributeError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{{{{{expression}}}}} has no meaning: {error}.") from None


def cell_value(tensor: str, places: str, walk_name: str = "robot") -> float | Array:
    """The number in that cell; with ``*`` for a place, the numbers along that axis."""
    if walk_name not in walk_names():
        raise InputError(f"there is no walk '{walk_name}'; choose one of {', '.join(walk_names())}.")
    trace = walk_of(walk_name)
    parts = [part.strip() for part in places.split(",")]
    cell = parse_address(trace, f"{tensor}[{', '.join('1' if part == '*' else part for part in parts)}]")
    index = tuple(slice(None) if p == "*" else i for p, i in zip(parts, cell.index, strict=True))
    found = trace[cell.tensor].values[index]
    return float(found) if np.ndim(found) == 0 else found


def shape_of(text: str) -> tuple[tuple[int, ...], str]:
    """The sizes and the axes of a tensor, or of a part of it: weights, one.weights, weights[head 2]."""
    match = re.fullmatch(r"(?:(\w+)\.)?(\w+)(?:\[(.*)\])?", text)
    if match is None:
        raise InputError(f"'{text}' is not the name of a tensor.")
    tensor = walk_of(match[1] or "robot")[match[2]]
    places = len([place for place in (match[3] or "").split(",") if place.strip()])
    return tensor.values.shape[places:], tensor.letters[places:]


def _evaluated(node: ast.expr, cells: dict[str, Any]) -> Any:
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float | str):
        return node.value
    if isinstance(node, ast.Name):
        return cells[node.id] if node.id in cells else walk_of().sizes[node.id]
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        if node.value.id == "figures":
            return float(_figure(node.attr)["value"].replace(",", ""))
        return walk_of(node.value.id).sizes[node.attr]
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        return _OPERATORS[type(node.op)](_evaluated(node.left, cells), _evaluated(node.right, cells))
    if isinstance(node, ast.UnaryOp) and type(node.op) in _OPERATORS:
        return _OPERATORS[type(node.op)](_evaluated(node.operand, cells))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        return FUNCTIONS[node.func.id](*(_evaluated(part, cells) for part in node.args))
    raise ValueError("only cells, sizes, figures, functions and + - * / ** are known")


def _figure(name: str) -> dict[str, str]:
    if name not in figures():
        raise InputError(f"there is no figure '{name}' in course/figures.toml.")
    return figures()[name]


def _written(value: Any, form: str | None) -> str:
    if isinstance(value, str):
        return value
    if np.ndim(value):
        raise InputError("these are several numbers; take their sum, max, min or mean.")
    if form in ("words", "bytes"):
        return numbers.count_scaled(int(value)) if form == "words" else numbers.bytes_scaled(int(value))
    if form and form.startswith("%"):
        return numbers.form_for([100 * value], int(form[1:] or 0))(float(100 * value)) + "%"
    if isinstance(value, int) and form is None:
        return numbers.counted(value)
    return numbers.form_for([value], numbers.DECIMALS if form is None else int(form))(float(value))
