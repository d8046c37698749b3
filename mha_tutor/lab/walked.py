"""Trained heads as an Example: the very matrices that training found, to be walked like any other."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from ..errors import InputError
from ..examples.example import Example
from ..numbers import counted
from .model import Model
from .results import TESTED, Result
from .sitting import trained
from .task import ASKS, NONE, ROLES, TAGS
from .training import Plan

NAMES = ("Ann", "Bob", "Eve", "Dan", "Kim", "Joe", "Liz", "Max")
TOKENS = ("Dan", "Kim.p", "Ann.a", "Joe", "Bob.r", "Eve", "who?")  # a, r, p: agent, recipient, place
LETTERS = {role[0]: role for role in ROLES}
HEADS, WIDTH, STEPS, RATE = 3, 12, 800, 0.01


def walked_plan(seed: int) -> Plan:
    """A task small enough to read: 8 names, so that X has 8 + 3 + 1 = 12 features."""
    return Plan(HEADS, seed, vocab=len(NAMES), d_model=WIDTH, steps=STEPS, rate=RATE)


@lru_cache(maxsize=4)  # a walk whose numbers are changed starts from its example again
def trained_example(seed: int) -> Example:
    """The heads that training finds from that seed. Takes about a second.

    Features are names and tags, so the learned rows of X are multiplied into W^Q, W^K and W^V: these
    are the same heads. The key of a token without a tag is taken off every key; that adds the same
    number to all scores of a row, and so changes no weight. Raises InputError for a seed below 0.
    """
    if seed < 0:
        raise InputError(f"the seed is {seed}; expected a whole number from 0 on, such as --seed 3.")
    result = trained(walked_plan(seed))
    w_q, w_k, w_v = _folded(result.model)
    x_td = np.array([_row(token) for token in TOKENS])
    return Example(
        name="trained",
        provenance=f"trained here, seed {seed}: nobody chose these numbers",
        tokens=TOKENS,
        features=(*NAMES, *ROLES, TAGS[ASKS]),
        heads=HEADS,
        start=TOKENS[-1],
        notes=_notes(result),
        X=x_td,
        W_Q=w_q,
        W_K=w_k,
        W_V=w_v,
        W_O=result.model.w_o_cd.copy(),
    )


def _folded(model: Model) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """W_Q, W_K and W_V over names, the three case tags, and the mark of the token that asks."""
    names = len(NAMES)
    tags = [names + TAGS.index(role) for role in ROLES] + [names + ASKS]
    w_q, w_k, w_v = (np.zeros((WIDTH, WIDTH)) for _ in range(3))
    w_q[-1] = model.x_fd[names + ASKS] @ model.w_q_dc
    w_k[names:] = (model.x_fd[tags] - model.x_fd[names + NONE]) @ model.w_k_dc
    w_v[:names] = model.x_fd[:names] @ model.w_v_dc
    return w_q, w_k, w_v


def _row(token: str) -> list[float]:
    """The features of a token: its name, and its case tag; or that it asks."""
    name, _, tag = token.partition(".")
    has = {name, LETTERS.get(tag, ""), TAGS[ASKS] if token == TOKENS[-1] else ""}
    return [float(feature in has) for feature in (*NAMES, *ROLES, TAGS[ASKS])]


def _notes(result: Result) -> tuple[str, ...]:
    """What to know about these matrices, and what this seed came to."""
    from ..texts import listed, texts

    say = texts("lab")["walked"]
    found = [
        say["head"].format(head=h + 1, roles=listed([ROLES[r] for r in result.looks_at(h)]) or say["none"])
        for h in range(HEADS)
    ]
    kind = "solved" if result.solved else "stuck"
    told = {
        "accuracy": f"{result.accuracy:.0%}",
        "loss": f"{result.loss:.3f}",
        "found": "; ".join(found),
        "tested": counted(TESTED),
        "width": WIDTH,
        "names": len(NAMES),
    }
    return tuple(say[name].format(**told) for name in ("task", "zeros", "asks", "outside", kind))
