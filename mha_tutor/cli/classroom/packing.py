"""`mha-tutor class pack`: make the folder, or try it with the network cut."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from ...classroom.pack.packing import EXTRAS, make_pack
from ...classroom.pack.targets import targets
from ...classroom.pack.trying import try_pack
from ...classroom.pack.wording import say
from ...errors import check_choice
from ..world import World


def run_pack(
    out: Path,
    platforms: Sequence[str],
    pythons: Sequence[str],
    extras: Sequence[str],
    only_from: Path | None,
    check: bool,
) -> None:
    """Make the pack in ``out``; with ``check`` try the one that is there."""
    machines = targets(tuple(platforms), tuple(pythons))
    for extra in extras:
        check_choice("--with", extra, EXTRAS)
    # JupyterLab is there for the notebooks, and they need the extra course
    chosen = list(EXTRAS) if "lab" in extras else [extra for extra in EXTRAS if extra in extras]
    world = World.here()
    if check:
        try_pack(out, chosen, world.print)
        return
    make_pack(out, machines, chosen, only_from, world.print)
    folder = " ".join([shlex.quote(str(out)), *(f"--with {extra}" for extra in chosen[-1:])])
    world.print(say("check_next", folder=folder))
