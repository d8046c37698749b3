"""A bad notebook costs only itself: everyone else's results are there, and it is marked."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from course.learner import added, answered, cell, fresh, solution, solved
from submissions import Notebook, fingerprint, graded, remarks, states, verdicts, write

from mha_tutor.classroom.grading.grade import Graded
from mha_tutor.classroom.grading.reading import read_notebook_of
from mha_tutor.course.lesson import lessons

ALL = ("0.1", "0.2", "0.3", "0.4")
DONE = dict.fromkeys(ALL, "done")
BLANK = dict.fromkeys(ALL, "not started")
posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows sets no such limit")


def function(body: str) -> Notebook:
    """Everything solved, but in 0.2 this runs before the right lines."""
    right = solution("0.2").split("\n")
    lines = [right[0], *(f"    {line}" for line in body.split("\n")), *right[1:]]
    return answered(solved(0), e0_2="\n".join(lines))


def beside(source: str) -> Notebook:
    """Everything solved, and a cell of the student's own at the top."""
    notebook = solved(0)
    notebook["cells"].insert(1, added(source))
    return notebook


def bare() -> Notebook:
    """Everything solved, in a copy that has neither ids nor metadata, and a cell of the student's own."""
    notebook = solved(0)
    kept = [{key: c[key] for key in ("cell_type", "source")} | {"metadata": {}} for c in notebook["cells"]]
    mine = {"cell_type": "code", "source": "mine = 1", "metadata": {}}
    return {"cells": [mine, *kept], "metadata": {}, "nbformat": 4, "nbformat_minor": 0}


def colab() -> Notebook:
    """Everything solved; the ids stand in the metadata, and nothing else does."""
    cells = [
        {"cell_type": c["cell_type"], "source": c["source"], "metadata": {"id": c["id"]}}
        for c in solved(0)["cells"]
        if c["cell_type"] == "code"
    ]
    return {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 0}


def in_r() -> Notebook:
    notebook = answered(solved(0), e0_1="how_many <- 9")
    notebook["metadata"] |= {"kernelspec": {"name": "ir", "language": "R"}, "language_info": {"name": "R"}}
    return notebook


def killed_often() -> Notebook:
    """Everything solved, and four cells that each end Python."""
    notebook = solved(0)
    for number in range(4):
        notebook["cells"].insert(1, added("import os\nos._exit(0)", id=f"mine-{number}"))
    return notebook


def without(part: str, notebook: Notebook) -> Notebook:
    notebook["cells"] = [c for c in notebook["cells"] if c["metadata"]["mha_tutor"]["part"] != part]
    return notebook


def edited_checks() -> Notebook:
    notebook = fresh(0)
    for c in notebook["cells"]:
        if c["metadata"]["mha_tutor"]["part"] == "check":
            c["source"] = "print('done')"
            c["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "0.1 done."}]
    return notebook


def duplicated() -> Notebook:
    """A blank work cell, and a copy under it with the answer, as a notebook program makes copies."""
    notebook = solved(0)
    work = cell(notebook, "0.2", "work")
    copy = json.loads(json.dumps(work)) | {"id": "copy"}
    work["source"] = cell(fresh(0), "0.2", "work")["source"]
    notebook["cells"].insert(notebook["cells"].index(work) + 1, copy)
    return notebook


def old_format() -> bytes:
    cells = [{"cell_type": "code", "input": "1", "outputs": [], "language": "python"}]
    return json.dumps({"worksheets": [{"cells": cells}], "nbformat": 3, "nbformat_minor": 0}).encode()


def other_course() -> Notebook:
    cells = [added("print('physics')")]
    return {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}


def huge() -> Notebook:
    """50 MB of saved outputs."""
    notebook = solved(0)
    cell(notebook, "0.1", "work")["outputs"] = [
        {"output_type": "stream", "name": "stdout", "text": "x" * 50_000_000}
    ]
    return notebook


PATCHES = """
from mha_tutor.course import check, failing
for name in ("choice", "numbers", "function"):
    setattr(check, name, lambda *given, **more: print("done"))
failing.CheckFailed.__init__ = lambda *given: None
"""
FRAMES = """
import gc, json
for thing in gc.get_objects():
    if type(thing).__name__ == "Channel":
        thing.say("value", ["value", 9])
"""
OUTSIDE = """
import os
from pathlib import Path
for folder in ("{place}", "..", os.path.expanduser("~") + "/.."):
    path = Path(folder, "mine.txt")
    try:
        path.write_text("mine", encoding="utf-8")
    except OSError:
        pass
try:
    os.remove("{place}/results.csv")
except OSError:
    pass
"""
EVIL = """
class Evil:
    def __float__(self):
        raise SystemExit
    def __repr__(self):
        raise KeyboardInterrupt
how_many = Evil()
"""
PIPES = """
import os
for number in range(3, 12):
    try:
        open(f"/proc/{os.getppid()}/fd/{number}", "w").write("{}")
    except OSError:
        pass
"""
BLINDS = """
import builtins, os, posixpath
posixpath.realpath = os.path.realpath = lambda path, **_: "/usr"
os.path.normcase = os.fsdecode = lambda path: "/usr"
kept = builtins.any
builtins.any = lambda things: True
try:
    open("/etc/passwd").read()
    os._exit(0)
finally:
    builtins.any = kept
"""
SOLVED_BY_US = """
theirs = None
from importlib import import_module
found = import_module("mha_" + "tutor.course.comparing")
theirs = found.solution_of("0.2", "total")
"""
KINDS: dict[str, Callable[[], Notebook | bytes]] = {
    "right": lambda: solved(0),
    "endless": lambda: function("while True:\n    pass"),
    "endless cell": lambda: answered(solved(0), e0_2="while True:\n    pass"),
    "deaf": lambda: function(
        "while True:\n    try:\n        while True: pass\n    except BaseException: pass"
    ),
    "killed": lambda: function("import os\nos._exit(0)"),
    "killed beside": lambda: beside("import os\nos._exit(0)"),
    "killed often": killed_often,
    "comma": lambda: answered(solved(0), e0_1="how_many = 98,02"),
    "comma of a pair": lambda: answered(solved(0), e0_1="how_many = 98,5"),
    "no name": lambda: answered(solved(0), e0_1="# one\nhow_many = nine"),
    "no syntax": lambda: answered(solved(0), e0_1="\nhow_many = = 9"),
    "awaits": lambda: answered(solved(0), e0_1="how_many = await nine()"),
    "calls checks": lambda: beside("from mha_tutor.course import check\ncheck.numbers('0.1', {'9': 9})"),
    "bare": bare,
    "colab": colab,
    "in r": in_r,
    "exits": lambda: beside("raise SystemExit"),
    "crash": lambda: function("import sys\nsys.setrecursionlimit(10**9)\ndef f(): f()\nf()"),
    "memory": lambda: function("import numpy\nnumpy.ones(2 * 10**8)"),
    "memory in small pieces": lambda: function("kept = []\nwhile True:\n    kept.append(bytearray(10**7))"),
    "forks": lambda: beside("import os\nwhile True:\n    os.fork()"),
    "starts": lambda: beside("import subprocess\nsubprocess.run(['touch', 'x'])"),
    "kills": lambda: beside("import os, signal\nos.kill(os.getppid(), signal.SIGKILL)"),
    "network": lambda: beside("import urllib.request\nurllib.request.urlopen('http://127.0.0.1:9')"),
    "native": lambda: beside("import ctypes\nctypes.string_at(0)"),
    "a limits": lambda: beside(
        "import resource, os\nresource.prlimit(os.getppid(), resource.RLIMIT_AS, (1, 1))"
    ),
    "own limits": lambda: beside("import resource\nresource.setrlimit(resource.RLIMIT_AS, (-1, -1))"),
    "bare start": lambda: beside(
        "import sys\nfrom multiprocessing.util import spawnv_passfds\n"
        "spawnv_passfds(sys.executable.encode(), [b'python', b'-c', b''], ())"
    ),
    "pipe file": lambda: beside("import os\nos.mkfifo('/tmp/mha-tutor-fifo')"),
    "node": lambda: beside(
        "import os\nfor f in os.supports_dir_fd:\n    assert f.__name__ != 'mknod'\nos.mknod('x')"
    ),
    "process file": lambda: beside("import os\nos.pidfd_open(os.getppid())"),
    "judge's pipes": lambda: beside(PIPES),
    "searches": lambda: beside("import gc\ngc.get_objects()"),
    "blinds": lambda: beside(BLINDS),
    "solved by us": lambda: answered(beside(SOLVED_BY_US), e0_2="total = theirs"),
    "opens solutions": lambda: beside(
        "from mha_tutor.course import material\nmaterial.notebook('00-start-here', solved=True).read_text()"
    ),
    "reads": lambda: beside("open('/etc/passwd').read()"),
    "flood": lambda: beside("for i in range(100):\n    print('x' * 1_000_000)"),
    "raw flood": lambda: beside("import os\nfor i in range(100):\n    os.write(1, b'x' * 1_000_000)"),
    "huge": huge,
    "no json": lambda: json.dumps(solved(0)).encode()[:3000],
    "empty": lambda: b"",
    "old format": old_format,
    "other course": other_course,
    "edited checks": edited_checks,
    "patched": lambda: answered(beside(PATCHES), e0_1="how_many = 8"),
    "talks": lambda: answered(beside(FRAMES), e0_1="how_many = 8"),
    "deleted cells": lambda: without("work", solved(0)),
    "no checks": lambda: without("check", solved(0)),
    "duplicated": duplicated,
    "magics": lambda: beside("%matplotlib inline\n!ls\nlen?"),
    "cell magic": lambda: beside("%%bash\necho 1"),
    "asks": lambda: beside("input('your name: ')"),
    "large answer": lambda: function("import numpy\nreturn numpy.ones((3000, 3000))"),
    "strange answer": lambda: answered(solved(0), e0_1="class Nine:\n    pass\nhow_many = Nine()"),
    "long number": lambda: answered(solved(0), e0_1="how_many = 10 ** 100_000"),
    "deep list": lambda: answered(
        solved(0), e0_1="how_many = []\nfor i in range(10**5): how_many = [how_many]"
    ),
    "evil answer": lambda: answered(solved(0), e0_1=EVIL),
    "long answer": lambda: answered(solved(0), e0_1="how_many = 'x' * 1_000_000"),
    "odd letters": lambda: function(r"raise ValueError('\ud800 \x1b[31m \x00 \u202e <b>')"),
    "null byte": lambda: answered(solved(0), e0_2="\0"),
    "solution": lambda: answered(
        solved(0),
        e0_2="from mha_tutor.course.comparing import solution_of\ntotal = solution_of('0.2', 'total')",
    ),
}
BAD_ANSWERS = {
    "strange answer": "0.1", "long number": "0.1", "deep list": "0.1", "evil answer": "0.1",
    "long answer": "0.1", "large answer": "0.2", "odd letters": "0.2", "null byte": "0.2",
}  # fmt: skip


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("a class é")


@pytest.fixture(scope="module")
def found(place: Path) -> Graded:
    """All of them graded in one class, each the notebook of a student who is called like it."""
    for name, make in KINDS.items():
        write(make(), place / "in" / name / "00-start-here.ipynb")
    write(beside(OUTSIDE.format(place=place / "out")), place / "in" / "outside" / "00-start-here.ipynb")
    before = fingerprint(place / "in")
    (place / "elsewhere").mkdir()
    result = graded(place / "in", place / "out")
    assert fingerprint(place / "in") == before, "what was handed in has changed"
    return result


@pytest.mark.parametrize("name", ["right", "exits", "huge", "no checks", "duplicated", "asks", "raw flood"])
def test_right_answers_count_whatever_else_is_in_the_notebook(found: Graded, name: str) -> None:
    assert states(found, name) == DONE, verdicts(found, name)


@pytest.mark.parametrize("name", ["endless", "endless cell", "deaf", "killed", "crash"])
def test_an_exercise_that_never_ends_or_dies_is_stopped_and_the_others_keep_their_verdicts(
    found: Graded, name: str
) -> None:
    expected = {"stopped"} if name != "crash" else {"stopped", "wrong"}  # an error where the stack is large
    assert states(found, name)["0.2"] in expected, verdicts(found, name)
    assert states(found, name) | {"0.2": "done"} == DONE


def test_an_endless_loop_is_told_as_one(found: Graded) -> None:
    assert "loop" in verdicts(found, "endless")["0.2"].reason


def test_cells_that_stop_four_times_do_not_cost_what_is_right(found: Graded) -> None:
    assert states(found, "killed often") == DONE


@pytest.mark.parametrize(("name", "given"), [("comma", "98,02"), ("comma of a pair", "98,5")])
def test_a_decimal_comma_is_told_as_one(found: Graded, name: str, given: str) -> None:
    one = verdicts(found, name)["0.1"]
    assert one.state == "wrong"
    assert f"{given} is written with a comma. Python writes {given.replace(',', '.')}." in one.reason


@pytest.mark.parametrize("name", ["no name", "no syntax"])
def test_an_error_names_the_exercise_and_the_line_and_the_card_says_where_to_go_on(
    found: Graded, place: Path, name: str
) -> None:
    assert "(work cell of 0.1, line 2)" in verdicts(found, name)["0.1"].reason
    page = (place / "out" / found.view.files[name]).read_text(encoding="utf-8")
    assert "<code>mha-tutor course hint 0.1</code>" in page


def test_no_backtick_is_left_on_a_feedback_page(found: Graded, place: Path) -> None:
    for name in found.view.files.values():
        assert "`" not in (place / "out" / name).read_text(encoding="utf-8")


@posix
@pytest.mark.parametrize("name", ["memory", "memory in small pieces"])
def test_an_exercise_that_takes_too_much_memory_is_stopped(found: Graded, name: str) -> None:
    assert states(found, name) == DONE | {"0.2": "stopped"}, verdicts(found, name)
    assert "memory" in verdicts(found, name)["0.2"].reason


def test_a_cell_of_ones_own_that_ends_python_is_left_out(found: Graded) -> None:
    assert states(found, "killed beside") == DONE
    assert remarks(found, "killed beside") == {"lost cell"}


@posix
@pytest.mark.parametrize(
    ("name", "noted"),
    [
        ("forks", "start"), ("starts", "start"), ("kills", "kill"), ("network", "network"),
        ("native", "native"), ("reads", "read"), ("outside", "write"), ("a limits", "limits"),
        ("own limits", "limits"), ("bare start", "start"), ("pipe file", "write"), ("node", "write"),
        ("process file", "kill"), ("judge's pipes", "write"), ("searches", "inside"), ("blinds", "read"),
        ("opens solutions", "solutions"),
    ],
)  # fmt: skip
def test_what_is_not_allowed_is_refused_and_noted(found: Graded, name: str, noted: str) -> None:
    assert noted in remarks(found, name)
    assert states(found, name) == DONE


@posix
def test_the_courses_solutions_cannot_be_read_and_the_try_is_noted(found: Graded) -> None:
    assert "solutions" in remarks(found, "solved by us")
    assert states(found, "solved by us")["0.2"] != "done"


def test_nothing_was_written_outside_the_folder_for_the_results(found: Graded, place: Path) -> None:
    assert {path.name for path in place.iterdir()} == {"in", "out", "elsewhere"}
    assert not list(place.rglob("mine.txt"))
    names = {path.name for path in (place / "out").iterdir()}
    assert names == {"results.csv", "class.html", "feedback", "kept", "grading.json"}


def test_a_flood_of_output_is_noted_and_none_of_it_is_kept(found: Graded, place: Path) -> None:
    assert remarks(found, "flood") == {"printed"} and states(found, "flood") == DONE
    assert sum(path.stat().st_size for path in (place / "out").rglob("*") if path.is_file()) < 3_000_000


@pytest.mark.parametrize("name", ["no json", "empty", "old format"])
def test_a_file_that_is_no_notebook_cannot_be_read(found: Graded, name: str) -> None:
    assert states(found, name) == dict.fromkeys(ALL, "cannot be read")
    if name == "old format":
        assert "nbformat 3" in verdicts(found, name)["0.1"].reason


def test_a_notebook_of_another_course_is_what_its_name_says_and_cannot_be_read(found: Graded) -> None:
    assert states(found, "other course") == dict.fromkeys(ALL, "cannot be read")
    assert "no notebook of the course" in verdicts(found, "other course")["0.1"].reason
    assert found.view.marks.strays["other course"] == ()


def test_edited_checks_count_for_nothing_and_are_noted(found: Graded) -> None:
    assert states(found, "edited checks") == BLANK
    assert "changed check" in remarks(found, "edited checks")


@pytest.mark.parametrize("name", ["patched", "talks"])
def test_a_notebook_cannot_make_its_wrong_answer_right(found: Graded, name: str) -> None:
    assert states(found, name)["0.1"] != "done", verdicts(found, name)


def test_patched_check_functions_are_noted_and_change_nothing(found: Graded) -> None:
    assert states(found, "patched") == DONE | {"0.1": "wrong"}
    assert "patched" in remarks(found, "patched")


def test_deleted_cells_are_not_started(found: Graded) -> None:
    assert states(found, "deleted cells") == BLANK
    assert "not in the notebook" in verdicts(found, "deleted cells")["0.1"].reason


@pytest.mark.parametrize("name", ["magics", "cell magic"])
def test_lines_for_jupyter_alone_are_left_out_and_that_is_said(found: Graded, name: str) -> None:
    assert states(found, name) == DONE
    assert remarks(found, name) == {"magics"}


@pytest.mark.parametrize("name", BAD_ANSWERS)
def test_an_answer_that_is_no_number_is_wrong_and_no_more(found: Graded, name: str) -> None:
    which = BAD_ANSWERS[name]
    assert states(found, name) == DONE | {which: "wrong"}, verdicts(found, name)
    assert len(verdicts(found, name)[which].reason) < 3000


def test_no_control_character_comes_through(found: Graded, place: Path) -> None:
    for path in (place / "out").rglob("*.*"):
        text = path.read_text(encoding="utf-8")
        assert not {"\x1b", "\0", "\u202e"} & set(text)


def test_an_answer_that_names_the_program_is_noted(found: Graded) -> None:
    assert "asks" in remarks(found, "solution")


@pytest.mark.parametrize("name", ["bare", "colab", "calls checks"])
def test_a_notebook_is_known_by_its_text_and_a_call_of_a_check_is_no_offence(
    found: Graded, name: str
) -> None:
    assert states(found, name) == DONE
    assert not remarks(found, name)


def test_a_notebook_in_another_language_is_told_so(found: Graded, place: Path) -> None:
    assert remarks(found, "in r") == {"language"}
    page = (place / "out" / found.view.files["in r"]).read_text(encoding="utf-8")
    assert "The notebook says that its language is R." in page


def test_an_await_outside_a_function_is_told_in_words(found: Graded) -> None:
    assert "Jupyter allows that" in verdicts(found, "awaits")["0.1"].reason


def test_an_answer_that_is_the_lessons_own_function_is_noted() -> None:
    notebook = answered(solved(4), e4_12="repaired_softmax = tested_softmax")
    read = read_notebook_of(json.dumps(notebook).encode(), "4.ipynb")
    assert read.remarks == ("asks 4.12",)
    for lesson in lessons():
        assert not read_notebook_of(json.dumps(solved(lesson.number)).encode(), "x.ipynb").remarks


def test_a_student_is_told_what_helps_and_not_what_is_suspected(found: Graded, place: Path) -> None:
    pages = {
        name: (place / "out" / file).read_text(encoding="utf-8") for name, file in found.view.files.items()
    }
    assert "%, !, ?" in pages["magics"]
    assert "Tried to" not in pages["network"] and "ask the program" not in pages["solution"]


def test_a_notebook_gets_none_of_the_teachers_variables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "swordfish")
    body = "import os\nraise ValueError(repr(sorted(os.environ)) + os.environ['HOME'] + os.getcwd())"
    write(function(body), tmp_path / "in" / "eve" / "00.ipynb")
    reason = verdicts(graded(tmp_path / "in", tmp_path / "out"), "eve")["0.2"].reason
    assert "SECRET" not in reason and "'PATH'" in reason
    assert str(Path.home()) not in reason.replace(os.environ["PATH"], "")


@posix
def test_a_notebook_inherits_no_open_file(tmp_path: Path) -> None:
    body = (
        "import os\nfound = []\nfor n in range(64):\n    try:\n        found.append(os.fstat(n).st_mode)\n"
        "    except OSError:\n        pass\nraise ValueError(len(found))"
    )
    write(function(body), tmp_path / "in" / "eve" / "00.ipynb")
    reason = verdicts(graded(tmp_path / "in", tmp_path / "out"), "eve")["0.2"].reason
    assert "ValueError: 5" in reason, reason  # nothing as 0, 1, 2 and as standard input, and the channel


@pytest.mark.parametrize(
    ("source", "noted"),
    [
        ("from mha_tutor.course.lesson import find_exercise", True),
        ("from importlib import import_module\nx = import_module('mha_' + 'tutor')", True),
        ("__import__('os')", True),
        ("from mha_tutor import course", True),
        ("from mha_tutor.course import check", False),
        ("from mha_tutor.attention import softmax", False),
    ],
)
def test_an_added_cell_that_may_look_for_answers_is_noted(source: str, noted: bool) -> None:
    read = read_notebook_of(json.dumps(beside(source)).encode(), "0.ipynb")
    assert ("looks" in read.remarks) == noted
