"""From options to a walk: the example, its sentence, its heads and its mask."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from . import masks
from .addresses import Change
from .errors import InputError
from .examples import REAL, Example, find
from .stages import walk
from .trace import Trace
from .whatif import parse_change, without_token


class WalkOptions(NamedTuple):
    """The options that say what is walked, as they were typed."""

    heads: int | None = None
    kv_heads: int | None = None
    example: str | Example = "robot"
    sentence: str | None = None
    memory: str | None = None
    causal: bool = False
    pad: tuple[str, ...] = ()
    set: tuple[str, ...] = ()
    without_token: str | None = None
    seed: int = 0
    layer: int | None = None
    model_dir: str | None = None
    without_head: tuple[int, ...] = ()
    variant: str | None = None


def chosen_example(options: WalkOptions) -> Example:
    """The example under the sentence asked for. Raises InputError."""
    if options.seed < 0:
        raise InputError(f"--seed {options.seed}: choose a whole number, 0 or more.")
    if options.variant is not None:
        return _sheet_example(options)
    given = options.example
    if given == REAL:
        return _real(options)
    for name in ("layer", "model_dir"):
        if getattr(options, name) is not None:
            raise InputError(f"--{name.replace('_', '-')} goes with --example {REAL} only. Leave it out.")
    example = given if isinstance(given, Example) else find(given, seed=options.seed)
    return example if options.sentence is None else example.with_sentence(options.sentence)


def _sheet_example(options: WalkOptions) -> Example:
    """The problem of a printed sheet. Raises InputError."""
    from .classroom.sheets.variants import variant  # only those who ask wait for it

    usual = WalkOptions()
    for name in ("example", "sentence", "memory"):
        if getattr(options, name) != getattr(usual, name):
            raise InputError(
                f"--variant and --{name} do not go together: the code of a sheet says all of it. "
                "Leave one of the two out."
            )
    return variant(str(options.variant)).example


class Chosen(NamedTuple):
    """A walk that is ready to be shown: with its changes, and as it was before them."""

    example: Example
    trace: Trace
    before: Trace
    changes: tuple[Change, ...]


def chosen_walk(options: WalkOptions) -> Chosen:
    """The example and its walk. Raises InputError for anything that does not fit."""
    example = chosen_example(options)
    if options.without_token is not None:
        place = chosen_token(example.tokens, options.without_token, "--without-token")
        example = without_token(example, place)
    memory = None if options.memory is None else example.with_sentence(options.memory, "the text of --memory")
    if memory is not None and options.causal:
        raise InputError(
            "--causal and --memory do not go together: in cross-attention the tokens that are asked "
            "belong to another text, so none of them comes later. Leave one of the two out."
        )
    places: list[int] = []
    if options.pad:
        padded, places = _padded(memory or example, options.pad)
        example, memory = (padded, None) if memory is None else (example, padded)
    n, m = len(example.tokens), len((memory or example).tokens)
    sets_mask = any(text.strip().lower().startswith("allowed") for text in options.set)
    kind = masks.MaskKind(options.causal, tuple(places))
    allowed = masks.mask(n, m, kind) if any(kind) or sets_mask else None
    run = partial(
        walk,
        example,
        heads=options.heads,
        kv_heads=options.kv_heads,
        allowed=allowed,
        memory=memory,
        without=[i - 1 for i in options.without_head],
    )
    before = run()
    changes = tuple(parse_change(before, text) for text in options.set)
    trace = run(changes=changes) if changes else before
    return Chosen(example, trace, before, changes)


def _real(options: WalkOptions) -> Example:
    """A layer of a real model under the sentence asked for."""
    from .lab.real.walked import changed_by, real_example  # only those who ask read 90 MB

    layer = 1 if options.layer is None else options.layer
    example = real_example(options.model_dir, layer, options.sentence)
    if options.kv_heads not in (None, example.heads):
        raise InputError(
            f"--kv-heads {options.kv_heads}: the model was trained with K and V for each of its "
            f"{example.heads} heads. With fewer it is another model, which nobody trained. Leave it out."
        )
    if options.memory is not None:
        return changed_by("memory", example)
    return changed_by("mask", example) if options.causal or options.pad else example


def _padded(example: Example, words: Sequence[str]) -> tuple[Example, list[int]]:
    """The places of the padding tokens; a word that the sentence has not is added at its end."""
    places: list[int] = []
    for word in words:
        if not word.strip():
            raise InputError("--pad '' is no token. Give a word of the sentence, or a new one such as [PAD].")
        found = [i for i, token in enumerate(example.tokens) if token == word and i not in places]
        if found:
            places.append(found[0])
            continue
        example = example.with_tokens((*example.tokens, word))
        places.append(len(example.tokens) - 1)
    return example, places


def chosen_token(tokens: Sequence[str], given: str, option: str = "--token") -> int:
    """The place of a token given by its word or by its number from 1. Raises InputError."""
    for same in (given.__eq__, lambda token: token.lower() == given.lower()):
        places = [i for i, token in enumerate(tokens) if same(token)]
        if len(places) == 1:
            return places[0]
        if places:
            numbers = " or ".join(str(i + 1) for i in places)
            raise InputError(
                f"{option} '{given}' stands {len(places)} times; say which by number: {numbers}."
            )
    if given.isdecimal() and 1 <= int(given) <= len(tokens):
        return int(given) - 1
    choices = ", ".join(f"{i + 1} {token}" for i, token in enumerate(tokens))
    raise InputError(f"{option} '{given}' is not in the sentence. Choose a word or its number: {choices}.")


def first_token(example: Example, given: str | None) -> int:
    """The token that --token names; without it the one the walk starts with. Raises InputError."""
    return start_token(example) if given is None else chosen_token(example.tokens, given)


def start_token(example: Example) -> int:
    """The token a walk starts with: the example's own, else the last word that is not a mark."""
    if example.start is not None:
        return example.tokens.index(example.start)
    words = [i for i, token in enumerate(example.tokens) if token[0].isalnum()]
    return words[-1] if words else len(example.tokens) - 1
