"""The program's own wheel: made again from what was installed, or built from the source folder.

A pure wheel is the installed files in a zip. What pip wrote at the installation (its notes, the
script for the shell) is left out, and every file must still have the hash that RECORD names.
The same installation gives the same bytes.
"""

from __future__ import annotations

import base64
import hashlib
import tempfile
import zipfile
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path, PurePosixPath

from ...errors import WorkError
from .pip import Pip
from .wording import say

NAME = "mha_tutor"
PACKAGE = Path(__file__).parents[2]
LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the first date a zip knows; so the bytes depend on the files alone
_FROM_THE_WHEEL = ("METADATA", "WHEEL", "entry_points.txt")  # of the files beside RECORD; and the licences


def own_wheel(folder: Path, pip: Pip) -> Path:
    """Put the wheel of mha-tutor into the folder; its path.

    Raises WorkError when it cannot be made, or when another build is there.
    """
    installed = installed_from_wheel()
    if installed is not None:
        return _keep(f"{_stem(installed)}.whl", zipped(wheel_files(installed)), folder)
    root = PACKAGE.parent
    if not (root / "pyproject.toml").is_file():
        raise WorkError(say("no_own"))
    with tempfile.TemporaryDirectory() as place:
        try:
            pip.run(None, "wheel", "--no-deps", f"--wheel-dir={place}", str(root))
        except WorkError as error:
            raise WorkError(say("build_failed", folder=root, said=error)) from None
        (built,) = Path(place).glob("*.whl")
        return _keep(built.name, built.read_bytes(), folder)


def installed_from_wheel(package: Path = PACKAGE) -> Distribution | None:
    """The installation that the running program is; None for a source folder."""
    try:
        found = distribution(NAME)
    except PackageNotFoundError:
        return None
    for file in found.files or ():
        if file.as_posix() == f"{NAME}/__init__.py":
            here = Path(str(found.locate_file(file))).resolve()
            return found if here == (package / "__init__.py").resolve() else None
    return None


def wheel_files(installed: Distribution) -> dict[str, bytes]:
    """The files of the wheel that was installed, by their paths in it; RECORD is made anew.

    Raises WorkError for a file that is missing or has changed since.
    """
    kept: dict[str, bytes] = {}
    for file in installed.files or ():
        path = PurePosixPath(file.as_posix())
        if not _belongs(path):
            continue
        where = Path(str(installed.locate_file(file)))
        content = where.read_bytes() if where.is_file() else b""
        if file.hash is None or _hash(content) != file.hash.value:
            raise WorkError(say("changed", file=where))
        kept[str(path)] = content
    info = f"{NAME}-{installed.version}.dist-info"
    record = f"{info}/RECORD"
    lines = [f"{_quoted(path)},sha256={_hash(content)},{len(content)}" for path, content in kept.items()]
    kept[record] = "".join(f"{line}\n" for line in (*lines, f"{record},,")).encode()
    return kept


def _belongs(path: PurePosixPath) -> bool:
    """Whether a file came out of the wheel, and was not written at the installation."""
    if path.parts[0] == NAME:
        return "__pycache__" not in path.parts
    if not path.parts[0].endswith(".dist-info"):
        return False
    return path.name in _FROM_THE_WHEEL or path.parts[1] == "licenses"


def zipped(files: dict[str, bytes]) -> bytes:
    """The files as a zip that depends on their names and contents alone; RECORD comes last."""
    order = sorted(files, key=lambda path: (path.endswith("/RECORD"), path))
    with tempfile.TemporaryFile() as place:
        with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in order:
                entry = zipfile.ZipInfo(path, LONG_AGO)
                entry.external_attr = 0o644 << 16
                entry.create_system = 3  # of the attributes; else it would say where it was made
                archive.writestr(entry, files[path], zipfile.ZIP_DEFLATED, 9)
        place.seek(0)
        return place.read()


def _stem(installed: Distribution) -> str:
    """The name of the wheel without its ending; the tag stands in the file WHEEL."""
    lines = (installed.read_text("WHEEL") or "").splitlines()
    tag = next((line.partition(":")[2].strip() for line in lines if line.startswith("Tag:")), "py3-none-any")
    return f"{NAME}-{installed.version}-{tag}"


def _keep(name: str, content: bytes, folder: Path) -> Path:
    """Write the wheel beside its place, then put it there; never over another one."""
    path = folder / name
    if path.exists():
        if _contents(path) != _contents_of(content):
            raise WorkError(say("other_own", path=path))
        return path
    part = path.with_name(f".{name}.part")
    part.write_bytes(content)
    part.replace(path)
    return path


def _contents(path: Path) -> dict[str, int]:
    """The files of a wheel with their checksums: two builds of the same files are alike in these."""
    try:
        with zipfile.ZipFile(path) as archive:
            return {entry.filename: entry.CRC for entry in archive.infolist() if not entry.is_dir()}
    except zipfile.BadZipFile:
        return {}


def _contents_of(content: bytes) -> dict[str, int]:
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "wheel"
        path.write_bytes(content)
        return _contents(path)


def _hash(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def _quoted(path: str) -> str:
    """A path as a field of RECORD, which is a table with commas."""
    return f'"{path}"' if "," in path else path
