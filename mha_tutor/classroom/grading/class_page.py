"""The page of a class: what is done, which mistakes are most common, which lesson to revisit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ...course.lesson import Lesson
from ...texts import texts
from ...views.html.report import bar, report, table
from ...views.html.writing import marked, safe
from ...views.page import Block, Listing, Page, Text
from .feedback import LOOKS
from .job import STATES
from .marks import Marks, Sheet
from .summary import COMMON, Common, Share, common_mistakes, revisit_first, shares
from .unpacking import Refused
from .wording import say

LESSONS_ABREAST = 4  # in the terminal
MOST_COLUMNS = 27  # of exercises: more do not fit on a page


class Look(NamedTuple):
    """Something a teacher should look at: whose notebook, of which lesson, and what was noted."""

    student: str
    lesson: str
    note: str


class ClassView(NamedTuple):
    """What the page shows: the marks, students' names or codes, files of theirs, and what was refused."""

    marks: Marks
    names: Mapping[str, str]
    files: Mapping[str, str]
    refused: tuple[Refused, ...]
    coded: bool

    @property
    def looks(self) -> list[Look]:
        return [look for student in self.marks.sheets for look in self._looks_of(student)]

    @property
    def refusals(self) -> list[tuple[str, str]]:
        """What was refused and why; with codes without the path, which may hold a name."""
        return [(_say("a_file") if self.coded else one.path, one.reason) for one in self.refused]

    def _looks_of(self, student: str) -> Iterator[Look]:
        for sheet in self.marks.sheets[student]:
            lesson = str(sheet.lesson.number)
            for remark in sheet.remarks:
                yield Look(self.names[student], lesson, remark.words)
            if sheet.handed_in and len(sheet.copies) > 1:
                key = "counted_coded" if self.coded else "counted"
                name = sheet.copies[sheet.taken - 1]
                yield Look(self.names[student], lesson, _say(key, name=name, count=len(sheet.copies)))
        for path, trouble in self.marks.strays[student]:
            yield Look(self.names[student], "", trouble if self.coded else f"{path}: {trouble}")


def _say(key: str, **values: object) -> str:
    return say(key, "class", **values)


def _percent(done: int, count: int) -> str:
    return f"{done / count:.0%}" if count else "-"


def _totals(marks: Marks) -> tuple[int, int, int]:
    """Notebooks that count, exercises done, and exercises in all."""
    sheets = [sheet for some in marks.sheets.values() for sheet in some]
    done = sum(sheet.points for sheet in sheets)
    return sum(one.handed_in for one in sheets), done, sum(len(one.verdicts) for one in sheets)


def _advice(marks: Marks) -> str:
    first = revisit_first(marks)
    if first is None:
        return _say("nothing_wrong")
    lesson, count = first
    return _say("first", number=lesson.number, title=lesson.title, count=count, students=len(marks.sheets))


def class_text(view: ClassView) -> Page:
    """The page for a terminal."""
    marks = view.marks
    notebooks, done, count = _totals(marks)
    blocks: list[Block] = [Text(_advice(marks), "lead"), _lesson_listing(shares(marks))]
    if found := common_mistakes(marks)[:COMMON]:
        head = (_say("count"), _say("mistake"), _say("seen"), _say("lesson"))
        rows = [(str(len(one.students)), one.known.title, ", ".join(one.exercises), str(one.known.lesson))
                for one in found]  # fmt: skip
        blocks.append(Listing(_say("mistakes"), head, tuple(rows), right=(0, 3)))
    else:
        blocks.append(Text(_say("no_mistake")))
    blocks += _student_listings(view)
    if looks := view.looks:
        columns = (_say("student"), _say("lesson"), _say("note"))
        blocks.append(Listing(_say("looks"), columns, tuple(map(tuple, looks))))
    if view.refused:
        pair = (_say("refused_file"), _say("refused_why"))
        blocks.append(Listing(_say("refused"), pair, tuple(view.refusals)))
    title = f"{_say('title')}: {len(marks.sheets)} {_say('students')}, {notebooks} {_say('notebooks')}, "
    return Page(
        "class", f"{title}{_percent(done, count)} {_say('done_share')}", _say("source"), tuple(blocks)
    )


def _lesson_listing(found: Sequence[Share]) -> Listing:
    head = (_say("lesson"), _say("handed_in"), _say("done"), _say("again"))
    rows = [
        (
            f"{one.lesson.number} {one.lesson.title}",
            str(one.handed_in),
            _percent(one.done, one.most),
            str(len(one.revisit)),
        )
        for one in found
    ]
    return Listing(_say("lessons"), head, tuple(rows), right=(1, 2, 3))


def _student_listings(view: ClassView) -> Iterator[Listing]:
    """Every student's points, some lessons at a time, so that a row fits the terminal."""
    for start in range(0, len(view.marks.lessons), LESSONS_ABREAST):
        some = slice(start, start + LESSONS_ABREAST)
        head = (_say("student"), *(f"{_say('lesson')} {one.number}" for one in view.marks.lessons[some]))
        rows = tuple(
            (view.names[student], *map(_score, sheets[some])) for student, sheets in view.marks.sheets.items()
        )
        yield Listing(_say("grid"), head, rows, right=tuple(range(1, len(head))))


def _score(sheet: Sheet) -> str:
    return f"{sheet.points}/{len(sheet.verdicts)}" if sheet.handed_in else "-"


def class_page(view: ClassView) -> str:
    """The HTML page."""
    marks = view.marks
    notebooks, done, count = _totals(marks)
    figures = [
        (str(len(marks.sheets)), _say("students")), (str(notebooks), _say("notebooks")),
        (_percent(done, count), _say("done_share")),
    ]  # fmt: skip
    shown = "".join(f"<div><dt>{name}</dt><dd>{figure}</dd></div>" for figure, name in figures)
    parts = [
        f'<p class="kicker">{_say("kicker")}</p><h1>{_say("title")}</h1><dl class="figures">{shown}</dl>',
        f'<p class="call">{safe(_advice(marks))}</p>',
        f"<h2>{_say('lessons')}</h2>{_lessons(shares(marks), len(marks.sheets))}",
        f"<h2>{_say('mistakes')}</h2>{_mistakes(common_mistakes(marks)[:COMMON], len(marks.sheets))}",
        f"<h2>{_say('grid')}</h2>{_legend()}",
        *(_grids(view)),
        f"<h2>{_say('looks')}</h2>{_looks(view)}",
        f"<footer>{_say('isolates')}</footer>",
    ]
    return report(_say("kicker"), "\n".join(parts), wide=True)


def _barred(part: int, whole: int, written: str) -> str:
    return f'<span class="barred">{bar(part, whole, "mini")}{written}</span>'


def _lessons(found: Sequence[Share], students: int) -> str:
    head = (_say("lesson"), _say("handed_in"), _say("done"), _say("again"))
    rows = [
        (
            f"{one.lesson.number} {marked(one.lesson.title)}",
            f"{one.handed_in} / {students}",
            _barred(one.done, one.most, _percent(one.done, one.most)),
            str(len(one.revisit)),
        )
        for one in found
    ]
    return table(head, rows, (1, 2, 3))


def _mistakes(found: Sequence[Common], students: int) -> str:
    if not found:
        return f"<p>{_say('no_mistake')}</p>"
    head = (_say("count"), _say("mistake"), _say("say_this"), _say("seen"), _say("lesson"))
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
        f'<th scope="colgroup" colspan="{len(one.exercises)}">{_say("lesson")} {one.number}</th>'
        f'<th scope="col" class="sum">{_say("sum")}</th>'
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
        f'</thead><tbody>{rows}</tbody><tfoot><tr><th scope="row">{_say("of_class")}</th>{foot}</tr></tfoot>'
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
        return f'<td colspan="{count}" class="none">{_say("none")}</td><td></td>'
    cells = "".join(
        f'<td><span class="s-{LOOKS[one.state]}" title="{number} {say(one.state, "states")}'
        f'{safe(_ids(one.ids))}">{say(one.state, "marks")}</span></td>'
        for number, one in sheet.verdicts.items()
    )
    return f'{cells}<td class="sum">{sheet.points}/{count}</td>'


def _ids(ids: tuple[str, ...]) -> str:
    return f" {', '.join(ids)}" if ids else ""


def _looks(view: ClassView) -> str:
    found = view.looks
    shown = table(
        (_say("student"), _say("lesson"), _say("note")), [tuple(map(safe, one)) for one in found]
    ) if found else f"<p>{_say('looks_none')}</p>"  # fmt: skip
    if view.refused:
        rows = [(safe(path), safe(reason)) for path, reason in view.refusals]
        shown += f"<h2>{_say('refused')}</h2>" + table((_say("refused_file"), _say("refused_why")), rows)
    return shown
