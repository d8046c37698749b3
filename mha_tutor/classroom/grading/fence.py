"""What a student's process may do: limits of the system, an empty home, and a watch over what it opens.

It keeps accidents and simple tricks to one notebook. It is no wall. Code that runs as the same user can
get around it: through native code that a package brings along, through a fresh copy of a built-in module
made with importlib's inner functions, by changing Python's own functions while the watch decides on a
path object, or through a fault of Python. The system's limits (fewer for root) and the judges, of which
no notebook shares one with another, hold then too.
"""

from __future__ import annotations

import builtins
import importlib.util
import os
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from types import ModuleType
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
                     "os.system", "subprocess.Popen", "pty.spawn", "_winapi.CreateProcess"), "start"),
    **dict.fromkeys(("os.kill", "os.killpg", "signal.pthread_kill", "_winapi.OpenProcess",
                     "_winapi.TerminateProcess"), "kill"),
    **dict.fromkeys(("resource.prlimit", "resource.setrlimit"), "limits"),
    **dict.fromkeys(("gc.get_objects", "gc.get_referrers", "gc.get_referents", "sys.remote_exec",
                     "cpython.PyInterpreterState_New"), "inside"),  # another interpreter has no watch
    **dict.fromkeys(("socket.connect", "socket.bind", "socket.sendto", "socket.sendmsg", "socket.getaddrinfo",
                     "socket.gethostbyname"), "network"),
}  # fmt: skip
CHANGES = ("os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.link", "os.symlink", "os.chmod", "os.chown",
           "os.truncate", "os.utime", "os.setxattr", "sqlite3.connect")  # fmt: skip
# Functions that no audit event tells of: they are replaced wherever they are loaded, by module and name.
UNHEARD = {
    "start": (("_posixsubprocess", "fork_exec"),),
    "kill": (("posix", "pidfd_open"), ("_signal", "pidfd_send_signal"), ("posix", "setpriority"),
             ("posix", "sched_setaffinity"), ("posix", "sched_setscheduler"), ("posix", "sched_setparam")),
    "write": (("posix", "mkfifo"), ("posix", "mknod"), ("_posixshmem", "shm_open"),
              ("_posixshmem", "shm_unlink")),
    "inside": (("posix", "unshare"), ("posix", "setns")),
}  # fmt: skip
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


def watch(
    folder: Path, readable: tuple[str, ...], hidden: tuple[str, ...], remark: Callable[[str], None]
) -> None:
    """From now on refuse other programs, signals, the network, and files outside; ``remark`` hears of it.

    Files may be read in ``readable`` too, but not in ``hidden``. The watch cannot be taken off again.
    """
    judge: Callable[..., str] | None = _apart().fault_finder(str(folder), readable, hidden)
    said: set[str] = set()

    def refuse(what: str) -> None:
        if what not in said:
            said.add(what)
            remark(what)
        raise PermissionError(f"not allowed while a notebook is graded: {what}")

    def hook(event: str, arguments: tuple[Any, ...], finder: Any = judge, refuse: Any = refuse) -> None:
        what = finder(event, arguments)
        finder = None  # an error shows this frame to whoever catches it
        if what:
            refuse(what)

    _replace_unheard(refuse)
    sys.addaudithook(hook)


def _apart() -> Any:
    """A copy of this module that goes on working when the functions of Python it uses are changed."""
    system = ModuleType("os")
    vars(system).update(vars(os))
    system.path = _copied(os.path.__name__, os=system)  # type: ignore[attr-defined]
    return _copied(__name__, os=system)


def _copied(name: str, **names: object) -> ModuleType:
    """A module run anew with its own built-in functions, and then with ``names`` in it."""
    spec = importlib.util.find_spec(name)
    assert spec is not None
    module = ModuleType(name)
    module.__dict__["__builtins__"] = dict(vars(builtins))
    exec(spec.loader.get_code(name), vars(module))  # type: ignore[union-attr]
    vars(module).update(names)
    return module


def _replace_unheard(refuse: Callable[[str], None]) -> None:
    """Put a function that refuses in the place of each one of UNHEARD, in every module that has it."""
    for what, places in UNHEARD.items():
        for module, name in places:
            with suppress(ImportError, AttributeError):
                _replace(getattr(importlib.import_module(module), name), _refusing(refuse, what))


def _refusing(refuse: Callable[[str], None], what: str) -> Callable[..., None]:
    return lambda *_, **__: refuse(what)


def _replace(function: object, other: object) -> None:
    for module in list(sys.modules.values()):
        for name, value in list(getattr(module, "__dict__", {}).items()):
            if value is function:
                vars(module)[name] = other
    for name in ("supports_dir_fd", "supports_fd", "supports_follow_symlinks", "supports_effective_ids"):
        getattr(os, name, set()).discard(function)


def fault_finder(
    home: str, readable: tuple[str, ...], hidden: tuple[str, ...]
) -> Callable[[str, tuple[Any, ...]], str]:
    """What finds what is not allowed about an event, in a word; it finds nothing about all else."""
    homes = (_real(home),)
    reads = (*homes, *DEVICES, *SYSTEM, *map(_real, readable))
    secrets = tuple(map(_real, hidden))
    modules = {module for places in UNHEARD.values() for module, _ in places}

    def looked(path: Any) -> str:
        if _within(path, secrets, odd=False):
            return "solutions"
        return "" if _within(path, reads) else "read"

    def opened(path: Any, mode: Any, flags: int) -> str:
        if flags & WRITES or (isinstance(mode, str) and not {*mode}.isdisjoint("wax+")):
            return "" if _within(path, (*homes, os.devnull)) else "write"
        return looked(path)

    def fault(event: str, arguments: tuple[Any, ...]) -> str:
        if event == "open":
            return opened(*arguments)
        if event in CHANGES:
            paths = [one for one in arguments if isinstance(one, str | bytes | os.PathLike)]
            return "" if all(_within(path, homes) for path in paths) else "write"
        if event in LOOKS:
            return looked(arguments[0] or ".")
        if event == "import":
            return "inside" if arguments[0] in modules else ""
        if event == "object.__setattr__":
            return "inside" if arguments[1] == "__code__" else ""
        return "native" if event.startswith("ctypes.") else REFUSED.get(event, "")

    return fault


def _within(path: Any, places: tuple[str, ...], *, odd: bool = True) -> bool:
    """Whether a path, with its links followed, lies in one of the places; an open file is none of them.

    An object that makes itself a path could say one thing now and another thing later, so it is nowhere.
    """
    if isinstance(path, int):
        return odd
    if type(path) not in (str, bytes) and not isinstance(path, Path):
        return False
    try:
        real = _real(os.fsdecode(path))
    except (TypeError, ValueError):
        return odd
    return any(real == place or real.startswith(place.rstrip(os.sep) + os.sep) for place in places)


def _real(path: str | Path) -> str:
    """A path with its links followed; on Windows in one spelling."""
    return os.path.normcase(os.path.realpath(path))
