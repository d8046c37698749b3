"""Questions about what attention weights add up to."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..attention import Array
from ..mistakes import Mistake
from ..mistakes.mistake import wrong_arrays
from .desk import Desk
from .question import Question


def sum_question(desk: Desk, page: str, what: str) -> Question | None:
    """What a row of weights, a head's whole map, or a token's rows in all heads add up to."""
    heads, n, m = (desk.sizes[key] for key in ("heads", "n", "m"))
    if m == 1 or (what == "heads" and heads == 1):
        return None
    h, t = desk.chance.choice(desk.heads), desk.chance.choice(desk.tokens)
    right = {"row": 1.0, "map": float(n), "heads": float(heads)}[what]

    def known() -> Iterator[tuple[Mistake, float]]:
        for mistake, wrong in wrong_arrays(desk.problem, "weights"):
            if wrong.shape == desk["weights"].shape:
                number = float(_measures(h, t)[what](wrong))
                if not abs(number - right) <= desk.unit:
                    yield mistake, number

    return desk.question(
        f"sum {what}", page, "weights", desk.fill(h, token=desk.asks(t)),
        view=desk.view._replace(head=h, token=t), right=(right,), known=known,
    )  # fmt: skip


def _measures(h: int, t: int) -> dict[str, Callable[[Array], Array]]:
    return {
        "row": lambda weights_hts: weights_hts[h, t].sum(),
        "map": lambda weights_hts: weights_hts[h].sum(),
        "heads": lambda weights_hts: weights_hts[:, t].sum(),
    }
