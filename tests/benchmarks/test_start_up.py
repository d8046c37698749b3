"""Starting stays cheap: CPU and memory as ratios to the floor, measured in one run."""

from __future__ import annotations

import sys

import pytest
from start_up import GOALS, MEMORY_GOAL, Goal, Ratio, ratios, used


def measured(runs: int) -> dict[str, Ratio]:
    return {ratio.goal.name: ratio for ratio in ratios(runs)}


# Two measurements of one program on a shared machine lie up to a quarter apart. The goals themselves
# are for `python tests/benchmarks/start_up.py` on a quiet one; here a lasting loss has to show.
BUSY = 1.3


def misses(found: dict[str, Ratio]) -> list[str]:
    return [str(r) for r in found.values() if r.cpu > r.goal.cpu * BUSY or r.memory > MEMORY_GOAL * 1.1]


def test_every_command_keeps_to_its_goal() -> None:
    # A busy machine may spoil a few runs, a slow program spoils all of them.
    for runs in (3, 5, 15):
        if not (missed := misses(measured(runs))):
            break
    assert not missed, "\n".join(missed)


def test_the_goals_are_those_agreed_on() -> None:
    assert [goal.cpu for goal in GOALS] == [1.5, 2.0, 3.0, 0.7, 0.7] and MEMORY_GOAL == 1.3


def test_a_command_that_does_more_measures_more() -> None:
    def counting(n: int) -> tuple[str, ...]:
        return (sys.executable, "-S", "-c", f"sum(range({n})); print(len(bytearray({n})) * 'x')")

    (same, more) = ratios(
        3, [Goal("same", counting(0), 1), Goal("more", counting(8_000_000), 1)], counting(0)
    )
    assert 0.4 < same.cpu < 2.5 and more.cpu > 3
    assert 0.9 < same.memory < 1.1 and more.memory > 1.5


def test_a_command_that_fails_is_an_error() -> None:
    with pytest.raises(RuntimeError, match=r"exit code 3\n.*such a pity"):
        used([sys.executable, "-c", "import sys; print('such a pity', file=sys.stderr); sys.exit(3)"])
