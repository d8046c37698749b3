"""Try a pack: install from it into an empty environment with the network cut, and run the program."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from ...errors import WorkError
from .packing import OWN, WHEELS
from .pip import Pip, last_line
from .targets import Target, this_machine
from .wording import say

NOWHERE = "http://127.0.0.1:9"  # the port where nobody answers
WALK = ("step", "--heads", "3")
KEPT = ("PATH", "SYSTEMROOT", "LANG", "LC_ALL", "TEMP", "TMP", "TMPDIR", "LD_LIBRARY_PATH")
Tell = Callable[[str], None]


def try_pack(out: Path, extras: Sequence[str], tell: Tell) -> None:
    """Install the pack in ``out`` here and walk. Raises WorkError when it does not work."""
    wheels = out / WHEELS
    if not any(wheels.glob("mha_tutor-*.whl")):
        raise WorkError(say("not_a_pack", folder=out, wheels=wheels))
    target = this_machine()
    if target is None:
        raise WorkError(say("no_machine"))
    cut = network_cutter()
    tell(say("checking", how=say("cut_unshare" if cut else "cut_variables")))
    with tempfile.TemporaryDirectory() as place:
        room = Path(place)
        environ = clean_environ(room)
        run = Runner(target, cut, environ, room)
        program = install(run, wheels.resolve(), extras, room)
        for arguments in (WALK, *(("course", "list"),) * ("course" in extras)):
            run(program, *arguments)
    tell(say("checked", command=f"{OWN} {' '.join(WALK)}", target=target.name))


class Runner:
    """Runs commands of the trial in its environment; a failure is told in a sentence."""

    def __init__(self, target: Target, cut: Sequence[str], environ: Mapping[str, str], room: Path) -> None:
        self.target = target
        self.cut = cut
        self.environ = environ
        self.room = room

    def __call__(self, *command: str) -> str:
        """What the command printed. Raises WorkError when it fails or prints nothing."""
        done = self.tried(*command)
        if done.returncode:
            said = last_line(done.stderr or done.stdout)
            written = " ".join([Path(command[0]).name, *command[1:]])
            raise WorkError(say("check_failed", target=self.target.name, command=written, said=said))
        return done.stdout

    def tried(self, *command: str) -> subprocess.CompletedProcess[str]:
        """The command, whatever comes of it."""
        return subprocess.run(
            [*self.cut, *command],
            cwd=self.room,
            env=dict(self.environ),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            check=False,
        )


def install(run: Runner, wheels: Path, extras: Sequence[str], room: Path) -> str:
    """Make an empty environment and install from the wheels alone; the path of the program."""
    home = room / "environment"
    scripts = home / ("Scripts" if sys.platform == "win32" else "bin")
    package = OWN + (f"[{','.join(extras)}]" if extras else "")
    wanted = ("install", "--quiet", "--no-index", f"--find-links={wheels}", package)
    if run.tried(sys.executable, "-m", "venv", str(home)).returncode == 0:
        run(str(scripts / "python"), "-m", "pip", *wanted)
    else:  # a Python without ensurepip: the README's second way
        run(sys.executable, "-m", "venv", "--clear", "--without-pip", str(home))
        run(*Pip.found().command, "--python", str(scripts / "python"), *wanted)
    return str(scripts / OWN)


def network_cutter() -> tuple[str, ...]:
    """The command before a command that leaves it without a network; nothing where that is not allowed."""
    cutter = ("unshare", "--map-root-user", "--net")
    try:
        allowed = subprocess.run([*cutter, "true"], capture_output=True, check=False).returncode == 0
    except OSError:
        return ()
    return cutter if allowed else ()


def clean_environ(room: Path) -> dict[str, str]:
    """An environment without the user's settings, in which no index and no address is reached."""
    return {
        **{name: value for name, value in os.environ.items() if name.upper() in KEPT},
        **{"HOME": str(room), "USERPROFILE": str(room), "APPDATA": str(room), "LOCALAPPDATA": str(room)},
        **{"PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": os.devnull, "PIP_DISABLE_PIP_VERSION_CHECK": "1"},
        **dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"), NOWHERE),
        **{"PYTHONNOUSERSITE": "1", "PYTHONIOENCODING": "utf-8"},
    }
