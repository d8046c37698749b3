"""From a variant to its sheet: what is given, what is left blank, and an example in every step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...addresses import Cell
from ...mistakes import Problem
from ...numbers import DECIMALS
from ...texts import texts
from .items import OUTPUT_COLUMNS, TENSOR_OF, items
from .parts import Box, Content, Grid, Part, Sheet
from .variants import Variant
from .ways import E_TABLE
from .worked import paper_numbers, place, worked_line, written

# What the numbers of a stage are made from.
NEEDS = {
    "dots": "Q K V", "scale": "dots", "softmax": "scores", "mix": "weights V", "concat": "mixed",
    "output": "concat",
}  # fmt: skip
# Tensors that must not be printed where that stage is asked: they would give its answers away.
GIVEN_AWAY = {"scores": "dots", "concat": "mix"}


def sheet(variant: Variant, stages: Sequence[str], name: str = "") -> Sheet:
    """The sheet of that variant, with the numbers of ``stages`` left blank."""
    return _Maker(variant, stages).sheet(name)


class _Maker:
    """Makes the parts of one sheet."""

    def __init__(self, variant: Variant, stages: Sequence[str]) -> None:
        self.variant = variant
        self.stages = stages
        self.problem: Problem = variant.problem
        self.paper = paper_numbers(self.problem)
        self.tokens = variant.example.tokens
        self.items = {item.cell: item.name for item in items(self.problem, stages)}
        self.say = texts("sheet")

    def sheet(self, name: str) -> Sheet:
        say = self.say
        count = self.problem.heads
        heads = say["one_head"] if count == 1 else say["heads"].format(count=count)
        lead = (say["lead"].format(tokens=len(self.tokens), heads=heads), say["rows"], say["boxes"])
        given = self.given()
        parts = [Part(say["given"], "", "", given)] if given else []
        parts += [self.step(i + 1, stage) for i, stage in enumerate(self.stages)]
        return Sheet(
            self.variant.code,
            name,
            say["sentence"].format(sentence=self.variant.example.sentence),
            lead,
            tuple(parts),
        )

    def exp_table(self) -> Grid:
        """The exp of every score that occurs."""
        numbers = tuple(written(number) for number in E_TABLE.values())
        scores = tuple(str(score) for score in E_TABLE)
        return Grid("", scores, (self.say["exp"],), (numbers,), corner=self.say["score"])

    def given(self) -> tuple[Grid, ...]:
        """The tensors that the steps start from and that are not asked themselves."""
        needed = dict.fromkeys(name for stage in self.stages for name in NEEDS[stage].split())
        asked = {TENSOR_OF[stage] for stage in self.stages}
        told = {name for name, stage in GIVEN_AWAY.items() if stage in self.stages}
        names = [name for name in needed if name not in asked | told]
        by_head = [name for name in names if not _one_row(name)]
        heads = (self.head(name, h) for h in range(self.problem.heads) for name in by_head)
        return (*heads, *(self.flat(name) for name in names if _one_row(name)))

    def step(self, number: int, stage: str) -> Part:
        """The step that makes one stage's numbers."""
        say = self.say["part"][stage]
        title = self.say["step"].format(number=number, title=say["title"])
        task = say["task"]
        if stage == "output" and "concat" not in self.stages:
            task += " " + self.say["beside"]
        side = self.exp_table() if stage == "softmax" else None
        return Part(title, task, self.example(stage), tuple(self.step_grids(stage)), side)

    def step_grids(self, stage: str) -> Iterator[Grid]:
        tensor = TENSOR_OF[stage]
        if stage == "softmax" and "dots" in self.stages and "scale" not in self.stages:
            yield from map(_emptied, self.tensor("scores"))
        if stage == "output":
            yield self.matrix()
        for h, grid in enumerate(self.tensor(tensor)):
            if stage == "softmax":
                yield self.exps(h)
            yield grid

    def example(self, stage: str) -> str:
        """One number of the first row worked out: of those with most terms, the largest."""
        tensor = TENSOR_OF[stage]
        front = (0,) if _one_row(tensor) else (0, 0)
        width = OUTPUT_COLUMNS if tensor == "output" else self.paper[tensor].shape[-1]
        cells = [Cell(tensor, (*front, j)) for j in range(width)]

        def interest(cell: Cell) -> tuple[int, float]:
            line = worked_line(self.problem, cell, self.paper)
            return line.count(" x "), abs(float(self.paper[tensor][cell.index]))

        cell = max(cells, key=interest)
        line = worked_line(self.problem, cell, self.paper, every=tensor != "output")
        return f"{place(self.problem, cell)} = {line}"

    def tensor(self, name: str) -> tuple[Grid, ...]:
        """The grids of a tensor: one a head, or one."""
        if _one_row(name):
            return (self.flat(name),)
        return tuple(self.head(name, h) for h in range(self.problem.heads))

    def head(self, name: str, h: int) -> Grid:
        """One head's rows of a tensor."""
        values = self.paper[name]
        square = name in ("dots", "scores", "weights")
        columns = self.tokens if square else tuple(str(e + 1) for e in range(values.shape[-1]))
        return Grid(
            f"{name}_{h + 1}",
            columns,
            self.tokens,
            self.cells(name, [[(h, t, j) for j in range(len(columns))] for t in range(len(self.tokens))]),
            corner=self.say["asks"] if square else "",
            axis=self.say["asked"] if square else "",
            roomy=name == "dots",
        )

    def flat(self, name: str) -> Grid:
        """concat or output: one row a token, the first as an example and the last."""
        width = OUTPUT_COLUMNS if name == "output" else self.paper[name].shape[-1]
        columns = tuple(str(j + 1) for j in range(width)) if name == "output" else self.beside()
        tokens = [0, len(self.tokens) - 1]
        rows = tuple(self.tokens[t] for t in tokens)
        title = self.say["part"][name]["grid"].format(count=width)
        return Grid(title, columns, rows, self.cells(name, [[(t, j) for j in range(width)] for t in tokens]))

    def beside(self) -> tuple[str, ...]:
        """The columns of concat: 1.1 is column 1 of head 1."""
        width = self.problem.w_q.shape[-1]
        return tuple(f"{h + 1}.{e + 1}" for h in range(self.problem.heads) for e in range(width))

    def matrix(self) -> Grid:
        """W^O, with the rows that belong to the columns of concat."""
        w_o = self.problem.w_o
        columns = tuple(str(j + 1) for j in range(w_o.shape[1]))
        return Grid(
            "W^O",
            columns,
            self.beside(),
            tuple(tuple(map(written, row)) for row in w_o.tolist()),
        )

    def exps(self, h: int) -> Grid:
        """Room for e^score and its sum: worked in the first row, empty where weights are asked."""
        rows = []
        for t, scores in enumerate(self.paper["scores"][h].tolist()):
            exps = [E_TABLE[round(score)] for score in scores]
            numbers = [*map(written, exps), written(round(sum(exps), DECIMALS))]
            asked = Cell("weights", (h, t, 0)) in self.items
            rows.append(tuple(Box() if asked else number for number in numbers))
        title = self.say["part"]["softmax"]["exps"].format(head=h + 1)
        columns = (*self.tokens, self.say["sum"])
        return Grid(title, columns, self.tokens, tuple(rows), self.say["asks"], self.say["asked"])

    def cells(
        self, name: str, places: Sequence[Sequence[tuple[int, ...]]]
    ) -> tuple[tuple[Content, ...], ...]:
        """The numbers at those places as they are printed, and boxes for those that are asked."""

        def cell(index: tuple[int, ...]) -> Content:
            asked = self.items.get(Cell(name, index))
            return Box(asked) if asked else written(float(self.paper[name][index]))

        return tuple(tuple(map(cell, row)) for row in places)


def _emptied(grid: Grid) -> Grid:
    """The same with room to work in the place of all rows but the first."""
    rows = (tuple(Box() for _ in row) for row in grid.cells[1:])
    return grid._replace(cells=(grid.cells[0], *rows))


def _one_row(name: str) -> bool:
    """Whether the tensor has one row a token, and not one a head and token."""
    return name in ("concat", "output")
