"""The pages of a walk: from a trace to what each page shows. Draws nothing, computes no stage."""

from __future__ import annotations

from collections.abc import Callable

from ...examples import Example
from ...trace import Trace
from ..page import Block, Page, Text
from .maker import Maker, View
from .outputs import after_blocks, concat_blocks, mix_blocks, output_blocks, sum_blocks
from .rows import embed_blocks, project_blocks
from .scores import dots_blocks, mask_blocks, scale_blocks
from .weights import heads_blocks, softmax_blocks
from .without import with_removed, without_blocks

__all__ = ["PER_HEAD", "STAGE_OF_PAGE", "View", "page", "page_keys"]

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
    "without": "output",
    "after": "after",
}
PER_HEAD = ("project", "dots", "scale", "mask", "softmax", "mix")


def page_keys(trace: Trace) -> tuple[str, ...]:
    """The pages of this walk, in order; the mask and a removed head have a page only when there is one."""
    present = {stage.key for stage in trace.stages} | {"after"}
    pages = (key for key, stage in STAGE_OF_PAGE.items() if stage in present)
    return tuple(key for key in pages if trace.removed or key != "without")


def page(key: str, trace: Trace, example: Example, view: View) -> Page:
    """The page of that key. Raises KeyError when this walk has no such page."""
    maker = Maker(key, trace, example, view)
    stage = STAGE_OF_PAGE[key]
    crumbs = list(dict.fromkeys(STAGE_OF_PAGE[k] for k in page_keys(trace)))
    corner = ""
    if key in PER_HEAD and maker.heads > 1:
        corner = maker.all["head_corner"].format(head=maker.i, heads=maker.heads)
        if example.published:
            corner += f" ({example.published[view.head]})"
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
        blocks=_with_words(with_removed(maker, _BLOCKS[key](maker)), maker.words()),
    )


def _with_words(blocks: list[Block], words: tuple[Text, ...]) -> tuple[Block, ...]:
    """The terms come after the last paragraph, before the tables that back the page up."""
    last = max(i for i, block in enumerate(blocks) if isinstance(block, Text)) + 1
    return (*blocks[:last], *words, *blocks[last:])


_BLOCKS: dict[str, Callable[[Maker], list[Block]]] = {
    "embed": embed_blocks,
    "project": project_blocks,
    "dots": dots_blocks,
    "scale": scale_blocks,
    "mask": mask_blocks,
    "softmax": softmax_blocks,
    "heads": heads_blocks,
    "mix": mix_blocks,
    "concat": concat_blocks,
    "output": output_blocks,
    "sum": sum_blocks,
    "without": without_blocks,
    "after": after_blocks,
}
