"""pip, run as a program of its own: found, asked what a machine needs, and told to fetch it.

The environment that runs this may have none (``venv --without-pip``); then that of another Python
does, since pip can fetch for any machine.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

from ... import installing
from ...errors import WorkError
from .markers import normal
from .targets import Target
from .wording import say

OLDEST = (22, 2)  # the first that reports what it would install
_NO_NETWORK = (
    "NewConnectionError",
    "Failed to establish a new connection",
    "name resolution",
    "getaddrinfo failed",
    "ProxyError",
    "ConnectTimeoutError",
    "ReadTimeoutError",
    "Network is unreachable",
)


class Package(NamedTuple):
    """A package that pip would install: its name, version, what it requires, and its wheel's name."""

    name: str
    version: str
    requires: tuple[str, ...]
    file: str


class Pip(NamedTuple):
    """The command that runs pip, and where it looks for wheels: an index, or folders alone."""

    command: tuple[str, ...]
    sources: tuple[str, ...] = ()

    @classmethod
    def found(cls) -> Pip:
        """pip of this Python, of the one behind its environment, or of one on the path.

        Raises WorkError when there is none, or only one that is too old.
        """
        looked, old = installing.pythons(), ""
        for python in looked:
            version = installing.pip_version(python)
            if version >= OLDEST:
                return cls((python, "-m", "pip"))
            if version:
                written = ".".join(map(str, version))
                old = old or say("old_pip", version=written, python=python)
        raise WorkError(old or say("no_pip", looked=", ".join(looked), python=looked[0]))

    def only_from(self, *folders: Path) -> Pip:
        """The same, without any index: wheels come from these folders."""
        return self._replace(sources=("--no-index", *(f"--find-links={one.resolve()}" for one in folders)))

    def needs(self, target: Target, wanted: Sequence[str]) -> dict[str, Package]:
        """What ``wanted`` comes to on that machine, by name. Raises WorkError."""
        with tempfile.TemporaryDirectory() as place:
            report = Path(place) / "report.json"
            options = ["--dry-run", "--ignore-installed", f"--report={report}", f"--target={place}"]
            self.run(target, "install", *options, *target.pip_options(), *wanted)
            listed = json.loads(report.read_text(encoding="utf-8"))["install"]
        packages = map(_package, listed)
        return {one.name: one for one in packages}

    def fetch(self, target: Target, exact: Sequence[str], folder: Path) -> None:
        """Put the wheels of ``exact`` (name==version) into the folder; one that is there stays."""
        options = ["--no-deps", f"--dest={folder}", *target.pip_options()]
        self.run(target, "download", *options, *exact)

    def run(self, target: Target | None, action: str, *arguments: str) -> str:
        """Run one action of pip; what it said. Raises WorkError, in words, when it fails."""
        done = subprocess.run(
            [*self.command, action, *self.sources, *arguments],
            env={**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_INPUT": "1"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
        if done.returncode:
            raise WorkError(_explained(done.stdout + done.stderr, target))
        return done.stdout


def _explained(output: str, target: Target | None) -> str:
    """Why pip failed, in a sentence that says what to do."""
    name = target.name if target else "this machine"
    said = last_line(output)
    seen = re.search(r"from versions: (?!none)", output)  # then some index was reached
    if not seen and any(sign in output for sign in _NO_NETWORK):
        return say("no_network")
    if match := re.search(r"No matching distribution found for (\S+)", output):
        return say("no_wheel", package=match[1], target=name, said=said)
    return say("pip_failed", target=name, said=said)


def last_line(output: str) -> str:
    """The last thing a program said, which is usually why it failed."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR:")]
    return (errors or lines or ["nothing"])[-1]


def _package(reported: dict[str, Any]) -> Package:
    """One entry of pip's report."""
    data, url = reported["metadata"], reported["download_info"]["url"]
    file = PurePosixPath(unquote(urlsplit(url).path)).name
    return Package(normal(data["name"]), data["version"], tuple(data.get("requires_dist", ())), file)
