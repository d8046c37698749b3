"""A lesson as pages for the terminal: text, tables of the walk, questions and then their answers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..texts import texts
from ..views.page import Block, Page, Text
from . import blanks, material
from .lesson import Exercise, Lesson, Piece, Questions
from .lists import Item
from .markdown import blocks_of, plain
from .merging import read_notebook, text_of
from .prose import filled, filled_parts
from .source import Cell


def lesson_pages(lesson: Lesson) -> tuple[Page, ...]:
    """The pages of a lesson in order."""
    say = texts("course")["lesson"]
    drafts = list(_drafts(lesson))
    source = say["title"].format(number=lesson.number, title=lesson.title)
    return tuple(
        Page(
            key=str(number),
            title=title,
            source=source,
            blocks=tuple(blocks),
            crumbs=(say["crumb"].format(number=lesson.number),),
            number=number,
            total=len(drafts),
        )
        for number, (title, blocks) in enumerate(drafts, 1)
    )


def guide_pages() -> tuple[Page, ...]:
    """The teacher's guide, course/teacher.md: a page for every heading."""
    say = texts("course")["guide"]
    text = (material.root() / "course" / "teacher.md").read_text(encoding="utf-8")
    parts = [part for part in re.split(r"^(?=##? )", text, flags=re.MULTILINE) if part.strip()]
    headed = [_heading(part.strip(), say["crumb"]) for part in parts]
    return tuple(
        Page(
            key=str(number),
            title=title,
            source=say["source"],
            blocks=tuple(blocks_of([rest])),
            crumbs=(say["crumb"],),
            number=number,
            total=len(headed),
        )
        for number, (title, rest) in enumerate(headed, 1)
    )


def _drafts(lesson: Lesson) -> Iterator[tuple[str, list[Block]]]:
    """Title and blocks of each page: a page for every heading, exercise and set of questions."""
    say = texts("course")["lesson"]
    outputs = _outputs(lesson)
    title = say["title"].format(number=lesson.number, title=lesson.title)
    facts = say["facts"].format(minutes=lesson.minutes, count=len(lesson.exercises))
    blocks: list[Block] = [Text(lesson.summary, "lead"), Text(facts)]
    for piece in _split(lesson.pieces):
        if isinstance(piece, Cell) and not (piece.markdown and piece.text.startswith("#")):
            blocks += _cell_blocks(piece, outputs)
            continue
        if blocks:
            yield title, blocks
        blocks = []
        if isinstance(piece, Exercise):
            title = say["exercise"].format(number=piece.number, title=piece.title)
            yield title, _exercise_blocks(piece, outputs)
        elif isinstance(piece, Questions):
            title, lead = _heading(filled(piece.lead, piece.cell), say["questions"])
            air = [Text("")] if lead else []
            yield title, [*blocks_of([lead]), *air, *_numbered(piece, behind=False)]
            if any(item.behind for item in piece.items):
                yield say["answers"].format(title=title), _numbered(piece, behind=True)
        else:
            title, rest = _heading(piece.text, lesson.title)
            blocks = list(blocks_of(filled_parts(rest, piece)))
        title = title if blocks else lesson.title
    if blocks:
        yield title, blocks


def _split(pieces: tuple[Piece, ...]) -> Iterator[Piece]:
    """The pieces, with a text that has several headings cut at each."""
    for piece in pieces:
        if not isinstance(piece, Cell) or not piece.markdown:
            yield piece
            continue
        line = piece.line
        for text in re.split(r"^(?=## )", piece.text, flags=re.MULTILINE):
            if text.strip():
                yield piece._replace(text=text.rstrip(), line=line)
            line += text.count("\n")


def _heading(text: str, otherwise: str) -> tuple[str, str]:
    """The heading a text starts with, and the rest."""
    first, _, rest = text.partition("\n")
    if not first.startswith("#"):
        return otherwise, text
    return plain(first.lstrip("# ")), rest.strip()


def _cell_blocks(cell: Cell, outputs: dict[str, str]) -> list[Block]:
    if cell.markdown:
        return list(blocks_of(filled_parts(cell.text, cell)))
    if cell.part == "setup":
        return []
    output = outputs.get(cell.text.strip(), "").rstrip("\n")
    prints = texts("course")["lesson"]["prints"]
    return [Text(cell.text.strip(), "code"), *([Text(output, "code", prints)] if output else [])]


def _exercise_blocks(exercise: Exercise, outputs: dict[str, str]) -> list[Block]:
    say = texts("course")["lesson"]
    blocks = list(blocks_of(filled_parts(exercise.task.text, exercise.task)))
    if exercise.claims:
        lines = (f"{claim.letter}. {_inline(filled(claim.text, claim.source))}" for claim in exercise.claims)
        blocks.append(Text("\n".join(["", *lines])))  # with air above
    for cell in exercise.given:
        blocks += _cell_blocks(cell, outputs)
    blocks.append(Text(blanks.blanked(exercise.work).strip(), "code"))
    blocks.append(Text(say["how"].format(number=exercise.number), "look"))
    return blocks


def _numbered(questions: Questions, *, behind: bool) -> list[Block]:
    def line(number: int, item: Item) -> str:
        text = item.behind if behind else item.text
        return f"{number}. {_inline(filled(text, item.source))}"

    return [Text("\n".join(line(number, item) for number, item in enumerate(questions.items, 1)))]


def _inline(text: str) -> str:
    return plain(" ".join(text.split()))


def _outputs(lesson: Lesson) -> dict[str, str]:
    """What the lesson's code prints, by its source, from the notebook as it was shipped."""
    path = material.notebook(lesson.name)
    cells = read_notebook(path)["cells"] if path.exists() else []
    return {
        text_of(cell).strip(): "".join(
            part if isinstance(part := output.get("text", ""), str) else "".join(part)
            for output in cell.get("outputs", [])
        )
        for cell in cells
        if cell.get("cell_type") == "code"
    }
