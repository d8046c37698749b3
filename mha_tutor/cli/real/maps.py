"""`mha-tutor real`: a model's files, measured, and their pages."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...errors import InputError, check_choice
from ...examples.tokens import MAX_TOKENS, check_printable
from ...lab.real.bert import forward
from ...lab.real.folder import Real, real_model
from ...lab.real.fooling import Fooling, pairs
from ...lab.real.measuring import FORMAT_VERSION, LEAST_TOKENS, PLACES, Spread, head_map, spread
from ...lab.real.recording import measured
from ...lab.real.walked import FRAME, SENTENCE
from ...texts import texts
from ...views.page import Page
from ...views.pages import View
from ...views.real_pages import KEYS, Looked, real_page
from ...views.wide import folded
from ..book import ShowOptions, as_typed, check_show, options_as_typed
from ..lab.train import check_export, exported
from ..showing import show
from ..world import World

# What json calls the three arrangements of ``moving``.
ARRANGEMENTS = {"as_is": "own", "word_for_first": "replaced", "first_in_the_middle": "swapped"}


class RealOptions(NamedTuple):
    """The options of `mha-tutor real` as they were typed."""

    sentence: str | None = None
    model_dir: str | None = None
    page: str | None = None
    export: str | None = None
    show: ShowOptions = ShowOptions()

    @property
    def walk(self) -> str:
        """The options with which `step` reads the same sentence with the same model."""
        given = [] if self.sentence is None else ["--sentence", self.sentence]
        given += [] if self.model_dir is None else ["--model-dir", self.model_dir]
        return "".join(f" {part}" for part in (as_typed(given),) if part)


class RealBook:
    """The pages of the map."""

    def __init__(self, looked: Looked, options: RealOptions, spoken: bool = False) -> None:
        self.looked = looked
        self.spoken = spoken
        self.options = options
        self.keys = looked.keys
        self.chapters = tuple(range(len(self.keys)))
        self.sizes = {"heads": 1, "n": 1}

    def page(self, key: str, view: View) -> Page:
        """The page of that key."""
        page = real_page(key, self.looked, view.decimals, spoken=self.spoken)
        return folded(page, "note_means")

    def per_head(self, key: str) -> bool:
        """Every page shows all heads."""
        return False

    def command(self, key: str, view: View) -> list[str]:
        """The arguments of mha-tutor that open that page again."""
        options = self.options
        given = options_as_typed(options, RealOptions(), {"sentence", "page", "export", "show"})
        shown = options_as_typed(options.show, ShowOptions(), {"format"})
        sentence = [] if options.sentence is None else [options.sentence]
        return ["real", *sentence, *given, *shown, "--page", key]


def run_real(options: RealOptions, world: World | None = None) -> None:
    """Measure and show. Raises InputError and WorkError for anything that does not fit."""
    world = world or World.here()
    check_show(options.show)
    if options.page is not None:
        check_choice("--page", options.page, KEYS)
    if options.export is not None:
        check_export(options.export)
    looked = look(real_model(options.model_dir), options.sentence, options.walk)
    if options.page is not None:
        check_choice("--page", options.page, looked.keys)
    spoken = options.export is None and (options.show.format == "plain" or world.accessible)
    book, decimals = RealBook(looked, options, spoken), options.show.decimals
    if options.export is not None:
        pages = [book.page(key, View(0, 0, decimals)) for key in book.keys]
        world.print(exported(options.export, pages, options.show.theme, texts("real")["all"]["file_title"]))
    elif options.show.format == "json":
        world.print_json(as_json(looked))
    else:
        first = 0 if options.page is None else book.keys.index(options.page)
        only = None if options.page is None else (options.page,)
        show(book, View(0, 0, decimals), first, options.show, world, only)


def look(real: Real, sentence: str | None, walk: str | None = "") -> Looked:
    """Everything that the pages show. Raises InputError for a sentence that cannot be read.

    ``walk`` are the options with which `step` reads the same sentence.
    """
    text = SENTENCE if sentence is None else sentence
    check_printable("".join(text.split()), "the sentence")
    tokens = real.pieces.framed(text)
    if len(tokens) <= FRAME:
        raise InputError("The sentence is empty; give one word or more, in quotes.")
    run = forward(real.model, [real.rows_of(tokens)])
    own = spread(run) if len(tokens) >= LEAST_TOKENS else None
    asked = np.stack([seen.weights[0].mean(axis=(0, 1)).astype(float) for seen in run.seen])
    walk = walk if len(tokens) <= MAX_TOKENS else None
    weights = measured(real)
    fooling = None if weights is None else Fooling(pairs(), weights.astype(float), real.name)
    return Looked(head_map(real), fooling, tokens, asked, own, walk)


def as_json(looked: Looked) -> dict[str, Any]:
    """All that was measured, as plain data; heads in an order of layer and head."""
    found = looked.map
    layers, heads = found.own.even.shape
    return {
        "format_version": FORMAT_VERSION,
        "model": found.real.name,
        "source": found.real.source,
        "sentences": found.sentences,
        "uniform": found.own.uniform,
        "threshold": found.threshold,
        "heads": [
            {
                "layer": at + 1,
                "head": h + 1,
                "published": f"{at}.{h}",
                "kind": found.kind(at, h),
                "number": found.number(at, h),
                "sentences": _measured(found.own, at, h),
                "controls": _measured(found.control, at, h),
            }
            for at in range(layers)
            for h in range(heads)
        ],
        "first_token": [
            {
                "layer": at + 1,
                "weight": float(w),
                "share_of_lengths_that_arrive": float(s),
                "length_to_words": float(r),
            }
            for at, (w, s, r) in enumerate(
                zip(found.weight_first, found.share_first, found.lengths, strict=True)
            )
        ],
        "place_or_token": {
            "sentences": found.moved.sentences,
            "layers": [
                {
                    "layer": at + 1,
                    **{
                        name: dict(
                            zip(
                                ("first_place", "middle"),
                                getattr(found.moved, field)[at].tolist(),
                                strict=True,
                            )
                        )
                        for name, field in ARRANGEMENTS.items()
                    },
                }
                for at in range(layers)
            ],
        },
        "it": None if looked.fooling is None else _reference(looked.fooling),
        "sentence": {"tokens": list(looked.tokens), "mean_weight_on_token": looked.asked.tolist()},
    }


def _measured(found: Spread, layer: int, head: int) -> dict[str, float]:
    weights = dict(zip(PLACES, found.weights[layer, head].tolist(), strict=True))
    return {**weights, "spread_over": float(found.even[layer, head])}


def _reference(fooling: Fooling) -> dict[str, Any]:
    return {
        "sentences": [
            {"original": pair.original._asdict(), "control": pair.control._asdict()} for pair in fooling.pairs
        ],
        "weights": fooling.weights.tolist(),
        "right": fooling.right.sum(axis=(2, 3)).tolist(),
    }
