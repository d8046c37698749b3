"""The format of lessons: what is read, what is refused and where, and what references give."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from mha_tutor.course import blanks, material
from mha_tutor.course.figures import figures, walk_of
from mha_tutor.course.flow import accidental_item
from mha_tutor.course.lesson import KINDS, Exercise, Questions, lessons, read_lesson
from mha_tutor.course.measured import measured, written
from mha_tutor.course.prose import filled
from mha_tutor.course.references import resolved, value_of
from mha_tutor.course.source import Cell, LessonError, read_source
from mha_tutor.errors import InputError

STAGE_LESSONS = range(1, 7)


def text_cell(text: str) -> Cell:
    return Cell(text, True, {}, "99-x.py", 10)


@pytest.mark.parametrize(
    ("reference", "text"),
    [
        ("weights[head 2, it, robot]", "0.92"),
        ("weights[2, 7, 2]", "0.92"),
        ("one.weights[head 1, it, robot]", "0.47"),
        ("exp(scores[head 2, it, robot])", "90.02"),
        ("exp(scores[head 2, it, robot]) : 1", "90.0"),
        ("weights[head 2, it, robot] : %", "92%"),
        ("weights[head 2, it, robot] : %1", "91.8%"),
        ("sum(weights[head 2, it, *])", "1"),
        ("d_k", "4"),
        ("one.d_k", "12"),
        ("1 / d_k", "0.25"),
        ("parameters(512, 8)", "1,048,576"),
        ("wrong_parameters(512, 8)", "360,448"),
        ("parameters(512, 8, 1)", "589,824"),
        ('all_parameters("gpt3") : words', "58.0 billion"),
        ('cache_bytes("gpt3")', "4,718,592"),
        ('size("gpt3", "d_model")', "12,288"),
        ("comb(9, 6) / comb(12, 6) : %1", "9.1%"),
        ("figures.bleu_heads_1", "24.9"),
        ("figures.bleu_heads_8 - figures.bleu_heads_1 : 1", "0.9"),
    ],
)
def test_a_reference_gives_its_number(reference: str, text: str) -> None:
    assert resolved(reference) == text


def test_a_reference_is_computed_from_the_walk_at_full_precision() -> None:
    assert value_of("weights[head 2, it, robot]") == walk_of()["weights"].values[1, 6, 1]


def test_a_figure_names_its_source() -> None:
    assert "1706.03762" in resolved("source: bleu_heads_1")
    for name, figure in figures().items():
        assert set(figure) == {"value", "source"} and all(figure.values()), name
        float(figure["value"].replace(",", ""))


def test_the_figures_of_the_lab_are_those_that_it_measures() -> None:
    """Within one and a half units of the last digit, which another processor may turn."""
    found = measured()
    kept = {name: figures()[name] for name in found}
    assert set(tomllib.loads(written(found))) == set(kept) == set(_read("measured.toml"))
    for name, (value, source) in found.items():
        digits = len(value.partition(".")[2])
        one, other = (float(text.replace(",", "")) for text in (value, kept[name]["value"]))
        assert abs(one - other) <= 1.5 * 10.0**-digits, (
            f"{name} is {value}: run 'python -m mha_tutor.course.measured'"
        )
        assert kept[name]["source"] == source


def test_no_figure_is_kept_that_no_lesson_uses() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in material.sources())
    assert [name for name in _read("measured.toml") if f"figures.{name}" not in text] == []


def _read(name: str) -> dict[str, dict[str, str]]:
    path = material.root() / "course" / name
    return tomllib.loads(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "reference",
    [
        "weights[head 2, it, cat]",
        "weights[head 2, it]",
        "nowhere.weights[1, 1, 1]",
        "weights[head 2, *, robot]",
        "figures.none",
        "__import__('os')",
        "(1).__class__",
        "exp(",
        "1 / 0",
        "open('x')",
        "x",
    ],
)
def test_a_reference_without_a_meaning_is_refused_with_file_and_line(reference: str) -> None:
    with pytest.raises(LessonError, match=r"99-x\.py, line 12: "):
        filled(
            f"One line.\n\nIt is {{{{{reference}}}}} here.",
            text_cell(f"One line.\n\nIt is {{{{{reference}}}}}"),
        )


@pytest.mark.parametrize(
    "text", ["It is 0.92 here.", "about .92", "1.5 times", "(0.5)", "$0.92$", "3.14.", "**2.5**"]
)
def test_a_typed_decimal_is_refused_with_file_and_line(text: str) -> None:
    whole = f"First.\n{text}"
    with pytest.raises(LessonError, match=r"99-x\.py, line 11: a number with a point"):
        filled(whole, text_cell(whole))


@pytest.mark.parametrize(
    "text",
    [
        "`0.92` is code",
        "```python\nx = 0.92\n```",
        "arXiv:1706.03762, section 3.2.1",
        "exercise 4.2 and sections 3.1 and 3.2",
        "Python 3.11, numpy 2.0, version 1.0.3",
        "Ends with 4. Then 5.",
        "12,288 wide, 96 heads",
        "{{0.5 * 2}}",
    ],
)
def test_other_numbers_may_be_typed(text: str) -> None:
    filled(text, text_cell(text))


def test_a_table_names_its_rows_and_columns() -> None:
    text = filled("{{table: weights[head 2] rows=it|tired}}", text_cell(""))
    lines = text.strip().splitlines()
    assert lines[0].startswith("| from (asks) | The | robot |")
    assert [line.split("|")[1].strip() for line in lines[2:]] == ["it", "tired"]
    assert "0.92" in lines[2]


HEAD = "# ---\n# title: T\n# summary: S\n# minutes: 5\n# ---\n"
EXERCISE = """
# %% [markdown] exercise="99.1" kind="predict" title="X"
# Task.

# %% part="work"
### BEGIN SOLUTION
x = 1
### END SOLUTION

# %% part="check"
check.numbers("99.1", {"1": x})

# %% [markdown] part="hints"
# - One
# - Two
# - Three

# %% [markdown] part="why"
# Because.
"""


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (('exercise="99.1"', 'exercise="98.1"'), "line 8: .* does not belong to lesson 99"),
        (('kind="predict"', 'kind="guess"'), "line 8: .* needs a title"),
        (('part="work"', 'part="wrk"'), 'line 11: part="wrk" is not known'),
        (("# - Three\n", ""), "line 19: .* needs 3 hints"),
        (("# %% [markdown] part=\"why\"\n# Because.\n", ""), 'needs one cell with part="why"'),
        (('part="work"', "part=work"), "line 10: .* cannot be read"),
        (("# Task.", "Task."), "line 8: every line of a text cell starts with '#'"),
        (("# title: T\n", ""), "lack 'title'"),
        (("# ---\n", "", 1), "line 1: start the lesson"),
        (("# Task.", "# 2\n# + 3"), "line 9: Markdown takes this line for an item"),
        (("# Task.", "# The index is\n# 6. Then go on."), "line 9: Markdown takes"),
        (("# Because.", "# So\n# - 1 is left."), "Markdown takes"),
        (("# - Two", "# - Two is\n#   - 2"), "line 21: Markdown takes"),
    ],
)  # fmt: skip
def test_a_slip_in_the_format_is_told_with_its_line(
    change: tuple[str, ...], message: str, tmp_path: Path
) -> None:
    path = tmp_path / "99-x.py"
    old, new, *count = change
    text = HEAD + EXERCISE
    assert old in text
    path.write_text(text.replace(old, new, *map(int, count)), encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_lesson(path)


@pytest.mark.parametrize(
    "text",
    [
        "A:\n\n- b\n- c\n  goes on\n- d\n\nE",
        "## A\n- b",
        "1. a\n2. b\n   goes on\n3. c",
        "```\nx\n+ 1\n- 2\n```\ny",
        "-3 and\n-4",
        "- a\n\n  - b\n  - c\n- d",
    ],
)
def test_lists_that_are_meant_are_taken(text: str) -> None:
    assert accidental_item(text) is None


def test_a_whole_exercise_is_read(tmp_path: Path) -> None:
    path = tmp_path / "99-x.py"
    path.write_text(HEAD + EXERCISE, encoding="utf-8")
    (exercise,) = read_lesson(path).exercises
    assert (exercise.number, exercise.title, exercise.task.text) == ("99.1", "X", "Task.")
    assert [hint.text for hint in exercise.hints] == ["One", "Two", "Three"]


@pytest.mark.parametrize(
    ("source", "blank", "solved"),
    [
        (
            "# TODO: x\n### BEGIN SOLUTION\nx = 1\ny, z = 2, 3\n### END SOLUTION",
            "# TODO: x\nx = ...\n(y, z) = ...",
            "x = 1\ny, z = 2, 3",
        ),
        (
            "def f(a):\n    ### BEGIN SOLUTION\n    return a\n    ### END SOLUTION",
            "def f(a):\n    raise NotImplementedError",
            "def f(a):\n    return a",
        ),
        (
            "### BEGIN SOLUTION\nx = 1\n### BLANK\n# x = ...  # here\n### END SOLUTION",
            "x = ...  # here",
            "x = 1",
        ),
    ],
)  # fmt: skip
def test_blanks_are_cut(source: str, blank: str, solved: str) -> None:
    assert blanks.blanked(text_cell(source)) == blank
    assert blanks.solved(text_cell(source)) == solved


@pytest.mark.parametrize("source", ["x = 1", "### BEGIN SOLUTION\nx = 1", "### END SOLUTION"])
def test_a_cell_without_whole_markers_is_refused(source: str) -> None:
    with pytest.raises(LessonError, match=r"99-x\.py, line 10"):
        blanks.blanked(text_cell(source))


def test_jupytext_reads_the_same_cells() -> None:
    jupytext = pytest.importorskip("jupytext")
    from mha_tutor.course import material

    for path in material.sources():
        ours = read_source(path).cells
        theirs = [c for c in jupytext.read(path).cells if c.cell_type != "raw"]
        assert len(ours) == len(theirs)
        for mine, other in zip(ours, theirs, strict=True):
            assert mine.text.strip() == other.source.strip()
            assert mine.markdown == (other.cell_type == "markdown")
            assert {k: other.metadata[k] for k in mine.attributes} == mine.attributes


def test_every_lesson_has_its_parts_and_every_name_is_used_once() -> None:
    numbers = [exercise.number for lesson in lessons() for exercise in lesson.exercises]
    assert len(set(numbers)) == len(numbers)
    for lesson in lessons():
        assert [e.number for e in lesson.exercises] == [
            f"{lesson.number}.{i + 1}" for i in range(len(lesson.exercises))
        ], "exercises are numbered in order"
        parts = [p.part for p in lesson.pieces if isinstance(p, Cell | Questions)]
        assert parts.count("setup") == 1 and parts.count("card") == 1
        assert "misconception" in parts and "exit" in parts
        if lesson.number:
            (recall,) = (p for p in lesson.pieces if isinstance(p, Questions) and p.part == "recall")
            assert len(recall.items) == 3 and lesson.pieces.index(recall) <= 1
        if lesson.number in STAGE_LESSONS:
            assert len(lesson.exercises) >= 4
        names: list[str] = []
        for exercise in lesson.exercises:
            names += _names(exercise)
        assert len(set(names)) == len(names), f"{lesson.name}: {sorted(names)}"


MINUTES = {0: 10, 1: 20, 2: 35, 3: 35, 4: 45, 5: 25, 6: 40, 7: 40, 8: 45, 9: 40, 10: 90}


def test_every_lesson_says_how_long_it_takes_and_what_can_wait() -> None:
    for lesson in lessons():
        assert lesson.minutes == MINUTES[lesson.number], lesson.name
        if lesson.number:
            first = next(p for p in lesson.pieces if isinstance(p, Cell) and p.markdown and not p.part)
            text = " ".join(first.text.split())
            assert f"{lesson.minutes} minutes" in text and "wait" in text, lesson.name


def _names(exercise: Exercise) -> list[str]:
    """What a work cell defines; the exercise's other demands are looked at on the way."""
    import ast

    where = f"exercise {exercise.number}"
    assert exercise.kind in KINDS
    todo = [line for line in exercise.work.text.splitlines() if "TODO" in line]
    assert len(todo) == 1, f"{where} has {len(todo)} TODO"
    assert exercise.why.text.strip() and exercise.task.text.strip(), where
    assert f'"{exercise.number}"' in exercise.check.text, f"the check of {where} names another one"
    assert "np." not in exercise.check.text and "import" not in exercise.check.text, where
    texts = [hint.text for hint in exercise.hints]
    assert len(set(texts)) == 3, where
    if exercise.kind == "choose":
        assert exercise.claims and any(claim.right for claim in exercise.claims), where
    names = []
    for node in ast.parse(blanks.solved(exercise.work)).body:
        if isinstance(node, ast.FunctionDef):
            names.append(node.name)
        elif isinstance(node, ast.Assign):
            found = [n for target in node.targets for n in ast.walk(target) if isinstance(n, ast.Name)]
            names += [n.id for n in found]
    return names


def test_the_guide_names_the_checks_and_its_example_is_a_lesson(tmp_path: Path) -> None:
    from mha_tutor.course import check, material

    guide = (material.root() / "course" / "README.md").read_text(encoding="utf-8")
    for name in check.__all__:
        assert name == "CheckFailed" or f"check.{name}(" in guide, name
    (example,) = (
        block
        for block in guide.split("```python\n")[1:]
        if block.startswith('# %% [markdown] exercise="4.2"')
    )
    path = tmp_path / "04-x.py"
    path.write_text(HEAD + "\n" + example.split("```")[0], encoding="utf-8")
    (exercise,) = read_lesson(path).exercises
    assert len(exercise.rights) == len(exercise.wrongs) == 1
