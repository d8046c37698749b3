"""The house keeps its order: imports point one way, and names say what they are."""

from __future__ import annotations

import ast
import pkgutil
import types
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import mha_tutor

HOUSE = Path(mha_tutor.__file__).parent
# From the ground up: a part of the package may import those before it, and itself.
FLOORS = (
    "errors",
    "texts",
    "installing",
    "attention",
    "numbers",
    "fitting",
    "masks",
    "answers",
    "layouts",
    "multihead",
    "trace",
    "vectors",
    "examples",
    "addresses",
    "ablation",
    "stages",
    "explain",
    "decoding",
    "cuts",
    "routes",
    "whatif",
    "mistakes",
    "cost",
    "lab",
    "views",
    "quiz",
    "course",
    "classroom",
    "choose",
    "notebook",
    "cli",
)
# An example that is trained on the spot, or read from a model, is found by its name like any other;
# what makes it is imported only then.
MADE_ON_DEMAND = {("examples", "lab")}
MODULES = sorted(
    path
    for path in HOUSE.rglob("*.py")
    if not {"material", "__pycache__"} & set(path.relative_to(HOUSE).parts)
)


def part_of(path: Path) -> str:
    """The part of the package that a file belongs to."""
    return path.relative_to(HOUSE).with_suffix("").parts[0]


def imported(path: Path) -> Iterator[str]:
    """Every module that a file imports, lazily too, by its full name."""
    package = ["mha_tutor", *path.relative_to(HOUSE).parts[:-1]]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            before = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*before, *([node.module] if node.module else [])])
            yield from (f"{module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(HOUSE)))
def test_imports_point_one_way(path: Path) -> None:
    part = part_of(path)
    if part in {"__init__", "__main__"}:  # the door
        return
    for name in imported(path):
        top, _, rest = name.partition(".")
        other = rest.split(".")[0]
        if top == "mha_tutor" and (HOUSE / other).with_suffix(".py").exists() | (HOUSE / other).is_dir():
            one_way = FLOORS.index(other) <= FLOORS.index(part) or (part, other) in MADE_ON_DEMAND
            assert one_way, f"{part} imports {name}"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(HOUSE)))
def test_rich_and_typer_stay_at_the_edge(path: Path) -> None:
    place, names = str(path.relative_to(HOUSE)), {name.split(".")[0] for name in imported(path)}
    assert "rich" not in names or place.startswith(("views/terminal", "cli"))
    assert "typer" not in names or place.startswith("cli")


def test_every_part_has_its_floor() -> None:
    parts = {part_of(path) for path in MODULES} - {"__init__", "__main__"}
    assert parts == set(FLOORS)


def test_no_name_of_a_package_is_also_the_name_of_a_module_in_it() -> None:
    for found in pkgutil.walk_packages(mha_tutor.__path__, "mha_tutor."):
        if found.ispkg and ".material" not in found.name:
            package = import_module(found.name)
            for module in pkgutil.iter_modules(package.__path__):
                taken = vars(package).get(module.name)
                assert taken is None or isinstance(taken, types.ModuleType), f"{found.name}.{module.name}"


def test_no_module_is_named_after_nothing() -> None:
    vague = {"utils", "util", "base", "core", "common", "helpers", "misc"}
    assert not vague & {path.stem for path in MODULES} | vague & {path.parent.name for path in MODULES}
