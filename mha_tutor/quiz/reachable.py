"""Which wrong numbers a room can come to: those that can be worked out from what is given."""

from __future__ import annotations

from ..mistakes import Mistake, Problem, Slip
from ..mistakes.slips import has_minus
from .question import Question

_PROJECTED = "S04 S05 S06 B01 B02 B05"  # from the token's row and the head's matrix
_MASKED = "S02 S04 S06 B37 B38 B39 B41 B44a B44b B45 B60"  # from the token's scores in every head
_ADDED = "S04 S08 B49b"  # from what each head adds

# By topic: the mistakes that need nothing but the tables of starts.py and head_sums.py.
REACHABLE = {
    topic: frozenset(ids.split())
    for topic, ids in {
        "number Q": _PROJECTED,
        "number K": _PROJECTED,
        "number V": _PROJECTED,
        "number dots": "S01 S03 S04 S05 S06 B24",
        "number scores": "S02 S04 S06 B16 B17 B18 B20 F03",
        "number hidden": _MASKED,
        "number allowed": _MASKED,
        "number weights": "S04 S07 F05 F11 B34 B37 B38",
        "number mixed": "S04 S05 S06 F12 F13",
        "number concat": "S02 S04 S06 F07",
        "number output": "S05 S06 S08 B49b B50 F02",
        "number sum": _ADDED,
        "number without": _ADDED,
    }.items()
}


def reachable(question: Question, mistake: Mistake | Slip, problem: Problem) -> bool:
    """Whether this mistake can be made with what the question gives.

    What is asked about a whole row or map, or for a token, gives no numbers to be wrong with: there
    all can be made. A minus sign is lost only where there is one.
    """
    if mistake.id not in REACHABLE.get(question.topic, {mistake.id}):
        return False
    return mistake.id != "S06" or (question.cell is not None and has_minus(problem, question.cell))
