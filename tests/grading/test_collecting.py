"""What is handed in: folders, zips and trees of all shapes, and names of all kinds."""

from __future__ import annotations

import io
import json
import os
import stat
import unicodedata
import zipfile
from pathlib import Path, PurePosixPath

import pytest
from course.learner import fresh, solved
from hypothesis import given
from hypothesis import strategies as st
from submissions import write

from mha_tutor.classroom.grading import unpacking
from mha_tutor.classroom.grading.collecting import Collected, collect
from mha_tutor.classroom.grading.names import codes, file_name, plain, shown_names, without_lesson
from mha_tutor.classroom.grading.unpacking import Entry, Refused, entries_of
from mha_tutor.errors import InputError

NOTEBOOK = json.dumps(fresh(0)).encode()
FOUR = json.dumps(fresh(4)).encode()


def handed_in(folder: Path, files: dict[str, bytes]) -> Path:
    for name, data in files.items():
        write(data, folder / name)
    return folder


def zipped(path: Path, files: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


def owners(found: Collected) -> list[tuple[str, str]]:
    """Student and lesson of every notebook."""
    return sorted((copy.student, copy.reading.lesson) for copy in found.copies)


ANNA = [("Anna", "00-start-here"), ("Anna", "04-softmax"), ("Ben", "00-start-here")]
SHAPES = {
    "a folder a student": ["Anna/00-start-here.ipynb", "Anna/04-softmax.ipynb", "Ben/00-start-here.ipynb"],
    "one folder around": ["class 7/Anna/00.ipynb", "class 7/Anna/04.ipynb", "class 7/Ben/00.ipynb"],
    "deeper folders": ["Anna/work/00.ipynb", "Anna/work/more/04.ipynb", "Ben/00.ipynb"],
    "a tree of nbgrader": [
        "submitted/Anna/00-start-here/00.ipynb", "submitted/Anna/04-softmax/04.ipynb",
        "submitted/Ben/x/00.ipynb",
    ],
    "a whole course of nbgrader": [
        "submitted/Anna/x/00.ipynb", "submitted/Anna/y/04.ipynb", "submitted/Ben/x/00.ipynb",
        "source/x/00.ipynb", "release/x/00.ipynb",
    ],
    "names in files": ["Anna 00-start-here.ipynb", "04-softmax_Anna.ipynb", "Ben-00-start-here (1).ipynb"],
    "a folder a lesson inside": ["Anna/lesson 0/a.ipynb", "Anna/04-softmax/b.ipynb", "Ben/00/c.ipynb"],
}  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("as_zip", [False, True])
def test_students_and_lessons_are_found(tmp_path: Path, shape: str, as_zip: bool) -> None:
    files = dict(zip(SHAPES[shape], [NOTEBOOK, FOUR, *[NOTEBOOK] * 3], strict=False))
    path = zipped(tmp_path / "in.zip", files) if as_zip else handed_in(tmp_path / "in", files)
    assert owners(collect(path)) == ANNA


LESSON_FIRST = [
    ["Lesson 0/Anna/a.ipynb", "Lesson 4/Anna/a.ipynb", "Lesson 0/Ben/a.ipynb"],
    ["00-start-here/Anna/a.ipynb", "04-softmax/Anna/a.ipynb", "00-start-here/Ben/a.ipynb"],
    ["class/week 0/Anna/a.ipynb", "class/week_04/Anna/a.ipynb", "class/week 0/Ben/deep/a.ipynb"],
    ["0/Anna/a.ipynb", "4/Anna/a.ipynb", "0/Ben/a.ipynb"],
    ["Lesson 0/Anna 00-start-here.ipynb", "Lesson 4/Anna/a.ipynb", "Lesson 0/Ben.ipynb"],
]


@pytest.mark.parametrize("names", LESSON_FIRST)
def test_students_in_folders_of_lessons_are_found(tmp_path: Path, names: list[str]) -> None:
    handed_in(tmp_path / "in", dict(zip(names, (NOTEBOOK, FOUR, NOTEBOOK), strict=True)))
    assert owners(collect(tmp_path / "in")) == ANNA


def test_students_who_are_numbers_are_no_lessons(tmp_path: Path) -> None:
    files = {
        f"{number}/{name}.ipynb": data for number in (1, 4) for name, data in (("a", NOTEBOOK), ("b", FOUR))
    }
    found = owners(collect(handed_in(tmp_path / "in", files)))
    assert found == [(student, lesson) for student in "14" for lesson in ("00-start-here", "04-softmax")]


@pytest.mark.parametrize(
    ("files", "message"),
    [
        (["Lesson 0/Anna/a.ipynb", "Ben/a.ipynb"], "'Lesson 0' is called like a lesson and 'Ben' is not"),
        (["Start/Anna/a", "Start/Ben/a", "Soft/Anna/a 4", "Soft/Ben/a 4"], "hold a lesson each"),
        (["Lesson 0/00.ipynb", "Lesson 0/00 (1).ipynb", "Lesson 4/Ben/4.ipynb"], "does not say whose it is"),
    ],
)
def test_folders_that_do_not_say_who_the_students_are_are_refused(
    tmp_path: Path, files: list[str], message: str
) -> None:
    data = {f"{name.removesuffix('.ipynb')}.ipynb": FOUR if "4" in name else NOTEBOOK for name in files}
    with pytest.raises(InputError, match=message):
        collect(handed_in(tmp_path / "in", data))


def test_one_students_folder_is_one_student(tmp_path: Path) -> None:
    files = {"00-start-here.ipynb": NOTEBOOK, "04-softmax.ipynb": FOUR}
    assert owners(collect(handed_in(tmp_path / "Anna", files))) == ANNA[:2]


def test_zips_of_students_in_a_folder_and_in_a_zip_are_read(tmp_path: Path) -> None:
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr("mha-tutor-course/00-start-here.ipynb", NOTEBOOK)
    handed_in(tmp_path / "in", {"Anna.zip": inner.getvalue(), "Ben/00.ipynb": NOTEBOOK})
    outer = zipped(tmp_path / "all.zip", {"Anna.zip": inner.getvalue(), "Ben/00.ipynb": NOTEBOOK})
    for path in (tmp_path / "in", outer):
        assert owners(collect(path)) == [("Anna", "00-start-here"), ("Ben", "00-start-here")]


def test_hidden_files_checkpoints_and_backups_are_left_out(tmp_path: Path) -> None:
    names = [
        ".hidden/00.ipynb", "Anna/.ipynb_checkpoints/00-checkpoint.ipynb", "__MACOSX/Anna/._00.ipynb",
        "Anna/._00.ipynb", "Anna/backups/00-start-here-2026.ipynb", "Anna/notes.txt",
    ]  # fmt: skip
    files = {"Anna/00.ipynb": NOTEBOOK} | dict.fromkeys(names, NOTEBOOK)
    for path in (handed_in(tmp_path / "in", files), zipped(tmp_path / "in.zip", files)):
        assert owners(collect(path)) == [("Anna", "00-start-here")]


def test_a_renamed_notebook_is_known_by_what_is_in_it(tmp_path: Path) -> None:
    bare = solved(4) | {"metadata": {}}
    handed_in(tmp_path / "in", {"Anna/homework.ipynb": FOUR, "Ben/b.ipynb": json.dumps(bare).encode()})
    assert owners(collect(tmp_path / "in")) == [("Anna", "04-softmax"), ("Ben", "04-softmax")]


def test_accents_written_in_two_ways_are_one_name(tmp_path: Path) -> None:
    names = [unicodedata.normalize(form, "José Núñez") for form in ("NFC", "NFD")]
    assert names[0] != names[1]
    path = zipped(tmp_path / "in.zip", {f"{names[0]}/00.ipynb": NOTEBOOK, f"{names[1]}/04.ipynb": FOUR})
    assert owners(collect(path)) == [("José Núñez", "00-start-here"), ("José Núñez", "04-softmax")]


def test_the_same_name_twice_is_told_apart_by_what_the_platform_adds(tmp_path: Path) -> None:
    one, two, other = (
        f"{name}_{id}_assignsubmission_file_" for name, id in (("Ann Li", 1), ("Ann Li", 2), ("Bo", 3))
    )
    handed_in(tmp_path / "in", {f"{name}/00.ipynb": NOTEBOOK for name in (one, two, other)})
    students = [copy.student for copy in collect(tmp_path / "in").copies]
    assert list(shown_names(students).values()) == ["Ann Li (1)", "Ann Li (2)", "Bo"]


def test_all_files_of_one_student_of_a_platform_are_one_students(tmp_path: Path) -> None:
    start = "Ann Li_17_assignsubmission_file_"
    names = [
        f"{start}04-softmax.ipynb",
        f"{start}home work.ipynb",
        "Ann Li_17_assignsubmission_onlinetext/b.ipynb",
    ]
    handed_in(tmp_path / "in", dict(zip(names, (FOUR, NOTEBOOK, NOTEBOOK), strict=True)))
    students = {copy.student for copy in collect(tmp_path / "in").copies}
    assert list(shown_names(students).values()) == ["Ann Li"]


def test_two_notebooks_under_one_path_are_both_read(tmp_path: Path) -> None:
    paths = [unicodedata.normalize(form, "Zoë/00.ipynb") for form in ("NFC", "NFD")]
    found = collect(zipped(tmp_path / "in.zip", dict(zip(paths, (NOTEBOOK, FOUR), strict=True))))
    assert [copy.path for copy in found.copies] == ["Zoë/00.ipynb", "Zoë/00.ipynb (2)"]
    assert {copy.reading.lesson for copy in found.copies} == {"00-start-here", "04-softmax"}


BAD = {
    "../Anna/00.ipynb": "climbs", "Anna/../../00.ipynb": "climbs", "..\\Anna\\00.ipynb": "climbs",
    "/etc/00.ipynb": "top of the disk", "C:/Anna/00.ipynb": "top of the disk",
    "\\\\host\\00.ipynb": "top of the disk",
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_an_entry_that_would_climb_out_is_refused_and_the_others_are_read(tmp_path: Path, name: str) -> None:
    path = zipped(tmp_path / "in.zip", {"Ben/00.ipynb": NOTEBOOK, name: NOTEBOOK})
    found = collect(path)
    assert owners(found) == [("Ben", "00-start-here")]
    ((_, reason),) = found.refused
    assert BAD[name] in reason
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_in_a_zip_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "in.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("Ben/00.ipynb", NOTEBOOK)
        link = zipfile.ZipInfo("Anna/00.ipynb")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
    found = collect(path)
    assert owners(found) == [("Ben", "00-start-here")] and "no plain file" in found.refused[0].reason


def test_a_zip_bomb_is_refused_without_being_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unpacking, "MOST_BYTES", 1_000_000)
    path = zipped(tmp_path / "in.zip", {"Ben/00.ipynb": NOTEBOOK, "Eve/00.ipynb": b"0" * 30_000_000})
    found = collect(path)
    assert owners(found) == [("Ben", "00-start-here")] and "larger than 1 MB" in found.refused[0].reason


def test_many_entries_together_are_bounded_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpacking, "MOST_TOTAL", len(NOTEBOOK) * 2 + 10)
    path = zipped(tmp_path / "in.zip", {f"S{n}/00.ipynb": NOTEBOOK for n in range(5)})
    found = collect(path)
    assert len(found.copies) == 2 and len(found.refused) == 3
    monkeypatch.setattr(unpacking, "MOST_ENTRIES", 4)
    with pytest.raises(InputError, match="more than 4 files"):
        collect(path)


def test_a_damaged_entry_is_refused_and_a_damaged_zip_is_told(tmp_path: Path) -> None:
    path = zipped(tmp_path / "in.zip", {"Ben/00.ipynb": NOTEBOOK, "Eve/00.ipynb": FOUR})
    data = bytearray(path.read_bytes())
    at = data.rindex(b"Eve/00.ipynb", 0, data.rindex(b"PK\x01\x02")) + 200
    data[at : at + 50] = b"\xff" * 50
    path.write_bytes(bytes(data))
    assert owners(collect(path)) == [("Ben", "00-start-here")]
    path.write_bytes(b"PK" + bytes(100))
    with pytest.raises(InputError, match="is no zip"):
        collect(path)


@pytest.mark.skipif(not hasattr(os, "symlink") or os.name == "nt", reason="links need rights here")
def test_a_link_in_a_folder_is_not_followed(tmp_path: Path) -> None:
    secret = write(NOTEBOOK, tmp_path / "secret.ipynb")
    handed_in(tmp_path / "in", {"Ben/00.ipynb": NOTEBOOK})
    (tmp_path / "in" / "Ben" / "link.ipynb").symlink_to(secret)
    found = collect(tmp_path / "in")
    assert len(found.copies) == 1 and found.refused[0].reason == "it is a link"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nowhere", "no folder and no zip"),
        ("notes.txt", "neither a folder nor a zip"),
        ("empty", "no notebook"),
    ],
)
def test_what_holds_no_submissions_is_told(tmp_path: Path, name: str, message: str) -> None:
    (tmp_path / "notes.txt").write_text("", encoding="utf-8")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=message):
        collect(tmp_path / name)


words = st.text(min_size=1, max_size=12)


@given(st.lists(words, min_size=1, max_size=6, unique=True))
def test_every_student_has_a_file_that_all_systems_take(names: list[str]) -> None:
    students = list(dict.fromkeys(map(plain, names)))
    files = [file_name(student) for student in students]
    assert len({name.casefold() for name in files}) == len(students)
    for name in files:
        assert name.isascii() and name == PurePosixPath(name).name and not set(name) & set('<>:"/\\|?*. ')


@given(words)
def test_a_plain_name_is_one_printable_line_and_stays_so(name: str) -> None:
    found = plain(name)
    assert found == plain(found) and found.isprintable() and found == found.strip()
    assert plain(unicodedata.normalize("NFD", name)) == plain(unicodedata.normalize("NFC", name))


@given(
    st.lists(words, unique=True, max_size=8),
    st.dictionaries(words, st.sampled_from(["AAAA", "CCCC"]), max_size=2),
)
def test_codes_are_different_and_known_ones_stay(students: list[str], known: dict[str, str]) -> None:
    if len(set(known.values())) < len(known):
        known = dict(list(known.items())[:1])
    found = codes(students, known)
    assert len(set(found.values())) == len(students)
    assert all(found[student] == code for student, code in known.items() if student in found)


@given(
    st.text(alphabet="ab._- /\\:é", min_size=1, max_size=14), st.sampled_from(["", "/", "../", "x/../", "C:"])
)
def test_a_zip_entry_that_is_read_never_leads_out(name: str, before: str) -> None:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr(f"{before}{name}.ipynb", b"{}")
    for entry in entries_of(data.getvalue(), "test.zip", (".ipynb",)):
        if isinstance(entry, Entry):
            assert (
                not entry.path.is_absolute() and ".." not in entry.path.parts and str(entry.path)[1:2] != ":"
            )
            assert "\\" not in str(entry.path)
        else:
            assert isinstance(entry, Refused) and entry.reason


@pytest.mark.parametrize(
    ("stem", "left"),
    [
        ("04-softmax", ""), ("04-softmax (1)", ""), ("04-softmax-Copy1", ""), ("Anna_04-softmax", "Anna"),
        ("04-softmax - Anna Meier", "Anna Meier"), ("ANNA 04-SOFTMAX copy", "ANNA"),
    ],
)  # fmt: skip
def test_a_files_name_without_its_lesson_is_the_student(stem: str, left: str) -> None:
    assert without_lesson(stem, "04-softmax") == left
