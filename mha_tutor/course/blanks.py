r"""Cutting the blanks: a work cell as the learner gets it, and as it is solved.

    ### BEGIN SOLUTION
    return exps / exps.sum(axis=-1, keepdims=True)
    ### BLANK                       (optional: what the learner sees in place of the solution)
    # return exps / ...
    ### END SOLUTION

Without BLANK a function's solution becomes ``raise NotImplementedError``, and each name that is
set outside a function becomes ``name = ...``.
"""

from __future__ import annotations

import ast
import textwrap

from .source import Cell

BEGIN, BLANK, END = "### BEGIN SOLUTION", "### BLANK", "### END SOLUTION"


def solved(cell: Cell) -> str:
    """The cell with its solution, without the markers and the TODO."""
    kept = [line for line in _parts(cell, blank=False) if not line.strip().startswith("# TODO")]
    return "\n".join(kept)


def blanked(cell: Cell) -> str:
    """The cell as the learner gets it."""
    return "\n".join(_parts(cell, blank=True))


def _parts(cell: Cell, *, blank: bool) -> list[str]:
    kept: list[str] = []
    block: list[str] | None = None
    found = 0
    for i, line in enumerate(cell.text.split("\n")):
        mark = line.strip()
        if mark == BEGIN and block is None:
            block, found = [], found + 1
        elif mark == END and block is not None:
            kept += _blank(block) if blank else _solution(block)
            block = None
        elif mark in (BEGIN, END):
            raise cell.error(f"'{mark}' has no partner.", i)
        else:
            (kept if block is None else block).append(line)
    if block is not None or not found:
        raise cell.error(f"a work cell needs its solution between '{BEGIN}' and '{END}'.")
    return kept


def _solution(block: list[str]) -> list[str]:
    marks = [line.strip() for line in block]
    return block[: marks.index(BLANK)] if BLANK in marks else block


def _blank(block: list[str]) -> list[str]:
    marks = [line.strip() for line in block]
    if BLANK in marks:
        return [line.replace("# ", "", 1) for line in block[marks.index(BLANK) + 1 :]]
    first = block[0]
    indent = first[: len(first) - len(first.lstrip())]
    if indent:
        return [f"{indent}raise NotImplementedError"]
    tree = ast.parse(textwrap.dedent("\n".join(block)))
    targets = [t for node in tree.body if isinstance(node, ast.Assign) for t in node.targets]
    return [f"{ast.unparse(target)} = ..." for target in targets]
