"""One number of a sheet worked out as on paper: with the table of exp, and two decimals at every step."""

from __future__ import annotations

from collections.abc import Mapping

from ...addresses import Cell
from ...attention import Array
from ...mistakes import Problem
from ...mistakes.slips import factors
from ...numbers import DECIMALS, NumberForm
from ...views.working import bracketed
from .ways import E_TABLE, on_paper

TWO, WHOLE = NumberForm(DECIMALS), NumberForm(0)


def written(number: float) -> str:
    """A number as a person writes it: two decimals, none where it is whole."""
    return WHOLE(number) if float(number).is_integer() else TWO(number)


def paper_numbers(problem: Problem) -> dict[str, Array]:
    """Every tensor as it stands on paper when all is rounded to two decimals."""
    return {**problem.tensors, **on_paper(problem, TWO.rounded)}


def place(problem: Problem, cell: Cell) -> str:
    """The cell in words, with the columns of the output by number, as they stand on paper."""
    if cell.tensor != "output":
        return problem.place(cell.tensor, cell.index)
    t, d = cell.index
    return f"output[{problem.labels['t'][t]}, column {d + 1}]"


def worked_line(problem: Problem, cell: Cell, paper: Mapping[str, Array], *, every: bool = False) -> str:
    """How the number at ``cell`` comes about from those on ``paper``.

    With ``every``, products that are 0 stand there too.
    """
    number = written(float(paper[cell.tensor][cell.index]))
    if cell.tensor == "scores":
        return f"{written(float(paper['dots'][cell.index]))} / 2 = {number}"
    if cell.tensor == "weights":
        h, t, s = cell.index
        exps = [E_TABLE[round(float(score))] for score in problem["scores"][h, t]]
        below = " + ".join(map(written, exps))
        own, total = written(exps[s]), written(round(sum(exps), DECIMALS))
        return f"{own} / ({below}) = {own} / {total} = {number}"
    if cell.tensor == "concat":
        h, e = divmod(cell.index[-1], problem.w_q.shape[-1])
        return f"{problem.place('mixed', (h, cell.index[0], e))} = {number}"
    left, right = _factors(problem, cell, paper)
    terms = [
        f"{bracketed(written(a))} x {bracketed(written(b))}"
        for a, b in zip(left, right, strict=True)
        if every or b
    ]
    return f"{' + '.join(terms) or '0'} = {number}"


def _factors(problem: Problem, cell: Cell, paper: Mapping[str, Array]) -> tuple[list[float], list[float]]:
    """The numbers that are multiplied pairwise, those on the left as they stand on paper."""
    pair = factors(problem, cell)
    assert pair is not None, cell
    left, right = (side.tolist() for side in pair)
    if cell.tensor == "mixed":
        left = paper["weights"][cell.index[:2]].tolist()
    elif cell.tensor == "output":
        left = paper["concat"][cell.index[0]].tolist()
    return left, right
