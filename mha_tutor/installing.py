"""Which pip there is, and the line that installs a package for the Python that runs this.

The environment may have no pip of its own (``venv --without-pip``); then that of another Python does.
The line names programs by their paths, so it does the same whether the environment is activated or not.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from importlib.util import find_spec

OTHERS = (22, 3)  # the first pip that installs for another Python (--python)


def install_line(what: str) -> str:
    """The command that installs ``what`` (packages, and options of pip) beside this program."""
    here = _quoted(sys.executable)
    if find_spec("pip") is not None:
        return f"{here} -m pip install {what}"
    able = (python for python in pythons()[1:] if pip_version(python) >= OTHERS)
    return f"{_quoted(next(able, 'python3'))} -m pip --python {here} install {what}"


def pythons() -> list[str]:
    """This Python, the one behind its environment, and those on the path, each once."""
    base = getattr(sys, "_base_executable", "")
    found = (sys.executable, base, *map(shutil.which, ("python3", "python", "py")))
    return list(dict.fromkeys(filter(None, found)))


def pip_version(python: str) -> tuple[int, ...]:
    """The version of that Python's pip; nothing where there is none."""
    try:
        done = subprocess.run(
            [python, "-m", "pip", "--version"], capture_output=True, text=True, check=False, timeout=60
        )
    except (OSError, subprocess.TimeoutExpired):
        return ()
    match = re.match(r"pip (\d+)\.(\d+)", done.stdout)
    return (int(match[1]), int(match[2])) if match and done.returncode == 0 else ()


def _quoted(path: str) -> str:
    return f'"{path}"' if " " in path else path
