"""A whole computation with one known mistake in it."""

from __future__ import annotations

from collections.abc import Iterator

from ..attention import Array
from .mistake import Mistake
from .problem import TENSORS, Problem, run


def wrong_outputs(problem: Problem, mistake: Mistake, tensor: str = "output") -> Iterator[Array]:
    """That tensor as it comes out when ``mistake`` is made, at its stage, with right steps after it.

    First with the mistake in all tensors it can be made in, then in each alone and in each way of
    writing it. Combinations that do not fit the later steps are left out.
    """
    last = TENSORS.index(tensor)
    names = [t for t in mistake.tensors if mistake.applies(problem, t) and TENSORS.index(t) <= last]
    ways = [{name: array} for name in names for array in mistake.variants(problem, name)]
    together = {name: mistake.wrong(problem, name) for name in names}
    for replaced in [together, *ways] if len(names) > 1 else ways:
        try:
            yield run(problem, replaced)[tensor]
        except (ValueError, IndexError):  # the wrong shape does not fit the steps after it
            continue


def wrong_output(problem: Problem, mistake: Mistake, tensor: str = "output") -> Array | None:
    """What a whole computation with ``mistake`` in it gives; None when its later steps cannot run."""
    return next(wrong_outputs(problem, mistake, tensor), None)
