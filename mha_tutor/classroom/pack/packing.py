"""Put the pack together: wheels, course, README. What is there already stays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from ...course import folder as course_folder
from ...errors import InputError, WorkError
from ...numbers import bytes_scaled
from ...texts import texts
from .markers import needed
from .pip import Package, Pip
from .targets import Target
from .wheel import own_wheel
from .wording import say

WHEELS, COURSE, README = "wheels", "course", "README.txt"
EXTRAS = ("course", "lab")
OWN = "mha-tutor"
Tell = Callable[[str], None]


def make_pack(
    out: Path, machines: Sequence[Target], extras: Sequence[str], only_from: Path | None, tell: Tell
) -> None:
    """Make the folder ``out``, or go on with one that was begun; ``tell`` hears what was done.

    Raises InputError for folders that cannot be used, and WorkError when wheels cannot be had.
    """
    if out.exists() and not out.is_dir():
        raise InputError(say("out_is_file", folder=out))
    if only_from is not None and not only_from.is_dir():
        raise InputError(say("no_from", folder=only_from))
    wheels = out / WHEELS
    pip = Pip.found()
    wheels.mkdir(parents=True, exist_ok=True)
    source = pip if only_from is None else pip.only_from(only_from)
    own = own_wheel(wheels, source)
    tell(say("own", name=own.name))
    for target in machines:
        tell(say("begin", target=target.name))
        tell(fetch_for(target, own, extras, wheels, pip.only_from(wheels), source))
    tell(put_course(out / COURSE))
    tell(put_readme(out, machines, extras))
    versions = dict.fromkeys(target.python for target in machines)
    tell(say("done", folder=out, size=bytes_scaled(size_of(out))))
    tell(say("pythons", pythons=" and ".join(versions), first=next(iter(versions))))


def fetch_for(target: Target, own: Path, extras: Sequence[str], wheels: Path, there: Pip, source: Pip) -> str:
    """Fetch what is missing for one machine; what is to be told of it. Raises WorkError."""
    wanted = str(own) + (f"[{','.join(extras)}]" if extras else "")
    try:
        packages, said = complete(there, target, wanted, extras), "there"
    except WorkError:
        packages, said = complete(source, target, wanted, extras), "wheels"
        exact = [f"{one.name}=={one.version}" for one in packages.values() if one.name != OWN]
        source.fetch(target, exact, wheels)
    files = (wheels / one.file for one in packages.values())
    size = bytes_scaled(sum(path.stat().st_size for path in files if path.is_file()))
    return say(said, target=target.name, count=len(packages), size=size)


def complete(pip: Pip, target: Target, wanted: str, extras: Sequence[str]) -> dict[str, Package]:
    """All packages that ``wanted`` needs on that machine, also those that this one would not need."""
    asked = [wanted]
    while True:
        packages = pip.needs(target, asked)
        missing = lacking(packages, target, extras)
        if not missing:
            return packages
        asked += missing


def lacking(packages: dict[str, Package], target: Target, extras: Sequence[str]) -> list[str]:
    """Requirements that hold on that machine and are not among the packages."""
    missing: dict[str, str] = {}
    seen: set[tuple[str, frozenset[str]]] = set()
    open_ones = [(OWN, frozenset(extras))]
    while open_ones:
        place = open_ones.pop()
        if place in seen:
            continue
        seen.add(place)
        name, wanted = place
        for one in needed(packages[name].requires, target.markers, wanted):
            if one.name in packages:
                open_ones.append((one.name, one.extras))
            else:
                missing[one.name] = one.text
    return list(missing.values())


def put_course(folder: Path) -> str:
    """The notebooks to work in; what is to be told."""
    made = course_folder.start(folder)
    if not made.new:
        return say("course_kept")
    return say("course", count=len(made.new), folder=folder)


def put_readme(out: Path, machines: Sequence[Target], extras: Sequence[str]) -> str:
    """What to do on each machine, in a file that stands in nobody's way; what is to be told."""
    text = readme_text(machines, extras)
    path = out / README
    number = 1
    while path.exists():
        if path.read_text(encoding="utf-8") == text:
            break
        number += 1
        path = out / f"{Path(README).stem}-{number}.txt"
    else:
        path.write_text(text, encoding="utf-8", newline="\r\n")  # also for the oldest editors of Windows
    return say("readme", name=path) if number == 1 else say("readme_kept", name=path)


def readme_text(machines: Sequence[Target], extras: Sequence[str]) -> str:
    """The README of a pack for these machines."""
    words = texts("pack")["readme"]
    pythons = list(dict.fromkeys(target.python for target in machines))
    names = list(dict.fromkeys(target.platform.name for target in machines))
    systems = [words[name] for name in dict.fromkeys(name.partition("-")[0] for name in names)]
    package = OWN + (f"[{','.join(extras)}]" if extras else "")
    py_version = f" -{pythons[0]}" if len(pythons) == 1 else ""
    lines = (("course", words["course_lines"]), ("lab", words["lab_lines"]))
    text: str = (
        words["text"]
        .lstrip()
        .format(
            pythons=" or ".join(pythons),
            platforms=", ".join(names),
            install="".join(it["install"] for it in systems).format(package=package, py_version=py_version),
            ask=" or ".join(dict.fromkeys(it["ask"] for it in systems)),
            activate="".join(it["activate"] for it in systems),
            # `course start` makes them too; one source is named
            course_folder="" if "course" in extras else words["course_folder"],
            course="".join(lines for extra, lines in lines if extra in extras),
        )
    )
    return text


def size_of(folder: Path) -> int:
    """The bytes of all files in it."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
