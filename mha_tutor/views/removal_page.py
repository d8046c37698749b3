"""The page of `mha-tutor real prune`."""

from __future__ import annotations

from ..lab.real.removing import Removal
from ..texts import texts
from .page import Bars, Block, Chart, Listing, Page, Text
from .real_pages import source_line

DIGITS = 3


def removal_page(removal: Removal) -> Page:
    """The curves, always beside the cosine without any attention, and where importance lies."""
    say = texts("real")["prune"]
    layers, heads = removal.importance.shape
    told = {"all_heads": layers * heads, **removal.plan._asdict(), "sentences": removal.sentences}
    flat = tuple(removal.nothing for _ in removal.counts)
    curves = {"most": removal.most, "least": removal.least, "random": removal.by_chance, "nothing": flat}
    series = tuple(
        Bars(say[name], curve, tuple(map(_form, curve)), "cosine") for name, curve in curves.items()
    )
    sums = removal.layers
    rows = tuple(
        (str(at + 1), _form(float(total)), _form(removal.without_layer[at])) for at, total in enumerate(sums)
    )
    largest = int(sums.argmax())
    blocks: list[Block] = [
        Text(say["lead"].format(**told), "lead"),
        Chart(say["chart"], say["x"], tuple(map(str, removal.counts)), series),
        *(_look(say[name].format(**told, **_at_half(removal))) for name in _lines(removal)),
        Listing(
            say["layers"],
            (texts("real")["all"]["layer"], say["added"], say["without"]),
            rows,
            right=(0, 1, 2),
        ),
    ]
    if largest == layers - 1 and layers > 1:
        share = f"{float(sums[largest] / sums.sum()):.0%}"
        blocks.append(_look(say["last"].format(layer=largest + 1, share=share)))
    return Page(
        key="prune",
        stage="prune",
        title=say["title"],
        source=source_line(removal.real),
        blocks=(*blocks, _look(say["alone"])),
        crumbs=(texts("real")["crumbs"]["prune"],),
        number=1,
        total=1,
    )


def _lines(removal: Removal) -> list[str]:
    """What there is to say: about the middle only where one was measured, and of a range only of several."""
    half = ["half"] if len(removal.counts) > 2 else []
    if len(removal.random) == 1:
        return [*half, "floor", "order_one"]
    return [*half, "floor", *(["order"] if half else [])]


def _look(text: str) -> Text:
    return Text(text, "look", texts("pages")["look"])


def _form(value: float) -> str:
    return f"{value:.{DIGITS}f}"


def _at_half(removal: Removal) -> dict[str, object]:
    """What the curves are when about half of the heads are gone."""
    at = min(range(len(removal.counts)), key=lambda i: abs(removal.counts[i] - removal.counts[-1] / 2))
    orders = [curve[at] for curve in removal.random]
    return {
        "half": removal.counts[at],
        "most": _form(removal.most[at]),
        "least": _form(removal.least[at]),
        "chance": _form(removal.by_chance[at]),
        "low": _form(min(orders)),
        "high": _form(max(orders)),
        "nothing": _form(removal.nothing),
    }
