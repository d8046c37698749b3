"""A class graded: results that stay, copies, codes, the table and the pages."""

from __future__ import annotations

import csv
import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from course.learner import answered, fresh, solved
from markup import read
from submissions import LIMITS, attempted, fingerprint, graded, states, verdicts, write

from mha_tutor.classroom.grading import clerk, judges
from mha_tutor.classroom.grading.grade import News, Options, grade
from mha_tutor.classroom.grading.job import STATES, Found, Job
from mha_tutor.classroom.grading.nbgrader import write_course
from mha_tutor.classroom.grading.summary import revisit_first
from mha_tutor.classroom.grading.table import csv_text
from mha_tutor.course.lesson import find_lesson
from mha_tutor.errors import InputError, WorkError

HOSTILE = "=cmd|'/c calc'!A1 <script>alert(1)</script>"
NAMES = ["Anna Meier", "Zoë Müller", "Élodie", HOSTILE]


def rows(out: Path) -> list[dict[str, str]]:
    with (out / "results.csv").open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A class of four with two lessons, and its results."""
    place = tmp_path_factory.mktemp("class")
    chance = random.Random(2)
    for name in NAMES:
        for number in (0, 4):
            if (name, number) != ("Élodie", 4):
                write(attempted(number, chance, 0.5), place / "in" / _folder(name) / f"{number}.ipynb")
    graded(place / "in", place / "out")
    return place


def _folder(name: str) -> str:
    return name.replace("/", "∕")


def test_the_table_has_a_row_for_every_exercise_of_every_student(place: Path) -> None:
    found = rows(place / "out")
    numbers = [exercise.number for n in (0, 4) for exercise in find_lesson(n).exercises]
    assert [row["exercise"] for row in found] == numbers * len(NAMES)
    assert {row["state"] for row in found} <= set(STATES)
    assert all(int(row["points"]) == (row["state"] == "done") for row in found)
    assert any(row["mistake"] for row in found)
    assert list(found[0]) == ["student", "lesson", "exercise", "points", "mistake", "state", "note"]


def test_students_stand_in_the_order_of_the_alphabet_whatever_their_accents(place: Path) -> None:
    order = list(dict.fromkeys(row["student"] for row in rows(place / "out")))
    assert [name.lstrip("'")[0] for name in order] == ["=", "A", "É", "Z"]


def test_a_lesson_that_was_not_handed_in_is_not_started(place: Path) -> None:
    mine = [
        row for row in rows(place / "out") if row["student"] == "Élodie" and row["lesson"] == "04-softmax"
    ]
    assert {row["state"] for row in mine} == {"not started"}
    assert {row["note"] for row in mine} == {"No notebook of this lesson was handed in."}


def test_a_name_is_no_formula_for_a_spreadsheet(place: Path) -> None:
    assert any(row["student"] == "'" + _folder(HOSTILE) for row in rows(place / "out"))
    for start in ("=1", "+1", "-1", "@a", "\t=1", " =1", "\n=1"):
        (line,) = csv.reader([csv_text([[start]]).removeprefix("\ufeff")])
        assert line[0].startswith("'") and "\n" not in line[0]
    assert csv_text([[0, "a,b", 'c"d']]) == '\ufeff0,"a,b","c""d"\n'


def test_the_pages_are_whole_html_and_show_names_as_text(place: Path) -> None:
    pages = [place / "out" / "class.html", *(place / "out" / "feedback").iterdir()]
    assert len(pages) == 1 + len(NAMES)
    for page in pages:
        text = page.read_text(encoding="utf-8")
        root = read(text[text.index("<main") : text.index("</body>")])
        assert not root.all("script") and root.all("h1")
        assert "http" not in text
        assert "{" not in root.text(), "a text was not filled in"


def test_links_of_the_class_page_lead_to_the_feedback_pages(place: Path) -> None:
    text = (place / "out" / "class.html").read_text(encoding="utf-8")
    links = [
        link.attributes["href"] for link in read(text[text.index("<main") : text.index("</body>")]).all("a")
    ]
    assert len(set(links)) == len(NAMES) and all((place / "out" / link).is_file() for link in links)


def test_what_is_known_is_not_run_again_unless_asked_for(place: Path) -> None:
    before = fingerprint(place / "out")
    again = graded(place / "in", place / "out")
    assert (again.run, again.known) == (0, 7)
    assert {name: one[0] for name, one in fingerprint(place / "out").items()} == {
        n: o[0] for n, o in before.items()
    }
    assert graded(place / "in", place / "out", again=True).run == 7


def test_a_run_that_is_stopped_goes_on_where_it_was(tmp_path: Path) -> None:
    chance = random.Random(3)
    for name in "abcdef":
        write(attempted(0, chance, 0.7), tmp_path / "in" / name / "0.ipynb")

    def stop(news: News) -> None:
        if news.number == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        grade(tmp_path / "in", tmp_path / "out", Options(LIMITS, jobs=1), stop)
    assert not (tmp_path / "out" / "results.csv").exists()
    assert not list((tmp_path / "out").rglob("*.part"))
    rest = graded(tmp_path / "in", tmp_path / "out")
    assert (rest.run, rest.known) == (4, 2)
    write(solved(0), tmp_path / "in" / "a" / "0.ipynb")
    changed = graded(tmp_path / "in", tmp_path / "out")
    assert (changed.run, changed.known) == (1, 5) and set(states(changed, "a").values()) == {"done"}


def test_a_kept_result_that_is_broken_is_found_anew(tmp_path: Path) -> None:
    write(solved(0), tmp_path / "in" / "a" / "0.ipynb")
    graded(tmp_path / "in", tmp_path / "out")
    (kept,) = (tmp_path / "out" / "kept").iterdir()
    for text in ("", "[]", '[{"0.1": ["great", "", []]}, []]', '[{"0.1": 1}, []]'):
        kept.write_text(text, encoding="utf-8")
        again = graded(tmp_path / "in", tmp_path / "out")
        assert again.run == 1 and set(states(again, "a").values()) == {"done"}


def test_of_two_notebooks_of_one_lesson_the_best_counts_and_the_pages_say_so(tmp_path: Path) -> None:
    write(solved(0), tmp_path / "in" / "Anna" / "first.ipynb")
    write(answered(fresh(0), e0_1="how_many = 9"), tmp_path / "in" / "Anna" / "second.ipynb")
    write(b"{", tmp_path / "in" / "Anna" / "third 00-start-here.ipynb")
    found = graded(tmp_path / "in", tmp_path / "out")
    assert set(states(found, "Anna").values()) == {"done"}
    for page in ("class.html", found.view.files["Anna"]):
        text = (tmp_path / "out" / page).read_text(encoding="utf-8")
        assert "Anna/first.ipynb" in text and "3" in text


def test_codes_stand_in_the_place_of_names_everywhere(place: Path, tmp_path: Path) -> None:
    def with_names(folder: Path) -> set[str]:
        words = ("Meier", "Müller", "lodie", "calc", "meier", "muller")
        texts = {str(path.relative_to(folder)): path for path in folder.rglob("*") if path.is_file()}
        return {
            name for name, path in texts.items()
            if any(word in name or word in path.read_text(encoding="utf-8") for word in words)
        }  # fmt: skip

    out = tmp_path / "out"
    write(b"not a notebook", tmp_path / "in" / "Anna Meier" / "meier.ipynb")
    for name in NAMES:
        write(fresh(0), tmp_path / "in" / _folder(name) / "0.ipynb")
        write(solved(0), tmp_path / "in" / _folder(name) / f"{name[:5]}.ipynb")
    graded(tmp_path / "in", out)
    assert with_names(out)
    first = graded(tmp_path / "in", out, coded=True)
    assert with_names(out) == {"names-for-the-teacher.csv"}
    assert graded(tmp_path / "in", out, coded=True).view.names == first.view.names
    with (out / "names-for-the-teacher.csv").open(encoding="utf-8-sig", newline="") as file:
        told = {row["name"].lstrip("'"): row["code"] for row in csv.DictReader(file)}
    assert {row["student"] for row in rows(out)} == set(told.values()) == set(first.view.names.values())
    assert set(told) == {_folder(name) for name in NAMES}


def test_the_results_go_into_no_folder_that_holds_other_things(tmp_path: Path) -> None:
    write(fresh(0), tmp_path / "in" / "Anna" / "0.ipynb")
    write(b"mine", tmp_path / "full" / "notes.txt")
    for out, message in (
        ("full", "holds other files"),
        ("in", "lies inside"),
        ("in/Anna/out", "lies inside"),
    ):
        with pytest.raises(InputError, match=message):
            graded(tmp_path / "in", tmp_path / out)
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["notes.txt"]
    with pytest.raises(InputError, match="No notebook of lesson 4"):
        graded(tmp_path / "in", tmp_path / "out", lessons=(4,))
    assert not (tmp_path / "out").exists()


def test_the_feedback_says_which_mistake_gives_the_number_and_where_it_is_treated(tmp_path: Path) -> None:
    body = "exps = np.exp(scores_ts)\n    return exps / exps.sum(axis=0, keepdims=True)"
    wrong = f"import numpy as np\ndef softmax(scores_ts):\n    {body}"
    write(answered(solved(4), e4_3=wrong), tmp_path / "in" / "Anna" / "4.ipynb")
    found = graded(tmp_path / "in", tmp_path / "out")
    one = verdicts(found, "Anna", 4)["4.3"]
    assert one.state == "wrong" and one.ids
    page = (tmp_path / "out" / found.view.files["Anna"]).read_text(encoding="utf-8")
    assert "That is what you get when" in page and "mha-tutor step --stage softmax" in page
    text = (tmp_path / "out" / "class.html").read_text(encoding="utf-8")
    assert "Revisit first: lesson 4" in text and "1 of 1 students" in text


def program(*arguments: str, folder: Path, **more: str) -> subprocess.CompletedProcess[bytes]:
    """`mha-tutor class grade` with arguments, in a pipe."""
    environ = {**os.environ, "OPENBLAS_NUM_THREADS": "1", **more}
    return subprocess.run(
        [sys.executable, "-m", "mha_tutor", "class", "grade", *arguments],
        cwd=folder, env=environ, capture_output=True, check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip


def test_the_command_prints_a_line_a_notebook_and_the_class_in_any_encoding(place: Path) -> None:
    done = program(
        "in", "--out", "anew", "--jobs", "1", folder=place, PYTHONIOENCODING="ascii", PYTHONPATH=_here()
    )
    assert done.returncode == 0 and done.stderr == b""
    text = done.stdout.decode("ascii")
    assert "7 of 7" in text and "The class: 4 students, 7 notebooks" in text and "Notebooks run: 7" in text
    assert all(len(line) <= 80 for line in text.splitlines() if " of 7  " not in line and "calc" not in line)
    coded = program("in", "--out", "anew", "--codes", "--again", folder=place, PYTHONPATH=_here())
    assert coded.returncode == 0 and b"7 of 7" in coded.stdout
    assert not [name for name in (b"Meier", b"ller", b"lodie", b"calc") if name in coded.stdout]
    plain = program("in", "--out", "anew", "--format", "plain", folder=place, PYTHONPATH=_here())
    assert plain.returncode == 0 and b"Known from before: 7" in plain.stdout


def test_wrong_usage_is_one_message(place: Path) -> None:
    for arguments, said in (
        (("nowhere", "--out", "x"), b"There is no folder"),
        (("in", "--out", "in"), b"lies inside"),
    ):
        done = program(*arguments, folder=place, PYTHONPATH=_here())
        assert done.returncode == 2 and said in done.stderr and done.stderr.count(b"\n") == 1


def _here() -> str:
    return str(Path(__file__).parents[2])


def test_the_state_file_says_what_was_written(place: Path) -> None:
    told = json.loads((place / "out" / "grading.json").read_text(encoding="utf-8"))
    assert all((place / "out" / name).is_file() for name in told["files"]) and len(told["files"]) == 6


def test_grading_needs_neither_a_terminal_library_nor_a_notebook_program() -> None:
    code = (
        "import sys\n"
        "import mha_tutor.classroom.grading.grade, mha_tutor.classroom.grading.judge\n"
        "import mha_tutor.classroom.grading.nbgrader\n"
        "assert not {'rich', 'typer', 'click', 'nbformat', 'IPython', 'nbgrader'} & set(sys.modules)"
    )
    environ = {**os.environ, "PYTHONPATH": _here()}
    done = subprocess.run([sys.executable, "-c", code], env=environ, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_class_without_one_notebook_of_the_course_gets_its_pages_too(tmp_path: Path) -> None:
    write({"cells": [], "metadata": {}, "nbformat": 4}, tmp_path / "in" / "Anna" / "physics.ipynb")
    graded(tmp_path / "in", tmp_path / "out")
    (row,) = rows(tmp_path / "out")
    assert (row["student"], row["lesson"], row["state"]) == ("Anna", "", "cannot be read")
    assert "no notebook of the course" in (tmp_path / "out" / "class.html").read_text(encoding="utf-8")


def test_a_judge_that_does_not_start_is_told_with_its_last_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judges, "MODULE", "mha_tutor.no_such_module")
    write(fresh(0), tmp_path / "in" / "Anna" / "0.ipynb")
    with pytest.raises(WorkError, match=r"does not start .*No module named"):
        graded(tmp_path / "in", tmp_path / "out")


def test_a_judge_that_was_killed_is_replaced_and_no_result_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in "abc":
        write(attempted(0, random.Random(name), 1.0), tmp_path / "in" / name / "0.ipynb")
    asked: list[str] = []
    ask = judges._Judge.ask

    def killed_once(self: judges._Judge, work: judges.Work) -> Found | None:
        asked.append(work.name)
        if len(asked) == 2:
            assert self.process is not None
            self.process.kill()
        return ask(self, work)

    monkeypatch.setattr(judges._Judge, "ask", killed_once)
    found = graded(tmp_path / "in", tmp_path / "out", jobs=1)
    assert len(asked) == 4
    assert all(set(states(found, name).values()) == {"done"} for name in "abc")


def test_an_answer_that_was_slipped_in_is_nobodys_mark(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lines in a clerk's pipe that are no answer to the question: without a nonce, or a judge's of before."""
    notebooks = {"a": fresh(0), "b": solved(0), "c": solved(4)}
    for name, notebook in notebooks.items():
        write(notebook, tmp_path / "in" / name / "0.ipynb")
    started = judges._Judge._started
    made: list[object] = []

    def slipped(self: judges._Judge) -> Any:
        process = started(self)
        made.append(process)
        if len(made) == 1:
            line = json.dumps(["a", "guessed", [{"0.1": ["done", "", []]}, []]]) + "\n"
            process.stdout = Slipped(process.stdout, line)
        return process

    monkeypatch.setattr(judges._Judge, "_started", slipped)
    found = graded(tmp_path / "in", tmp_path / "out", jobs=1)
    assert len(made) == 2
    assert set(states(found, "a").values()) == {"not started"}
    assert set(states(found, "b").values()) == set(states(found, "c", 4).values()) == {"done"}


class Slipped:
    """A pipe with one line more at its beginning."""

    def __init__(self, pipe: Any, line: str) -> None:
        self.pipe, self.line = pipe, line

    def readline(self) -> str:
        line, self.line = self.line, ""
        return line or str(self.pipe.readline())

    def close(self) -> None:
        self.pipe.close()


@pytest.mark.skipif(judges.HOW != "fork", reason="limits are the system's of Linux")
def test_a_judge_whose_limits_were_changed_or_that_says_two_things_gives_no_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import resource
    from multiprocessing import Pipe

    def found_and_limited(self: Any) -> Found:
        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
        return Found({})

    def status_of(grading: Any) -> int:
        monkeypatch.setattr(clerk.Grading, "found", grading)
        here, there = Pipe()
        resource.setrlimit(resource.RLIMIT_CORE, (hard := resource.getrlimit(resource.RLIMIT_CORE)[1],) * 2)
        assert hard, "this test needs a limit that it may lower"
        pid = os.fork()
        if pid == 0:
            clerk.judge_of(there)
        here.send_bytes(json.dumps(Job("00-start-here", (), str(tmp_path), LIMITS)).encode())
        return os.waitpid(pid, 0)[1]

    assert status_of(lambda self: Found({})) == 0
    assert status_of(found_and_limited) != 0
    one, two = Pipe()
    for said, expected in ((["{}"], {}), (["{}", "{}"], None), ([], None), (["no json"], None)):
        one, two = Pipe()
        for line in said:
            two.send_bytes(line.encode())
        two.close()
        assert clerk._told(one) == expected


def test_a_name_that_begins_with_an_apostrophe_keeps_its_code(tmp_path: Path) -> None:
    for name in ("'t Hart, Jan", "=1"):
        write(fresh(0), tmp_path / "in" / name / "0.ipynb")
    first = graded(tmp_path / "in", tmp_path / "out", coded=True)
    assert graded(tmp_path / "in", tmp_path / "out", coded=True).view.names == first.view.names


def test_a_lesson_whose_notebook_was_merely_stopped_is_not_to_be_revisited(tmp_path: Path) -> None:
    write(answered(solved(0), e0_2="import os\nos._exit(0)"), tmp_path / "in" / "a" / "0.ipynb")
    found = graded(tmp_path / "in", tmp_path / "out")
    assert states(found, "a")["0.2"] == "stopped" and revisit_first(found.view.marks) is None


@pytest.mark.skipif(os.name != "posix", reason="elsewhere nobody is asked whether a process is there")
def test_what_a_killed_run_left_is_cleared_and_what_a_live_one_has_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    monkeypatch.setattr(judges.tempfile, "tempdir", str(tmp_path))
    names = [f"mha-tutor-grade-{number}-x" for number in (gone.pid, os.getpid(), "word")]
    for name in names:
        (tmp_path / name).mkdir()
    with judges.Judges(1, LIMITS):
        pass
    assert {path.name for path in tmp_path.iterdir()} == set(names[1:])


def test_a_folder_that_cannot_be_made_is_told_in_words(tmp_path: Path) -> None:
    write(fresh(0), tmp_path / "in" / "a" / "0.ipynb")
    file = write(b"", tmp_path / "file.txt")
    with pytest.raises(InputError, match="cannot be made"):
        graded(tmp_path / "in", file / "out")
    with pytest.raises(InputError, match="cannot be made"):
        write_course(file, [find_lesson(0)])


def test_other_limits_are_another_run(tmp_path: Path) -> None:
    write(solved(0), tmp_path / "in" / "a" / "0.ipynb")
    assert graded(tmp_path / "in", tmp_path / "out").run == 1
    assert graded(tmp_path / "in", tmp_path / "out", limits=LIMITS._replace(timeout=9)).run == 1
    assert graded(tmp_path / "in", tmp_path / "out").run == 0


def test_the_same_file_of_two_students_is_run_once(tmp_path: Path) -> None:
    for name in "ab":
        write(solved(0), tmp_path / "in" / name / "0.ipynb")
    found = graded(tmp_path / "in", tmp_path / "out")
    assert found.run == 1 and states(found, "a") == states(found, "b")
