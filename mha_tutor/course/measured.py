"""Figures that lessons cite from the lab, measured again: ``python -m mha_tutor.course.measured``.

They are kept in course/measured.toml, since reading a lesson must not train anything. A test measures
them again.
"""

from __future__ import annotations

import numpy as np

from ..lab import ROLES, Plan, Result, best_graded, built_graded, floor, trained
from ..lab.pruning import prune
from ..lab.real.fooling import fooling
from . import material
from .figures import MEASURED

SEEDS = range(1, 6)
POOL, SMALL = 24, 8  # names
SHOWN = 3  # the seed whose three heads lesson 8 takes apart
FOOLING_PAIR = 4  # the robot that could not lift the crane
MIXED = Plan(1, 2, vocab=SMALL, mixed=True)
TOP = """\
# Figures of this project's own lab, each with the command that shows it. Not typed: written by
# python -m mha_tutor.course.measured
"""


def measured() -> dict[str, tuple[str, str]]:
    """Every figure by its name: the value as it is printed, and the command that shows it."""
    return {**_losses(), **_floor(), **_damage(), **_spare(), **_mixed(), **_fooling()}


def _runs(heads: int) -> list[Result]:
    return [trained(Plan(heads, seed)) for seed in SEEDS]


def _losses() -> dict[str, tuple[str, str]]:
    one, two, three = ([run.loss for run in _runs(heads)] for heads in (1, 2, 3))
    names = 100 * min(run.accuracy for run in _runs(2))
    source = f"mha-tutor lab train --heads {{}} --seeds {len(SEEDS)}"
    return {
        "lab_one_best": (f"{min(one):.2f}", source.format(1)),
        "lab_one_worst": (f"{max(one):.2f}", source.format(1)),
        "lab_two_worst": (f"{max(two):.3f}", source.format(2)),
        "lab_two_names": (f"{names:.1f}", source.format(2)),
        "lab_three_worst": (f"{max(three):.4f}", source.format(3)),
        "lab_parameters": (f"{trained(Plan(1, SEEDS[0])).parameters:,}", source.format(1)),
    }


def _floor() -> dict[str, tuple[str, str]]:
    source = "mha-tutor lab train --page floor"
    return {
        "floor_third": (f"{1 / len(ROLES):.4f}", "three names that score alike"),
        "floor_all": (f"{floor():.4f}", source),
        "lab_searched": (f"{best_graded(POOL):.2f}", source),
        "lab_built": (f"{built_graded(POOL):.4f}", source),
    }


def _damage() -> dict[str, tuple[str, str]]:
    source = f"mha-tutor lab train --heads 3 --seed {SHOWN} --seeds 1 --page damage"
    damage_hr = trained(Plan(3, SHOWN)).damage_hr
    own = damage_hr.max(axis=1)
    others = [x for h, row in enumerate(damage_hr) for x in row if x != own[h]]
    return {
        "lab_own_least": (f"{min(own):.1f}", source),
        "lab_own_most": (f"{max(own):.1f}", source),
        "lab_others_most": (f"{max(map(abs, others)):.2f}", source),
        "lab_own_head_2": (f"{own[1]:.1f}", source),
    }


def _spare() -> dict[str, tuple[str, str]]:
    source = f"mha-tutor lab prune --heads 6, seeds {SEEDS[0]} to {SEEDS[-1]}"
    found = [prune(run, tries=1) for run in _runs(6)]
    halves = [100 * one.least.accuracies[3] for one in found]
    return {
        "lab_spare_runs": (str(sum(one.spare > 0 for one in found)), source),
        "lab_half_worst": (f"{min(halves):.0f}", source),
        "lab_half_best": (f"{max(halves):.0f}", source),
    }


def _mixed() -> dict[str, tuple[str, str]]:
    source = f"mha-tutor lab train --mixed --heads 1 --vocab {SMALL} --seed {MIXED.seed} --seeds 1"
    run = trained(MIXED)
    return {
        "lab_mixed": (f"{run.loss:.3f}", source),
        "lab_mixed_by_name": (f"{100 * run.graded_hr.min():.0f}", source),
    }


def _fooling() -> dict[str, tuple[str, str]]:
    data = fooling()
    looks_lh = data.weights[:, :, FOOLING_PAIR, 0, 0]
    layer, head = np.unravel_index(looks_lh.argmax(), looks_lh.shape)
    right_lh = data.right.sum(axis=(2, 3))
    return {
        "fooling_layer": (str(layer + 1), data.provenance),
        "fooling_control": (f"{data.weights[layer, head, FOOLING_PAIR, 1, 1]:.2f}", data.provenance),
        "fooling_right": (str(right_lh[layer, head]), data.provenance),
        "fooling_best": (str(right_lh.max()), data.provenance),
        "fooling_at_half": (str((right_lh == len(data.pairs)).sum()), data.provenance),
    }


def written(found: dict[str, tuple[str, str]]) -> str:
    """The text of the file that keeps these figures."""
    parts = [f'[{name}]\nvalue = "{value}"\nsource = "{source}"\n' for name, (value, source) in found.items()]
    return "\n".join([TOP, *parts])


if __name__ == "__main__":
    path = material.root() / "course" / MEASURED
    path.write_text(written(measured()), encoding="utf-8", newline="\n")
    print(path.relative_to(material.root()))
