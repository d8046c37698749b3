"""The packages that running notebooks needs, and how to get those that are missing."""

from __future__ import annotations

import sys
from importlib.util import find_spec

from ..errors import WorkError

TO_CHECK = ("pytest", "nbval", "nbformat", "ipykernel")
TO_OPEN = ("jupyterlab",)


def require(*packages: str) -> None:
    """Raise WorkError unless all packages are installed beside this program."""
    missing = [name for name in packages if find_spec(name) is None]
    if missing:
        raise WorkError(
            f"Missing for {sys.executable}: {', '.join(missing)}. Install with:  {pip_line(*missing)}"
        )


def pip_line(*packages: str) -> str:
    """The command that installs packages for the Python that runs this, which may be without pip."""
    python = f'"{sys.executable}"' if " " in sys.executable else sys.executable
    if find_spec("pip") is not None:
        return f"{python} -m pip install {' '.join(packages)}"
    return f"python3 -m pip --python {python} install {' '.join(packages)}"
