"""Questions about a shape: one of its two sizes is missing."""

from __future__ import annotations

from collections.abc import Iterator

from ..errors import InputError
from ..examples import tokenize
from ..mistakes import Mistake
from ..mistakes.mistake import wrong_arrays
from .desk import Desk
from .question import Missing, Question
from .wording import say


def shape_question(desk: Desk, page: str, name: str) -> Question | None:
    """What the missing size of ``name`` is; None where two sizes are alike that must be told apart."""
    if not _telling(desk, name):
        return None
    tensor = "output" if name == "after" else name
    h = desk.chance.choice(desk.heads)
    rows, columns = desk[tensor].shape[-2:]
    axis = 0 if name == "X" else 1
    right, other = (rows, columns) if axis == 0 else (columns, rows)

    def known() -> Iterator[tuple[Mistake, float]]:
        if tensor == "X":
            return
        for mistake, wrong in wrong_arrays(desk.problem, tensor):
            if wrong.ndim == desk[tensor].ndim and wrong.shape[axis - 2] != right:
                yield mistake, float(wrong.shape[axis - 2])

    return desk.question(
        f"shape {name}", page, tensor, desk.fill(h, sentence=desk.trace.sentence),
        view=desk.view._replace(head=h), right=(float(right),), accepts=say("size"),
        missing=Missing(axis, other), known=known,
    )  # fmt: skip


def _telling(desk: Desk, name: str) -> bool:
    """Whether the answer cannot be had by taking a size that stands there for another reason."""
    sizes = desk.sizes
    n, m, d, heads, d_k, d_v = (sizes[key] for key in ("n", "m", "d_model", "heads", "d_k", "d_v"))
    return {
        "X": n != d and _counts_itself(desk),
        "Q": heads > 1 and d_k * heads == d and d_k != n,
        "dots": m != d_k,
        "mixed": d_v not in (m, d),
        "concat": heads > 1 and d_v * heads != n,
        "output": d_v * heads != d,
        "after": heads > 1 and d_v not in (n, d),
    }[name]


def _counts_itself(desk: Desk) -> bool:
    """Whether a reader of the sentence finds just these tokens."""
    try:
        return tokenize(desk.trace.sentence) == desk.trace.tokens
    except InputError:
        return False
