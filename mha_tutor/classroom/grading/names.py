"""Students' names out of the names of folders and files, and codes in the place of names."""

from __future__ import annotations

import re
import secrets
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from hashlib import sha256

# As Moodle names what is handed in: "Anna Meier_12345_assignsubmission_file_".
_MOODLE = re.compile(r"^(?P<name>.+?)_(?P<id>\d+)_assignsubmission_.*$")
PLATFORM = "_assignsubmission_file_"
_EDGES = " _-.,()[]"
_COPY = re.compile(r"(?i)([ _-]*\(\d+\)|[ _-]+(copy|kopie|copie|copia)\d*|-checkpoint)+$")
LETTERS = "CDFGHJKLMNPQRTVWX"  # none is taken for another or for a digit, and no word comes of them
LENGTH = 4
LONGEST_SLUG = 40


def plain(name: str) -> str:
    """A name with its accents written in one way (NFC), in one line, without spaces at its ends."""
    name = unicodedata.normalize("NFC", name)
    return " ".join("".join(c if c.isprintable() else " " for c in name).split())


def in_order(name: str) -> tuple[str, str]:
    """What names are sorted by: their letters without accents, in any case; then the name itself."""
    letters = unicodedata.normalize("NFKD", name.casefold())
    return "".join(c for c in letters if not unicodedata.combining(c)), name


def student_of(name: str) -> str:
    """A student out of the name of a folder or file: what the platform adds about the file goes."""
    match = _MOODLE.match(name := plain(name))
    return f"{match['name']}_{match['id']}{PLATFORM}" if match else name


def without_lesson(stem: str, lesson: str) -> str:
    """What is left of a file's name without its lesson: "anna 04-softmax (1)" gives "anna"."""
    if _MOODLE.match(stem := plain(stem)):
        return student_of(stem)
    stem = _COPY.sub("", stem)
    at = stem.casefold().find(lesson.casefold())
    left = (stem[:at] + " " + stem[at + len(lesson) :]) if at >= 0 else stem
    return left.strip(_EDGES)


def shown_names(students: Iterable[str]) -> dict[str, str]:
    """A name to show for each student: the platform's additions go where that leaves names different."""
    students = list(dict.fromkeys(students))
    found = {one: _MOODLE.match(one) for one in students}
    short = {one: plain(match["name"]) if (match := found[one]) else one for one in students}
    counted = [name.casefold() for name in short.values()]
    shown = {}
    for one, name in short.items():
        match = found[one]
        twice = counted.count(name.casefold()) > 1 and match
        shown[one] = f"{name} ({match['id']})" if twice and match else name
    return shown


def codes(students: Collection[str], known: Mapping[str, str]) -> dict[str, str]:
    """A code for each student: the one that is known, or a new one drawn by chance."""
    taken = set(known.values())
    found = {}
    for student in students:
        code = known.get(student, "")
        while not code or (code in taken and student not in known):
            code = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
        taken.add(code)
        found[student] = code
    return found


def file_name(student: str) -> str:
    """A name for a student's file that every system takes, and that no other student has."""
    flat = unicodedata.normalize("NFKD", student).encode("ascii", "ignore").decode("ascii").lower()
    slug = re.sub(r"[^a-z0-9]+", "-", flat).strip("-")[:LONGEST_SLUG]
    return f"{slug or 'student'}-{sha256(student.encode('utf-8', 'surrogatepass')).hexdigest()[:6]}"
