"""The page of `mha-tutor cost`: figures from ``cost``, sentences from texts/cost.en.toml."""

from __future__ import annotations

from typing import Any

from .. import cost
from ..cost import Chosen, Shape, Sweep
from ..numbers import bytes_scaled, bytes_written, count_scaled, counted, percent
from ..texts import texts
from .page import Bars, Block, Chart, Formula, Listing, Page, Text

PARAMETERS = "d h d_k + d g d_k + d g d_v + h d_v d"
MATRIX_SIZES = {"W_Q": "d x h d_k", "W_K": "d x g d_k", "W_V": "d x g d_v", "W_O": "h d_v x d"}
STAGES = {
    "project": "n d (h d_k + g d_k + g d_v)",
    "dots": "h n n d_k",
    "scale": "",
    "softmax": "",
    "mix": "h n n d_v",
    "concat": "",
    "output": "n h d_v d",
}
RIGHT, WRONG = "h 3 d (d/h) + d d", "h 3 (d/h) (d/h) + d d"
UNITS = {
    "wrong_formula": "parameters",
    "matrix_multiply_adds": "multiply_adds",
    "score_multiply_adds": "multiply_adds",
}
MOST_ROWS = 16  # of a chart


def make_cost_page(chosen: Chosen) -> Page:
    """All figures of a shape as one page."""
    shape = chosen.shape
    return Page(
        key="cost",
        title=texts("cost")["title"],
        corner=f"{shape.kind.upper()}: h = {counted(shape.heads)}, g = {counted(shape.kv_heads)}",
        source=_source(chosen),
        blocks=(
            _lead(shape),
            *_parameters(shape),
            *_wrong(shape),
            *_work(shape),
            *_cache(shape),
            *_charts(shape),
            *_notes(chosen),
        ),
    )


def _source(chosen: Chosen) -> str:
    words, preset = texts("cost"), chosen.preset
    if preset is None:
        return str(words["source_own" if chosen.changed else "source_robot"])
    if not chosen.changed:
        return preset.title
    sizes = chosen.shape.sizes()
    names = ", ".join(f"{name} = {sizes[name]}" for name in chosen.changed)
    return str(words["changed"].format(title=preset.title, names=names))


def _lead(shape: Shape) -> Text:
    sizes = {name: counted(getattr(shape, name)) for name in ("tokens", "batch", "layers")}
    per_number = bytes_written(shape.dtype_bytes)
    lead = texts("cost")["lead"].format(
        sizes=_sizes(shape), **sizes, dtype=shape.dtype, dtype_bytes=per_number
    )
    return Text(lead, "lead")


def _parameters(shape: Shape) -> list[Block]:
    words = texts("cost")["parameters"]
    rows = [
        (name.replace("_", "^"), MATRIX_SIZES[name], f"{counted(a)} x {counted(b)}", counted(a * b))
        for name, (a, b) in cost.matrices(shape).items()
    ]
    one, biased = cost.parameters(shape), cost.parameters(shape, with_biases=True)
    totals = [
        (texts("cost")["one_layer"], "", "", counted(one)),
        (texts("cost")["with_biases"], "", "", counted(biased)),
    ]
    if shape.layers > 1:
        totals.append((_all_layers(shape), "", "", counted(one * shape.layers)))
    text = "fixed" if shape.fixed_width else "mha" if shape.kind == "mha" else "shared"
    own = cost.parameters(shape.with_kv_heads(shape.heads))
    return [
        Formula(PARAMETERS, texts("cost")["a_layer"].format(count=counted(one))),
        Listing(words["title"], tuple(words["columns"]), (*rows, *totals), right=(3,), total=len(totals)),
        Text(
            words[text].format(d_k=counted(shape.d_k), own=counted(own)),
            "look",
            words[f"{text}_label"],
        ),
    ]


def _wrong(shape: Shape) -> list[Block]:
    words, wrong = texts("cost")["wrong"], cost.wrong_parameters(shape)
    if wrong is None:
        return [Text(words["none"])]
    right = cost.parameters(shape.with_kv_heads(shape.heads))
    rows = ((words["right"], RIGHT, counted(right)), (words["wrong"], WRONG, counted(wrong)))
    text = words["text"].format(d_model=counted(shape.d_model), d_k=counted(shape.d_k))
    blocks: list[Block] = [
        Listing(words["title"], tuple(words["columns"]), rows, right=(2,)),
        Text(text, "look", words["label"]),
    ]
    return blocks + ([Text(words["one_head"])] if shape.heads == 1 else [])


def _work(shape: Shape) -> list[Block]:
    words, work, made = texts("cost")["work"], cost.multiply_adds(shape), cost.numbers_made(shape)
    batch = "b " if shape.batch > 1 else ""
    rows = [
        (
            key,
            batch + formula if formula else "",
            counted(work[key]) if key in work else "",
            counted(made[key]),
        )
        for key, formula in STAGES.items()
    ]
    one = sum(work.values())
    totals = [
        (texts("cost")["one_layer"], "", counted(one), ""),
    ]
    if shape.layers > 1:
        totals.append((_all_layers(shape), "", counted(one * shape.layers), ""))
    text = "fixed" if shape.fixed_width else "mha" if shape.kind == "mha" else "shared"
    return [
        Listing(words["title"], tuple(words["columns"]), (*rows, *totals), right=(2, 3), total=len(totals)),
        Text(words[text].format(entries=counted(made["softmax"])), "look", words["label"]),
        Text(words["tokens"].format(even=counted(cost.even_tokens(shape))), "look", words["tokens_label"]),
        Text(words["dense"]),
    ]


def _cache(shape: Shape) -> list[Block]:
    words = texts("cost")["cache"]
    kinds = {"MHA": shape.heads, "GQA": shape.kv_heads, "MQA": 1}
    if shape.kind != "gqa":
        del kinds["GQA"]
    if shape.heads == 1:
        del kinds["MQA"]
    here = shape.kind.upper()
    names = [words["here"].format(kind=kind) if kind == here else kind for kind in kinds]
    caches = [cost.cache(shape, kv_heads) for kv_heads in kinds.values()]
    rows = [
        (words["kv_heads"], *(counted(one.kv_heads) for one in caches)),
        (words["numbers"], *(counted(one.token_layer) for one in caches)),
    ]
    for name in ("token_layer", "token", "whole"):
        if name == "token" and shape.layers == 1:
            continue
        taken = [one.bytes_of(getattr(one, name)) for one in caches]
        rows.append((words[name], *map(counted, taken)))
        if name != "token_layer" and min(taken) >= 1024:
            rows.append(("", *map(bytes_scaled, taken)))
    right = tuple(range(1, len(caches) + 1))
    return [
        Listing(words["title"], ("", *names), tuple(rows), right=right),
        Text(words["text"], "look", words["label"]),
        Text(words["why"], "look", words["why_label"]),
    ]


def _charts(shape: Shape) -> list[Block]:
    words = texts("cost")["charts"]
    heads = _chart(cost.over_heads(shape), "h", words["heads"], shape.heads)
    blocks: list[Block] = [
        Text(words["heads_fixed_look" if shape.fixed_width else "heads_look"]),
        heads,
    ]
    if shape.heads > 1:
        blocks.append(_chart(cost.over_kv_heads(shape), "g", words["kv_heads"], shape.kv_heads))
    tokens = _chart(cost.over_tokens(shape), "n", words["tokens"], shape.tokens, "doublings")
    blocks += [Text(words["tokens_look"]), tokens, Text(words["here"])]
    if tokens.here is None:
        blocks.append(Text(words["between"].format(tokens=counted(shape.tokens))))
    return blocks


def _chart(sweep: Sweep, x_name: str, title: str, here: int, scale: Any = "linear") -> Chart:
    """A sweep as a chart; of many rows every few are left out, never the shape's own."""
    step = -(-len(sweep.xs) // MOST_ROWS)
    last = len(sweep.xs) - 1
    rows = [i for i, x in enumerate(sweep.xs) if i % step == 0 or x == here or i == last]
    series = [
        Bars(
            texts("cost")["series"][one.key],
            tuple(one.values[i] for i in rows),
            tuple("-" if (value := one.values[i]) is None else counted(value) for i in rows),
            UNITS.get(one.key, one.key),
        )
        for one in sweep.series
        if any(value is not None for value in one.values)
    ]
    xs = [sweep.xs[i] for i in rows]
    return Chart(
        title,
        x_name,
        tuple(counted(x) for x in xs),
        tuple(series),
        scale,
        xs.index(here) if here in xs else None,
    )


def _notes(chosen: Chosen) -> list[Block]:
    preset, shape = chosen.preset, chosen.shape
    if preset is None:
        return []
    words = texts("cost")["presets"][preset.name]
    everything = cost.parameters(shape) * shape.layers
    filled = {name: counted(size) for name, size in shape.sizes().items() if isinstance(size, int)}
    filled |= {"group": counted(shape.heads // shape.kv_heads), "all": counted(everything)}
    if preset.total:
        filled |= {
            "all_scaled": count_scaled(everything),
            "percent": percent(everything, preset.total),
            "total_scaled": count_scaled(preset.total),
        }
    notes = [*words["notes"], *(() if chosen.changed else words["unchanged"])]
    source = Text(preset.source, label=texts("cost")["source_label"])
    return [*(Text(note.format(**filled)) for note in notes), source]


def _sizes(shape: Shape) -> str:
    width = f"d_k = d_v = {counted(shape.d_k)}"
    if shape.d_k != shape.d_v:
        width = f"d_k = {counted(shape.d_k)}, d_v = {counted(shape.d_v)}"
    heads = f"h = {counted(shape.heads)}, g = {counted(shape.kv_heads)}"
    return f"d = {counted(shape.d_model)}, {heads}, {width}"


def _all_layers(shape: Shape) -> str:
    return str(texts("cost")["all_layers"].format(layers=counted(shape.layers)))
