"""The checks under the exercises. Each raises CheckFailed, or prints what it tested.

    check.numbers("4.1", {"weights[head 2, it, robot]": answer})
    check.shape("4.5", answer, "weights")
    check.shapes("4.5", {"Q": first, "weights": second})
    check.choice("4.6", answer)
    check.stage("4.2", softmax, "scores_ts -> weights_ts")
    check.function("4.7", tempered, [("scores_ts", 0.5), ([1.0, 2.0], 2.0)])
    check.exposes("4.8", example, broken, right)
    check.catches("10.9", my_test, right, broken)

Nothing is broadcast: a shape must be the very one.
"""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..addresses import AXIS_NAMES, Cell, parse_address
from ..answers import agree, half_unit, read_number, tolerance
from ..errors import InputError
from ..installing import install_line
from ..mistakes import Diagnosis, Mistake, Slip, diagnose, diagnose_number
from ..mistakes.diagnosis import told
from ..numbers import DECIMALS
from ..texts import listed
from ..trace import Trace
from . import comparing
from .calling import call
from .failing import CheckFailed, has_blank, is_blank, not_started, passed, wrong
from .figures import walk_names, walk_of
from .lesson import find_exercise
from .own import own_answer, own_function
from .references import shape_of, value_of
from .trials import Signature, Trial, argument, problem_of, problems
from .wording import say

__all__ = [
    "CheckFailed",
    "catches",
    "choice",
    "environment",
    "exposes",
    "function",
    "numbers",
    "shape",
    "shapes",
    "stage",
    "where",
]

OLDEST_PYTHON = (3, 11)
OLDEST_NUMPY = (2,)
TIMES_TRIED = 3


def numbers(
    exercise: str,
    answers: Mapping[str, object],
    *,
    decimals: int = DECIMALS,
    labels: Mapping[str, str] | None = None,
) -> None:
    """Numbers worked out by hand, each under the reference to the right one.

    A cell of the robot's walk asks the known mistakes; any other reference is compared alone.
    A number counts within half a unit of the last of ``decimals`` places. Text such as "1/3" counts.
    A wrong one of several is called by its label, its address, or else "number 2": an expression is
    never shown, since it is the answer. All that are wrong are told at once.
    """
    faults: dict[str, list[str]] = {}
    ids: list[str] = []
    for count, (reference, given) in enumerate(answers.items(), 1):
        if is_blank(given):
            raise not_started(exercise, say("no_number"))
        number = _as_number(exercise, given)
        if fault := _number_fault(exercise, reference, number, decimals):
            label = (labels or {}).get(reference) or _address(reference) or say("number", number=count)
            faults.setdefault(fault[0], []).append(label)  # one cause of several is told once
            ids += [one for one in fault[1] if one not in ids]
    if faults:
        several = len(answers) > 1
        told = (f"{listed(names)}: {message}" if several else message for message, names in faults.items())
        raise wrong(exercise, " ".join(told), tuple(ids))
    passed(exercise, say("tested_numbers", count=len(answers), unit=tolerance(decimals)))


def shape(exercise: str, answer: object, of: str) -> None:
    """The shape of one tensor, as ``shapes`` has it."""
    shapes(exercise, {of: answer})


def shapes(exercise: str, answers: Mapping[str, object]) -> None:
    """Shapes of tensors of a walk: "weights", "one.weights", or "weights[head 2]" for a part."""
    for of, answer in answers.items():
        if is_blank(answer) or (isinstance(answer, tuple | list) and any(map(is_blank, answer))):
            raise not_started(exercise, say("no_shape"))
        right, letters = shape_of(of)
        given = _as_sizes(answer)
        if given is None:
            raise wrong(exercise, say("no_tuple", given=repr(answer)))
        if given != right:
            label = f"{of}: " if len(answers) > 1 else ""
            own = own_answer(exercise, of, lambda known: _as_sizes(known) == given)  # noqa: B023
            told = f"{_shape_fault(given, right, letters)} {own.message if own else ''}".strip()
            raise wrong(exercise, label + told, own.ids if own else ())
    passed(exercise, say("tested_shape", count=len(answers)))


def _as_sizes(answer: object) -> tuple[int, ...] | None:
    """Whole numbers in a row; None for anything else."""
    try:
        sizes = [(int(size), size) for size in answer]  # type: ignore[attr-defined]
    except (TypeError, ValueError, OverflowError):
        return None
    return tuple(whole for whole, size in sizes) if all(a == b for a, b in sizes) else None


def _shape_fault(given: tuple[int, ...], right: tuple[int, ...], letters: str) -> str:
    if len(given) != len(right):
        names = ", ".join(AXIS_NAMES[letter] for letter in letters)
        axes, needed = (comparing.counted_axes(len(shape)) for shape in (given, right))
        fault = say("axes_count", given=given, axes=axes, needed=needed, names=names)
        return f"{fault} {say('one_axis')}" if len(right) == 1 else fault
    if sorted(given) == sorted(right):
        return say("axes_order", given=given)
    at = next(i for i, (a, b) in enumerate(zip(given, right, strict=True)) if a != b)
    return say("axis_size", given=given, number=at + 1, axis=AXIS_NAMES[letters[at]])


def choice(exercise: str, answer: object) -> None:
    """One of the exercise's claims, by its letter; where several are right "BE", "b, e" or ["B", "E"]."""
    claims = {claim.letter: claim for claim in find_exercise(exercise)[1].claims}
    several = sum(claim.right is True for claim in claims.values()) > 1
    if has_blank(answer) or (isinstance(answer, str | list | tuple) and not answer):
        raise not_started(exercise, say("no_letters" if several else "no_letter"))
    parts = answer if isinstance(answer, list | tuple | set | frozenset) else [answer]
    words = re.sub(r"\bAND\b|[\W_]", " ", " ".join(map(str, parts)).upper())
    letters = sorted(set(words.replace(" ", "")))
    if not letters or not set(letters) <= set(claims) or (len(letters) > 1 and not several):
        key = "letters_of_several" if several else "letters"
        raise wrong(exercise, say(key, letters=", ".join(claims), given=answer))
    from .prose import filled

    for letter in letters:
        if not claims[letter].right:
            reason = filled(claims[letter].behind, claims[letter].source)
            raise wrong(exercise, say("wrong_claim", letter=letter, reason=reason), (letter,))
    right = [letter for letter, claim in claims.items() if claim.right]
    if letters != right:
        raise wrong(exercise, say("more_claims", letters=", ".join(letters)))
    reasons = " ".join(filled(claims[letter].behind, claims[letter].source) for letter in right)
    passed(exercise, say("tested_choice", letters=", ".join(right), reason=reasons))


def stage(exercise: str, function: Callable[..., Any], signature: str) -> None:
    """A function that makes a tensor of the walk, tried on several problems."""
    plan = Signature.read(signature)
    trials = list(plan.trials())
    for trial in trials:
        given = call(exercise, function, trial.given)
        found, causes = _stage_fault(plan, trial, given)
        if found:
            own = own_function(exercise, function, [one.given for one in trials])
            told = own.message if own else causes.cause
            message = " ".join(part for part in (say(f"on_{trial.words}"), found, told) if part)
            raise wrong(exercise, message, own.ids if own else causes.ids)
    tried = problems(any("allowed" in name or "masked" in name for name in plan.takes))
    passed(exercise, say("tested_stage", count=len(tried), name=plan.makes))


class _Causes(NamedTuple):
    cause: str = ""
    ids: tuple[str, ...] = ()


def _stage_fault(plan: Signature, trial: Trial, given: Any) -> tuple[str, _Causes]:
    """What is wrong with one result, and the known mistakes behind it; an empty text when it is right."""
    if fault := comparing.no_array(plan.makes, given):
        return fault, _Causes()
    array = np.asarray(given)
    right = argument(trial.problem, plan.makes)
    if plan.single and trial.problem[plan.tensor].ndim == 3:
        if array.shape != right.shape:
            fault = say("shape", name=plan.makes, right=right.shape, given=array.shape)
            found = diagnose(array[None], trial.problem, plan.tensor)
            return fault, _causes(found, array.shape, right.shape)
        array = array[None]
    found = diagnose(array, trial.problem, plan.tensor)
    if found.right:
        return "", _Causes()
    return found.found, _causes(found, np.asarray(given).shape, right.shape)


def _causes(found: Diagnosis, given: tuple[int, ...], right: tuple[int, ...]) -> _Causes:
    """The known mistakes behind a wrong array, or else what is so about its axes."""
    return _Causes(f"{found.cause} {found.advice}".strip() or comparing.about_axes(given, right), found.ids)


def function(exercise: str, function: Callable[..., Any], cases: Sequence[Sequence[Any]]) -> None:
    """A function held against the exercise's own solution, case by case.

    In a case a text such as "scores_ts" stands for that array of every practice problem, a list
    becomes an array, and everything else is given as it is.
    """
    given = [ready for case in cases for ready in comparing.ready_cases(case)]
    solution = comparing.solution_of(exercise, getattr(function, "__name__", ""))
    for arguments in given:
        mine = call(exercise, function, comparing.copied(arguments))
        right = solution(*comparing.copied(arguments))
        if message := comparing.difference(mine, right, arguments):
            own = own_function(exercise, function, given)
            raise wrong(exercise, f"{message} {own.message if own else ''}".strip(), own.ids if own else ())
    passed(exercise, say("tested_function", count=len(given)))


def exposes(exercise: str, example: object, broken: Callable[..., Any], right: Callable[..., Any]) -> None:
    """An input, or a tuple of inputs, on which a broken function and a right one differ."""
    if has_blank(example):
        raise not_started(exercise, say("no_example"))
    arguments = comparing.arguments_of(example)
    for number, part in enumerate(arguments, 1):
        name = say("input", number=number) if len(arguments) > 1 else say("your_input")
        if isinstance(part, list) and (fault := comparing.no_array(name, part)):
            raise wrong(exercise, fault)
    try:
        expected = np.asarray(right(*comparing.copied(arguments)))
    except Exception as error:
        raise wrong(exercise, say("no_input", error=f"{type(error).__name__}: {error}")) from None
    if expected.dtype.kind not in "biuf" or not np.isfinite(expected).all():
        raise wrong(exercise, say("odd_input"))
    with np.errstate(all="ignore"):
        try:
            got = np.asarray(broken(*comparing.copied(arguments)))
        except Exception:
            got = np.array("stopped")
    alike = got.dtype.kind in "biuf" and got.shape == expected.shape
    if alike and np.allclose(got, expected, equal_nan=True):
        raise wrong(exercise, say("not_exposed"))
    passed(exercise, say("tested_exposes"))


def catches(
    exercise: str, test: Callable[..., Any], right: Callable[..., Any], *broken: Callable[..., Any]
) -> None:
    """A learner's test: it must accept a right function and raise AssertionError for each broken one.

    Each is tried several times, in an order drawn by chance and under one name, so that a test which
    counts its calls or asks for names finds nothing to go by.
    """
    functions = [*enumerate((right, *broken))] * TIMES_TRIED
    random.Random().shuffle(functions)
    accepted = set()
    for number, one in functions:
        if number == 0:
            call(exercise, test, (_nameless(one),), says="test_rejects")
            continue
        try:
            with np.errstate(all="ignore"):
                test(_nameless(one))
        except Exception:
            continue
        accepted.add(number)
    if accepted:
        raise wrong(exercise, say("test_accepts", number=min(accepted), count=len(broken)))
    passed(exercise, say("tested_catches", count=len(broken)))


def _nameless(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same function as an object of its own that does not tell which one it is."""

    def tried(*given: Any, **named: Any) -> Any:
        return function(*given, **named)

    return tried


def _as_number(exercise: str, given: object) -> float:
    try:
        return read_number(given) if isinstance(given, str) else float(given)  # type: ignore[arg-type]
    except (InputError, TypeError, ValueError):
        if isinstance(given, tuple) and len(given) == 2 and all(type(part) is int for part in given):
            whole, part = given  # 98,5 is a pair of numbers in Python
            fault = say("comma", given=f"{whole},{part}", right=f"{whole}.{part}")
            raise wrong(exercise, fault) from None
        raise wrong(exercise, say("not_a_number", given=repr(given))) from None


def _cell(reference: str) -> tuple[Trace, Cell | None]:
    """The walk and the cell that a reference means; None in its place for an expression."""
    walk_name, point, address = reference.partition(".")
    named = bool(point) and walk_name in walk_names()
    trace = walk_of(walk_name if named else "robot")
    try:
        return trace, parse_address(trace, address if named else reference)
    except InputError:
        return trace, None


def _address(reference: str) -> str:
    return "" if _cell(reference)[1] is None else reference


def _number_fault(
    exercise: str, reference: str, number: float, decimals: int
) -> tuple[str, tuple[str, ...]] | None:
    """What is wrong with a number, and the known mistakes behind it; None when it is right."""
    trace, cell = _cell(reference)
    problem = problem_of(trace)
    causes: tuple[Mistake | Slip, ...]
    ids: tuple[str, ...]
    if cell is None or cell.tensor not in problem.tensors:  # an expression, or a number that is given
        right = float(value_of(reference))
        if agree(number, right, half_unit(decimals)):
            return None
        message, causes, ids = say("other_number"), (), ()
    else:
        right = float(problem[cell.tensor][cell.index])
        found = diagnose_number(number, cell, problem, decimals=decimals)
        if found.right:
            return None
        message, causes, ids = found.message, found.mistakes, found.ids
    own = own_answer(exercise, reference, lambda known: _gives(known, number, right, decimals))
    if own:
        cause, advice = told("number_cause", [own, *(one for one in causes if isinstance(one, Mistake))])
        message, ids = " ".join(part.strip() for part in (cause, advice) if part), own.ids + ids
    return message, ids


def _gives(known: object, number: float, right: float, decimals: int) -> bool:
    """Whether a wrong answer that is known gives this number, and not the right one."""
    wrong_one = read_number(known) if isinstance(known, str) else float(known)  # type: ignore[arg-type]
    unit = half_unit(decimals)
    return agree(number, wrong_one, unit) and not agree(wrong_one, right, unit)


def environment() -> None:
    """Say that the course can be worked on here, or raise with the line that helps."""
    if sys.version_info < OLDEST_PYTHON or tuple(map(int, np.__version__.split(".")[:1])) < OLDEST_NUMPY:
        where()
        raise RuntimeError(say("too_old", line=install_line("--upgrade numpy")))
    print(say("environment"))


def where() -> None:
    """Print which Python this is, and the versions that matter."""
    from .. import __version__

    print(say("where", python=sys.executable, version=sys.version.split()[0]))
    print(f"numpy {np.__version__}, mha-tutor {__version__}")
