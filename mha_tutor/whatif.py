"""What if a number were another: changes, what they reach, and the changed example to keep."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import isfinite

from . import attention
from .addresses import Change, address, parse_address
from .attention import Array
from .errors import InputError
from .examples import Example
from .examples.example import BIASES
from .numbers import form_for
from .stages import GIVEN
from .texts import texts
from .trace import Trace

LARGEST = 1e9


def parse_change(trace: Trace, text: str) -> Change:
    """Read ``W_Q[head 2, pronoun, 1] = 0``. Raises InputError for what cannot be set, or not to that."""
    where, equals, number = text.rpartition("=")
    if not equals:
        raise InputError(f"'{text}' has no '='. Write a place and its new number: X[it, noun]=1")
    cell = parse_address(trace, where)
    if cell.tensor not in GIVEN:
        given = ", ".join(name for name in GIVEN if name in trace)
        raise InputError(
            f"{cell.tensor} is computed, so it cannot be set. Set a number it comes from, in {given}."
        )
    try:
        value = float(number)
    except ValueError:
        value = float("nan")
    if not isfinite(value) or abs(value) > LARGEST:
        raise InputError(f"'{number.strip()}' is not a number that can be set; give one such as 0 or -0.5.")
    if cell.tensor == "allowed" and value not in (0, 1):
        raise InputError(f"{address(trace, cell)} is 1 (may ask) or 0 (may not), not {number.strip()}.")
    return Change(cell, value)


def told(trace: Trace, change: Change) -> tuple[str, str, str]:
    """The address of a change, the number before and the number after, as they are written.

    ``trace`` is the walk before any change.
    """
    before = float(trace[change.cell.tensor].values[change.cell.index])
    form = form_for([before, change.value], 12)
    return address(trace, change.cell), form(before), form(change.value)


def sources(trace: Trace, tensor: str) -> tuple[str, ...]:
    """The given tensors that ``tensor`` is made from, through all stages; itself when it is given."""
    made_from = {
        output.name: stage.inputs
        for stage in trace.stages
        if stage.key != "embed"
        for output in stage.outputs
    }
    for stage in trace.stages:  # each of Q, K and V reads its own matrix alone
        for product in stage.products:
            own = (product.left, product.right)
            made_from[product.output] = own if product.bias is None else (*own, product.bias)
    found: list[str] = []
    waiting = [tensor]
    while waiting:
        name = waiting.pop()
        if name in made_from:
            waiting += made_from[name]
        else:
            found.append(name)
    return tuple(name for name in GIVEN if name in found)


def without_token(example: Example, place: int) -> Example:
    """The example with one token left out; the other rows stay as they are, positions included."""
    keep = [i for i in range(len(example.tokens)) if i != place]
    if len(keep) < 2:
        raise InputError("A walk needs at least 2 tokens, so no more can be left out.")
    start = example.start if example.start != example.tokens[place] else None
    tokens = tuple(example.tokens[i] for i in keep)
    left_out = texts("whatif")["left_out"].format(token=f"`{example.tokens[place]}`")
    notes = (*example.notes, left_out)
    return replace(example, tokens=tokens, X=example.X[keep], start=start, notes=notes, other_sentence=True)


def changed_example(example: Example, trace: Trace, changes: Sequence[Change]) -> Example:
    """The walk's given numbers as an example of its own, to be written to a file.

    Shared key/value heads are written once for each head that reads them. A mask is not part of
    an example.
    """
    heads = trace.sizes["heads"]
    w_q, w_k, w_v = (
        attention.pack_columns(attention.share_heads(trace[name].values, heads))
        for name in ("W_Q", "W_K", "W_V")
    )
    count = len(changes)
    return replace(
        example,
        provenance=f"{example.provenance}; numbers changed since: {count}"[:200],
        built_by_hand=False,
        heads=heads,
        X=trace["X"].values.copy(),
        W_Q=w_q,
        W_K=w_k,
        W_V=w_v,
        W_O=trace["W_O"].values.copy(),
        biases=_packed_biases(trace, heads),
    )


def _packed_biases(trace: Trace, heads: int) -> dict[str, Array]:
    """The walk's biases as an example has them, each as long as its matrix has columns."""
    found = {}
    for name in BIASES:
        if name in trace:
            bias = trace[name].values
            b_h1e = attention.share_heads(bias[:, None, :], heads) if bias.ndim == 2 else bias
            found[name] = b_h1e.reshape(-1).copy()
    return found
