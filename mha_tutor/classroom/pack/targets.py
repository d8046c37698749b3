"""The machines of a room: what their wheels are called, and what a requirement's marker sees there."""

from __future__ import annotations

import platform as host
import sys
from typing import NamedTuple

from ...errors import InputError, check_choice

OLDEST, NEWEST = 11, 20  # of Python 3; how new is for pip to find out
GLIBC = range(5, 29)  # manylinux_2_5 to 2_28: Debian 10, Ubuntu 20.04 and later take all of them


class Platform(NamedTuple):
    """A kind of machine: the tags of its wheels, and its values of the markers of PEP 508."""

    name: str
    tags: tuple[str, ...]
    markers: dict[str, str]


def _linux_tags() -> tuple[str, ...]:
    names = [f"manylinux_2_{minor}" for minor in reversed(GLIBC)]
    return tuple(f"{name}_x86_64" for name in (*names, "manylinux2014", "manylinux2010", "manylinux1"))


def _mac(machine: str) -> dict[str, str]:
    return {"os_name": "posix", "sys_platform": "darwin", "platform_system": "Darwin"} | {
        "platform_machine": machine
    }


# pip takes wheels for older systems of the same kind from the one tag of macOS by itself.
PLATFORMS = {
    one.name: one
    for one in (
        Platform(
            "windows",
            ("win_amd64",),
            {"os_name": "nt", "sys_platform": "win32", "platform_system": "Windows"}
            | {"platform_machine": "AMD64"},
        ),
        Platform("macos-arm", ("macosx_11_0_arm64",), _mac("arm64")),
        Platform("macos-intel", ("macosx_11_0_x86_64",), _mac("x86_64")),
        Platform(
            "linux",
            _linux_tags(),
            {"os_name": "posix", "sys_platform": "linux", "platform_system": "Linux"}
            | {"platform_machine": "x86_64"},
        ),
    )
}


class Target(NamedTuple):
    """A platform with a Python."""

    platform: Platform
    python: str

    @property
    def name(self) -> str:
        """As it is written in messages: windows, Python 3.12."""
        return f"{self.platform.name}, Python {self.python}"

    @property
    def markers(self) -> dict[str, str]:
        """What a requirement's marker sees on that machine."""
        return {
            **self.platform.markers,
            "python_version": self.python,
            "python_full_version": f"{self.python}.0",
            "implementation_name": "cpython",
            "implementation_version": f"{self.python}.0",
            "platform_python_implementation": "CPython",
            "platform_release": "",
            "platform_version": "",
        }

    def pip_options(self) -> list[str]:
        """The options with which pip looks for that machine's wheels; never for a source to be built."""
        abi = f"cp{self.python.replace('.', '')}"
        return [
            "--only-binary=:all:",
            *(f"--platform={tag}" for tag in self.platform.tags),
            f"--python-version={self.python}",
            "--implementation=cp",
            *(f"--abi={one}" for one in (abi, "abi3", "none")),
        ]


def targets(platforms: tuple[str, ...], pythons: tuple[str, ...]) -> list[Target]:
    """Every platform with every Python. Raises InputError for a name that is none."""
    for name in platforms:
        check_choice("--platform", name, tuple(PLATFORMS))
    for version in pythons:
        major, point, minor = version.partition(".")
        if (major, point) != ("3", ".") or not minor.isdecimal() or not OLDEST <= int(minor) <= NEWEST:
            raise InputError(
                f"--python '{version}' does not do. Write a version such as 3.12; 3.{OLDEST} is the oldest."
            )
    names = dict.fromkeys(platforms or PLATFORMS)
    versions = dict.fromkeys(pythons or (this_python(),))
    return [Target(PLATFORMS[name], version) for name in names for version in versions]


def this_python() -> str:
    """The version of the Python that runs this, such as 3.12."""
    return f"{sys.version_info.major}.{sys.version_info.minor}"


def this_machine() -> Target | None:
    """The target that this machine is; None for a machine that packs are not made for."""
    for one in PLATFORMS.values():
        markers = one.markers
        if markers["sys_platform"] == sys.platform and markers["platform_machine"] == host.machine():
            return Target(one, this_python())
    return None
