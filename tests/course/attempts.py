"""Attempts at exercises, made in this process: blank, wrong, solved, right in another way."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from mha_tutor.addresses import parse_address
from mha_tutor.course import blanks, check
from mha_tutor.course.comparing import run_given
from mha_tutor.course.failing import CheckFailed
from mha_tutor.course.figures import walk_names, walk_of
from mha_tutor.course.lesson import Exercise, Lesson, lessons
from mha_tutor.course.trials import Signature, argument, problem_of
from mha_tutor.errors import InputError
from mha_tutor.mistakes import REGISTRY, Mistake, wrong_numbers
from mha_tutor.mistakes.wording import text_ids

UNIT = 0.005  # half a unit of the second decimal
EXERCISES = [(lesson, exercise) for lesson in lessons() for exercise in lesson.exercises]
IDS = [f"{lesson.name}-{exercise.number}" for lesson, exercise in EXERCISES]


def attempt(lesson: Lesson, exercise: Exercise, code: str) -> CheckFailed | None:
    """Run the lesson's given cells, ``code`` and the check; what the check raised, if anything."""
    space = run_given(lesson, exercise.number)
    exec(compile(code, "<work>", "exec"), space)
    try:
        exec(compile(exercise.check.text, "<check>", "exec"), space)
    except CheckFailed as failure:
        assert failure.exercise == exercise.number, "the check cell names another exercise"
        return failure
    return None


def blank(exercise: Exercise) -> str:
    return blanks.blanked(exercise.work)


def solution(exercise: Exercise) -> str:
    return blanks.solved(exercise.work)


def expected_ids(exercise: Exercise, name: str, code: Any) -> str | None:
    """The id that a wrong answer must be told by; None when it must only fail."""
    letters = [claim.letter for claim in exercise.claims]
    return name if "cause" in code.attributes or name in text_ids() or name in letters else None


def check_call(exercise: Exercise) -> tuple[str, list[ast.expr]]:
    """The check's name and its arguments, as written."""
    (call,) = (
        node
        for node in ast.walk(ast.parse(exercise.check.text))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name) and node.func.value.id == "check"
    )  # fmt: skip
    assert isinstance(call.func, ast.Attribute)
    return call.func.attr, call.args


def known_wrongs(exercise: Exercise) -> Iterator[tuple[str | None, Callable[[], None]]]:
    """Every known mistake that can be made in a stage or number exercise: an attempt, and how it is told."""
    kind, arguments = check_call(exercise)
    if kind == "stage":
        signature = ast.literal_eval(arguments[2])
        plan = Signature.read(signature)
        for mistake in REGISTRY.values():
            if any(_shows(mistake, trial.problem, plan) for trial in plan.trials()):
                yield (
                    mistake.id,
                    lambda mistake=mistake: check.stage(exercise.number, _mistaken(mistake, plan), signature),
                )
    elif kind == "numbers":
        assert isinstance(arguments[1], ast.Dict)
        references = [ast.literal_eval(key) for key in arguments[1].keys if key is not None]
        for at, reference in enumerate(references):
            for id, number in _wrong_numbers(reference):
                yield id, lambda at=at, number=number: _with_number(exercise, references, at, number)


def _shows(mistake: Mistake, problem: Any, plan: Signature) -> bool:
    if not mistake.applies(problem, plan.tensor):
        return False
    wrong, right = mistake.wrong(problem, plan.tensor), problem[plan.tensor]
    return wrong.shape != right.shape or not np.allclose(wrong, right, equal_nan=True)


def _mistaken(mistake: Mistake, plan: Signature) -> Callable[..., Any]:
    """A function that makes the mistake wherever it can be made, and else is right."""
    trials = list(plan.trials())

    def function(*given: Any) -> Any:
        trial = next(t for t in trials if all(map(np.array_equal, t.given, given)))
        if not _shows(mistake, trial.problem, plan):
            return argument(trial.problem, plan.makes)
        wrong = mistake.wrong(trial.problem, plan.tensor)
        return wrong[0] if plan.single and wrong.ndim == 3 else wrong

    return function


def _wrong_numbers(reference: str) -> Iterator[tuple[str | None, float]]:
    """Numbers of known mistakes, with the mistake's id where it is the only one that can be meant."""
    walk_name, point, address = reference.partition(".")
    named = point and walk_name in walk_names()
    trace = walk_of(walk_name if named else "robot")
    try:
        cell = parse_address(trace, address if named else reference)
    except InputError:
        return
    found = [w for w in wrong_numbers(problem_of(trace), cell) if np.isfinite(w.number)]
    right = cell.value(trace)
    for wrong in found:
        alike = [other for other in found if abs(other.number - wrong.number) <= 2 * UNIT]
        formulas = {other.mistake.id for other in alike if isinstance(other.mistake, Mistake)}
        ids = formulas or {other.mistake.id for other in alike}
        near = not formulas and abs(wrong.number - right) <= 4 * UNIT
        yield (wrong.mistake.id if ids == {wrong.mistake.id} and not near else None), wrong.number


def _with_number(exercise: Exercise, references: list[str], at: int, number: float) -> None:
    from mha_tutor.course.references import value_of

    answers = {reference: value_of(reference) for reference in references}
    check.numbers(exercise.number, answers | {references[at]: number})
