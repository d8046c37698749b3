"""The pages of a walk: from a trace to what each page shows. Draws nothing, computes no stage."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..attention import Array
from ..examples import Example
from ..explain import Cell
from ..numbers import NumberForm, form_for
from ..texts import texts
from ..trace import Trace
from . import noticing
from .page import Band, Block, FirstFit, Formula, HeadBars, Page, Paint, Ribbons, Table, Text
from .working import listed, tick, worked

# Each page and the stage it belongs to, in order.
STAGE_OF_PAGE = {
    "embed": "embed",
    "project": "project",
    "dots": "dots",
    "scale": "scale",
    "mask": "mask",
    "softmax": "softmax",
    "heads": "softmax",
    "mix": "mix",
    "concat": "concat",
    "output": "output",
    "sum": "output",
    "after": "after",
}
PER_HEAD = ("project", "dots", "scale", "mask", "softmax", "mix")

FIRST_SEEN = {
    "embed": ("token", "row", "d_model"),
    "project": ("projection", "head", "query", "key", "value", "d_k"),
    "dots": ("dot product",),
    "scale": ("score",),
    "mask": ("mask",),
    "softmax": ("softmax", "attention weight"),
    "mix": ("weighted average", "d_v"),
    "concat": ("concat",),
    "output": ("W^O",),
}


class View(NamedTuple):
    """What the reader has chosen: a head and a token, counted from 0, and the decimals."""

    head: int = 0
    token: int = 0
    decimals: int = 2


def page_keys(trace: Trace) -> tuple[str, ...]:
    """The pages of this walk, in order; the mask has a page only when there is one."""
    present = {stage.key for stage in trace.stages} | {"after"}
    return tuple(key for key, stage in STAGE_OF_PAGE.items() if stage in present)


def page(key: str, trace: Trace, example: Example, view: View) -> Page:
    """The page of that key. Raises KeyError when this walk has no such page."""
    maker = _Maker(key, trace, example, view)
    stage = STAGE_OF_PAGE[key]
    crumbs = list(dict.fromkeys(STAGE_OF_PAGE[k] for k in page_keys(trace)))
    corner = ""
    if key in PER_HEAD and maker.heads > 1:
        corner = maker.all["head_corner"].format(head=maker.i, heads=maker.heads)
    return Page(
        key=key,
        stage=stage,
        title=maker.title(),
        crumbs=tuple(maker.all["crumbs"][crumb] for crumb in crumbs),
        here=crumbs.index(stage),
        number=page_keys(trace).index(key) + 1,
        total=len(page_keys(trace)),
        corner=corner,
        head=view.head if corner else None,
        source=maker.all["source"].format(example=trace.example, provenance=trace.provenance),
        blocks=_with_words(_BLOCKS[key](maker), maker.words()),
    )


def _with_words(blocks: list[Block], words: tuple[Text, ...]) -> tuple[Block, ...]:
    """The terms come after the last paragraph, before the tables that back the page up."""
    last = max(i for i, block in enumerate(blocks) if isinstance(block, Text)) + 1
    return (*blocks[:last], *words, *blocks[last:])


class _Maker:
    """One page in the making: the run, the choices, and short names for what pages often need."""

    def __init__(self, key: str, trace: Trace, example: Example, view: View) -> None:
        self.key = key
        self.trace = trace
        self.example = example
        self.view = view
        self.all: dict[str, Any] = texts("pages")
        self.values: dict[str, Array] = {tensor.name: tensor.values for tensor in trace.tensors}

    @property
    def head(self) -> int:
        return self.view.head

    @property
    def i(self) -> int:
        """The chosen head, counted from 1."""
        return self.view.head + 1

    @property
    def kv(self) -> int:
        """The key/value head that the chosen head reads, counted from 0."""
        return self.trace.kv_of_head[self.view.head]

    @property
    def heads(self) -> int:
        return self.trace.sizes["heads"]

    @property
    def t(self) -> int:
        return self.view.token

    @property
    def token(self) -> str:
        return tick(self.trace.tokens[self.t])

    @property
    def asked(self) -> tuple[str, ...]:
        return self.trace.memory_tokens

    @property
    def before_softmax(self) -> str:
        return "masked" if "masked" in self.trace else "scores"

    def title(self) -> str:
        lone = self.key == "heads" and self.heads == 1
        return str(self.all[self.key]["title_one" if lone else "title"])

    def say(self, name: str, /, **more: object) -> str:
        """The page's text of that name, with the sizes, the chosen head and token filled in."""
        sizes = self.trace.sizes
        filled = sizes | {"c": sizes["heads"] * sizes["d_v"], "head": self.i, "kv": self.kv + 1}
        return str(self.all[self.key][name]).format_map({**filled, "token": self.token, **more})

    def lead(self, *names: str, **more: object) -> Text:
        return Text(" ".join(self.say(name, **more) for name in names or ("lead",)), "lead")

    def formula(self, **more: object) -> Formula:
        return Formula(self.say("formula", **more), self.say("shapes", **more))

    def look(self, name: str, **more: object) -> Text:
        return Text(self.say(name, **more), "look", self.all["look"])

    def number(self, tensor: str, *index: int) -> Text:
        lines = worked(self.trace, Cell(tensor, index), self.view.decimals)
        return Text("\n".join(lines), "number", self.all["one_number"])

    def words(self) -> tuple[Text, ...]:
        """The one-line meanings of the terms that first appear on this page."""
        glossary = texts("terms")
        if not (terms := FIRST_SEEN.get(self.key)):
            return ()
        return (Text(" ".join(f"{t}: {glossary[t]}." for t in terms), "words", self.all["words"]),)

    def form(self, values: Array) -> NumberForm:
        return form_for(values, self.view.decimals)

    def named(self, places: Sequence[int], labels: Sequence[str] | None = None) -> str:
        """The tokens in those places; those that share a word carry their number."""
        labels = self.asked if labels is None else labels
        return listed([_numbered(labels, place) for place in places])

    def table(self, name: str, values: Array, axes: str, **more: Any) -> Table:
        """A matrix whose rows and columns are labelled as those axes of the trace's tensors are."""
        rows, columns = (self.labels(letter) for letter in axes)
        words = self.all["axes"]
        is_map = axes == "ts"
        table = Table(
            title=name,
            values=values,
            rows=rows,
            columns=columns,
            bands=(Band(name, 0, values.shape[1], self.form(values)),),
            row_axis=words["from"] if is_map else "",
            counted=axes[0] in "ts",
            chosen=self.t if axes[0] == "t" else None,
        )
        return table._replace(**more)

    def labels(self, letter: str) -> tuple[str, ...]:
        name = {"t": "X", "s": "K", "d": "X", "e": "Q", "c": "concat", "h": "Q"}[letter]
        return self.trace[name].axis(letter).labels

    def score_table(self, name: str, paint: Paint = "signed") -> Table:
        title = f"{name}_{self.i}"
        form, axis = self.form(self.values[name]), self.all["axes"]["to"]
        band = Band(title, 0, len(self.asked), form, self.head, paint, axis)
        return self.table(title, self.values[name][self.head], "ts", bands=(band,))

    def side_by_side(self, names: Sequence[str], axes: str, parts: Sequence[Array], **more: Any) -> Table:
        """Matrices with the same rows as one table, each under its own title."""
        bands, start = [], 0
        for name, part in zip(names, parts, strict=True):
            stop = start + part.shape[1]
            bands.append(Band(name, start, stop, self.form(part), self.head))
            start = stop
        columns = tuple(str(j + 1) for part in parts for j in range(part.shape[1]))
        whole = self.table(
            "", np.concatenate([part[:, :0] for part in parts], axis=1), axes[0] + "e", columns=()
        )
        return whole._replace(
            values=np.concatenate(parts, axis=1), columns=columns, bands=tuple(bands), **more
        )


def _joined(left: Table, right: Table) -> Table:
    """Two tables with the same rows as one, so that the rows are named once."""
    shift = len(left.columns)
    moved = (band._replace(start=band.start + shift, stop=band.stop + shift) for band in right.bands)
    return right._replace(
        values=np.concatenate([left.values, right.values], axis=1),
        columns=left.columns + right.columns,
        bands=(*left.bands, *moved),
    )


def _numbered(labels: Sequence[str], place: int) -> str:
    """`it`, or `the` (4) where the sentence has the word twice."""
    label = labels[place]
    twice = sum(other.lower() == label.lower() for other in labels) > 1
    return f"{tick(label)} ({place + 1})" if twice else tick(label)


def _embed(m: _Maker) -> list[Block]:
    x_td = m.values["X"]
    row, features = x_td[m.t], m.labels("d")
    named = features != tuple(str(j + 1) for j in range(len(features)))
    form = m.form(x_td)
    best = noticing.largest_column(row)
    blocks: list[Block] = [
        m.lead("lead_named" if named else "lead_unnamed"),
        Formula("X", f"X {x_td.shape[0]}x{x_td.shape[1]}"),
        m.table("X", x_td, "td"),
        m.number("X", m.t, best),
    ]
    carried = [f"{features[j]} {form(row[j])}" for j in np.flatnonzero(row)]
    if not carried:
        blocks.append(m.look("empty"))
    elif named and len(carried) <= 2 * noticing.MOST_NAMED:
        blocks.append(m.look("carries", features=listed(carried)))
    if pair := noticing.twins(m.trace.tokens):
        a, b = pair
        differ = [features[j] for j in np.flatnonzero(x_td[a] != x_td[b])]
        names = {"first": m.named([a], m.trace.tokens), "second": m.named([b], m.trace.tokens)}
        if not differ:
            blocks.append(m.look("twins_equal", **names))
        elif named:
            blocks.append(m.look("twins", features=listed(differ), **names))
    if m.example.other_sentence and m.example.words:
        blocks.append(m.look("other_sentence"))
    if m.example.unknown:
        tokens = listed([tick(token) for token in m.example.unknown])
        blocks.append(m.look("unknown" if m.example.position else "unknown_nothing", tokens=tokens))
    return blocks + [Text(note, "look", m.all["look"]) for note in m.example.notes]


def _project(m: _Maker) -> list[Block]:
    w_q, w_k, w_v = m.values["W_Q"][m.head], m.values["W_K"][m.kv], m.values["W_V"][m.kv]
    q, k, v = m.values["Q"][m.head], m.values["K"][m.kv], m.values["V"][m.kv]
    i, g = m.i, m.kv + 1
    same_rows = "X_memory" not in m.trace
    matrices = m.side_by_side([f"W_{i}^Q", f"W_{g}^K", f"W_{g}^V"], "d", [w_q, w_k, w_v])
    made: list[Block] = (
        [m.side_by_side([f"Q_{i}", f"K_{g}", f"V_{g}"], "t", [q, k, v])]
        if same_rows
        else [m.side_by_side([f"Q_{i}"], "t", [q]), m.side_by_side([f"K_{g}", f"V_{g}"], "s", [k, v])]
    )
    column = noticing.largest_column(q[m.t])
    blocks: list[Block] = [
        m.lead("lead", "others") if m.heads > 1 else m.lead(),
        m.formula(kv=g),
        *made,
        m.number("Q", m.head, m.t, column),
    ]
    features = m.labels("d")
    read = [noticing.rows_read(w) for w in (w_q, w_k)]
    if all(len(rows) == len(features) for rows in read):
        blocks.append(m.look("reads_all"))
    elif all(0 < len(rows) <= 2 * noticing.MOST_NAMED for rows in read):
        query, key = (listed([features[j] for j in rows]) for rows in read)
        blocks.append(m.look("reads_some", query_features=query, key_features=key))
    if not q[m.t].any():
        blocks.append(m.look("no_query"))
    elif (fit := np.argmax(q[m.t] * k, axis=None)) is not None:
        s, e = np.unravel_index(int(fit), k.shape)
        asked = noticing.winners(q[m.t] @ k.T)
        if q[m.t, e] * k[s, e] > 0 and int(s) in asked.places:
            form_q, form_k = m.form(q), m.form(k)
            blocks.append(
                m.look("meets", asked=m.named([int(s)]), column=e + 1, q=form_q(q[m.t, e]), k=form_k(k[s, e]))
            )
    sharing = [h for h, kv in enumerate(m.trace.kv_of_head) if kv == m.kv]
    if len(sharing) > 1:
        who = listed([m.all["head_name"].format(head=h + 1) for h in sharing])
        blocks.append(m.look("shared", heads=who, count=len(sharing)))
    return [*blocks, matrices]


def _dots(m: _Maker) -> list[Block]:
    dots_ts = m.values["dots"][m.head]
    form = m.form(m.values["dots"])
    best = noticing.winners(dots_ts[m.t])
    s = best.places[0]
    q = m.side_by_side([f"Q_{m.i}"], "t", [m.values["Q"][m.head]])
    k = m.side_by_side([f"K_{m.kv + 1}"], "s", [m.values["K"][m.kv]])
    dots = m.score_table("dots")
    blocks: list[Block] = [
        m.lead(),
        m.formula(kv=m.kv + 1),
        FirstFit(((_joined(q, dots), k), (_joined(q, dots),), (dots,))),
        m.number("dots", m.head, m.t, s),
    ]
    if best.flat:
        return [*blocks, m.look("all_equal", value=form(best.value))]
    blocks.append(m.look("largest", value=form(best.value), asked=m.named(best.places)))
    if dots_ts.shape[0] == dots_ts.shape[1] and form(dots_ts[m.t, s]) != form(dots_ts[s, m.t]):
        a, b = m.trace.tokens[m.t], m.asked[s]
        values = {"ab": form(dots_ts[m.t, s]), "ba": form(dots_ts[s, m.t])}
        blocks.append(m.look("not_symmetric", a=a, b=b, **values))
    return blocks


def _scale(m: _Maker) -> list[Block]:
    dots, scores = m.values["dots"], m.values["scores"]
    divisor = float(np.sqrt(m.trace.sizes["d_k"]))
    shown = m.form(np.array([divisor]))(divisor)
    best = noticing.winners(scores[m.head, m.t])
    old, new = m.form(dots), m.form(scores)
    row = {"low": old(dots[m.head, m.t].min()), "high": old(dots[m.head, m.t].max())}
    before, after = m.score_table("dots"), m.score_table("scores")
    row |= {"new_low": new(scores[m.head, m.t].min()), "new_high": new(scores[m.head, m.t].max())}
    blocks: list[Block] = [
        m.lead(divisor=shown),
        m.formula(divisor=shown),
        FirstFit(((_joined(before, after),), (after,))),
        m.number("scores", m.head, m.t, best.places[0]),
    ]
    if not best.flat:
        blocks.append(m.look("range", **row))
    if m.trace.sizes["d_k"] != m.trace.sizes["d_model"]:
        blocks.append(m.look("width"))
    return blocks


def _mask(m: _Maker) -> list[Block]:
    return [m.lead(), m.formula(), m.score_table("masked")]


def _softmax(m: _Maker) -> list[Block]:
    weights_ts = m.values["weights"][m.head]
    form = m.form(m.values["weights"])
    row = weights_ts[m.t]
    best = noticing.winners(row)
    source = m.before_softmax
    before, after = m.score_table(source), m.score_table("weights", "weights")
    blocks: list[Block] = [
        m.lead(),
        m.formula(source=source),
        FirstFit(((_joined(before, after),), (after,))),
        m.number("weights", m.head, m.t, best.places[0]),
    ]
    if best.flat:
        blocks.append(m.look("tie_all", count=len(row)))
    elif len(best.places) <= noticing.MOST_NAMED:
        kind = "by_hand" if m.example.built_by_hand and not m.example.other_sentence else "winner"
        kind += "s" if len(best.places) > 1 else ""
        blocks.append(m.look(kind, value=form(best.value), asked=m.named(best.places)))
    off = [t for t in (m.t, *range(len(weights_ts))) if not _digits_add_up(weights_ts[t], form)]
    if off:
        digits = sum(form.rounded(w) for w in weights_ts[off[0]])
        token = m.named([off[0]], m.trace.tokens)
        blocks.append(m.look("digits", token=token, digits=form(digits)))
    hits, of = noticing.looks_back(weights_ts)
    if hits >= 0.75 * of:
        blocks.append(m.look("previous", count=hits, of=of))
        first = noticing.winners(weights_ts[0])
        told = {"value": form(first.value), "asked": m.named(first.places)}
        kind = "first" if len(first.places) == 1 else "firsts"
        if "masked" not in m.trace:
            blocks.append(m.look(kind, token=m.named([0], m.trace.tokens), **told))
    return blocks


def _digits_add_up(row: Array, form: NumberForm) -> bool:
    return form(sum(form.rounded(w) for w in row)) == form(1.0)


def _heads(m: _Maker) -> list[Block]:
    weights_hs = m.values["weights"][:, m.t]
    form = m.form(m.values["weights"])
    tokens = m.asked
    blocks: list[Block] = [
        m.lead("lead" if m.heads > 1 else "lead_one"),
        m.formula(),
        HeadBars(weights_hs, tokens, form, m.head, m.trace.tokens[m.t]),
        Ribbons(weights_hs, tokens, form, m.trace.tokens[m.t]),
    ]
    if m.heads == 1:
        share = noticing.main_share(weights_hs[0])
        if len(share) > 1:
            together = form(float(weights_hs[0][list(share)].sum()))
            blocks.append(m.look("spread", asked=m.named(share), value=together))
        return blocks
    bests = [noticing.winners(row) for row in weights_hs]
    for h, best in enumerate(bests[: 2 * noticing.MOST_NAMED]):
        if best.flat:
            blocks.append(m.look("flat", head=h + 1, value=form(best.value)))
        elif len(best.places) <= noticing.MOST_NAMED:
            asked = m.named(best.places)
            blocks.append(m.look("most", head=h + 1, value=form(best.value), asked=asked))
    if len({best.places for best in bests}) == 1:
        blocks.append(m.look("same", asked=m.named(bests[0].places)))
    return blocks


def _mix(m: _Maker) -> list[Block]:
    weights_s, v = m.values["weights"][m.head, m.t], m.values["V"][m.kv]
    mixed = m.values["mixed"][m.head]
    e = noticing.largest_column(mixed[m.t])
    form = m.form(m.values["mixed"])
    form_v = m.form(v)
    parts = weights_s[:, None] * v
    breakdown = _weighted(m, weights_s, v, parts, mixed[m.t])
    everyone = m.side_by_side([m.say("all_tokens")], "t", [mixed])
    largest = int(np.argmax(np.linalg.norm(parts, axis=1)))
    form_w = m.form(m.values["weights"])
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
        m.look("largest", asked=m.named([largest]), value=form_w(weights_s[largest])),
    ]


def _weighted(m: _Maker, weights_s: Array, v: Array, parts: Array, total: Array) -> Table:
    """Weight, value row and their product for every asked token, and the sum as the last row."""
    width = v.shape[1]
    blank = np.full((1, 1 + width), np.nan)
    body = np.concatenate([weights_s[:, None], v, parts], axis=1)
    last = np.concatenate([blank, total[None, :]], axis=1)
    columns = tuple(str(j + 1) for j in range(width))
    form_parts = m.form(np.concatenate([parts, total[None, :]]))
    say = m.all["mix"]
    return Table(
        title=m.say("breakdown", kv=m.kv + 1),
        values=np.concatenate([body, last]),
        rows=(*m.asked, say["sum"]),
        columns=("", *columns, *columns),
        bands=(
            Band(say["weight"], 0, 1, m.form(m.values["weights"]), None, "weights"),
            Band(f"V_{m.kv + 1}", 1, 1 + width, m.form(v), m.head),
            Band(m.say("breakdown", kv=m.kv + 1), 1 + width, 1 + 2 * width, form_parts, m.head),
        ),
        counted=True,
        total=1,
    )


def _concat(m: _Maker) -> list[Block]:
    concat, d_v = m.values["concat"], m.trace.sizes["d_v"]
    c = noticing.largest_column(concat[m.t])
    head, e = divmod(c, d_v)
    form = m.form(concat)
    width = m.heads * d_v
    names = [m.all["head_name"].format(head=h + 1) for h in range(m.heads)]
    column = m.labels("c")[c]
    number = m.say(
        "number", column=column, head=head + 1, e=e + 1, value=form(concat[m.t, c]), token=m.trace.tokens[m.t]
    )
    return [
        m.lead(),
        m.formula(parts=_shortened([f"mixed_{h + 1}" for h in range(m.heads)], " ")),
        m.table("concat", concat, "tc", bands=_head_bands(m, names, form), columns=_within_heads(m)),
        Text(number, "number", m.all["one_number"]),
        m.look("square" if width == m.trace.sizes["d_model"] else "wide"),
        *([m.look("apart")] if m.heads > 1 else []),
    ]


def _head_bands(m: _Maker, names: Sequence[str], form: NumberForm) -> tuple[Band, ...]:
    d_v = m.trace.sizes["d_v"]
    return tuple(Band(name, h * d_v, (h + 1) * d_v, form, h) for h, name in enumerate(names))


def _within_heads(m: _Maker) -> tuple[str, ...]:
    return tuple(str(e + 1) for _ in range(m.heads) for e in range(m.trace.sizes["d_v"]))


def _shortened(parts: Sequence[str], joint: str) -> str:
    """At most four parts; the middle of a longer list becomes dots."""
    if len(parts) > 4:
        parts = [*parts[:2], "...", parts[-1]]
    return joint.join(parts)


def _output(m: _Maker) -> list[Block]:
    x, out, w_o = m.values["X"], m.values["output"], m.values["W_O"]
    d = noticing.largest_column(out[m.t])
    sizes = m.trace.sizes
    square = w_o.shape[0] == w_o.shape[1]
    rows = m.table("W^O", w_o, "cd", heads=tuple(h for h in range(m.heads) for _ in range(sizes["d_v"])))
    drawn = [h for h in range(m.heads) if _contribution(m, h)[d] != 0]
    blocks: list[Block] = [
        m.lead(),
        m.formula(),
        m.table("output", out, "td"),
        m.number("output", m.t, d),
    ]
    if m.heads > 1 and drawn:
        who = listed([m.all["head_name"].format(head=h + 1) for h in drawn])
        blocks.append(m.look("draws", heads=who))
    gained = int(np.argmax(np.where(x[m.t] == 0, np.abs(out[m.t]), -1)))
    if x[m.t, gained] == 0 and out[m.t, gained] != 0:
        values = {"before": m.form(x)(0.0), "after": m.form(out)(out[m.t, gained])}
        blocks.append(m.look("gains", feature=m.labels("d")[gained], **values))
    return [*blocks, m.look("square" if square else "narrows"), rows]


def _contribution(m: _Maker, head: int) -> Array:
    """What one head adds to the chosen token's output: head_i W_i^O, (d_model,)."""
    d_v = m.trace.sizes["d_v"]
    row: Array = m.values["mixed"][head, m.t] @ m.values["W_O"][head * d_v : (head + 1) * d_v]
    return row


def _sum(m: _Maker) -> list[Block]:
    parts = np.stack([_contribution(m, h) for h in range(m.heads)])
    total = parts.sum(axis=0)
    out = m.values["output"][m.t]
    form = m.form(np.concatenate([parts, total[None]]))
    say = m.all["sum"]
    names = tuple(say["head"].format(head=h + 1) for h in range(m.heads))
    table = m.table(
        m.say("table"),
        np.concatenate([parts, total[None]]),
        "td",
        rows=(*names, say["sum"]),
        bands=(Band(m.say("table"), 0, parts.shape[1], form),),
        heads=(*range(m.heads), None),
        chosen=None,
        counted=False,
        total=1,
    )
    d = noticing.largest_column(total)
    terms = " + ".join(_bracketed(form(part)) for part in parts[:, d])
    digits = sum(form.rounded(part) for part in parts[:, d])
    line = m.say("feature", feature=m.labels("d")[d], terms=terms, value=form(total[d]))
    if form(digits) != form(total[d]):
        line += "\n" + m.all["rounding"].format(digits=form(digits), full=form(total[d]))
    lengths = np.linalg.norm(parts, axis=1)
    length = m.form(lengths)
    biggest = int(np.argmax(lengths))
    blocks: list[Block] = [
        m.lead(),
        m.formula(parts=_shortened([f"mixed_{h + 1} W_{h + 1}^O" for h in range(m.heads)], " + ")),
        table,
        Text(line, "number", m.all["one_number"]),
    ]
    if m.heads > 1:
        told = {"length": length(lengths[biggest]), "total": length(float(np.linalg.norm(total)))}
        blocks.append(m.look("biggest", head=biggest + 1, **told))
    difference = float(np.abs(total - out).max())
    return [*blocks, m.look("equal", difference=f"{difference:.0e}" if difference else "0")]


def _bracketed(number: str) -> str:
    return f"({number})" if number.startswith("-") else number


def _after(m: _Maker) -> list[Block]:
    rows = np.stack([m.values["X"][m.t], m.values["output"][m.t]])
    say = m.all["after"]
    names = ("W_Q", "W_K", "W_V", "W_O")
    sizes = {name: m.values[name].size for name in names}
    parts = listed([f"{name.replace('_', '^')} {size}" for name, size in sizes.items()])
    key = "parameters_fixed" if m.example.fixed_heads else "parameters"
    table = m.table(
        m.say("table"), rows, "td", rows=(say["in"], say["out"]), chosen=None, counted=False,
        bands=(Band(m.say("table"), 0, rows.shape[1], m.form(rows)),),
    )  # fmt: skip
    return [
        m.lead(),
        m.formula(),
        table,
        m.look(key, count=sum(sizes.values()), parts=parts),
        Text("\n".join(say[name] for name in ("residual", "norm", "feed_forward")), "look", say["next"]),
    ]


_BLOCKS: dict[str, Callable[[_Maker], list[Block]]] = {
    "embed": _embed,
    "project": _project,
    "dots": _dots,
    "scale": _scale,
    "mask": _mask,
    "softmax": _softmax,
    "heads": _heads,
    "mix": _mix,
    "concat": _concat,
    "output": _output,
    "sum": _sum,
    "after": _after,
}
