"""The page of `mha-tutor lab prune`."""

from __future__ import annotations

from ..lab import ROLES, Lab
from ..lab.pruning import TRIES, Pruned
from ..lab.results import SOLVED
from ..texts import listed, texts
from .lab_pages import LabMaker, nats
from .page import Bars, Block, Chart, Listing, Page


def prune_page(pruned: Pruned, decimals: int = 2) -> Page:
    """The curves, always beside the loss without attention, and what can be said of spare heads."""
    maker = LabMaker("prune", Lab((pruned.result,), 1, 0.0, 0.0), decimals)
    return maker.page(("prune",), lambda m: _blocks(m, pruned))


def _blocks(m: LabMaker, pruned: Pruned) -> list[Block]:
    heads = pruned.result.plan.heads
    rows = range(heads + 1)
    curves = {name: getattr(pruned, name).losses for name in ("most", "least", "random")}
    curves["nothing"] = tuple(pruned.nothing for _ in rows)
    series = tuple(
        Bars(m.say(name), values, tuple(map(nats, values)), "nats") for name, values in curves.items()
    )
    blocks: list[Block] = [
        m.lead(heads=heads, tries=TRIES),
        Chart(m.say("chart"), m.say("x"), tuple(map(str, rows)), series),
        m.look("floor"),
        _heads(m, pruned),
    ]
    told = {"heads": heads, "share": f"{SOLVED:.0%}", "spare": pruned.spare, "needed": heads - pruned.spare}
    if not pruned.result.solved:
        return [*blocks, m.look("unsolved")]
    blocks.append(m.look("kept_some" if pruned.spare else "kept_all", **told))
    if heads - len(ROLES) > pruned.spare:
        blocks.append(m.look("honest", extra=heads - len(ROLES)))
    return blocks


def _heads(m: LabMaker, pruned: Pruned) -> Listing:
    say = texts("lab")["all"]
    rows = tuple(
        (
            str(h + 1),
            nats(float(pruned.importance_h[h])),
            listed([say[ROLES[slot]] for slot in pruned.result.slots(h)]) or m.say("none"),
        )
        for h in range(pruned.result.plan.heads)
    )
    return Listing(m.say("heads"), (m.say("head"), m.say("added"), m.say("slots")), rows, right=(0, 1))
