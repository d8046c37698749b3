"""What a package needs on another machine than this one.

pip evaluates the condition behind a requirement ("; sys_platform == 'win32'") for the machine that
it runs on, also when it fetches for another. So the conditions are read here too (PEP 508).
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

_NAME = re.compile(r"\s*([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[([^\]]*)\])?")
_VERSIONS = ("python_version", "python_full_version", "implementation_version")
_COMPARED: dict[type, Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda a, b: a in b,
    ast.NotIn: lambda a, b: a not in b,
}


class Requirement(NamedTuple):
    """A line of Requires-Dist: the package, its extras, and the whole without its condition."""

    name: str
    extras: frozenset[str]
    text: str
    condition: str


def read_requirement(line: str) -> Requirement:
    """The parts of a requirement such as ``pywinpty>=2.0; os_name == "nt"``."""
    text, _, condition = line.partition(";")
    match = _NAME.match(text)
    if match is None:
        raise ValueError(f"'{line}' is no requirement")
    extras = frozenset(normal(extra.strip()) for extra in (match[2] or "").split(",") if extra.strip())
    return Requirement(normal(match[1]), extras, text.strip(), condition.strip())


def normal(name: str) -> str:
    """A package's name in the one form in which names are compared (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def needed(lines: Iterable[str], markers: Mapping[str, str], extras: Iterable[str] = ()) -> list[Requirement]:
    """The requirements among ``lines`` that hold there, with any of the extras or with none."""
    ways = [{**markers, "extra": extra} for extra in ("", *extras)]
    found = map(read_requirement, lines)
    return [one for one in found if not one.condition or any(holds(one.condition, way) for way in ways)]


def holds(condition: str, markers: Mapping[str, str]) -> bool:
    """Whether a marker holds. Raises ValueError for one that cannot be read."""
    try:
        plain = condition.strip().replace("===", "==").replace("~=", ">=")
        return bool(_value(ast.parse(plain, mode="eval").body, markers))
    except (SyntaxError, KeyError, TypeError) as error:
        raise ValueError(f"the condition '{condition}' cannot be read: {error}") from None


def _value(node: ast.expr, markers: Mapping[str, str]) -> Any:
    if isinstance(node, ast.BoolOp):
        values = [_value(part, markers) for part in node.values]
        return all(values) if isinstance(node.op, ast.And) else any(values)
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        return _compared(node.left, node.ops[0], node.comparators[0], markers)
    raise TypeError("only comparisons, 'and' and 'or' are known")


def _compared(left: ast.expr, how: ast.cmpop, right: ast.expr, markers: Mapping[str, str]) -> bool:
    names = [side.id for side in (left, right) if isinstance(side, ast.Name)]
    first, second = (_text(side, markers) for side in (left, right))
    if "extra" in names:
        first, second = normal(first), normal(second)
    if set(names) & set(_VERSIONS):
        if isinstance(how, ast.In | ast.NotIn):
            listed = [_version(one) for one in re.split(r"[\s,]+", second)]
            return _COMPARED[type(how)](_version(first), listed)
        return _COMPARED[type(how)](_version(first), _version(second))
    return _COMPARED[type(how)](first, second)


def _text(node: ast.expr, markers: Mapping[str, str]) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.Name):
        return markers[node.id]
    raise TypeError("a name of a marker or a text in quotes is expected")


def _version(text: str) -> tuple[int, ...]:
    """Numbers alone, without zeros at the end, so that 3.12 equals 3.12.0."""
    parts = [int(number) for number in re.findall(r"\d+", text)]
    while parts and parts[-1] == 0:
        parts.pop()
    return tuple(parts)
