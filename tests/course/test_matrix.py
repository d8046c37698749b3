"""Every exercise against a blank, wrong answers, its solution and other right answers."""

from __future__ import annotations

import pytest
from attempts import EXERCISES, IDS, attempt, blank, expected_ids, known_wrongs, solution

from mha_tutor.course.failing import CheckFailed
from mha_tutor.course.lesson import Exercise, Lesson

MATRIX: dict[str, list[str]] = {}


@pytest.mark.parametrize(("lesson", "exercise"), EXERCISES, ids=IDS)
def test_an_exercise_fails_blank_and_wrong_by_name_and_passes_right(
    lesson: Lesson, exercise: Exercise, capsys: pytest.CaptureFixture[str]
) -> None:
    row = MATRIX[f"{exercise.number} {exercise.title}"] = []
    failure = attempt(lesson, exercise, blank(exercise))
    assert failure is not None and failure.state == "not started", f"blank: {failure}"
    row.append("blank fails")

    named = 0
    for answer in exercise.wrongs:
        failure = attempt(lesson, exercise, answer.code.text)
        assert failure is not None and failure.state == "wrong", f"{answer.name}: {failure}"
        if id := expected_ids(exercise, answer.name, answer.code):
            assert id in failure.ids, f"{answer.name} is told as {failure.ids}: {failure}"
            named += 1
    row.append(f"{len(exercise.wrongs)} wrong fail, {named} by name")

    known = 0
    for id, try_it in known_wrongs(exercise):
        with pytest.raises(CheckFailed) as caught:
            try_it()
        assert caught.value.state == "wrong", str(caught.value)
        assert id is None or id in caught.value.ids, f"{id} is told as {caught.value.ids}: {caught.value}"
        known += id is not None
    row.append(f"{known} known mistakes named")
    assert exercise.wrongs or known, "an exercise needs at least one wrong answer"

    assert not capsys.readouterr().out, "a failing check prints nothing"
    assert (failure := attempt(lesson, exercise, solution(exercise))) is None, f"solution: {failure}"
    assert f"{exercise.number} done." in capsys.readouterr().out
    assert exercise.rights, "an exercise needs at least one right alternative"
    for answer in exercise.rights:
        failure = attempt(lesson, exercise, answer.code.text)
        assert failure is None, f"{answer.name}: {failure}"
    row.append(f"solution and {len(exercise.rights)} other right pass")
