"""What a student's process may do: limits of the system, an empty home, and a watch over what it opens.

It keeps accidents and simple tricks to one notebook. It is no wall: code that runs as the same user
can get around it, for instance through native code.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

ALLOWED_NAMES = (
    "PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "PYTHONPATH", "SYSTEMROOT", "SYSTEMDRIVE", "WINDIR",
    "PATHEXT", "COMSPEC", "NUMBER_OF_PROCESSORS", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH",
)  # fmt: skip
HOMES = ("HOME", "USERPROFILE", "TMPDIR", "TEMP", "TMP", "IPYTHONDIR")
MOST_FILE = 50_000_000
DEVICES = ("/dev/null", "/dev/urandom", "/dev/random", "/dev/zero")
SYSTEM = (
    "/usr",
    "/lib",
    "/etc/localtime",
    "/etc/mime.types",
    "/etc/fonts",
    "/System",
    "/Library",
    "/nix",
    "/opt",
)

REFUSED = {
    **dict.fromkeys(("os.fork", "os.forkpty", "os.exec", "os.posix_spawn", "os.spawn", "os.startfile",
                     "os.system", "subprocess.Popen", "pty.spawn"), "start"),
    **dict.fromkeys(("os.kill", "os.killpg", "signal.pthread_kill"), "kill"),
    **dict.fromkeys(("socket.connect", "socket.bind", "socket.sendto", "socket.sendmsg", "socket.getaddrinfo",
                     "socket.gethostbyname"), "network"),
}  # fmt: skip
CHANGES = ("os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.link", "os.symlink", "os.chmod", "os.chown",
           "os.truncate", "os.utime", "os.setxattr", "sqlite3.connect")  # fmt: skip
LOOKS = ("os.listdir", "os.scandir")
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


def bare_environment(environ: Mapping[str, str], home: Path) -> dict[str, str]:
    """The variables that a notebook needs, and no others: a teacher's keys and names stay out."""
    kept = {name: environ[name] for name in ALLOWED_NAMES if name in environ}
    places = dict.fromkeys(HOMES, str(home))
    return kept | places | {
        "OPENBLAS_NUM_THREADS": "1", "PYTHONUTF8": "1", "PYTHONDONTWRITEBYTECODE": "1", "MPLBACKEND": "agg",
    }  # fmt: skip


def limit(memory: int, seconds: int) -> None:
    """Limit what this process may take: ``memory`` MB more than now, ``seconds`` of CPU time.

    Windows has no such limits; there only the time is bounded, from outside.
    """
    try:
        import resource
    except ImportError:
        return
    limits = {
        "RLIMIT_AS": _memory_now() + memory * 1_000_000,
        "RLIMIT_CPU": seconds,
        "RLIMIT_FSIZE": MOST_FILE,
        "RLIMIT_NPROC": 0,  # no process and no thread more; not heeded for the system's root
        "RLIMIT_CORE": 0,
    }
    for name, most in limits.items():
        with suppress(AttributeError, ValueError, OSError):
            resource.setrlimit(getattr(resource, name), (most, most))


def _memory_now() -> int:
    """The address space of this process in bytes; a guess where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        return pages * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, AttributeError):
        return 1_000_000_000


def watch(folder: Path, readable: tuple[Path, ...], remark: Callable[[str], None]) -> None:
    """From now on refuse other programs, signals, the network, and files outside; ``remark`` hears of it.

    Files may be read in ``readable`` too. The watch cannot be taken off again.
    """
    sys.addaudithook(_Watch(folder, readable, remark))


class _Watch:
    """Hears what Python is about to do, and stops it with an error where it may not."""

    def __init__(self, folder: Path, readable: tuple[Path, ...], remark: Callable[[str], None]) -> None:
        self.home = (_real(folder),)
        self.reads = (*self.home, *DEVICES, *SYSTEM, *map(_real, readable))
        self.remark = remark
        self.said: set[str] = set()

    def __call__(self, event: str, arguments: tuple[Any, ...]) -> None:
        what = self._fault(event, arguments)
        if not what:
            return
        if what not in self.said:
            self.said.add(what)
            self.remark(what)
        raise PermissionError(f"not allowed while a notebook is graded: {what}")

    def _fault(self, event: str, arguments: tuple[Any, ...]) -> str:
        """What is not allowed about an event, in a word; empty for all else."""
        if event == "open":
            return self._opened(*arguments)
        if event in CHANGES:
            paths = [one for one in arguments if isinstance(one, str | bytes | os.PathLike)]
            return "" if all(_within(path, self.home) for path in paths) else "write"
        if event in LOOKS:
            return "" if _within(arguments[0] or ".", self.reads) else "read"
        return "native" if event.startswith("ctypes.") else REFUSED.get(event, "")

    def _opened(self, path: Any, mode: Any, flags: int) -> str:
        if flags & WRITES or (isinstance(mode, str) and not {*mode}.isdisjoint("wax+")):
            return "" if _within(path, (*self.home, os.devnull)) else "write"
        return "" if _within(path, self.reads) else "read"


def _within(path: Any, places: tuple[str, ...]) -> bool:
    """Whether a path, with its links followed, lies in one of the places; an open file is none of them."""
    if isinstance(path, int):
        return True
    try:
        real = _real(os.fsdecode(path))
    except (TypeError, ValueError):
        return True
    return any(real == place or real.startswith(place.rstrip(os.sep) + os.sep) for place in places)


def _real(path: str | Path) -> str:
    """A path with its links followed; on Windows in one spelling."""
    return os.path.normcase(os.path.realpath(path))
