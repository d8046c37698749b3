"""What all tests share."""

from __future__ import annotations

import pytest
from hypothesis import settings

# A busy machine may be slow; that is no failure of the program.
settings.register_profile("steady", deadline=None)
settings.load_profile("steady")


def pytest_addoption(parser: pytest.Parser) -> None:
    """`python -m pytest --update-golden` writes the golden screens anew."""
    parser.addoption("--update-golden", action="store_true", help="write tests/golden anew")


@pytest.fixture(autouse=True)
def _neutral_surroundings(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the one who runs the tests has set must not change what the program shows."""
    for name in (
        "NO_COLOR", "FORCE_COLOR", "COLORTERM", "COLORFGBG", "COLUMNS", "LINES", "ACCESSIBLE",
        "PYTHONIOENCODING", "MHA_TUTOR_DEBUG",
    ):  # fmt: skip
        monkeypatch.delenv(name, raising=False)
