"""One number, and the numbers it is made from."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, fsum, sqrt
from typing import NamedTuple

from .addresses import Cell, address, parse_address
from .trace import Product, Trace

__all__ = ["Cell", "Trail", "Why", "address", "parse_address", "trail", "why", "worked"]


class Why(NamedTuple):
    """How a cell comes about.

    ``rule`` is "given", "product" (the sum of left times right, pair by pair, and the ``bias`` if
    there is one), "scale" (the one part over ``divisor``), "mask" (the one part, or -inf where it
    is not ``allowed``), "softmax" (the exp of part number ``place`` over the sum of the exps of all
    parts), "copy" (the part) or "removed" (0, since the head is left out).
    """

    cell: Cell
    rule: str
    parts: tuple[tuple[Cell, ...], ...] = ()
    divisor: float = 1.0
    place: int = 0
    allowed: bool = True
    bias: Cell | None = None


@dataclass(frozen=True)
class Trail:
    """A cell, the rule behind it, and the same for each of its parts, as far down as was asked.

    ``why`` is None, and ``parts`` empty, where the trail was not followed further.
    """

    cell: Cell
    why: Why | None
    parts: tuple[tuple[Trail, ...], ...] = ()


def trail(trace: Trace, cell: Cell, depth: int = 1) -> Trail:
    """The reasons for ``cell``, ``depth`` rules deep, and never further than the given tensors.

    A part that occurs more than once is the same Trail each time.
    """
    known: dict[tuple[Cell, int], Trail] = {}

    def follow(cell: Cell, depth: int) -> Trail:
        if (cell, depth) not in known:
            reason = why(trace, cell) if depth > 0 else None
            parts = reason.parts if reason else ()
            below = tuple(tuple(follow(part, depth - 1) for part in group) for group in parts)
            known[cell, depth] = Trail(cell, reason, below)
        return known[cell, depth]

    return follow(cell, depth)


def worked(trace: Trace, reason: Why) -> float:
    """The number that ``reason`` gives when its rule is applied to its parts."""
    numbers = [[part.value(trace) for part in group] for group in reason.parts]
    if reason.rule == "given":
        return reason.cell.value(trace)
    if reason.rule == "removed":
        return 0.0
    if reason.rule == "product":
        bias = reason.bias.value(trace) if reason.bias else 0.0
        return fsum(left * right for left, right in numbers) + bias
    if reason.rule == "softmax":
        top = max(score for (score,) in numbers)
        exps = [exp(score - top) for (score,) in numbers]
        return exps[reason.place] / fsum(exps)
    ((number,),) = numbers
    return number / reason.divisor if reason.allowed else float("-inf")


def why(trace: Trace, cell: Cell) -> Why:
    """The rule and the cells behind ``cell``. Raises KeyError for a tensor the trace has not."""
    name, index = cell.tensor, cell.index
    for stage in trace.stages:
        for product in stage.products:
            if product.output == name:
                pairs, bias = _pairs(trace, product, index), _bias(trace, product, index)
                return Why(cell, "product", pairs, bias=bias)
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
            if head in trace.removed:
                return Why(cell, "removed")
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


def _bias(trace: Trace, product: Product, index: tuple[int, ...]) -> Cell | None:
    """The cell of the bias that is added to the output cell at ``index``."""
    if product.bias is None:
        return None
    place = dict(zip(product.spec.split("->")[1], index, strict=True))
    return Cell(product.bias, tuple(place[letter] for letter in trace[product.bias].letters))
