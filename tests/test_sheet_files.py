"""`class sheet`, `class answer` and `step --variant`: rosters, files, and what is printed."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
import unicodedata
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from browser import CHROMIUM
from hypothesis import given
from hypothesis import strategies as st
from markup import read

from mha_tutor.classroom.sheets import page, printing
from mha_tutor.classroom.sheets.answer_book import MOST_WRONG, answer_book, answers_csv
from mha_tutor.classroom.sheets.answers import AnswerSheet
from mha_tutor.classroom.sheets.items import STAGES, items
from mha_tutor.classroom.sheets.roster import LONGEST_NAME, Student, file_name, read_roster
from mha_tutor.classroom.sheets.sheet import sheet
from mha_tutor.classroom.sheets.variants import variants
from mha_tutor.cli.book import ShowOptions
from mha_tutor.cli.classroom.answer import run_answer
from mha_tutor.cli.classroom.sheets import SheetOptions, run_sheet
from mha_tutor.cli.world import World
from mha_tutor.errors import InputError, WorkError
from mha_tutor.installing import install_line

needs_typst = pytest.mark.skipif(not printing.can_print(), reason="typst is not installed (extra: print)")
FIRST = variants(0, 1, "small")[0]


def pdf(source: Any) -> Any:
    """A PDF, read by pypdf."""
    return pytest.importorskip("pypdf", reason="pypdf is not installed (extra: test)").PdfReader(source)


def world() -> World:
    return World(io.StringIO(), io.StringIO(), {})


def said(here: World) -> str:
    assert isinstance(here.stdout, io.StringIO)
    return here.stdout.getvalue()


def made(folder: Path, **options: object) -> dict[str, bytes]:
    """The files of a class, by name."""
    run_sheet(SheetOptions(folder, **options), world())  # type: ignore[arg-type]
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


# Rosters


def written(folder: Path, data: bytes | str) -> Path:
    path = folder / "roster.csv"
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


PLAIN = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=20)
NAMES = st.lists(PLAIN, min_size=1, max_size=3).map(" ".join)


@given(
    students=st.lists(st.tuples(NAMES, st.one_of(st.just(""), PLAIN)), min_size=1, max_size=8),
    delimiter=st.sampled_from(",;\t"),
    bom=st.booleans(),
    newline=st.sampled_from(["\n", "\r\n"]),
    empty=st.booleans(),
    upper=st.booleans(),
)
def test_a_roster_is_read_as_a_spreadsheet_writes_it(
    tmp_path_factory: pytest.TempPathFactory,
    students: list[tuple[str, str]],
    delimiter: str,
    bom: bool,
    newline: str,
    empty: bool,
    upper: bool,
) -> None:
    file = io.StringIO(newline="")
    writer = csv.writer(file, delimiter=delimiter, lineterminator=newline)
    writer.writerow(["ID", "class", " Name "] if upper else ["id", "class", "name"])
    for name, id in students:
        writer.writerow([id, "9b", name])
        if empty:
            writer.writerow(["", " ", ""])
    data = file.getvalue().encode("utf-8-sig" if bom else "utf-8")
    found = read_roster(written(tmp_path_factory.mktemp("roster"), data))
    composed = [tuple(unicodedata.normalize("NFC", text) for text in student) for student in students]
    assert [(student.name, student.id) for student in found] == composed


@given(st.binary(max_size=200))
def test_any_bytes_are_a_roster_or_are_told(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = written(tmp_path_factory.mktemp("roster"), data)
    try:
        found = read_roster(path)
    except InputError as error:
        assert str(path) in str(error)
    else:
        assert all(student.name for student in found)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("", "is empty"),
        ("\n \n", "is empty"),
        ("first;last\nA;B\n", "has the columns 'first', 'last', and not one 'name'"),
        ("name,name\nA,B\n", "not one 'name'"),
        ("name\n", "names 0 students"),
        ("name,id\nA,1\n,\n,2,x\n,,y\n", "line 5, has no name"),
        ("name\n" + "x" * (LONGEST_NAME + 1), "does not fit on a sheet"),
        ("name\nZoë\n".encode("cp1252"), "CSV UTF-8"),
        ("name\nZoë\n".encode("utf-16"), "CSV UTF-8"),
        ('name\n"Zoë\n', "cannot be read"),
        ("name\n" + "A\n" * 1001, "names 1001 students"),
    ],
)
def test_a_roster_that_cannot_be_used_is_told(tmp_path: Path, data: bytes | str, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        read_roster(written(tmp_path, data))


def test_a_roster_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_roster(tmp_path / "none.csv")


def test_a_line_without_a_name_goes_by_its_id(tmp_path: Path) -> None:
    found = read_roster(written(tmp_path, "name,id\n,s17\nAda,s18\n"))
    assert [student.shown for student in found] == ["s17", "Ada (s18)"]


@given(st.text(max_size=100))
def test_a_file_name_is_plain_and_short(name: str) -> None:
    found = file_name("234-678", Student(name))
    assert re.fullmatch(r"234-678(-[a-z0-9]+)*", found) and len(found) <= 60


def test_accents_become_plain_letters_in_a_file_name() -> None:
    assert file_name("234-678", Student("Zoë  Łúñez/../x")) == "234-678-zoe-lunez-x"


# Files


@needs_typst
def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    a, b, c = (made(tmp_path / name, count=3, seed=seed) for name, seed in (("a", 5), ("b", 5), ("c", 6)))
    assert a == b and set(a) == {"sheets.pdf", "sheets.html", "answers.pdf", "answers.html", "answers.csv"}
    assert not any(a[name] == c[name] for name in a)


@needs_typst
def test_a_pdf_has_the_code_on_every_page_and_every_box(tmp_path: Path) -> None:
    made(tmp_path, students=written(tmp_path, "name\nZoë Núñez\nŁukasz\n"))
    pages = [page.extract_text() for page in pdf(tmp_path / "sheets.pdf").pages]
    chosen = variants(0, 2, "small")
    assert len(pages) == 4
    for i, (it, name) in enumerate(zip(chosen, ("Zoë Núñez", "Łukasz"), strict=True)):
        mine = pages[2 * i : 2 * i + 2]
        assert all(it.code in page and name in page for page in mine)
        assert "page 1 of 2" in mine[0] and "page 2 of 2" in mine[1]
        words = " ".join(mine).split()
        assert {item.name for item in items(it.problem)} <= set(words)


@needs_typst
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_a_small_sheet_fits_on_two_sides(paper: str) -> None:
    sheets = [sheet(it, STAGES) for it in variants(0, 30, "small")]
    reader = pdf(io.BytesIO(printing.sheets_pdf(sheets, paper=paper, large=False)))
    assert len(reader.pages) == 60
    wide = {"a4": 595, "letter": 612}[paper]
    assert {round(page.mediabox.width) for page in reader.pages} == {wide}
    used = {font for page in reader.pages for font in page["/Resources"]["/Font"].values()}
    assert used and all("/DescendantFonts" in font.get_object() for font in used)  # embedded, not named


@needs_typst
def test_the_strip_of_thirty_sheets_is_one_page(tmp_path: Path) -> None:
    names = "name\n" + "".join(f"Student {i} with a long name\n" for i in range(30))
    made(tmp_path, students=written(tmp_path, names), paper="letter", stages="dots")
    pages = [page.extract_text() for page in pdf(tmp_path / "answers.pdf").pages]
    assert all(it.code in pages[0] for it in variants(0, 30, "small"))
    assert "What to say" in pages[1] and "What to say" not in pages[0]
    assert all(it.code in page for it, page in zip(variants(0, 30, "small"), pages[2:], strict=True))


@needs_typst
def test_with_several_pages_the_next_sheet_begins_on_a_new_piece_of_paper(tmp_path: Path) -> None:
    made(tmp_path, count=3, large_print=True)
    codes = [it.code for it in variants(0, 3, "small")]
    pages = [page.extract_text() for page in pdf(tmp_path / "sheets.pdf").pages]
    starts = [next(i for i, page in enumerate(pages) if code in page) for code in codes]
    assert all(start % 2 == 0 for start in starts)
    for start, stop in pairwise([*starts, len(pages)]):
        numbered = [re.search(r"page (\d+) of (\d+)", page) for page in pages[start:stop]]
        shown = [(int(found[1]), int(found[2])) for found in numbered if found]
        assert shown == [(i + 1, len(shown)) for i in range(len(shown))] and len(shown) > 1


@needs_typst
def test_large_print_is_larger_and_names_in_any_script_are_printed(tmp_path: Path) -> None:
    roster = written(tmp_path, "name\n李小龙\nمريم\n<script>#panic()\n")
    small, large = (made(tmp_path / str(big), students=roster, large_print=big) for big in (False, True))
    assert small["sheets.pdf"] != large["sheets.pdf"] and small["sheets.html"] != large["sheets.html"]
    assert "#panic()" in small["answers.csv"].decode("utf-8-sig")


def test_without_typst_there_are_pages_for_the_browser_and_a_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(printing, "can_print", lambda: False)
    here = world()
    run_sheet(SheetOptions(tmp_path, count=1), here)
    assert {path.name for path in tmp_path.iterdir()} == {"sheets.html", "answers.html", "answers.csv"}
    assert install_line("typst") in said(here)


def test_a_page_for_the_browser_has_every_box_and_needs_nothing_else(tmp_path: Path) -> None:
    files = made(tmp_path, students=written(tmp_path, "name\n<b>Zoë & Co\n=1+1\n"))
    root = read(files["sheets.html"].decode())
    boxes = [node.text() for node in root.everything() if node.attributes.get("class") == "box"]
    names = [item.name for it in variants(0, 2, "small") for item in items(it.problem)]
    assert sorted(text for text in boxes if text) == sorted(names)
    assert "<b>Zoë & Co" in root.text()
    for name in ("sheets.html", "answers.html"):
        assert not re.search(rb"https?:|src=|@import|url\(", files[name])
        read(files[name].decode())
    assert "'=1+1" in files["answers.csv"].decode("utf-8-sig")


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium")
def test_a_browser_prints_a_sheet_on_two_sides_with_its_code_on_both(tmp_path: Path) -> None:
    made(tmp_path, count=2)
    command = [str(CHROMIUM), "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer"]
    subprocess.run(
        [*command, f"--user-data-dir={tmp_path / 'profile'}", f"--print-to-pdf={tmp_path / 'printed.pdf'}",
         (tmp_path / "sheets.html").as_uri()],
        check=True, capture_output=True, timeout=120,
    )  # fmt: skip
    pages = [page.extract_text() for page in pdf(tmp_path / "printed.pdf").pages]
    codes = [it.code for it in variants(0, 2, "small") for _ in range(2)]
    assert all(code in page for page, code in zip(pages, codes, strict=True))


def test_the_table_for_a_spreadsheet_has_a_line_an_item(tmp_path: Path) -> None:
    text = made(tmp_path, count=2, stages="dots,mix")["answers.csv"].decode("utf-8-sig")
    rows = list(csv.DictReader(text.splitlines()))
    chosen = variants(0, 2, "small")
    assert [(row["code"], row["item"]) for row in rows] == [
        (it.code, item.name) for it in chosen for item in items(it.problem, ("dots", "mix"))
    ]
    for row in rows:
        assert float(row["from"]) <= float(row["answer"]) <= float(row["to"])


def test_separate_files_bear_code_and_name(tmp_path: Path) -> None:
    files = made(tmp_path, students=written(tmp_path, "name\nZoë\nZoë\n"), separate=True)
    codes = [it.code for it in variants(0, 2, "small")]
    assert {f"{code}-zoe.html" for code in codes} <= set(files) and "sheets.html" not in files


def test_nothing_is_overwritten_unless_asked(tmp_path: Path) -> None:
    (tmp_path / "answers.csv").write_text("mine", encoding="utf-8")
    with pytest.raises(InputError, match=r"answers\.csv already, and nothing was written"):
        made(tmp_path, count=1)
    assert [path.name for path in tmp_path.iterdir()] == ["answers.csv"]
    assert made(tmp_path, count=1, force=True)["answers.csv"] != b"mine"


def test_a_folder_is_made_and_a_file_in_its_place_is_told(tmp_path: Path) -> None:
    assert "answers.csv" in made(tmp_path / "a folder" / "é", count=1)
    (tmp_path / "file").touch()
    with pytest.raises((InputError, WorkError), match="file"):
        made(tmp_path / "file", count=1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"count": 0}, "--count 0"),
        ({"count": 1001}, "choose 1 to 1000"),
        ({"count": 1, "seed": -1}, "--seed -1"),
        ({"count": 1, "size": "smal"}, "Did you mean 'small'"),
        ({"count": 1, "paper": "a5"}, "--paper 'a5'"),
        ({"count": 1, "students": Path("x.csv")}, "do not go together"),
        ({"stages": "embed"}, "--stages 'embed'"),
    ],
)
def test_options_that_do_not_fit_are_told(tmp_path: Path, options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        made(tmp_path, **options)
    assert not list(tmp_path.iterdir())


def test_templates_use_only_what_typst_brings_along() -> None:
    for path in printing.TEMPLATES.glob("*.typ"):
        text = path.read_text(encoding="utf-8")
        assert "@preview" not in text and "#import" not in text and "read(" not in text


# What a teacher and a student type


def answered(*given: str, format: str = "text") -> str:
    here = world()
    code, item, number, *_ = (*given, None, None)
    assert code is not None
    run_answer(code, item, number, ShowOptions(format=format), here)
    return said(here)


@pytest.mark.parametrize("format", ["text", "plain"])
def test_the_answers_of_a_sheet_are_printed_with_their_working(format: str) -> None:
    text = answered(FIRST.code.lower(), format=format)
    for item in items(FIRST.problem):
        assert re.search(rf"\b{item.name}\b", text)
    assert " x " in text and f"step --variant {FIRST.code}" in text
    assert max(map(len, text.splitlines())) <= 80 or format == "plain"


def test_the_answers_are_data_too() -> None:
    data = json.loads(answered(FIRST.code, format="json"))
    assert [it["item"] for it in data["items"]] == [item.name for item in items(FIRST.problem)]
    one = json.loads(answered(FIRST.code, "w10", format="json"))["items"][0]
    wrong = one["wrong_numbers"][0]
    found = json.loads(answered(FIRST.code, "W10", wrong["number"], format="json"))
    assert not found["right"] and set(found["mistakes"]) & set(wrong["mistakes"])
    assert json.loads(answered(FIRST.code, "W10", one["answer"], format="json"))["right"]


def test_a_number_is_judged_in_words() -> None:
    item = json.loads(answered(FIRST.code, "S10", format="json"))["items"][0]
    assert answered(FIRST.code, "S10", item["answer"]).startswith("S10: right. ")
    twice = str(2 * int(item["answer"]))
    told = answered(FIRST.code, "S10", twice)
    assert told.startswith("This is the number you get if") and f"The number is {item['answer']}." in told


def mha_tutor(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "mha_tutor", *arguments],
        capture_output=True, text=True, encoding="utf-8", stdin=subprocess.DEVNULL, check=False,
    )  # fmt: skip


def test_a_number_may_begin_with_a_minus() -> None:
    done = mha_tutor("class", "answer", FIRST.code, "M7", "-55.5")
    assert done.returncode == 0 and "No known mistake" in done.stdout


def test_the_walk_of_a_code_has_the_numbers_of_its_sheet() -> None:
    done = mha_tutor("step", "--variant", FIRST.code.lower(), "--format", "json")
    data = json.loads(done.stdout)
    assert data["sentence"] == FIRST.example.sentence
    assert data["tensors"]["dots"]["values"] == FIRST.problem["dots"].tolist()
    told = mha_tutor("why", "weights[2, 3, 1]", "--variant", FIRST.code)
    assert told.returncode == 0 and FIRST.example.tokens[2] in told.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["step", "--variant", FIRST.code[:-1] + "?"], "no code of a sheet"),
        (
            ["step", "--variant", FIRST.code, "--example", "chef"],
            "--variant and --example do not go together",
        ),
        (["class", "answer", FIRST.code, "Q1"], "There is no item 'Q1'"),
        (["class", "answer", FIRST.code, "W1", "x"], "'x' is not a number"),
    ],
)
def test_wrong_usage_is_told_in_one_line(arguments: list[str], message: str) -> None:
    done = mha_tutor(*arguments)
    assert done.returncode == 2 and message in done.stderr and len(done.stderr.splitlines()) == 1


def test_a_row_with_a_star_lists_all_wrong_numbers_and_another_says_how_many_more() -> None:
    sheets = [AnswerSheet(it) for it in variants(0, 6, "large")]
    for sheet_, leaf in zip(sheets, answer_book(sheets, [""] * 6).leaves, strict=True):
        assert any(row.more for row in leaf.rows)
        for answer, row in zip(sheet_.answers, leaf.rows, strict=True):
            left = len(answer.wrong) - len(row.wrong)
            assert row.more == (f"and {left} more" if left else "")
            assert left == 0 if answer.telling else len(row.wrong) <= MOST_WRONG
    assert "and 2 more" in page.answers_html(answer_book(sheets, [""] * 6), paper="a4", large=False)
    csv_lines = answers_csv(sheets, [""] * 6)
    assert "more" not in csv_lines and csv_lines.count("; ") == sum(
        len(answer.wrong) - 1 for it in sheets for answer in it.answers if answer.wrong
    )
