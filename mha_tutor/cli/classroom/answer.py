"""`mha-tutor class answer`: what is right on a sheet, and what a student's number tells."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill

from ...classroom.sheets.answers import Answer, AnswerSheet
from ...classroom.sheets.judging import in_range, judged
from ...classroom.sheets.variants import variant
from ...texts import texts
from ...views.page import Listing, Page, Text
from ..book import ShowOptions, check_show
from ..printing import print_page
from ..world import World


def run_answer(
    code: str, item: str | None, number: str | None, options: ShowOptions, world: World | None = None
) -> None:
    """Print the answers of a sheet, or of one item, or judge a number. Raises InputError."""
    world = world or World.here()
    check_show(options)
    answers = AnswerSheet(variant(code))
    if item is not None and number is not None:
        _print_judgement(answers, item, number, options, world)
        return
    shown = answers.answers if item is None else (answers.answer(item),)
    if options.format == "json":
        world.print_json({"code": answers.variant.code, "items": [_as_json(answer) for answer in shown]})
        return
    print_page(_page(answers, shown, item), options, world)


def _print_judgement(
    answers: AnswerSheet, item: str, number: str, options: ShowOptions, world: World
) -> None:
    found = judged(answers, item, number)
    if options.format == "json":
        world.print_json(
            {
                "code": answers.variant.code,
                "given": number,
                "right": found.right,
                "kind": found.kind,
                "mistakes": list(found.ids),
                "message": found.message,
                **_as_json(answers.answer(item)),
            }
        )
        return
    lines = [found.message]
    if not found.right and found.kind != "near":
        lines.append(in_range(answers.answer(item)))
    for line in lines:
        world.print(line if options.format == "plain" else fill(line, options.width or world.size()[0]))


def _page(answers: AnswerSheet, shown: Sequence[Answer], item: str | None) -> Page:
    """The answers as a page: a listing a stage; for one item its usual wrong numbers in words."""
    say, code = texts("sheet")["answers"], answers.variant.code
    blocks: list[Listing | Text] = []
    stages = dict.fromkeys(answer.item.stage for answer in shown)
    for stage in stages:
        columns = (say["item"], say["worked"], say["accept"])
        rows = tuple(
            (answer.item.name, answer.worked, answer.accepted)
            for answer in shown
            if answer.item.stage == stage
        )
        blocks.append(Listing(texts("sheet")["part"][stage]["title"], columns, rows))
    if item is not None:
        blocks.insert(0, Text(shown[0].place))
        blocks += [
            Text(mistake.hint, "words", f"{wrong.number} {mistake.id}")
            for wrong in shown[0].wrong
            for mistake in wrong.mistakes
        ]
        title = say["item_title"].format(item=shown[0].item.name, code=code)
    else:
        blocks.append(Text(say["walk"].format(code=code)))
        title = say["file_title"].format(code=code)
    return Page("answers", title, say["source"].format(code=code), tuple(blocks))


def _as_json(answer: Answer) -> dict[str, object]:
    return {
        "item": answer.item.name,
        "stage": answer.item.stage,
        "place": answer.place,
        "answer": answer.number,
        "in_full": answer.full,
        "accept": [answer.low, answer.high],
        "worked": answer.worked,
        "wrong_numbers": [
            {"number": wrong.number, "mistakes": [mistake.id for mistake in wrong.mistakes]}
            for wrong in answer.wrong
        ],
    }
