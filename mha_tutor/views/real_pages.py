"""The pages of `mha-tutor real`: where a real model's heads look, and what that does not prove."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from math import comb
from typing import Any, NamedTuple

import numpy as np

from ..attention import Array
from ..lab.real.fooling import SCENES, Fooling
from ..lab.real.measuring import (
    EVEN,
    KINDS,
    LEAST_TOKENS,
    MANY,
    PLACES,
    HeadMap,
    Spread,
    kind_of,
    number_of,
)
from ..numbers import form_for
from ..texts import listed, texts
from .page import Band, Bars, Block, Chart, Listing, Page, Table, Text

KEYS = ("sentence", "map", "places", "kinds", "sink", "reference")
STRONGEST = 3
TABLES = ("first", "before", "after", "itself")
TEMPTING = "robot"  # as in the course's own sentence
DIGITS = 2
NEARLY = 0.9  # of the weight: what is left is called the same
CLEARLY = 2  # times the weight: what is called more


class Looked(NamedTuple):
    """What the pages show: the map, one sentence, and the weights from `it` in sentences and controls.

    ``asked`` is (layers, n): the mean weight on each token. ``own`` is None for a sentence that is too
    short, ``fooling`` where the vocabulary lacks a word, and ``walk``, the options with which `step`
    reads the same, for a sentence that is too long to walk.
    """

    map: HeadMap
    fooling: Fooling | None
    tokens: tuple[str, ...]
    asked: Array
    own: Spread | None
    walk: str | None

    @property
    def keys(self) -> tuple[str, ...]:
        """The pages in order; the last one needs a vocabulary that has its words."""
        return KEYS if self.fooling else KEYS[:-1]


def real_page(key: str, looked: Looked, decimals: int = DIGITS, *, spoken: bool = False) -> Page:
    """The page of that key; where it is ``spoken``, maps have words instead of letters."""
    return RealMaker(key, looked, decimals, spoken).page(looked.keys, _BLOCKS[key])


class RealMaker(NamedTuple):
    """One page in the making: its key, what was measured, and short names for what pages often need."""

    key: str
    looked: Looked
    decimals: int
    spoken: bool

    def page(self, keys: tuple[str, ...], make: Callable[[RealMaker], list[Block]]) -> Page:
        """The page with its blocks, its place among ``keys``, and where its numbers come from."""
        here = keys.index(self.key)
        return Page(
            key=self.key,
            stage=self.key,
            title=self.say("title"),
            source=source_line(self.looked.map.real),
            blocks=tuple(make(self)),
            crumbs=tuple(texts("real")["crumbs"][key] for key in keys),
            here=here,
            number=here + 1,
            total=len(keys),
        )

    @property
    def told(self) -> dict[str, Any]:
        """What every text may name."""
        found = self.looked.map
        layers, heads = found.own.even.shape
        return {
            "layers": layers,
            "heads": heads,
            "all_heads": layers * heads,
            "sentences": found.sentences,
            "many": f"{MANY:g}",
            "n": len(self.looked.tokens),
        }

    def say(self, name: str, /, **more: object) -> str:
        return str(texts("real")[self.key][name]).format_map({**self.told, **more})

    def lead(self, name: str = "lead", **more: object) -> Text:
        return Text(self.say(name, **more), "lead")

    def look(self, name: str, **more: object) -> Text:
        return Text(self.say(name, **more), "look", texts("pages")["look"])

    def form(self, value: float) -> str:
        """A mean weight or a cosine as these pages write it."""
        return f"{value:.{self.decimals}f}"

    def by_head(self, title: str, values_lh: Array) -> Table:
        """A row a layer, a column a head, shaded as weights are."""
        layers, heads = values_lh.shape
        band = Band(title, 0, heads, form_for(values_lh, self.decimals), paint="weights")
        names = tuple(f"{texts('real')['all']['layer']} {layer + 1}" for layer in range(layers))
        return Table(title, values_lh, names, tuple(str(h + 1) for h in range(heads)), (band,))

    def letters(self, title: str, own: Spread, kind: Callable[[int, int], str]) -> list[Block]:
        """The map: a letter and a number for every head, and what the letters stand for."""
        layers, heads = own.even.shape
        say, letter = texts("real")["all"], texts("real")["letter"]
        rows = []
        for at in range(layers):
            found = [(kind(at, h), number_of(own, at, h, kind(at, h))) for h in range(heads)]
            if self.spoken:
                rows.append((f"{say['layer']} {at + 1}", *(f"{say[k]} {self.form(x)}" for k, x in found)))
            else:
                rows.append((str(at + 1), *(f"{letter[k]}{_short(x)}" for k, x in found)))
        named = [f"{say['head_alone']} {h + 1}" if self.spoken else str(h + 1) for h in range(heads)]
        numbered = "" if self.spoken else say["head_alone"]
        right = tuple(range(heads + 1))
        listing = Listing(title, (say["layer"], *named), tuple(rows), right, numbered=numbered)
        return [listing] if self.spoken else [listing, Text(say["letters"])]


def source_line(real: Any) -> str:
    """Where the numbers are from, as the foot of every page says it."""
    layers, heads = len(real.model.layers), real.model.heads
    said = texts("real")["all"]["source"]
    return str(said.format(name=real.name, layers=layers, heads=heads, source=real.source))


def head_named(layer: int, head: int) -> str:
    """Head 3 (0.2): counted from 1, and as published."""
    return str(texts("real")["all"]["head"].format(head=head + 1, published=f"{layer}.{head}"))


def _short(value: float) -> str:
    """A number of 0 to 1 in three letters: .46, or 1.0."""
    text = f"{value:.2f}"
    return text[1:] if text.startswith("0") else text[:3]


def _sentence(m: RealMaker) -> list[Block]:
    looked = m.looked
    say = texts("real")["all"]
    title = m.say("table")
    band = Band(title, 0, len(looked.tokens), form_for(looked.asked, m.decimals), paint="weights")
    names = tuple(f"{say['layer']} {layer + 1}" for layer in range(len(looked.asked)))
    blocks: list[Block] = [
        Text(" ".join(looked.tokens), "lead", m.say("label")),
        m.lead(),
        Table(title, looked.asked, names, looked.tokens, (band,)),
    ]
    if looked.own is None:
        return [*blocks, m.look("short", least=LEAST_TOKENS), *_to_walk(m)]
    own, found = looked.own, looked.map
    layers, heads = own.even.shape
    changed = sum(kind_of(own, at, h) != found.kind(at, h) for at in range(layers) for h in range(heads))
    return [
        *blocks,
        *m.letters(m.say("kinds"), own, lambda at, h: kind_of(own, at, h)),
        m.look("even", share=m.form(1 / len(looked.tokens))),
        m.look("changed" if changed else "same", count=changed),
        *_to_walk(m),
    ]


def _to_walk(m: RealMaker) -> list[Block]:
    """The command that walks through the head which looks back most."""
    if m.looked.walk is None:
        return []
    before = m.looked.map.own.weights[..., PLACES.index("before")]
    at, h = (int(i) for i in np.unravel_index(int(before.argmax()), before.shape))
    return [m.look("walk", layer=at + 1, head=h + 1, options=m.looked.walk)]


def _map(m: RealMaker) -> list[Block]:
    found, say = m.looked.map, texts("real")["all"]
    layers, heads = found.own.even.shape
    every = [(at, h) for at in range(layers) for h in range(heads)]
    counts = Counter(found.kind(at, h) for at, h in every)
    numbers = listed([f"{say[kind]} {counts[kind]}" for kind in KINDS if counts[kind]])
    lost = [(at, h) for at, h in every if found.words_only(at, h)]
    names = listed([f"{say['layer']} {at + 1} {head_named(at, h)}" for at, h in lost])
    second = [
        f"{say['layer']} {at + 1} {head_named(at, h)}, {say[place]} {m.form(weight)}"
        for at, h in every
        for place in found.others(at, h)
        for weight in [float(found.own.weights[at, h, PLACES.index(place)])]
    ]
    far = float(found.own.far.max())
    ends = counts["first"] + counts["last"]
    return [
        m.lead(asking=found.own.asking),
        *m.letters(m.say("table"), found.own, found.kind),
        m.look("counts", counts=numbers),
        m.look("uniform", uniform=m.form(found.own.uniform), threshold=m.form(found.threshold)),
        m.look("control"),
        m.look("why_many", far=m.form(far), times=f"{far / found.own.uniform:.1f}"),
        *([m.look("second", heads="; ".join(second))] if second else []),
        m.look("taken", heads=names) if lost else m.look("taken_none"),
        *([m.look("ends", count=ends, named=sum(counts[p] for p in PLACES))] if ends else []),
        m.look("diffuse", even=f"{EVEN:.0%}"),
        m.look("published"),
    ]


def _places(m: RealMaker) -> list[Block]:
    say, own = texts("real")["all"], m.looked.map.own
    tables: list[Block] = []
    looks: list[Block] = []
    for kind in TABLES:
        values = own.weights[..., PLACES.index(kind)]
        tables.append(m.by_head(say[kind], values))
        at, h = np.unravel_index(int(values.argmax()), values.shape)
        told = {"layer": int(at) + 1, "head": head_named(int(at), int(h)), "value": m.form(values[at, h])}
        looks.append(m.look("look", place=say[kind], mean=m.form(float(values.mean())), **told))
    return [m.lead(), *tables, *looks]


def _kinds(m: RealMaker) -> list[Block]:
    found, say = m.looked.map, texts("real")["all"]
    blocks: list[Block] = [m.lead(most=STRONGEST)]
    names = (m.say("columns_head"), m.say("columns_value"), m.say("columns_control"))
    for kind in (*PLACES, "diffuse"):
        own, control = (_measured(each, kind) for each in (found.own, found.control))
        order = np.argsort(-own.ravel(), kind="stable")[:STRONGEST]
        rows = []
        for at, h in (divmod(int(i), own.shape[1]) for i in order):
            times = "" if kind == "diffuse" else f"{own[at, h] / found.own.uniform:.1f}"
            name = f"{say['layer']} {at + 1} {head_named(at, h)}"
            rows.append((name, m.form(own[at, h]), m.form(control[at, h]), times))
        last = "" if kind == "diffuse" else m.say("columns_times")
        blocks.append(Listing(say[kind], (*names, last), tuple(rows), right=(1, 2, 3)))
    before, control = (_measured(each, "before") for each in (found.own, found.control))
    at, h = (int(i) for i in np.unravel_index(int(before.argmax()), before.shape))
    if kind_of(found.own, at, h, found.control) == "before":
        values = {"value": m.form(before[at, h]), "control": m.form(control[at, h])}
        blocks.append(m.look("steady", head=f"{say['layer']} {at + 1} {head_named(at, h)}", **values))
    return [*blocks, m.look("not_clean")]


def _measured(found: Spread, kind: str) -> Array:
    """The number of that kind for every head: (layers, heads)."""
    values: Array = found.even if kind == "diffuse" else found.weights[..., PLACES.index(kind)]
    return values


def _sink(m: RealMaker) -> list[Block]:
    found = m.looked.map
    columns = {"weight": found.weight_first, "share": found.share_first, "length": found.lengths}
    series = tuple(
        Bars(m.say(name), tuple(values.tolist()), tuple(map(m.form, values)), "share")
        for name, values in columns.items()
    )
    layers = tuple(str(layer + 1) for layer in range(len(found.lengths)))
    weight, share = (m.form(float(values.mean())) for values in (found.weight_first, found.share_first))
    low, high = (m.form(float(f(found.lengths))) for f in (np.min, np.max))
    blocks: list[Block] = [
        m.lead(weight=weight),
        Chart(m.say("chart"), texts("real")["all"]["layer"], layers, series),
    ]
    if found.lengths.max() < 1:
        blocks.append(m.look("low", low=low, high=high, weight=weight, share=share))
    blocks.append(m.look("top", top=f"{float(found.own.top.mean()):.0%}"))
    if found.lengths.max() < 1:
        blocks.append(m.look("why"))
    if int(found.lengths.argmax()) == 0:
        blocks.append(m.look("first"))
    return [*blocks, *_place_or_token(m)]


def _place_or_token(m: RealMaker) -> list[Block]:
    """What two changes say about [CLS]: another word in its place, and [CLS] in another place."""
    found = m.looked.map.moved
    arrangements = {"own": found.own, "replaced": found.replaced, "swapped": found.swapped}
    means = {name: values.mean(axis=0).tolist() for name, values in arrangements.items()}
    rows = tuple((m.say(name), m.form(first), m.form(middle)) for name, (first, middle) in means.items())
    columns = ("", m.say("column_first"), m.say("column_middle"))
    (own, word), (replaced, _), (left, moved) = means.values()
    told = {
        name: m.form(x)
        for name, x in zip(
            ("own", "word", "replaced", "left", "moved"), (own, word, replaced, left, moved), strict=True
        )
    }
    blocks: list[Block] = [
        Listing(m.say("place_or_token", count=found.sentences), columns, rows, right=(1, 2)),
        m.look("place" if replaced >= own * NEARLY else "not_place", **told),
        m.look("token" if moved >= word * CLEARLY else "not_token", **told),
    ]
    return [*blocks, m.look("never_seen")]


def _reference(m: RealMaker) -> list[Block]:
    data = m.looked.fooling
    assert data is not None  # else there is no such page
    p = next(i for i, pair in enumerate(data.pairs) if pair.original.meant == TEMPTING)
    favours = data.on_referent[:, :, p, 0] - data.on_other[:, :, p, 0]  # in the original
    at, h = (int(i) for i in np.unravel_index(int(favours.argmax()), favours.shape))
    pair, weights = data.pairs[p], data.weights[at, h, p]
    original, control = pair
    names = {"head": head_named(at, h), "layer": at + 1, "noun": original.meant, "meant": control.meant}
    rows = tuple(
        (m.say(name), each.meant, *(m.form(weights[i, each.nouns.index(noun)]) for noun in original.nouns))
        for i, (name, each) in enumerate(zip(("original", "control_name"), pair, strict=True))
    )
    right = data.right.sum(axis=(2, 3))
    count = data.right.shape[2] * data.right.shape[3]
    tally = Counter(right.ravel().tolist())
    listing = Listing(
        m.say("table", count=count),
        (m.say("right"), m.say("how_many")),
        tuple((f"{k} of {count}", str(tally[k])) for k in sorted(tally)),
        right=(0, 1),
    )
    place, other = pair.original.referent, 1 - pair.original.referent
    blocks: list[Block] = [
        m.lead(),
        *(
            Text(each.text, "note", m.say(name))
            for name, each in zip(("original", "control_name"), pair, strict=True)
        ),
        Listing(m.say("pair"), ("", m.say("stands_for"), *original.nouns), rows, right=(2, 3)),
        m.look("tempting", value=m.form(weights[0, place]), other=m.form(weights[0, other]), **names),
    ]
    if weights[1, other] > weights[1, place]:
        blocks.append(
            m.look("control", value=m.form(weights[1, place]), other=m.form(weights[1, other]), **names)
        )
    if at == 0:
        blocks.append(m.look("first_layer"))
    half, best, coins = count // 2, int(right.max()), median_best(right.size, count)
    told = {"count": count, "half": half}
    blocks += [listing, m.look("half", exactly=tally[half], best=best, **told)]
    share = f"{chance_of_best(right.size, count, coins):.0%}"
    blocks.append(m.look("coins", coins=coins, share=share, **told))
    if best < count:
        blocks.append(m.look("can", scenes=len(SCENES), **told))
    return [*blocks, m.look("one_look")]


def chance_of_best(coins: int, throws: int, least: int) -> float:
    """How likely the best of so many fair coins shows its head at least that often."""
    below = sum(comb(throws, k) for k in range(least)) / 2**throws
    return 1 - float(below**coins)


def median_best(coins: int, throws: int) -> int:
    """How often the best of so many coins shows its head, or more often, in half of all tries."""
    return max(k for k in range(throws + 1) if chance_of_best(coins, throws, k) >= 0.5)


_BLOCKS: dict[str, Callable[[RealMaker], list[Block]]] = {
    "sentence": _sentence,
    "map": _map,
    "places": _places,
    "kinds": _kinds,
    "sink": _sink,
    "reference": _reference,
}
