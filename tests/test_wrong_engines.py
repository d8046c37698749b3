"""The checks are checked: each wrong engine here must be caught, by its numbers, by at least one.

A wrong engine is ours with some functions replaced, or with its arguments changed on the way in.
Most are mistakes that people really make. To add one, add a line to WRONG.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
import pytest

from mha_tutor import attention, multihead
from tests.engine_checks import CHECKS, Engine

Function = Callable[..., Any]
right_softmax = attention.softmax


@dataclass(frozen=True)
class Wrong:
    """What is wrong: functions by name, each made from the right one; or a change to the arguments."""

    functions: dict[str, Callable[[Function], Function]] = field(default_factory=dict)
    arguments: Callable[[dict[str, Any]], dict[str, Any]] = dict


def softmax_over(*axes: int) -> Wrong:
    """A softmax whose every total runs over other axes than the last."""

    def wrong(scores: Any, out: Any = None) -> Any:
        exps = np.exp(scores - scores.max(axis=axes, keepdims=True))
        return exps / exps.sum(axis=axes, keepdims=True)

    return Wrong({"softmax": lambda right: wrong})


def softmax_of(weights: Function) -> Wrong:
    return Wrong({"softmax": lambda right: lambda scores, out=None: weights(scores)})


def dots(change: Function) -> Wrong:
    """Scores that are off by what ``change`` makes of heads (h) and width (e)."""
    return Wrong(
        {"dot_products": lambda right: lambda q, k: right(q, k) * change(h=q.shape[-3], e=q.shape[-1])}
    )


def masked(wrong: Function) -> Wrong:
    """A wrong way to mask with booleans; numbers are still added."""

    def replace(right: Function) -> Function:
        return lambda scores, mask: wrong(scores, mask) if mask.dtype == bool else right(scores, mask)

    return Wrong({"mask_scores": replace})


def weighed(wrong: Function) -> Wrong:
    """A wrong order of mask and softmax; without a mask all is right."""

    def replace(right: Function) -> Function:
        return lambda scores, mask=None, keep=True: (
            right(scores) if mask is None or mask.dtype != bool else wrong(scores, mask, right)
        )

    return Wrong({"weigh": replace})


def causal(wrong: Function) -> Wrong:
    return Wrong({"causal_mask": lambda right: wrong})


def shared(share: Function) -> Wrong:
    """Key/value heads handed out in another order."""

    def replace(right: Function) -> Function:
        return lambda left, kv: right(left, share(kv, left.shape[-3] // kv.shape[-3]))

    return Wrong({"dot_products": replace, "mix": replace})


def given(**changes: Callable[[dict[str, Any]], Any]) -> Wrong:
    return Wrong(arguments=lambda args: args | {name: change(args) for name, change in changes.items()})


def without(*names: str) -> Wrong:
    return Wrong(arguments=lambda args: {name: value for name, value in args.items() if name not in names})


def split_by_reshape(right: Function) -> Function:
    return lambda q, heads: q.reshape(*q.shape[:-2], heads, q.shape[-2], q.shape[-1] // heads)


def merge_by_reshape(right: Function) -> Function:
    return lambda mixed: mixed.reshape(*mixed.shape[:-3], mixed.shape[-2], -1)


def mean_of_heads(right: Function) -> Function:
    return lambda mixed: right(np.broadcast_to(mixed.mean(-3, keepdims=True), mixed.shape))


def sum_of_heads(right: Function) -> Function:
    return lambda mixed: right(np.broadcast_to(mixed.sum(-3, keepdims=True), mixed.shape))


def guarded(total: Any) -> Any:
    return np.where(total == 0, 1, total)


def no_max(scores: Any) -> Any:
    exps = np.exp(scores)
    return exps / guarded(exps.sum(-1, keepdims=True))


def no_guard(scores: Any) -> Any:
    exps = np.exp(scores - scores.max(-1, keepdims=True))
    return exps / exps.sum(-1, keepdims=True)


def no_exp(scores: Any) -> Any:
    finite = np.where(np.isneginf(scores), 0, scores)
    return finite / guarded(finite.sum(-1, keepdims=True))


def base_two(scores: Any) -> Any:
    powers = np.exp2(scores - np.maximum(scores.max(-1, keepdims=True), np.finfo(scores.dtype).min))
    return powers / guarded(powers.sum(-1, keepdims=True))


def across_sentences(scores: Any) -> Any:
    exps = np.exp(scores - scores.max()) if scores.ndim > 3 else right_softmax(scores)
    return exps / guarded(exps.sum((0, -1) if scores.ndim > 3 else -1, keepdims=True))


WRONG: dict[str, Wrong] = {
    "softmax over the queries": softmax_over(-2),
    "softmax over the heads": softmax_over(-3),
    "softmax over heads and keys together": softmax_over(-3, -1),
    "softmax over a head's whole map": softmax_over(-2, -1),
    "softmax without taking the maximum off": softmax_of(no_max),
    "softmax without a guard for a row of -inf": softmax_of(no_guard),
    "scores divided by their sum, no exp": softmax_of(no_exp),
    "powers of two instead of e": softmax_of(base_two),
    "no scale": dots(lambda h, e: np.sqrt(e)),
    "scaled by d_k, without the root": dots(lambda h, e: 1 / np.sqrt(e)),
    "scaled by the root of d_model": dots(lambda h, e: 1 / np.sqrt(h)),
    "scaled by the root of the number of heads": dots(lambda h, e: np.sqrt(e / h)),
    "scaled after the softmax": Wrong(
        {
            "dot_products": lambda right: lambda q, k: right(q, k) * np.sqrt(q.shape[-1]),
            "mix": lambda right: lambda weights, v: right(weights, v) / np.sqrt(v.shape[-1]),
        }
    ),
    "queries and keys swapped": Wrong({"dot_products": lambda right: lambda q, k: right(k, q)}),
    "the matrices of queries and keys swapped": given(w_q=lambda a: a["w_k"], w_k=lambda a: a["w_q"]),
    "the keys' matrix for the values": given(w_v=lambda a: a["w_k"]),
    "mask inverted": masked(lambda scores, mask: np.where(mask, -np.inf, scores)),
    "mask of -1e9 for -inf": masked(lambda scores, mask: np.where(mask, scores, -1e9)),
    "mask of -1e-9, a slip for -1e9": masked(lambda scores, mask: np.where(mask, scores, -1e-9)),
    "mask of +inf": masked(lambda scores, mask: np.where(mask, scores, np.inf)),
    "scores times the mask": masked(lambda scores, mask: scores * mask),
    "mask added as 0 and 1": masked(lambda scores, mask: scores + mask),
    "mask forgotten": masked(lambda scores, mask: scores.copy()),
    "mask transposed": masked(
        lambda scores, mask: np.where(
            np.broadcast_to(mask, scores.shape).swapaxes(-1, -2).reshape(scores.shape), scores, -np.inf
        )
    ),
    "mask after the softmax, rows no longer sum to 1": weighed(
        lambda scores, mask, right: right(scores) * mask
    ),
    "numbers of a mask read as booleans": Wrong(
        {"mask_scores": lambda right: lambda scores, mask: right(scores, mask != 0)}
    ),
    "causal order aligned top left with a cache": causal(lambda n, m, past=0: np.tri(n, m, dtype=bool)),
    "causal order that hides a token from itself": causal(
        lambda n, m, past=0: np.tri(n, m, past - 1, dtype=bool)
    ),
    "causal order that shows the next token": causal(lambda n, m, past=0: np.tri(n, m, past + 1, dtype=bool)),
    "causal order upside down": causal(lambda n, m, past=0: ~np.tri(n, m, past - 1, dtype=bool)),
    "causal order forgotten": without("causal"),
    "causal order in place of the mask": Wrong(
        {"_causal_too": lambda right: lambda mask, allowed: right(None, allowed)}
    ),
    "cache forgotten": without("past"),
    "cache with keys and values swapped": Wrong(
        arguments=lambda a: a | ({"past": a["past"][::-1]} if "past" in a else {})
    ),
    "memory forgotten": without("memory"),
    "groups tiled: k0 k1 k0 k1": shared(lambda kv, r: np.concatenate([kv] * r, axis=-3)),
    "groups in reverse": shared(lambda kv, r: np.repeat(kv[..., ::-1, :, :], r, axis=-3)),
    "the first key/value head for everyone": shared(
        lambda kv, r: np.repeat(kv[..., :1, :, :], r * kv.shape[-3], axis=-3)
    ),
    "heads split by reshape, without the swap": Wrong({"split_heads": split_by_reshape}),
    "heads merged by reshape, without the swap back": Wrong({"concat_heads": merge_by_reshape}),
    "heads averaged": Wrong({"concat_heads": mean_of_heads}),
    "heads summed": Wrong({"concat_heads": sum_of_heads}),
    "heads in reverse": Wrong({"concat_heads": lambda right: lambda mixed: right(mixed[..., ::-1, :, :])}),
    "W^O transposed": given(w_o=lambda a: a["w_o"].T),
    "W^O left out": given(w_o=lambda a: np.eye(*a["w_o"].shape, dtype=a["w_o"].dtype)),
    "W^Q transposed": given(w_q=lambda a: a["w_q"].T),
    "query bias forgotten": without("b_q"),
    "value bias forgotten": without("b_v"),
    "output bias forgotten": without("b_o"),
    "float16 computed in float16": Wrong({"widen": lambda right: lambda values: values}),
    "everything in float64": Wrong({"widen": lambda right: lambda values: values.astype(np.float64)}),
    "the batch's sentences in one softmax": softmax_of(across_sentences),
}


def build(wrong: Wrong, patch: pytest.MonkeyPatch) -> Engine:
    """Our engine with what is wrong put in; each replaced name must be one that it has."""
    for name, replace in wrong.functions.items():
        homes = [module for module in (attention, multihead) if hasattr(module, name)]
        assert homes, f"the engine has no function {name}"
        replaced = replace(getattr(homes[0], name))
        for module in homes:
            patch.setattr(module, name, replaced)

    def engine(**arguments: Any) -> Any:
        return multihead.multi_head_attention(**wrong.arguments(arguments))

    return engine


def caught_by(engine: Engine) -> tuple[list[str], list[str]]:
    """The checks that fail by their numbers, and those in which the engine breaks down."""
    by_numbers, broken = [], []
    for check in CHECKS:
        try:
            with np.errstate(all="ignore"):
                check(engine)
        except AssertionError:
            by_numbers.append(check.__name__)
        except (ValueError, TypeError):
            broken.append(check.__name__)
    return by_numbers, broken


@cache
def findings(name: str) -> tuple[list[str], list[str]]:
    with pytest.MonkeyPatch.context() as patch:
        return caught_by(build(WRONG[name], patch))


def test_nothing_wrong_is_not_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    assert caught_by(build(Wrong(), monkeypatch)) == ([], [])


@pytest.mark.parametrize("name", WRONG)
def test_caught(name: str) -> None:
    by_numbers, broken = findings(name)
    assert by_numbers, f"'{name}' gives numbers that no check objects to (it breaks down in {broken})"


def test_every_check_catches_a_wrong_engine() -> None:
    caught = {check for name in WRONG for check in findings(name)[0]}
    assert {check.__name__ for check in CHECKS} == caught
