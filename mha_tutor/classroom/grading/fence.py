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

STARTS = ("os.fork", "os.forkpty", "os.exec", "os.posix_spawn", "os.spawn", "os.startfile", "os.system",
          "subprocess.Popen", "pty.spawn")  # fmt: skip
KILLS = ("os.kill", "os.killpg", "signal.pthread_kill")
NETWORK = ("socket.connect", "socket.bind", "socket.sendto", "socket.sendmsg", "socket.getaddrinfo",
           "socket.gethostbyname")  # fmt: skip
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
    home = (_real(folder),)
    reads = (*home, *DEVICES, *SYSTEM, *map(_real, readable))
    said: set[str] = set()

    def refuse(what: str) -> None:
        if what not in said:
            said.add(what)
            remark(what)
        raise PermissionError(f"not allowed while a notebook is graded: {what}")

    def heard(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            path, mode, flags = arguments
            changes = bool(flags & WRITES) or (isinstance(mode, str) and not {*mode}.isdisjoint("wax+"))
            if changes and not _within(path, (*home, "/dev/null")):
                refuse("write")
            if not changes and not _within(path, reads):
                refuse("read")
        elif event in CHANGES:
            if not all(_within(one, home) for one in arguments if isinstance(one, str | bytes | os.PathLike)):
                refuse("write")
        elif event in LOOKS:
            if not _within(arguments[0] or ".", reads):
                refuse("read")
        elif event in STARTS:
            refuse("start")
        elif event in KILLS:
            refuse("kill")
        elif event in NETWORK:
            refuse("network")
        elif event.startswith("ctypes."):
            refuse("native")

    sys.addaudithook(heard)


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
