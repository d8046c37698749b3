"""One number, and the numbers it is made from."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

from .trace import Product, Trace


@dataclass(frozen=True)
class Cell:
    """One place in one tensor of a trace; the index counts from 0."""

    tensor: str
    index: tuple[int, ...]

    def value(self, trace: Trace) -> float:
        """The number in that place."""
        return float(trace[self.tensor].values[self.index])

    def label(self, trace: Trace, letter: str) -> str:
        """The label of this cell along the axis of that letter."""
        tensor = trace[self.tensor]
        return tensor.axis(letter).labels[self.index[tensor.letters.index(letter)]]


class Why(NamedTuple):
    """How a cell comes about.

    ``rule`` is "given", "product" (the sum of left times right, pair by pair), "scale" (the one
    part over ``divisor``), "mask" (the one part, or -inf where it is not ``allowed``), "softmax"
    (the exp of part number ``place`` over the sum of the exps of all parts) or "copy" (the part).
    """

    cell: Cell
    rule: str
    parts: tuple[tuple[Cell, ...], ...] = ()
    divisor: float = 1.0
    place: int = 0
    allowed: bool = True


def why(trace: Trace, cell: Cell) -> Why:
    """The rule and the cells behind ``cell``. Raises KeyError for a tensor the trace has not."""
    name, index = cell.tensor, cell.index
    for stage in trace.stages:
        for product in stage.products:
            if product.output == name:
                return Why(cell, "product", _pairs(trace, product, index))
        if stage.key == "embed" or name not in [tensor.name for tensor in stage.outputs]:
            continue
        if name == "scores":
            return Why(cell, "scale", ((Cell("dots", index),),), divisor=sqrt(trace.sizes["d_k"]))
        if name == "masked":
            allowed = bool(trace["allowed"].values[index[-2:]])
            return Why(cell, "mask", ((Cell("scores", index),),), allowed=allowed)
        if name == "weights":
            source = stage.inputs[0]
            row = tuple((Cell(source, (*index[:2], s)),) for s in range(trace.sizes["m"]))
            return Why(cell, "softmax", row, place=index[-1])
        if name == "concat":
            t, c = index
            head, e = divmod(c, trace.sizes["d_v"])
            return Why(cell, "copy", ((Cell("mixed", (head, t, e)),),))
    trace[name]
    return Why(cell, "given")


def _pairs(trace: Trace, product: Product, index: tuple[int, ...]) -> tuple[tuple[Cell, ...], ...]:
    """The pairs of cells whose products add up to the output cell at ``index``."""
    operands, output = product.spec.split("->")
    left, right = operands.split(",")
    place = dict(zip(output, index, strict=True))
    if "h" in place and "g" not in place:
        place["g"] = trace.kv_of_head[place["h"]]
    (summed,) = set(left + right) - set(place)
    size = trace[product.left].values.shape[left.index(summed)]
    pairs = []
    for j in range(size):
        place[summed] = j
        pairs.append(
            (
                Cell(product.left, tuple(place[letter] for letter in left)),
                Cell(product.right, tuple(place[letter] for letter in right)),
            )
        )
    return tuple(pairs)
