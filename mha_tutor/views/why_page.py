"""The page that takes one number apart, and if asked the numbers behind it."""

from __future__ import annotations

from math import exp

from ..addresses import Cell, address
from ..examples import Example
from ..explain import Trail, Why, trail
from ..numbers import NumberForm, form_for
from ..texts import texts
from ..trace import Trace
from .page import Band, Block, FirstFit, Listing, Page, Table, Text
from .working import form_of, in_numbers, worked

MOST_TERMS = 16


def why_page(trace: Trace, example: Example, cell: Cell, depth: int = 1, decimals: int = 2) -> Page:
    """Where ``cell`` comes from, ``depth`` rules deep."""
    say = texts("why")
    blocks: list[Block] = []
    seen: set[Cell] = set()
    level = [trail(trace, cell, depth + 1)]
    for _ in range(depth):
        for at in level:
            if at.why is not None:
                seen.add(at.cell)
                blocks += _taken_apart(trace, at.why, decimals)
        level = _next(level, seen, trace)
    if depth and level:
        blocks.append(Text(say["ask_deeper"].format(depth=depth + 1), "look", texts("pages")["look"]))
    return Page(
        key="why",
        title=say["title"].format(where=address(trace, cell)),
        source=texts("pages")["source"].format(example=example.name, provenance=trace.provenance),
        blocks=tuple(blocks),
    )


def _next(level: list[Trail], seen: set[Cell], trace: Trace) -> list[Trail]:
    """The parts one rule further down, each once; not those that are given, 0, or multiplied by 0."""
    found: dict[Cell, Trail] = {}
    for at in level:
        for group in at.parts:
            if len(group) > 1 and any(part.cell.value(trace) == 0 for part in group):
                continue
            for part in group:
                if part.why is None or part.why.rule == "given" or part.cell in seen:
                    continue
                if part.cell.value(trace) != 0:  # what is 0 would only be told to be 0
                    found[part.cell] = part
    return list(found.values())


def _taken_apart(trace: Trace, reason: Why, decimals: int) -> list[Block]:
    """One number: the rule, its parts as a listing, and the sum written as a line."""
    say = texts("why")
    where = address(trace, reason.cell)
    sizes = trace.sizes
    pooled = reason.cell.tensor in {"W_K", "W_V"} and sizes["kv_heads"] != sizes["heads"]
    rule = say["pooled" if pooled else reason.rule].format_map(
        {
            "where": where,
            "numbers": in_numbers(reason.cell),
            "count": len(reason.parts),
            "value": form_of(trace, reason.cell.tensor, decimals)(reason.cell.value(trace)),
            "left": reason.parts[0][0].tensor if reason.parts else "",
            "right": reason.parts[0][-1].tensor if reason.parts else "",
            "part": address(trace, reason.parts[0][0]) if reason.parts else "",
            "divisor": form_for([reason.divisor], decimals)(reason.divisor),
        }
    )
    lead = Text(rule, "lead")
    if reason.rule in {"given", "copy", "removed"}:
        return [lead]
    number = Text("\n".join(worked(trace, reason.cell, decimals)), "number", texts("pages")["one_number"])
    if reason.rule == "product":
        operands = tuple(_operand(trace, [group[i] for group in reason.parts], decimals) for i in (0, 1))
        return [lead, _products(trace, reason, decimals), number, FirstFit((operands,))]
    if reason.rule == "softmax":
        row = _operand(trace, [part for (part,) in reason.parts], decimals)
        return [lead, _exps(trace, reason, decimals), number, row]
    return [lead, number]


def _operand(trace: Trace, cells: list[Cell], decimals: int) -> Table:
    """The matrix that ``cells`` stand in, with their row or column marked."""
    tensor = trace[cells[0].tensor]
    before = cells[0].index[:-2]
    rows, columns = tensor.axes[-2:]
    head = before[0] if before else None
    title = tensor.name if head is None else f"{tensor.name}_{head + 1}"
    shown = title.replace("W_", "W^") if head is None else title
    band = Band(shown, 0, len(columns.labels), form_for(tensor.values, decimals), head)
    if tensor.name == "weights":
        band = band._replace(paint="weights")
    return Table(
        title=shown,
        values=tensor.values[before],
        rows=rows.labels,
        columns=columns.labels,
        bands=(band,),
        counted=rows.letter in "ts",
        marked=frozenset((cell.index[-2], cell.index[-1]) for cell in cells),
    )


def _products(trace: Trace, reason: Why, decimals: int) -> Listing:
    """Left times right, pair by pair; pairs that give 0 are left out of long sums and counted."""
    say = texts("why")
    forms = [form_of(trace, reason.parts[0][side].tensor, decimals) for side in (0, 1)]
    values = [(a, b, a.value(trace), b.value(trace)) for a, b in reason.parts]
    result = form_for([x * y for *_, x, y in values] + [reason.cell.value(trace)], decimals)
    shown = values
    if len(values) > MOST_TERMS // 2:
        shown = [term for term in values if term[2] * term[3] != 0] or values[:1]
        shown = sorted(shown, key=lambda term: -abs(term[2] * term[3]))[:MOST_TERMS]
        shown.sort(key=values.index)
    rows = [
        (address(trace, a), forms[0](x), "x", address(trace, b), forms[1](y), result(x * y))
        for a, b, x, y in shown
    ]
    if reason.bias is not None:
        rows.append((address(trace, reason.bias), "", "", "", "", result(reason.bias.value(trace))))
    left_out = [term for term in values if term not in shown]
    if left_out:
        rest = sum(x * y for *_, x, y in left_out)
        rows.append((say["rest"].format(count=len(left_out)), "", "", "", "", result(rest)))
    rows.append((say["sum"], "", "", "", "", result(reason.cell.value(trace))))
    columns = (reason.parts[0][0].tensor, "", "", reason.parts[0][1].tensor, "", say["product_name"])
    return Listing("", columns, tuple(rows), right=(1, 4, 5), total=1)


def _exps(trace: Trace, reason: Why, decimals: int) -> Listing:
    """Each score, its exp, and its share of the sum."""
    say = texts("why")
    source = reason.parts[0][0].tensor
    scores = [part[0].value(trace) for part in reason.parts]
    top = max(scores)
    shift = top if top > 20 else 0.0
    exps = [exp(s - shift) for s in scores]
    score, number, weight = (
        form_of(trace, source, decimals),
        NumberForm(decimals),
        form_of(trace, "weights", decimals),
    )
    mark = ["> " if i == reason.place else "  " for i in range(len(scores))]
    rows = [
        (f"{mark[i]}{address(trace, part[0])}", score(s), number(e), weight(e / sum(exps)))
        for i, (part, s, e) in enumerate(zip(reason.parts, scores, exps, strict=True))
    ]
    rows.append((say["sum"], "", number(sum(exps)), weight(1.0)))
    exp_name = "exp" if not shift else say["shifted"].format(top=score(top))
    return Listing("", (source, "", exp_name, "weights"), tuple(rows), right=(1, 2, 3), total=1)
