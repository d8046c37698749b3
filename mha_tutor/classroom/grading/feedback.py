"""The page that a student gets: what is done, what to look at again, and where that is explained."""

from __future__ import annotations

from collections.abc import Iterator

from ...views.html.report import bar, report
from ...views.html.writing import lines, marked, safe
from .job import DONE, NOT_STARTED, STOPPED, UNREADABLE, WRONG, Verdict
from .marks import Sheet
from .summary import Known, known_mistakes
from .wording import say

LOOKS = {DONE: "done", WRONG: "wrong", STOPPED: "stopped", UNREADABLE: "unreadable", NOT_STARTED: "blank"}


def feedback_page(
    name: str, sheets: tuple[Sheet, ...], strays: tuple[tuple[str, str], ...], coded: bool
) -> str:
    """The HTML page for one student; ``coded`` leaves the names of files out."""
    done, count = sum(sheet.points for sheet in sheets), sum(len(sheet.verdicts) for sheet in sheets)
    lead = _say("lead_all", count=count) if done == count else _say("lead", done=done, count=count)
    parts = [
        f'<p class="kicker">{_say("kicker")}</p><h1>{safe(name)}</h1><p class="lead">{lead}</p>',
        *(f"<section>{''.join(_lesson(sheet, coded))}</section>" for sheet in sheets),
        *(
            _card(UNREADABLE, _say("stray"), (trouble if coded else f"{path}: {trouble}"))
            for path, trouble in strays
        ),
        f"<footer>{_say('foot')}</footer>",
    ]
    return report(f"{name} · {_say('kicker')}", "\n".join(parts))


def _say(key: str, **values: object) -> str:
    return say(key, "feedback", **values)


def _lesson(sheet: Sheet, coded: bool) -> Iterator[str]:
    lesson, verdicts = sheet.lesson, sheet.verdicts
    title = marked(_say("lesson", number=lesson.number, title=lesson.title))
    of = _say("of", done=sheet.points, count=len(verdicts))
    yield f'<h2><span>{title}</span><span class="of">{of}</span></h2>'
    yield bar(sheet.points, len(verdicts))
    if not sheet.handed_in:
        yield f"<p>{_say('not_handed_in')}</p>"
        return
    if len(sheet.copies) > 1:
        name = safe(sheet.copies[sheet.taken - 1])
        key = "copies_coded" if coded else "copies"
        yield f'<p class="muted">{_say(key, count=len(sheet.copies), name=name)}</p>'
    yield f'<p class="again">{_say("read")} {_command(f"course read {lesson.number}")}</p>'
    yield f'<ul class="chips">{"".join(_chip(number, one) for number, one in verdicts.items())}</ul>'
    yield from (f'<p class="muted">{safe(one.words)}</p>' for one in sheet.remarks if one.for_student)
    yield from _cards(sheet)
    blank = [number for number, one in verdicts.items() if one.state == NOT_STARTED]
    if blank:
        hint = _command(f"course hint {blank[0]}")
        yield f"<p>{_say('not_started', numbers=', '.join(blank))} {_say('hint')} {hint}</p>"


def _chip(number: str, verdict: Verdict) -> str:
    mark, state = say(verdict.state, "marks"), say(verdict.state, "states")
    shown = f'<span role="img" aria-label="{state}">{mark}</span>'
    return f'<li class="s-{LOOKS[verdict.state]}" title="{state}">{number} {shown}</li>'


def _cards(sheet: Sheet) -> Iterator[str]:
    """What is not right, exercise by exercise; a reason that all share is given once."""
    open_ = {
        number: one for number, one in sheet.verdicts.items() if one.state in (WRONG, STOPPED, UNREADABLE)
    }
    if len({one.reason for one in open_.values()}) == 1 and len(open_) > 1:
        number, one = next(iter(open_.items()))
        yield _card(one.state, ", ".join(open_), one.reason)
        return
    titles = {exercise.number: exercise.title for exercise in sheet.lesson.exercises}
    for number, one in open_.items():
        known = next(known_mistakes(number, one), None)
        reason = one.reason.removeprefix(f"{number} is not right yet. ")
        yield _card(one.state, f"{number} {titles[number]}", reason, _where(sheet, number, known))


def _card(state: str, title: str, reason: str, where: str = "") -> str:
    heading = f'<h3>{marked(title)} <span class="state">{say(state, "states")}</span></h3>'
    return f'<div class="card {LOOKS[state]}">{heading}<p>{lines(reason)}</p>{where}</div>'


def _where(sheet: Sheet, number: str, known: Known | None) -> str:
    """A hint, the page of the walk that shows it, and the lesson that treats it where that is another one."""
    parts = [f"{_say('hint')} {_command(f'course hint {number}')}"]
    if known and known.page:
        parts.append(f"{_say('page')} {_command(f'step --stage {known.page}')}")
    if known and known.lesson != sheet.lesson.number:
        parts.append(f"{_say('other_lesson', number=known.lesson)} {_command(f'course read {known.lesson}')}")
    return f'<p class="again">{" ".join(parts)}</p>'


def _command(arguments: str) -> str:
    return f"<code>mha-tutor {safe(arguments)}</code>"
