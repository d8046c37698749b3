"""Examples drawn by chance, and the command line run in this process: what several tests share."""

from __future__ import annotations

import sys
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st

from mha_tutor.ablation import Ablation
from mha_tutor.cli import main
from mha_tutor.cuts import Comparison
from mha_tutor.examples import Example
from mha_tutor.routes import Route
from mha_tutor.views.compare import slices


def drawn_example(n: int, heads: int, width: int, seed: int) -> Example:
    """An example of ``n`` tokens with ``heads`` heads of that width, numbers from a normal."""
    d = heads * width
    draw = np.random.default_rng(seed)
    w_q, w_k, w_v, w_o = draw.normal(size=(4, d, d))
    return Example(
        name="drawn",
        provenance="drawn for a test",
        tokens=tuple(f"w{i + 1}" for i in range(n)),
        features=tuple(f"f{j + 1}" for j in range(d)),
        heads=heads,
        X=draw.normal(size=(n, d)),
        W_Q=w_q,
        W_K=w_k,
        W_V=w_v,
        W_O=w_o,
    )


drawn_examples = st.builds(
    drawn_example,
    n=st.integers(1, 6),
    heads=st.integers(1, 4),
    width=st.integers(1, 3),
    seed=st.integers(0, 2**32 - 1),
)


few = settings(max_examples=40, deadline=None)


@pytest.fixture(name="steady")
def steady_fixture(monkeypatch: pytest.MonkeyPatch) -> None:
    """No rounding of the computer: whether two routes differ in the 16th digit depends on the machine."""
    for owner, name in ((Ablation, "off_term"), (Ablation, "off_zeroed"), (Route, "off_own")):
        monkeypatch.setattr(owner, name, 0.0)
    monkeypatch.setattr(Comparison, "off", lambda self, cut: 0.0)
    monkeypatch.setattr(slices, "off_blocks", lambda routes: 0.0)


class Ran(NamedTuple):
    """What a command left: its exit code, what it printed, and its message."""

    code: int
    out: str
    err: str


@pytest.fixture(name="run")
def run_fixture(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> object:
    """``run("step", "--heads", "3")`` as in a pipe of 80 columns."""
    monkeypatch.setenv("COLUMNS", "80")
    for name in ("FORCE_COLOR", "ACCESSIBLE", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)

    def run(*args: str) -> Ran:
        monkeypatch.setattr(sys, "argv", ["mha-tutor", *args])
        capsys.readouterr()
        try:
            main()
            code = 0
        except SystemExit as leaving:
            code = int(leaving.code or 0)
        return Ran(code, *capsys.readouterr())

    return run
