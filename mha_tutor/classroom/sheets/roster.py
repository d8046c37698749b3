"""The names of a class, read from a table that a spreadsheet saved."""

from __future__ import annotations

import csv
import unicodedata
from pathlib import Path
from typing import NamedTuple

from ...errors import InputError

MOST_STUDENTS = 1000
LONGEST_NAME = 80
DELIMITERS = ",;\t"
# Letters that Unicode does not take for a plain one with a mark.
WHOLE_LETTERS = str.maketrans(
    {"ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ı": "i", "ß": "ss", "æ": "ae", "Æ": "Ae",
     "œ": "oe", "Œ": "Oe"}
)  # fmt: skip


class Student(NamedTuple):
    """Who gets a sheet; two may have the same name. ``id`` may be empty."""

    name: str
    id: str = ""

    @property
    def shown(self) -> str:
        """The name as it stands on a sheet, with the id where there is one."""
        return f"{self.name} ({self.id})" if self.id and self.id != self.name else self.name


def read_roster(path: Path) -> list[Student]:
    """The students of a CSV file with a column ``name``, and ``id`` if it has one; others are not read.

    Commas, semicolons or tabs stand between the columns. Empty lines do not count, the same name
    may stand there twice, and a line without a name goes by its id. Raises InputError.
    """
    rows = _rows(path)
    if not rows:
        raise InputError(f"'{path}' is empty. {_wanted()}")
    header = [name.strip().lower() for name in rows[0][1]]
    if header.count("name") != 1:
        found = ", ".join(f"'{name}'" for name in header[:6])
        raise InputError(f"'{path}' has the columns {found}, and not one 'name'. {_wanted()}")
    place: dict[str, int] = {name: header.index(name) for name in ("name", "id") if name in header}
    students = [_student(path, line, row, place) for line, row in rows[1:]]
    if not 1 <= len(students) <= MOST_STUDENTS:
        raise InputError(f"'{path}' names {len(students)} students; expected 1 to {MOST_STUDENTS}.")
    return students


def _wanted() -> str:
    return "The first line must name the columns: name, or name and id; then one student a line."


def _rows(path: Path) -> list[tuple[int, list[str]]]:
    """The lines that are not empty, each with its number."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(
            f"'{path}' is not written in UTF-8. Save it again as 'CSV UTF-8', or in a text editor as UTF-8."
        ) from None
    except OSError as error:
        raise InputError(f"'{path}' cannot be read ({error.strerror or error}).") from None
    lines = text.splitlines(keepends=True)
    first = next((line for line in lines if line.strip()), "")
    delimiter = max(DELIMITERS, key=first.count)
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    try:
        return [(reader.line_num, row) for row in reader if any(cell.strip() for cell in row)]
    except csv.Error as error:
        raise InputError(f"'{path}', line {reader.line_num}, cannot be read: {error}.") from None


def _student(path: Path, line: int, row: list[str], place: dict[str, int]) -> Student:
    cells = {name: _tidy(row[at]) if at < len(row) else "" for name, at in place.items()}
    name, id = cells["name"], cells.get("id", "")
    if not (name or id):
        raise InputError(f"'{path}', line {line}, has no name. Write one, or take the line out.")
    for cell in (name, id):
        if len(cell) > LONGEST_NAME:
            raise InputError(
                f"'{path}', line {line}: a name of {len(cell)} letters does not fit on a sheet; "
                f"expected at most {LONGEST_NAME}."
            )
    return Student(name or id, id)


def _tidy(cell: str) -> str:
    """One line, composed letters, single spaces, nothing that cannot be printed."""
    text = unicodedata.normalize("NFC", " ".join(cell.split()))
    return "".join(letter for letter in text if letter.isprintable())


def file_name(code: str, student: Student | None) -> str:
    """What a sheet's own file is called, without an ending: the code, and the name in plain letters."""
    name = (student.name if student else "").translate(WHOLE_LETTERS)
    name = unicodedata.normalize("NFKD", name)
    plain = "".join(c if c.isascii() and c.isalnum() else "-" for c in name if not unicodedata.combining(c))
    words = [word for word in plain.lower().split("-") if word]
    return "-".join([code, *words])[:60].rstrip("-")
