"""Shapes of published models, each with its source, and the choice of a shape from options.

Only the attention is described. Where a source names no context length or number type, the one
used here is a choice; the notes in texts/cost.en.toml say so to the reader.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypedDict, Unpack

from ..errors import InputError
from .shape import HeadsError, Shape, unknown


@dataclass(frozen=True)
class Preset:
    """A published shape. ``total`` is the size its makers give for the whole model, if used here."""

    name: str
    title: str
    shape: Shape
    source: str
    total: int | None = None


PRESETS = {
    preset.name: preset
    for preset in (
        Preset(
            "gpt3",
            "GPT-3 175B",
            Shape.of(12288, 96, layers=96, tokens=2048),
            "Brown et al. 2020, arXiv:2005.14165, section 2.1 and Table 2.1",
            total=175_000_000_000,
        ),
        Preset(
            "gpt2",
            "GPT-2, smallest model",
            Shape.of(768, 12, layers=12, tokens=1024),
            "openai/gpt-2, src/model.py, default_hparams",
        ),
        Preset(
            "bert-base",
            "BERT base",
            Shape.of(768, 12, layers=12, tokens=512),
            "Devlin et al. 2019, arXiv:1810.04805, section 3; google-research/bert, modeling.py",
        ),
        Preset(
            "transformer-base",
            "Transformer base",
            Shape.of(512, 8, layers=6, tokens=512),
            "Vaswani et al. 2017, arXiv:1706.03762, section 3.2.2 and Table 3",
        ),
        Preset(
            "transformer-big",
            "Transformer big",
            Shape.of(1024, 16, layers=6, tokens=512),
            "Vaswani et al. 2017, arXiv:1706.03762, Table 3",
        ),
        Preset(
            "llama2-70b",
            "Llama 2 70B",
            Shape.of(8192, 64, kv_heads=8, layers=80, tokens=4096),
            "Touvron et al. 2023, arXiv:2307.09288, appendix A.2.1; config.json of Llama-2-70b-hf",
        ),
    )
}
ROBOT = Shape.of(12, 3, tokens=9, dtype="float64")  # the robot example; a test holds it to that


@dataclass(frozen=True)
class Chosen:
    """A shape, the preset it started from, and the names of the sizes that were given and differ."""

    shape: Shape
    preset: Preset | None = None
    changed: tuple[str, ...] = ()


def find_preset(name: str) -> Preset:
    """The preset of that name. Raises InputError, with a suggestion, when there is none."""
    if isinstance(name, str) and name.lower() in PRESETS:
        return PRESETS[name.lower()]
    raise unknown("preset", name, PRESETS)


class Sizes(TypedDict, total=False):
    """The sizes that can be given; None is as good as not given."""

    d_model: int | None
    heads: int | None
    kv_heads: int | None
    layers: int | None
    tokens: int | None
    batch: int | None
    dtype: str | None
    head_width: int | None


def choose(preset: str | None = None, **sizes: Unpack[Sizes]) -> Chosen:
    """The preset's shape, or the robot example's, with every size that is given put over it.

    A model with one K and V for each head keeps that when only ``heads`` is given. Raises
    InputError for an unknown preset or dtype and for sizes that do not fit each other.
    """
    start = None if preset is None else find_preset(preset)
    base = ROBOT if start is None else start.shape
    given: dict[str, Any] = {name: value for name, value in sizes.items() if value is not None}
    head_width = given.pop("head_width", None)
    kept = {name: getattr(base, name) for name in ("d_model", "heads", "layers", "tokens", "batch", "dtype")}
    if base.kind != "mha":
        kept["kv_heads"] = base.kv_heads
    try:
        shape = Shape.of(**(kept | given), head_width=head_width)
    except HeadsError as error:
        if "heads" in given:
            raise
        origin = "the robot example" if start is None else start.title
        raise InputError(f"{error} ({base.heads} heads are those of {origin}.)") from None
    changed = [name for name in given if getattr(shape, name) != getattr(base, name)]
    if head_width is not None:
        changed.append("d_k")
    return Chosen(shape, start, tuple(changed))
