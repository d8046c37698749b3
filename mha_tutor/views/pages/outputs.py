"""The pages from values to the output: mixing, concatenation, W^O, and what comes after."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ...addresses import Cell
from ...attention import Array
from ...examples.example import BIASES
from ...numbers import NumberForm, counted
from ...texts import head_name, listed
from .. import noticing
from ..page import Band, Block, FirstFit, Table, Text
from ..working import bracketed, with_rounding
from .maker import Maker, cells_of, have_names, shortened
from .without import head_label


def mix_blocks(m: Maker) -> list[Block]:
    weights_s, v = m.values["weights"][m.head, m.t], m.values["V"][m.kv]
    mixed = m.values["mixed"][m.head]
    e = noticing.largest_column(mixed[m.t])
    form = m.form(m.values["mixed"])
    form_v = m.form(v)
    parts = weights_s[:, None] * v
    breakdown = _weighted(m, weights_s, v, parts, mixed[m.t])
    everyone = m.side_by_side("t", ("mixed", m.head, m.say("all_tokens")))
    column = v[:, e]
    return [
        m.lead(),
        m.formula(kv=m.kv + 1),
        FirstFit(((breakdown, everyone),)),
        m.number("mixed", m.head, m.t, e),
        m.look(
            "within",
            column=e + 1,
            low=form_v(column.min()),
            high=form_v(column.max()),
            value=form(mixed[m.t, e]),
        ),
        *_largest_parts(m, parts),
        *_columns_off(m, breakdown),
    ]


def _largest_parts(m: Maker, parts: Array) -> list[Block]:
    """From whom most of the mixture comes; nothing where too many are alike."""
    best = noticing.winners(np.linalg.norm(parts, axis=1))
    if best.flat or len(best.places) > noticing.MOST_NAMED:
        return []
    weight = m.values["weights"][m.head, m.t, best.places[0]]
    value = m.form(m.values["weights"])(weight)
    key = "largest" if len(best.places) == 1 else "largests"
    return [m.look(key, asked=m.named(best.places), value=value)]


def _columns_off(m: Maker, table: Table) -> list[Block]:
    """Said once, of the first column whose printed parts do not add to the printed sum."""
    band = table.bands[-1]
    for j in range(band.start, band.stop):
        *parts, total = table.values[:, j].tolist()
        digits = sum(map(band.form.rounded, parts))
        if band.form(digits) != band.form(total):
            told = {"digits": band.form(digits), "full": band.form(total)}
            return [m.look("off", column=j - band.start + 1, **told)]
    return []


def _weighted(m: Maker, weights_s: Array, v: Array, parts: Array, total: Array) -> Table:
    """Weight, value row and their product for every asked token, and the sum as the last row."""
    width = v.shape[1]
    blank = np.full(width, np.nan)
    body = np.concatenate([weights_s[:, None], v, parts], axis=1)
    last = np.concatenate([[weights_s.sum()], blank, total])[None, :]
    columns = tuple(str(j + 1) for j in range(width))
    form_parts = m.form(np.concatenate([parts, total[None, :]]))
    say = m.all["mix"]

    def weight_cell(i: int, _: int) -> Cell:
        return Cell("weights", (m.head, m.t, i))

    return Table(
        title=m.say("breakdown", kv=m.kv + 1),
        values=np.concatenate([body, last]),
        rows=(*m.asked, say["sum"]),
        columns=("", *columns, *columns),
        bands=(
            Band(say["weight"], 0, 1, m.form(m.values["weights"]), None, "weights", cell=weight_cell),
            Band(f"V_{m.kv + 1}", 1, 1 + width, m.form(v), m.head, cell=cells_of("V", m.kv)),
            Band(m.say("breakdown", kv=m.kv + 1), 1 + width, 1 + 2 * width, form_parts, m.head),
        ),
        counted=True,
        total=1,
    )


def concat_blocks(m: Maker) -> list[Block]:
    concat, d_v = m.values["concat"], m.trace.sizes["d_v"]
    removed = m.trace.removed
    c = noticing.largest_column(concat[m.t])
    head, e = divmod(c, d_v)
    form = m.form(concat)
    width = m.heads * d_v
    names = [head_label(m, h) for h in range(m.heads)]
    column = m.labels("c")[c]
    number = m.say(
        "number", column=column, head=head + 1, e=e + 1, value=form(concat[m.t, c]), token=m.trace.tokens[m.t]
    )
    return [
        m.lead(),
        m.formula(parts=shortened(["0" if h in removed else f"mixed_{h + 1}" for h in range(m.heads)], " ")),
        m.table("concat", concat, "tc", bands=_head_bands(m, names, form), columns=_within_heads(m)),
        *([] if head in removed else [Text(number, "number", m.all["one_number"])]),
        m.look("number_name", column=column, head=head + 1, e=e + 1),
        *([m.look("square" if width == m.trace.sizes["d_model"] else "wide")] if m.heads > 1 else []),
        *([m.look("apart")] if m.heads > 1 else []),
    ]


def _head_bands(m: Maker, names: Sequence[str], form: NumberForm) -> tuple[Band, ...]:
    d_v = m.trace.sizes["d_v"]

    def cells(first: int) -> Callable[[int, int], Cell]:
        return lambda i, j: Cell("concat", (i, first + j))

    return tuple(
        Band(name, h * d_v, (h + 1) * d_v, form, h, cell=cells(h * d_v)) for h, name in enumerate(names)
    )


def _within_heads(m: Maker) -> tuple[str, ...]:
    return tuple(str(e + 1) for _ in range(m.heads) for e in range(m.trace.sizes["d_v"]))


def output_blocks(m: Maker) -> list[Block]:
    x, out, w_o = m.values["X"], m.values["output"], m.values["W_O"]
    d = noticing.largest_column(out[m.t])
    sizes = m.trace.sizes
    square = w_o.shape[0] == w_o.shape[1]
    rows = m.table(
        "W_O", w_o, "cd", title="W^O", heads=tuple(h for h in range(m.heads) for _ in range(sizes["d_v"]))
    )
    drawn = [h for h in range(m.heads) if _contribution(m, h)[d] != 0]
    blocks: list[Block] = [
        m.lead(),
        m.formula(),
        m.table("output", out, "td"),
        m.number("output", m.t, d),
    ]
    if m.heads > 1 and drawn:
        every = len(drawn) == m.heads > 2 * noticing.MOST_NAMED
        who = listed([head_name(h) for h in drawn])
        blocks.append(m.look("draws_all") if every else m.look("draws", heads=who))
    gained = int(np.argmax(np.where(x[m.t] == 0, np.abs(out[m.t]), -1)))
    if x[m.t, gained] == 0 and out[m.t, gained] != 0:
        values = {"before": m.form(x)(0.0), "after": m.form(out)(out[m.t, gained])}
        blocks.append(m.look("gains", feature=m.labels("d")[gained], **values))
    last = m.labels("c")[-1]
    named = m.look("rows", row=last, head=m.heads, e=sizes["d_v"])
    return [*blocks, m.look("square" if square else "narrows"), named, rows]


def _contribution(m: Maker, head: int) -> Array:
    """What one head adds to the chosen token's output: head_i W_i^O, (d_model,); 0 if it is removed."""
    if head in m.trace.removed:
        return np.zeros(m.trace.sizes["d_model"])
    d_v = m.trace.sizes["d_v"]
    row: Array = m.values["mixed"][head, m.t] @ m.values["W_O"][head * d_v : (head + 1) * d_v]
    return row


def sum_blocks(m: Maker) -> list[Block]:
    parts = np.stack([_contribution(m, h) for h in range(m.heads)])
    if m.biased:
        parts = np.concatenate([parts, m.values["b_O"][None]])
    total = parts.sum(axis=0)
    form = m.form(np.concatenate([parts, total[None]]))
    say = m.all["sum"]
    names = [head_label(m, h) for h in range(m.heads)] + [say["bias"]] * m.biased
    kept = [h for h in range(m.heads) if h not in m.trace.removed]
    table = m.table(
        m.say("table"),
        np.concatenate([parts, total[None]]),
        "td",
        rows=(*names, say["sum"]),
        bands=(Band(m.say("table"), 0, parts.shape[1], form),),
        heads=(*range(m.heads), *[None] * (1 + m.biased)),
        chosen=None,
        counted=False,
        total=1,
    )
    d = noticing.largest_column(total)
    terms = " + ".join(bracketed(form(part)) for part in parts[:, d])
    digits = sum(form.rounded(part) for part in parts[:, d])
    line = m.say("feature", feature=m.labels("d")[d], terms=terms, value=form(total[d]))
    lengths = np.linalg.norm(parts[: m.heads], axis=1)
    length = m.form(lengths)
    biggest = int(np.argmax(lengths))
    blocks: list[Block] = [
        m.lead("lead" if m.heads > 1 else "lead_one"),
        m.formula(parts=shortened([f"mixed_{h + 1} W_{h + 1}^O" for h in kept], " + ") or "0"),
        table,
        Text(with_rounding(line, digits, total[d], form), "number", m.all["one_number"]),
    ]
    if m.heads > 1 and kept:
        told = {"length": length(lengths[biggest]), "total": length(float(np.linalg.norm(total)))}
        blocks.append(m.look("biggest", head=biggest + 1, **told))
    return [*blocks, m.look("equal")]


def _gained(m: Maker) -> list[Block]:
    """The largest features of the output that the token did not have, and whose work each mostly is."""
    x, out = m.values["X"][m.t], m.values["output"][m.t]
    if (x != 0).all() or not have_names(m.labels("d")):  # a mixture of all numbers, or numbers without names
        return []
    form = m.form(m.values["output"])
    gains = []
    for d in np.argsort(-np.abs(np.where(x == 0, out, 0)), kind="stable")[: noticing.MOST_NAMED].tolist():
        if x[d] != 0 or form(out[d]) in {"0", form(0.0)} or not float(form(out[d])):
            continue
        head = int(np.argmax([abs(_contribution(m, h)[d]) for h in range(m.heads)]))
        told = {"feature": m.labels("d")[d], "value": form(out[d]), "head": head + 1}
        gains.append(m.all["after"]["gain" if m.heads > 1 else "gain_one"].format_map(told))
    return [m.look("gained", gains=listed(gains))] if gains else []


def after_blocks(m: Maker) -> list[Block]:
    rows = np.stack([m.values["X"][m.t], m.values["output"][m.t]])
    say = m.all["after"]
    names = [name for name in ("W_Q", "W_K", "W_V", "W_O", *BIASES) if name in m.trace]
    sizes = {name: m.values[name].size for name in names}
    parts = listed([f"{name.replace('_', '^')} {counted(size)}" for name, size in sizes.items()])
    key = "parameters_fixed" if m.example.fixed_heads else "parameters"
    if m.biased:
        key = "parameters_biased"
    if m.trace.sizes["kv_heads"] != m.heads:
        key = "parameters_shared"
    table = m.table(
        m.say("table"), rows, "td", rows=(say["in"], say["out"]), chosen=None, counted=False,
        bands=(Band(m.say("table"), 0, rows.shape[1], m.form(rows)),),
    )  # fmt: skip
    return [
        m.lead("lead_cross" if m.cross else "lead"),
        m.formula(),
        table,
        *_gained(m),
        m.look(key, count=counted(sum(sizes.values())), parts=parts),
        Text("\n".join(say[name] for name in ("residual", "norm", "feed_forward")), "look", say["next"]),
    ]
