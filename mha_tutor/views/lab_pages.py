"""The pages of `mha-tutor lab train`: what the runs came to, and what each head does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..attention import Array
from ..lab import ROLES, TAGS, Lab, Result, chance, floor
from ..lab.lower_bound import LEAST_VOCAB, TRIES
from ..lab.results import SOLVED, TAKEN, TESTED
from ..lab.task import draw
from ..numbers import counted, form_for
from ..texts import listed, texts
from .page import Band, Bars, Block, Chart, Formula, Listing, Page, Paint, Table, Text

DIGITS = 3
NEAR = 1e-3  # nats


def lab_keys(lab: Lab) -> tuple[str, ...]:
    """The pages in order; some runs have more to explain than others."""
    keys = ["task", "loss", "curve", "floor", "attention", "roles", "damage"]
    if 2 in lab.head_counts and not lab.plan.mixed:
        keys.append("two")
    if lab.plan.mixed:
        keys.append("mixed")
    return tuple(keys)


def lab_page(key: str, lab: Lab, decimals: int = 2) -> Page:
    """The page of that key."""
    keys = lab_keys(lab)
    return LabMaker(key, lab, decimals).page(keys, _BLOCKS[key])


class LabMaker(NamedTuple):
    """One page in the making: its key, the runs, and short names for what pages often need."""

    key: str
    lab: Lab
    decimals: int

    def page(self, keys: tuple[str, ...], make: Callable[[LabMaker], list[Block]]) -> Page:
        """The page with its blocks, its place among ``keys``, and where its numbers come from."""
        lab, all_ = self.lab, texts("lab")
        blocks = make(self)
        if lab.stopped:
            blocks.insert(0, Text(lab_stopped(lab), "note"))
        here = keys.index(self.key)
        seeds = sorted({result.plan.seed for result in lab.results})
        return Page(
            key=self.key,
            stage=self.key,
            title=self.say("title"),
            source=all_["all"]["source"].format(seeds=_ranged(seeds), **self.told),
            blocks=tuple(blocks),
            crumbs=tuple(all_["crumbs"][key] for key in keys),
            here=here,
            number=here + 1,
            total=len(keys),
        )

    @property
    def told(self) -> dict[str, Any]:
        """What every text may name."""
        plan = self.lab.plan
        return {
            "vocab": plan.vocab,
            "d_model": plan.d_model,
            "steps": plan.steps,
            "floor": f"{floor():.{DIGITS}f}",
            "chance": f"{chance(plan.vocab):.{DIGITS}f}",
            "least": LEAST_VOCAB,
        }

    def say(self, name: str, /, **more: object) -> str:
        return str(texts("lab")[self.key][name]).format_map({**self.told, **more})

    def lead(self, name: str = "lead", **more: object) -> Text:
        return Text(self.say(name, **more), "lead")

    def look(self, name: str, **more: object) -> Text:
        return Text(self.say(name, **more), "look", texts("pages")["look"])

    def cut(self, heads: int) -> str:
        say = texts("lab")["all"]
        return str(say["heads_one"] if heads == 1 else say["heads_many"].format(heads=heads))

    def each_head(self, results: tuple[Result, ...]) -> tuple[str, ...]:
        """The name of every head's row, run by run."""
        say = texts("lab")["all"]["row"]
        return tuple(
            say.format(cut=self.cut(result.plan.heads), seed=result.plan.seed, head=h + 1)
            for result in results
            for h in range(result.plan.heads)
        )

    def heads_table(self, results: tuple[Result, ...], values: list[Array], paint: Paint) -> Table:
        """A row a head of every run, a column a tag (of weights) or a slot."""
        say = texts("lab")["all"]
        whole = np.concatenate(values)
        title = self.say("table")
        columns = tuple(say[tag] for tag in (TAGS if paint == "weights" else ROLES))
        return Table(
            title=title,
            values=whole,
            rows=self.each_head(results),
            columns=columns,
            bands=(Band(title, 0, len(columns), form_for(whole, self.decimals), paint=paint),),
            heads=tuple(h for result in results for h in range(result.plan.heads)),
        )


def lab_stopped(lab: Lab) -> str:
    """What is said of runs that were stopped before all were done."""
    said = texts("lab")["all"]["stopped"]
    return str(said.format(done=len(lab.results), planned=lab.planned))


def _ranged(seeds: list[int]) -> str:
    say = texts("lab")["all"]["seeds_one" if len(seeds) == 1 else "seeds_many"]
    return str(say.format(first=seeds[0], last=seeds[-1]))


def nats(value: float) -> str:
    """A loss as these pages write it."""
    return f"{value:.{DIGITS}f}"


def _share(value: float) -> str:
    return f"{value:.1%}"


def _task(m: LabMaker) -> list[Block]:
    plan = m.lab.plan
    batch = draw(plan.form.task, 1, np.random.default_rng(plan.seed))
    rows = []
    for place, (row, tag) in enumerate(zip(batch.features_bsf[0], batch.tags_bs[0], strict=True)):
        name = np.flatnonzero(row[: plan.vocab])
        shown = TAGS[tag] if TAGS[tag] in ROLES else ""
        rows.append((str(place + 1), str(name[0] + 1) if name.size else "", shown or ("?" * (not name.size))))
    columns = (m.say("token"), m.say("name"), m.say("tag"))
    counts = [m.lab.of(heads)[0] for heads in m.lab.head_counts]
    sizes = tuple(
        (str(r.plan.heads), str(plan.d_model // r.plan.heads), counted(r.parameters)) for r in counts
    )
    blocks: list[Block] = [
        m.lead(),
        Listing(m.say("sample"), columns, tuple(rows), right=(0, 1)),
        m.look("mixed" if plan.mixed else "split"),
        Listing(m.say("counts"), (m.say("heads"), m.say("width"), m.say("numbers")), sizes, right=(0, 1, 2)),
    ]
    if len({r.parameters for r in counts}) == 1:
        blocks.append(m.look("equal", count=counted(counts[0].parameters)))
    return [*blocks, m.look("chance")]


def _loss(m: LabMaker) -> list[Block]:
    lab = m.lab
    groups = {heads: [r.loss for r in lab.of(heads)] for heads in lab.head_counts}
    xs = [str(heads) for heads in groups]
    columns = [[sum(g) / len(g), min(g), max(g)] for g in groups.values()]
    if lab.floor_holds:
        xs.append(m.say("floor"))
        columns.append([floor()] * 3)
    xs.append(m.say("chance"))
    columns.append([chance(lab.plan.vocab)] * 3)
    series = tuple(
        Bars(m.say(name), tuple(values), tuple(nats(v) for v in values), "nats")
        for name, values in zip(("mean", "min", "max"), zip(*columns, strict=True), strict=True)
    )
    blocks: list[Block] = [
        m.lead(tested=counted(TESTED)),
        Chart(m.say("chart"), m.say("x"), tuple(xs), series),
        _runs(m),
    ]
    for heads in lab.head_counts:
        results = lab.of(heads)
        done = sum(r.solved for r in results)
        kind = "all_solved" if done == len(results) else "some_solved" if done else "none_solved"
        blocks.append(m.look(kind, cut=m.cut(heads), count=len(results), done=done, share=f"{SOLVED:.0%}"))
    if lab.plan.mixed or not lab.floor_holds:
        blocks.append(m.look("mixed" if lab.plan.mixed else "small"))
    elif 1 in groups:
        blocks.append(m.look("above", best=nats(min(groups[1]))))
    return blocks


def _runs(m: LabMaker) -> Listing:
    say = texts("lab")["all"]
    names = (m.say("x"), m.say("seed"), m.say("loss"), *(say[r] for r in ROLES), m.say("accuracy"))
    rows = tuple(
        (
            str(heads),
            str(r.plan.seed),
            nats(r.loss),
            *map(_share, r.accuracy_r),
            _share(r.accuracy),
            m.say("solved" if r.solved else "stuck"),
        )
        for heads in m.lab.head_counts
        for r in m.lab.of(heads)
    )
    return Listing(m.say("runs"), (*names, m.say("outcome")), rows, right=tuple(range(len(names))))


def _curve(m: LabMaker) -> list[Block]:
    lab = m.lab
    steps = tuple(str(step) for step, _ in lab.results[0].curve)
    series = []
    for heads in lab.head_counts:
        losses = np.array([[loss for _, loss in r.curve] for r in lab.of(heads)]).mean(axis=0).tolist()
        series.append(Bars(m.cut(heads), tuple(losses), tuple(map(nats, losses)), "nats"))
    return [m.lead(), Chart(m.say("chart"), m.say("x"), steps, tuple(series))]


def _floor(m: LabMaker) -> list[Block]:
    lab = m.lab
    blocks: list[Block] = [
        m.lead(),
        *(Text(m.say(n, absent=f"1/{lab.plan.vocab - 5}")) for n in ("one", "two", "three", "four")),
        Formula("ln(3!) / 3", f"= {nats(floor())}"),
    ]
    if lab.plan.vocab < LEAST_VOCAB:
        blocks.append(m.look("small"))
    rows = [
        (m.say("row_floor" if lab.floor_holds else "row_floor_not"), f"{floor():.6f}"),
        (m.say("row_found"), nats(lab.best_graded)),
    ]
    rows.insert(1, (m.say("row_built"), f"{lab.built_graded:.6f}"))
    if (ones := lab.of(1)) and lab.floor_holds:
        rows.append((m.say("row_trained"), nats(min(r.loss for r in ones))))
    rows.append((m.say("row_chance"), nats(chance(lab.plan.vocab))))
    blocks.append(Listing(m.say("check"), (m.say("what"), m.say("value")), tuple(rows), right=(1,)))
    if lab.best_graded > floor():
        blocks.append(m.look("found", best=nats(lab.best_graded), tries=TRIES))
    if lab.floor_holds and lab.built_graded - floor() < NEAR:
        blocks.append(m.look("built", built=f"{lab.built_graded:.6f}"))
    return [*blocks, m.look("not_three"), m.look("not_soft")]


def _attention(m: LabMaker) -> list[Block]:
    results = tuple(r for heads in m.lab.head_counts for r in m.lab.of(heads))
    blocks: list[Block] = [
        m.lead("lead_mixed" if m.lab.plan.mixed else "lead"),
        m.heads_table(results, [r.weights_hg for r in results], "weights"),
    ]
    say = texts("lab")["all"]
    last = results[-1]
    for h in range(last.plan.heads):
        best = int(last.weights_hg[h, : len(ROLES)].argmax())
        told = {
            "cut": m.cut(last.plan.heads),
            "seed": last.plan.seed,
            "head": h + 1,
            "role": say[ROLES[best]],
        }
        blocks.append(m.look("one", weight=f"{last.weights_hg[h, best]:.{m.decimals}f}", **told))
    group = m.lab.of(last.plan.heads)
    if len(group) > 1:
        tops = np.concatenate([r.weights_hg[:, : len(ROLES)].max(axis=1) for r in group])
        low, high = (f"{x:.{m.decimals}f}" for x in (tops.min(), tops.max()))
        blocks.append(m.look("range", cut=m.cut(last.plan.heads), count=len(group), low=low, high=high))
    return blocks


def _roles(m: LabMaker) -> list[Block]:
    say = texts("lab")["all"]
    most = max(m.lab.head_counts)
    rows = []
    blocks: list[Block] = []
    for heads in m.lab.head_counts:
        results = m.lab.of(heads)
        ways = {tuple(r.slots(h) for h in range(heads)) for r in results}
        for r in results:
            cells = [
                listed([say[ROLES[slot]] for slot in sorted(r.slots(h))]) or m.say("nothing")
                for h in range(heads)
            ]
            rows.append((f"{m.cut(heads)}, {r.plan.seed}", *cells, *[""] * (most - heads)))
        kind = (
            "only" if heads == 1 else "lone" if len(results) == 1 else "same" if len(ways) == 1 else "differ"
        )
        blocks.append(m.look(kind, cut=m.cut(heads), ways=len(ways), count=len(results)))
    columns = (m.say("run"), *(m.say("head", head=h + 1) for h in range(most)))
    return [m.lead(taken=TAKEN), Listing(m.say("table"), columns, tuple(rows)), *blocks]


def _damage(m: LabMaker) -> list[Block]:
    results = tuple(r for heads in m.lab.head_counts for r in m.lab.of(heads))
    blocks: list[Block] = [m.lead(), m.heads_table(results, [r.damage_hr for r in results], "signed")]
    for heads in m.lab.head_counts:
        group = m.lab.of(heads)
        clean = [r for r in group if r.one_slot_each]
        told: dict[str, object] = {"cut": m.cut(heads), "count": len(group), "clean": len(clean)}
        if heads == 1 or not clean:
            blocks.append(m.look("lone" if heads == 1 else "spread", **told))
            continue
        own = [r.damage_hr[h, r.slots(h)[0]] for r in clean for h in range(heads)]
        other = max(
            abs(r.damage_hr[h, s])
            for r in clean
            for h in range(heads)
            for s in range(3)
            if s not in r.slots(h)
        )
        low, high, rest = (f"{x:.{m.decimals}f}" for x in (min(own), max(own), other))
        blocks.append(m.look("one_slot", least=low, most=high, other=rest, **told))
    return blocks


def _two(m: LabMaker) -> list[Block]:
    say = texts("lab")["all"]
    results = m.lab.of(2)
    blocks: list[Block] = [m.lead(), m.heads_table(results, [r.weights_hg for r in results], "weights")]
    for r in results:
        told = {"seed": r.plan.seed, "accuracy": _share(r.accuracy), "loss": nats(r.loss)}
        first, second = (set(r.looks_at(h)) for h in range(2))
        each = [
            [say[ROLES[slot]] for slot in slots] for slots in (first & second, first - second, second - first)
        ]
        if r.solved and [len(names) for names in each] == [1, 1, 1]:
            (both,), (own,), (other,) = each
            blocks.append(m.look("twice", both=both, first=own, second=other, **told))
            continue
        for h in range(2):
            if len(r.looks_at(h)) > 1:
                shares = listed([f"{say[ROLES[s]]} {r.weights_hg[h, s]:.2f}" for s in r.looks_at(h)])
                blocks.append(m.look("shared", head=h + 1, shares=shares, **told))
    vocab = m.lab.plan.vocab
    blocks.append(m.look("left", others=vocab - 2, left=nats(chance(vocab - 2) / 3)))
    return blocks if any(r.solved for r in results) else [*blocks, m.look("unsolved")]


def _mixed(m: LabMaker) -> list[Block]:
    say = texts("lab")["all"]
    heads = m.lab.head_counts[0]
    run = min(m.lab.of(heads), key=lambda r: r.loss)
    shown = range(run.plan.heads)
    title = m.say("table")
    form = form_for(run.by_name_hrv, m.decimals)
    values = np.concatenate([run.by_name_hrv[h].T for h in shown], axis=1)
    table = Table(
        title=title,
        values=values,
        rows=tuple(f"{m.say('column')} {v + 1}" for v in range(m.lab.plan.vocab)),
        columns=tuple(say[role] for role in ROLES) * run.plan.heads,
        bands=tuple(
            Band(texts("lab")["roles"]["head"].format(head=h + 1), 3 * h, 3 * h + 3, form, h, "weights")
            for h in shown
        ),
    )
    blocks: list[Block] = [m.lead(cut=m.cut(heads), seed=run.plan.seed), table]
    if (count := len(m.lab.of(heads))) > 1:
        blocks.append(m.look("lowest", count=count))
    for h in shown:
        for r, role in enumerate(ROLES):
            low, high = (form(float(f(run.by_name_hrv[h, r]))) for f in (np.min, np.max))
            told = {"head": h + 1, "role": say[role], "share": f"{run.graded_hr[h, r]:.0%}"}
            blocks.append(m.look("graded", low=low, high=high, **told))
    blocks.append(m.look("solved", accuracy=_share(run.accuracy), loss=nats(run.loss)))
    if heads == 1:
        blocks.append(m.look("below" if run.loss < floor() else "not_below"))
    key = "needed" if run.evened_loss > run.loss + NEAR else "not_needed"
    blocks.append(m.look(key, loss=nats(run.loss), evened=nats(run.evened_loss)))
    return blocks


_BLOCKS: dict[str, Callable[[LabMaker], list[Block]]] = {
    "task": _task,
    "loss": _loss,
    "curve": _curve,
    "floor": _floor,
    "attention": _attention,
    "roles": _roles,
    "damage": _damage,
    "two": _two,
    "mixed": _mixed,
}
