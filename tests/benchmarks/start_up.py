"""What starting mha-tutor costs, as ratios to importing what it stands on.

    python tests/benchmarks/start_up.py [ROUNDS]

CPU time (user and system) and peak memory of whole processes, their output going to a pipe. The
commands take turns, so that a busy spell of the machine hits all of them; of CPU times the least
counts, as noise only ever adds.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import gettempdir

PYTHON = sys.executable
FLOOR = (PYTHON, "-c", "import numpy, rich.console, rich.table")
PROGRAM = (PYTHON, "-m", "mha_tutor")
MEMORY_GOAL = 1.3
# The process that starts the command is small: a process begins with the peak of its parent.
STARTER = """
import json, os, sys
out, into = os.pipe()
into_stdout = [(os.POSIX_SPAWN_DUP2, into, 1), (os.POSIX_SPAWN_CLOSE, out), (os.POSIX_SPAWN_CLOSE, into)]
child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=into_stdout)
os.close(into)
while os.read(out, 65536):
    pass
_, status, used = os.wait4(child, 0)
print(json.dumps([used.ru_utime + used.ru_stime, used.ru_maxrss, os.waitstatus_to_exitcode(status)]))
"""


@dataclass(frozen=True)
class Goal:
    """A command, and how many times the floor's CPU time it may take."""

    name: str
    command: tuple[str, ...]
    cpu: float


GOALS = (
    Goal("step --stage embed", (*PROGRAM, "step", "--heads", "3", "--stage", "embed"), 1.5),
    Goal("step, the whole walk", (*PROGRAM, "step", "--heads", "3"), 2.0),
    Goal(
        "export to HTML",
        (*PROGRAM, "export", "--heads", "3", "--force", "--to", str(Path(gettempdir(), "mha-walk.html"))),
        3.0,
    ),
    Goal("--version", (*PROGRAM, "--version"), 0.7),
    Goal("--help", (*PROGRAM, "--help"), 0.7),
)


@dataclass(frozen=True)
class Usage:
    """What one command used in all its rounds: CPU seconds, and peak memory in the system's unit."""

    cpu: tuple[float, ...]
    memory: tuple[int, ...]


@dataclass(frozen=True)
class Ratio:
    """One command against the floor."""

    goal: Goal
    usage: Usage
    floor: Usage

    @property
    def cpu(self) -> float:
        return min(self.usage.cpu) / min(self.floor.cpu)

    @property
    def memory(self) -> float:
        return median(self.usage.memory) / median(self.floor.memory)

    def __str__(self) -> str:
        return (
            f"{self.goal.name:22} {1000 * min(self.usage.cpu):5.0f} {1000 * median(self.usage.cpu):7.0f}"
            f" {self.cpu:8.2f} {self.goal.cpu:6.1f} {self.memory:10.2f} {MEMORY_GOAL:6.1f}"
        )


def used(command: Sequence[str]) -> tuple[float, int]:
    """CPU seconds and peak memory of one run; raises RuntimeError when the command fails."""
    environ = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    environ.pop("PYTHONDONTWRITEBYTECODE", None)  # or every run would compile what it imports
    done = subprocess.run(
        [PYTHON, "-S", "-E", "-c", STARTER, *command],
        env=environ,
        check=False,
        capture_output=True,
        encoding="utf-8",
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}\n{done.stderr}")
    cpu, memory, code = json.loads(done.stdout)
    if code:
        raise RuntimeError(f"{' '.join(command)}: exit code {code}\n{done.stderr}")
    return cpu, memory


def ratios(runs: int, goals: Sequence[Goal] = GOALS, floor: Sequence[str] = FLOOR) -> list[Ratio]:
    """Each goal's command against the floor, from ``runs`` rounds after one that is not counted.

    Raises RuntimeError when a command fails.
    """
    commands = [tuple(floor), *(goal.command for goal in goals)]
    rounds = [[used(command) for command in commands] for _ in range(runs + 1)][1:]
    usages = [Usage(*zip(*column, strict=True)) for column in zip(*rounds, strict=True)]
    return [Ratio(goal, usage, usages[0]) for goal, usage in zip(goals, usages[1:], strict=True)]


def main() -> None:
    """Print the table."""
    measured = ratios(int(sys.argv[1]) if len(sys.argv) > 1 else 15)
    floor = measured[0].floor
    print(
        f"{'CPU in ms':22} {'least':>5} {'median':>7} {'x floor':>8} {'goal':>6} {'x memory':>10} {'goal':>6}"
    )
    print(f"{'floor: numpy and rich':22} {1000 * min(floor.cpu):5.0f} {1000 * median(floor.cpu):7.0f}")
    print(*measured, sep="\n")


if __name__ == "__main__":
    main()
