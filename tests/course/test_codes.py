"""The code at the end of a failing check: short, and it can be read back."""

from __future__ import annotations

import re

import pytest
from attempts import EXERCISES, IDS, attempt

from mha_tutor.course.codes import CODE, UNKNOWN, code_of, meanings
from mha_tutor.course.failing import NotStarted, without_code
from mha_tutor.course.lesson import Exercise, Lesson
from mha_tutor.errors import InputError
from mha_tutor.mistakes import REGISTRY, SLIPS
from mha_tutor.mistakes.wording import text


@pytest.mark.parametrize(("lesson", "exercise"), EXERCISES, ids=IDS)
def test_every_wrong_answer_ends_with_a_short_code_that_means_what_it_is(
    lesson: Lesson, exercise: Exercise
) -> None:
    for answer in exercise.wrongs:
        failed = attempt(lesson, exercise, answer.code.text)
        assert failed is not None
        if isinstance(failed, NotStarted):
            assert without_code(str(failed))[1] == ""
            continue
        message, code = without_code(str(failed))
        assert message and str(failed).endswith(f"\n\nCode: {code}")
        assert CODE.fullmatch(code) and len(code) <= 20 and code.startswith(f"{exercise.number}:")
        _, found, parts = meanings(code)
        assert found is exercise and all(part.title and part.say for part in parts)
        if (cause := answer.code.attributes.get("cause")) and answer.name in failed.ids:
            assert any(cause in " ".join(part.say.split()) or cause in part.say for part in parts)


def test_a_code_names_the_registry_the_claims_and_the_exercises_own() -> None:
    assert code_of("4.3", ("B26",)) == "4.3:B26"
    assert code_of("4.3", ("B26", "S01")) == "4.3:B26"
    assert code_of("4.1", ("S01", "S02")) == "4.1:S01+S02"
    assert code_of("4.4", ("A",)) == "4.4:A"
    assert code_of("0.2", ("everything",)) == "0.2:W2"
    assert code_of("4.3", ()) == f"4.3:{UNKNOWN}" == code_of("4.3", ("no such name",))
    assert code_of("77.1", ("B26",)) == "77.1:?"


@pytest.mark.parametrize("id", [*REGISTRY, *SLIPS])
def test_every_known_mistake_has_a_meaning_in_any_case(id: str) -> None:
    (meaning,) = meanings(f"4.3:{id.swapcase()}")[2]
    assert meaning.id == id and meaning.title == text(id).title
    assert text(id).cause in meaning.say and meaning.say.endswith(text(id).advice)


@pytest.mark.parametrize("code", ["4.3:B99", "4.4:Z", "0.2:W9", "0.2:W0", "99.1:?", "4.77:B26", "4.3:", "x"])
def test_a_code_of_nothing_is_refused(code: str) -> None:
    with pytest.raises(InputError):
        meanings(code)


def test_the_code_in_a_notebook_is_a_line_of_its_own() -> None:
    lesson, exercise = next(e for e in EXERCISES if e[1].number == "0.2")
    failed = attempt(lesson, exercise, exercise.wrongs[0].code.text)
    assert failed is not None
    assert failed._render_traceback_()[-2:] == ["", "Code: 0.2:W1"]
    assert re.search(r"\bW1$", str(failed))
