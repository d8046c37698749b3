"""Print the matrix of exercises and attempts after the tests."""

from __future__ import annotations

import pytest


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """One line an exercise: what was tried, and what came of it."""
    try:
        from test_matrix import MATRIX
    except ImportError:
        return
    if MATRIX:
        terminalreporter.section("exercises")
    for name, row in MATRIX.items():
        terminalreporter.line(f"{name[:44]:<44}  " + "; ".join(row))
