"""The page of a class for the browser: what is done, common mistakes, and a grid of every exercise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...course.lesson import Lesson
from ...texts import texts
from ...views.html.report import bar, report, table
from ...views.html.writing import marked, safe
from .class_view import ClassView, advice, percent, told, totals
from .feedback import LOOKS
from .job import STATES, Verdict
from .marks import Marks, Sheet
from .summary import COMMON, Common, Share, common_mistakes, shares
from .wording import say

MOST_COLUMNS = 20  # of exercises: more do not fit on a page


def class_page(view: ClassView) -> str:
    """The HTML page."""
    marks = view.marks
    notebooks, done, count = totals(marks)
    figures = [
        (str(len(marks.sheets)), told("students")), (str(notebooks), told("notebooks")),
        (percent(done, count), told("done_share")),
    ]  # fmt: skip
    shown = "".join(f"<div><dt>{name}</dt><dd>{figure}</dd></div>" for figure, name in figures)
    parts = [
        f'<p class="kicker">{told("kicker")}</p><h1>{told("title")}</h1><dl class="figures">{shown}</dl>',
        f'<p class="call">{safe(advice(marks))}</p>',
        f"<h2>{told('lessons')}</h2>{_lessons(shares(marks), len(marks.sheets))}",
        f"<h2>{told('mistakes')}</h2>{_mistakes(common_mistakes(marks)[:COMMON], len(marks.sheets))}",
        f"<h2>{told('grid')}</h2>{_legend()}",
        *(_grids(view)),
        f"<h2>{told('looks')}</h2>{_looks(view)}",
        f"<footer>{told('isolates')}</footer>",
    ]
    return report(told("kicker"), "\n".join(parts), wide=True)


def _barred(part: int, whole: int, written: str) -> str:
    return f'<span class="barred">{bar(part, whole, "mini")}{written}</span>'


def _lessons(found: Sequence[Share], students: int) -> str:
    head = (told("lesson"), told("handed_in"), told("done"), told("again"))
    rows = [
        (
            f"{one.lesson.number} {marked(one.lesson.title)}",
            f"{one.handed_in} / {students}",
            _barred(one.done, one.most, percent(one.done, one.most)),
            str(len(one.revisit)),
        )
        for one in found
    ]
    return table(head, rows, (1, 2, 3))


def _mistakes(found: Sequence[Common], students: int) -> str:
    if not found:
        return f"<p>{told('no_mistake')}</p>"
    head = (told("count"), told("mistake"), told("say_this"), told("seen"), told("lesson"))
    rows = [
        (
            _barred(len(one.students), students, str(len(one.students))),
            f"<b>{marked(one.known.title)}</b>",
            marked(one.known.advice),
            ", ".join(one.exercises),
            str(one.known.lesson),
        )
        for one in found
    ]
    return table(head, rows, (4,))


def _legend() -> str:
    words = texts("grading")
    items = "".join(
        f'<li><span class="s-{LOOKS[state]}">{words["marks"][state]}</span>{words["states"][state]}</li>'
        for state in STATES
    )
    return f'<ul class="legend">{items}</ul>'


def _grids(view: ClassView) -> Iterator[str]:
    """As many lessons side by side as fit on a page, then the next ones under them."""
    group: list[int] = []
    wide = 0
    for at, lesson in enumerate(view.marks.lessons):
        if group and wide + len(lesson.exercises) > MOST_COLUMNS:
            yield _grid(view, group)
            group, wide = [], 0
        group.append(at)
        wide += len(lesson.exercises)
    if group:
        yield _grid(view, group)


def _grid(view: ClassView, lessons: list[int]) -> str:
    """Some lessons, by their place in the marks: a row a student, a column an exercise."""
    taught = [view.marks.lessons[at] for at in lessons]
    titles = "".join(
        f'<th scope="colgroup" colspan="{len(one.exercises)}">{told("lesson")} {one.number}</th>'
        f'<th scope="col" class="sum">{told("sum")}</th>'
        for one in taught
    )
    numbers = "".join(
        "".join(f'<th scope="col" title="{safe(one.title)}">{one.number}</th>' for one in lesson.exercises)
        + "<td></td>"
        for lesson in taught
    )
    rows = "".join(_row(view, student, [sheets[at] for at in lessons])
                   for student, sheets in view.marks.sheets.items())  # fmt: skip
    foot = "".join(_done_by_class(view.marks, lesson) for lesson in taught)
    return (
        '<div class="scroll"><table class="grid"><thead>'
        f"<tr><td></td>{titles}</tr><tr><td></td>{numbers}</tr>"
        f'</thead><tbody>{rows}</tbody><tfoot><tr><th scope="row">{told("of_class")}</th>{foot}</tr></tfoot>'
        "</table></div>"
    )


def _done_by_class(marks: Marks, lesson: Lesson) -> str:
    """A cell an exercise: how many have done it."""
    sheets = marks.all(lesson)
    counts = [sum(one.verdicts[exercise.number].points for one in sheets) for exercise in lesson.exercises]
    return "".join(f"<td>{count}</td>" for count in counts) + "<td></td>"


def _row(view: ClassView, student: str, sheets: list[Sheet]) -> str:
    name = f'<a href="{view.files[student]}">{safe(view.names[student])}</a>'
    return f'<tr><th scope="row">{name}</th>{"".join(map(_cells, sheets))}</tr>'


def _cells(sheet: Sheet) -> str:
    """One student's lesson in the row; one empty field where nothing was handed in."""
    count = len(sheet.verdicts)
    if not sheet.handed_in:
        return f'<td colspan="{count}" class="none">{told("none")}</td><td></td>'
    cells = "".join(_cell(number, one) for number, one in sheet.verdicts.items())
    return f'{cells}<td class="sum">{sheet.points}/{count}</td>'


def _cell(number: str, verdict: Verdict) -> str:
    """One exercise of a student: a mark, and in words what it stands for."""
    words = safe(" ".join((number, say(verdict.state, "states"), *verdict.ids)))
    look, mark = LOOKS[verdict.state], say(verdict.state, "marks")
    return f'<td><span class="s-{look}" role="img" aria-label="{words}" title="{words}">{mark}</span></td>'


def _looks(view: ClassView) -> str:
    found = view.looks
    shown = table(
        (told("student"), told("lesson"), told("note")), [tuple(map(safe, one)) for one in found]
    ) if found else f"<p>{told('looks_none')}</p>"  # fmt: skip
    if view.refused:
        rows = [(safe(path), safe(reason)) for path, reason in view.refusals]
        shown += f"<h2>{told('refused')}</h2>" + table((told("refused_file"), told("refused_why")), rows)
    return shown
