"""The line that installs something works in an environment with pip and without, activated or not."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from mha_tutor import installing
from mha_tutor.installing import install_line, pip_version, pythons

ROOT = Path(__file__).parents[1]
ASK = "from mha_tutor.installing import install_line; print(install_line('--dry-run pip'))"


def test_with_pip_the_line_is_that_of_this_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installing, "find_spec", lambda name: object())
    monkeypatch.setattr(sys, "executable", "/a b/python")
    assert install_line("typst") == '"/a b/python" -m pip install typst'


def test_without_pip_the_first_other_python_with_a_new_one_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    versions = {"/none": (), "/old": (22, 2), "/able": (22, 3), "/later": (25, 0)}
    monkeypatch.setattr(installing, "find_spec", lambda name: None)
    monkeypatch.setattr(installing, "pythons", lambda: [sys.executable, *versions])
    monkeypatch.setattr(installing, "pip_version", lambda python: versions[python])
    assert install_line("a b").startswith("/able -m pip --python ")
    versions.update(dict.fromkeys(versions, ()))
    assert install_line("a b").startswith("python3 -m pip --python ")


def test_a_python_that_is_none_has_no_pip(tmp_path: Path) -> None:
    assert pip_version(str(tmp_path / "python")) == ()
    assert pythons()[0] == sys.executable and len(set(pythons())) == len(pythons())


@pytest.mark.skipif(sys.platform == "win32", reason="the activated environment is made as POSIX shells do")
@pytest.mark.skipif(
    not any(pip_version(python) >= installing.OTHERS for python in pythons()[1:]),
    reason="no Python behind this environment has pip",
)
@pytest.mark.parametrize("activated", [True, False])
def test_in_an_environment_without_pip_the_line_runs(tmp_path: Path, activated: bool) -> None:
    venv.create(tmp_path / "env", with_pip=False)
    scripts = tmp_path / "env" / "bin"
    first = [str(scripts)] if activated else []
    environ = {**os.environ, "PYTHONPATH": str(ROOT), "PATH": os.pathsep.join([*first, os.environ["PATH"]])}
    environ |= {"PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    line = subprocess.run(
        [scripts / "python", "-c", ASK], env=environ, capture_output=True, text=True, check=True
    ).stdout
    assert f"--python {scripts / 'python'}" in line
    del environ["PYTHONPATH"]
    done = subprocess.run(shlex.split(line), env=environ, capture_output=True, text=True, check=False)
    assert "No module named pip" not in done.stderr
    assert "No matching distribution found for pip" in done.stderr  # pip ran, and was allowed no index


@pytest.mark.skipif(sys.platform == "win32", reason="the README has lines of its own for Windows")
@pytest.mark.parametrize("activated", [True, False])
def test_the_lines_of_the_readme_leave_an_activated_environment(tmp_path: Path, activated: bool) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    lines = [line for line in readme.splitlines() if line.startswith("(deactivate")]
    assert len(lines) == 3 and readme.count(" --python .venv/bin/python install -q '.[") == 2
    venv.create(tmp_path / ".venv", with_pip=False)
    start = ". .venv/bin/activate; " if activated else ""
    for line in lines:
        asked = line.replace("-m pip --python", "-c 'import sys; print(sys.prefix)'  #").rstrip(")") + "\n)"
        said = subprocess.run(
            ["sh", "-c", start + asked + '; echo "${VIRTUAL_ENV-}"'],
            cwd=tmp_path, env={"PATH": "/usr/bin:/bin"}, capture_output=True, text=True, check=True,
        )  # fmt: skip
        prefix, kept = said.stdout.split("\n")[:2]
        assert not prefix.startswith(str(tmp_path)) and bool(kept) == activated
