"""Figures that lessons cite from the lab, measured again: ``python -m mha_tutor.course.measured``.

They are kept in course/measured.toml, since reading a lesson must not train anything. A test measures
them again.
"""

from __future__ import annotations

from ..lab import Plan, Result, best_graded, built_graded, trained
from ..lab.pruning import prune
from . import material
from .figures import MEASURED

SEEDS = range(1, 6)
POOL, SMALL = 24, 8  # names
SHOWN = 3  # the seed whose three heads lesson 8 takes apart
MIXED = Plan(1, 2, vocab=SMALL, mixed=True)
TOP = """\
# Figures of this project's own lab, each with the command that shows it. Not typed: written by
# python -m mha_tutor.course.measured
"""


def measured() -> dict[str, tuple[str, str]]:
    """Every figure by its name: the value as it is printed, and the command that shows it."""
    return {**_losses(), **_floor(), **_damage(), **_spare(), **_mixed()}


def _runs(heads: int, **more: int) -> list[Result]:
    return [trained(Plan(heads, seed, **more)) for seed in SEEDS]


def _losses() -> dict[str, tuple[str, str]]:
    found = {}
    for heads, word, places, of_names in ((1, "one", 2, 0), (2, "two", 3, 1), (3, "three", 4, 1)):
        source = f"mha-tutor lab train --heads {heads} --seeds {len(SEEDS)}"
        runs = _runs(heads)
        losses = [run.loss for run in runs]
        found[f"lab_{word}_best"] = f"{min(losses):.{places}f}", source
        found[f"lab_{word}_worst"] = f"{max(losses):.{places}f}", source
        found[f"lab_{word}_names"] = f"{100 * min(run.accuracy for run in runs):.{of_names}f}", source
    found["lab_parameters"] = f"{runs[0].parameters:,}", source
    return found


def _floor() -> dict[str, tuple[str, str]]:
    source = "mha-tutor lab train --page floor"
    return {
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
    found = [prune(run) for run in _runs(6)]
    halves = [100 * one.least.accuracies[3] for one in found]
    return {
        "lab_spare_least": (str(min(one.spare for one in found)), source),
        "lab_spare_most": (str(max(one.spare for one in found)), source),
        "lab_spare_runs": (str(sum(one.spare > 0 for one in found)), source),
        "lab_half_worst": (f"{min(halves):.0f}", source),
        "lab_half_best": (f"{max(halves):.0f}", source),
    }


def _mixed() -> dict[str, tuple[str, str]]:
    source = f"mha-tutor lab train --mixed --heads 1 --vocab {SMALL} --seed {MIXED.seed} --seeds 1"
    run = trained(MIXED)
    split = trained(MIXED._replace(mixed=False))
    return {
        "lab_mixed": (f"{run.loss:.3f}", source),
        "lab_mixed_names": (f"{100 * run.accuracy:.0f}", source),
        "lab_mixed_by_name": (f"{100 * run.graded_hr.min():.0f}", source),
        "lab_small_split": (f"{split.loss:.2f}", source.replace("--mixed ", "")),
    }


def written() -> str:
    """The text of the file."""
    parts = [f'[{name}]\nvalue = "{value}"\nsource = "{source}"\n' for name, (value, source) in measured().items()]
    return "\n".join([TOP, *parts])


if __name__ == "__main__":
    path = material.root() / "course" / MEASURED
    path.write_text(written(), encoding="utf-8", newline="\n")
    print(path.relative_to(material.root()))
