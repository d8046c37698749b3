"""A sheet as data: grids of numbers and boxes, in steps; drawn by ``printing`` and ``page``."""

from __future__ import annotations

from typing import NamedTuple


class Box(NamedTuple):
    """A place to write in; ``item`` is its name, empty where it is only room to work."""

    item: str = ""


Content = str | Box


class Grid(NamedTuple):
    """A small table, never split between pages; ``axis`` and ``corner`` say what columns and rows are.

    In a ``roomy`` one there is room for a working in each box.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[str, ...]
    cells: tuple[tuple[Content, ...], ...]
    corner: str = ""
    axis: str = ""
    roomy: bool = False


class Part(NamedTuple):
    """A step of the sheet, or what is given: a task, an example worked out, and grids.

    ``side`` is a table to look things up in, which stands beside the task.
    """

    title: str
    task: str
    example: str
    grids: tuple[Grid, ...]
    side: Grid | None = None


class Sheet(NamedTuple):
    """What one student gets."""

    code: str
    name: str
    sentence: str
    lead: tuple[str, ...]
    parts: tuple[Part, ...]
