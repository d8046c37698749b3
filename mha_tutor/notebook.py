"""What Python and notebooks use: a walk, its pages and tables, and where a number comes from.

Needs numpy alone, so that it runs in a browser too. What is shown is the same from run to run.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace

from .addresses import Cell, parse_address
from .attention import pack_columns
from .choose import Chosen, WalkOptions, chosen_token, chosen_walk, start_token
from .errors import InputError, check_choice
from .examples import Example
from .explain import Why
from .explain import why as reason_for
from .trace import Trace
from .views.changes import with_changes
from .views.html import fragment
from .views.page import Page, Text
from .views.pages import View, page, page_keys
from .views.tensor_page import tensor_page
from .views.text import page_text
from .views.why_page import why_page
from .views.wide import folded

THEMES = ("light", "dark")


@dataclass(frozen=True, eq=False)
class Walk(Trace):
    """A Trace that also knows the example it came from, and what was changed in it."""

    origin: Chosen = field(kw_only=True, repr=False)

    def __repr__(self) -> str:
        sizes = ", ".join(f"{name} {size}" for name, size in self.sizes.items())
        return f"<walk of {self.example}: {self.sentence!r}; {sizes}>"


@dataclass(frozen=True)
class Shown:
    """A page for a notebook: HTML where it can be shown, plain text elsewhere."""

    page: Page
    light: bool

    def _repr_html_(self) -> str:
        return fragment(self.page, light=self.light)

    def __repr__(self) -> str:
        return page_text(self.page)


@dataclass(frozen=True, repr=False)
class Answer(Shown):
    """Where a number comes from: its ``value``, the ``cell`` it stands in, and the ``reason``."""

    value: float
    cell: Cell
    reason: Why


def walk(
    example: str | os.PathLike[str] | Example = "robot",
    *,
    heads: int | None = None,
    kv_heads: int | None = None,
    sentence: str | None = None,
    memory: str | None = None,
    causal: bool = False,
    pad: Sequence[str] = (),
    changes: Sequence[str] = (),
    without_token: str | None = None,
    without_head: Sequence[int] = (),
    seed: int = 0,
    layer: int | None = None,
    model_dir: str | os.PathLike[str] | None = None,
) -> Walk:
    """Take an example through multi-head attention and keep every number.

    ``example`` is a name ("robot", "trophy", "chef", "by-hand", "random", "narrow", "trained", "real"),
    the path of a .toml or .json file, or an Example. ``heads`` cuts the matrices into that many heads,
    which share ``kv_heads`` key/value heads. ``sentence`` walks another text; ``memory`` is a text that
    is asked in its place (cross-attention). ``causal`` hides what comes later, ``pad`` names tokens that
    nobody may ask. ``changes`` set numbers, such as "W_Q[head 2, pronoun, 1]=0"; ``without_token``
    leaves a token out, ``without_head`` heads (from 1), before W^O. ``seed`` is for "random" and
    "trained"; ``layer`` (from 1) and ``model_dir``, the folder of a BERT-type model, for "real".

    The tensors are read by name, ``trace["weights"].values``: X (n, d_model); W_Q, W_K, W_V
    (heads, d_model, d_k); Q (heads, n, d_k), K and V (heads, m, d_k); dots, scores, masked and
    weights (heads, n, m); mixed (heads, n, d_k); concat (n, heads d_k); W_O (heads d_k, d_model);
    output (n, d_model). With kv_heads, W_K, W_V, K and V have that many heads. Biases, where there are
    any, are b_Q, b_K, b_V (heads, d_k) and b_O (d_model).

    Raises InputError, a ValueError, for anything that does not fit, and says what does.
    """
    if causal and memory is not None:
        raise InputError(
            "causal=True and memory do not go together: in cross-attention the tokens that are asked "
            "belong to another text, so none of them comes later. Leave one of the two out."
        )
    chosen = chosen_walk(
        WalkOptions(
            heads=heads,
            kv_heads=kv_heads,
            example=example if isinstance(example, Example) else os.fspath(example),
            sentence=sentence,
            memory=memory,
            causal=causal,
            pad=tuple(pad),
            set=tuple(changes),
            without_token=without_token,
            without_head=tuple(without_head),
            seed=seed,
            layer=layer,
            model_dir=None if model_dir is None else os.fspath(model_dir),
        )
    )
    known = {part.name: getattr(chosen.trace, part.name) for part in fields(Trace)}
    return Walk(**known, origin=chosen)


def show(
    trace: Trace,
    what: str,
    *,
    head: int | None = None,
    token: str | int | None = None,
    decimals: int = 2,
    theme: str = "light",
) -> Shown:
    """A page of the walk ("softmax", "heads" ...) or a tensor ("weights", "W_Q" ...) to look at.

    ``head`` counts from 1; of a tensor all heads are shown unless one is given. ``token`` is a word
    or its number from 1. ``theme`` is "light" or "dark". Nothing is cut off: wide tables scroll.

    Raises InputError for a page or tensor that this walk has not, and a head or token it has not.
    """
    light = _check_look(decimals, theme)
    example = _example_of(trace)
    heads = trace.sizes["heads"]
    if head is not None and not 1 <= head <= heads:
        raise InputError(f"head {head}: there is no such head; choose from 1 to {heads}.")
    place = start_token(example) if token is None else chosen_token(trace.tokens, str(token), "token")
    if what not in (keys := page_keys(trace)):
        names = [tensor.name for tensor in trace.tensors]
        check_choice("what", what, list(dict.fromkeys([*keys, *names])))
        return Shown(folded(tensor_page(trace, what, head=head, token=place, decimals=decimals)), light)
    view = View(0 if head is None else head - 1, place, decimals)
    return Shown(folded(_page(trace, example, what, view)), light)


def why(
    trace: Trace, where: str | Cell, *, depth: int = 1, decimals: int = 2, theme: str = "light"
) -> Answer:
    """Where one number comes from: the products it is the sum of, the scores behind a weight ...

    ``where`` is an address, "weights[head 2, it, robot]" or "weights[2, 7, 2]", counted from 1.
    ``depth`` follows the numbers behind it further down. The answer has the number as ``value``.

    Raises InputError for an address that this walk has not, and says what it has.
    """
    light = _check_look(decimals, theme)
    if depth < 1:
        raise InputError(f"depth {depth}: choose 1 or more.")
    cell = where if isinstance(where, Cell) else parse_address(trace, where)
    found = _in_python(folded(why_page(trace, _example_of(trace), cell, depth, decimals)))
    return Answer(found, light, value=cell.value(trace), cell=cell, reason=reason_for(trace, cell))


def _check_look(decimals: int, theme: str) -> bool:
    """Whether the theme is light. Raises InputError."""
    if not 0 <= decimals <= 12:
        raise InputError(f"decimals {decimals}: choose 0 to 12.")
    check_choice("theme", theme, THEMES)
    return theme == "light"


def _page(trace: Trace, example: Example, key: str, view: View) -> Page:
    """A page of the walk; of a changed one with the numbers before the change."""
    if not (isinstance(trace, Walk) and trace.origin.changes):
        return page(key, trace, example, view)
    example = replace(example, built_by_hand=False)  # no longer as it was built
    after, before = (page(key, each, example, view) for each in (trace, trace.origin.before))
    return with_changes(after, before, trace.origin.before, trace.origin.changes)


def _in_python(page: Page) -> Page:
    """The page with an option of the command line told as an argument."""
    blocks = (
        block._replace(text=block.text.replace("--depth ", "depth=")) if isinstance(block, Text) else block
        for block in page.blocks
    )
    return page._replace(blocks=tuple(blocks))


def _example_of(trace: Trace) -> Example:
    """The example of a walk; for any other trace, one made up of its tensors."""
    if isinstance(trace, Walk):
        return trace.origin.example
    x = trace["X"]
    w_q, w_k, w_v = (pack_columns(trace[name].values) for name in ("W_Q", "W_K", "W_V"))
    return Example(
        name=trace.example,
        provenance=trace.provenance,
        tokens=trace.tokens,
        features=x.axis("d").labels,
        heads=trace.sizes["heads"],
        X=x.values,
        W_Q=w_q,
        W_K=w_k,
        W_V=w_v,
        W_O=trace["W_O"].values,
    )
