"""An Example walked through multi-head attention: the stages, in order, as a Trace.

The formulas are those of Vaswani et al. 2017, section 3.2. Grouped key/value heads are those of
Ainslie et al. 2023; their matrices are the means over each group of heads, as in section 2.1 there.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import sqrt
from typing import Any, NamedTuple

import numpy as np

from . import attention
from .addresses import Change
from .attention import Array, Mask
from .errors import InputError
from .examples import Example
from .trace import Axis, Product, Stage, Tensor, Trace

FORMULAS = {
    "embed": "X",
    "project": "Q_i = X W_i^Q, K_i = X W_i^K, V_i = X W_i^V",
    "dots": "Q_i K_i^T",
    "scale": "dots_i / sqrt(d_k)",
    "mask": "allowed ? score : -inf",
    "softmax": "softmax over s",
    "mix": "weights_i V_i",
    "concat": "[head_1 ... head_h]",
    "output": "concat W^O = sum_i head_i W_i^O",
}
STAGE_KEYS = tuple(FORMULAS)
OPTIONAL_STAGES = ("mask",)

# The formulas of layers that have biases.
BIASED = {
    "project": "Q_i = X W_i^Q + b_i^Q, K_i = X W_i^K + b_i^K, V_i = X W_i^V + b_i^V",
    "output": "concat W^O + b^O = sum_i head_i W_i^O + b^O",
}

GIVEN = ("X", "X_memory", "W_Q", "W_K", "W_V", "W_O", "b_Q", "b_K", "b_V", "b_O", "allowed")

# The axes of every tensor; k stands for h, or for g where key/value heads are shared.
LETTERS = {
    "X": "td",
    "X_memory": "sd",
    "W_Q": "hde",
    "W_K": "kde",
    "W_V": "kde",
    "W_O": "cd",
    "b_Q": "he",
    "b_K": "ke",
    "b_V": "ke",
    "b_O": "d",
    "allowed": "ts",
    "Q": "hte",
    "K": "kse",
    "V": "kse",
    "dots": "hts",
    "scores": "hts",
    "masked": "hts",
    "weights": "hts",
    "mixed": "hte",
    "concat": "tc",
    "output": "td",
}


class _Plan(NamedTuple):
    """What kind of walk this is: how many heads, who is asked, and whether a mask is on."""

    heads: int
    kv_heads: int
    cross: bool
    masked: bool
    biased: bool
    removed: tuple[int, ...]

    def letters(self, name: str) -> str:
        return LETTERS[name].replace("k", "h" if self.kv_heads == self.heads else "g")

    @property
    def asked(self) -> str:
        return "X_memory" if self.cross else "X"

    @property
    def before_softmax(self) -> str:
        return "masked" if self.masked else "scores"


def walk(
    example: Example,
    *,
    heads: int | None = None,
    kv_heads: int | None = None,
    allowed: Mask | None = None,
    memory: Example | None = None,
    changes: Sequence[Change] = (),
    without: Collection[int] = (),
) -> Trace:
    """Take ``example`` through every stage and keep every number.

    ``heads`` cuts the same columns into that many heads (by default the example's own number);
    ``kv_heads`` shares key/value heads; ``allowed``, booleans (n, m), is a mask; ``memory`` has
    the tokens that are asked in cross-attention. ``changes`` set single numbers of the given
    tensors before anything is computed from them. The heads in ``without``, counted from 0, are
    removed before W^O: their columns of concat are 0.

    Raises InputError for a number of heads that does not divide the width, for key/value heads
    that do not divide the heads, for a mask that leaves a token nobody to ask, and for a head to
    remove that is not there.
    """
    heads = example.heads if heads is None else heads
    example.check_heads(heads)
    kv_heads = heads if kv_heads is None else kv_heads
    _check_kv_heads(heads, kv_heads)
    _check_removed(heads, without)
    removed = tuple(sorted(set(without)))
    plan = _Plan(
        heads, kv_heads, memory is not None, allowed is not None, biased=bool(example.biases), removed=removed
    )
    asked = example if memory is None else memory
    values = _numbers(_given(example, asked, allowed, plan, changes), plan)
    if allowed is not None:
        _check_mask(example, values["allowed"].astype(bool))
    axes = _axes(example, asked, plan)
    tensors = {
        name: Tensor(name, array, tuple(axes[letter] for letter in plan.letters(name)))
        for name, array in values.items()
    }
    return Trace(
        example=example.name,
        provenance=example.provenance,
        sentence=example.sentence,
        given=tuple(tensors[name] for name in GIVEN if name in tensors),
        stages=tuple(_stages(tensors, plan)),
        kv_of_head=tuple(i // (heads // kv_heads) for i in range(heads)),
        removed=removed,
    )


def _given(
    example: Example, asked: Example, allowed: Mask | None, plan: _Plan, changes: Sequence[Change]
) -> dict[str, Array]:
    """The tensors that the walk starts from, by name, with the changes made."""
    found: dict[str, Any] = {"X": example.X.copy(), "W_O": example.W_O.copy()}
    for name, kv_heads in (("W_Q", plan.heads), ("W_K", plan.kv_heads), ("W_V", plan.kv_heads)):
        w_hde = attention.split_columns(getattr(example, name), plan.heads)
        found[name] = attention.pool_heads(w_hde, kv_heads)
        if plan.biased:
            b_h1e = attention.split_columns(example.biases[f"b_{name[-1]}"][None, :], plan.heads)
            found[f"b_{name[-1]}"] = attention.pool_heads(b_h1e, kv_heads)[:, 0]
    if plan.biased:
        found["b_O"] = example.biases["b_O"].copy()
    if plan.cross:
        found["X_memory"] = asked.X.copy()
    if allowed is not None:
        found["allowed"] = np.array(allowed, dtype=bool)
    for change in changes:
        found[change.cell.tensor][change.cell.index] = change.value
    return found


def _numbers(given: dict[str, Any], plan: _Plan) -> dict[str, Array]:
    """Every tensor of the walk by name. This is the whole computation."""
    q_hte = attention.project(given["X"], given["W_Q"], given.get("b_Q"))
    k_gse = attention.project(given[plan.asked], given["W_K"], given.get("b_K"))
    v_gse = attention.project(given[plan.asked], given["W_V"], given.get("b_V"))
    dots_hts = attention.dot_products(q_hte, attention.share_heads(k_gse, plan.heads))
    scores_hts = dots_hts / sqrt(q_hte.shape[-1])
    found = given | {"Q": q_hte, "K": k_gse, "V": v_gse, "dots": dots_hts, "scores": scores_hts}
    if plan.masked:
        found["masked"] = attention.mask_scores(scores_hts, given["allowed"])
    found["weights"] = weights_hts = attention.softmax(found[plan.before_softmax])
    found["mixed"] = mixed_hte = attention.mix(weights_hts, attention.share_heads(v_gse, plan.heads))
    kept_hte = attention.leave_out(mixed_hte, plan.removed) if plan.removed else mixed_hte
    found["concat"] = concat_tc = attention.concat_heads(kept_hte)
    found["output"] = concat_tc @ given["W_O"]
    if plan.biased:
        found["output"] += given["b_O"]
    return found


def _stages(tensors: dict[str, Tensor], plan: _Plan) -> list[Stage]:
    """The stages in order, each with what it reads, what it makes, and how."""

    def stage(key: str, inputs: str, outputs: str, *products: Product) -> Stage:
        return Stage(
            key,
            BIASED.get(key, FORMULAS[key]) if plan.biased else FORMULAS[key],
            tuple(inputs.split()),
            tuple(tensors[name] for name in outputs.split()),
            products,
        )

    def product(output: str, left: str, right: str, left_letters: str | None = None) -> Product:
        ins = left_letters or plan.letters(left), plan.letters(right)
        bias = f"b_{right[-1]}" if plan.biased and right.startswith("W_") else None
        return Product(output, f"{ins[0]},{ins[1]}->{plan.letters(output)}", left, right, bias)

    asked = plan.asked
    projecting = "W_Q W_K W_V b_Q b_K b_V" if plan.biased else "W_Q W_K W_V"
    project = stage(
        "project",
        " ".join(dict.fromkeys(("X", asked, *projecting.split()))),
        "Q K V",
        product("Q", "X", "W_Q"),
        product("K", asked, "W_K", "sd"),  # X's rows are asked here, so their axis is s
        product("V", asked, "W_V", "sd"),
    )
    return [
        stage("embed", "", "X"),
        project,
        stage("dots", "Q K", "dots", product("dots", "Q", "K")),
        stage("scale", "dots", "scores"),
        *([stage("mask", "scores allowed", "masked")] if plan.masked else []),
        stage("softmax", plan.before_softmax, "weights"),
        stage("mix", "weights V", "mixed", product("mixed", "weights", "V")),
        stage("concat", "mixed", "concat"),
        stage(
            "output",
            "concat W_O b_O" if plan.biased else "concat W_O",
            "output",
            product("output", "concat", "W_O"),
        ),
    ]


def _axes(example: Example, asked: Example, plan: _Plan) -> dict[str, Axis]:
    columns = [str(j + 1) for j in range(example.W_Q.shape[1] // plan.heads)]
    labels = {
        "t": example.tokens,
        "s": asked.tokens,
        "d": example.features,
        "h": [f"head {i + 1}" for i in range(plan.heads)],
        "g": [f"kv head {i + 1}" for i in range(plan.kv_heads)],
        "e": columns,
        "c": [f"{i + 1}.{column}" for i in range(plan.heads) for column in columns],
    }
    return {letter: Axis(letter, tuple(names)) for letter, names in labels.items()}


def _check_kv_heads(heads: int, kv_heads: int) -> None:
    fits = [str(g) for g in range(1, heads + 1) if heads % g == 0]
    if str(kv_heads) not in fits:
        raise InputError(
            f"{kv_heads} key/value heads cannot be shared evenly by {heads} heads. "
            f"Choose one of {', '.join(fits)}."
        )


def _check_removed(heads: int, without: Collection[int]) -> None:
    for i in without:
        if not 0 <= i < heads:
            choices = "the only head is 1" if heads == 1 else f"choose from 1 to {heads}"
            raise InputError(f"There is no head {i + 1} to leave out; {choices}.")


def _check_mask(example: Example, allowed: Mask) -> None:
    for token, row in zip(example.tokens, allowed, strict=True):
        if not np.any(row):
            raise InputError(
                f"The mask leaves '{token}' no token to ask, so its weights cannot sum to 1. "
                "Allow it at least one token, or choose other padding."
            )
