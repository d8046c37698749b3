"""The votes of a class in a file: one line a choice, for a spreadsheet."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from io import StringIO
from pathlib import Path

from ...errors import InputError
from ...texts import texts
from ..saving import write_new
from ..world import World
from .polling import Result
from .voting import VOTES

COLUMNS = ("page", "question", "choice", "answer", "right", "mistakes", "vote", "second vote")


def check_votes_file(path: Path) -> None:
    """Raise InputError now, and not after the lesson, when the file is there or has no folder."""
    if path.exists():
        raise InputError(f"{path} is there already. Choose another name for --save; nothing is overwritten.")
    if not path.parent.is_dir():
        raise InputError(f"--save {path}: there is no folder {path.parent}. Make it, or choose another one.")


def votes_text(results: Sequence[Result]) -> str:
    """All votes, as the file has them."""
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(row for result in results for row in _rows(result))
    return out.getvalue()


def keep_votes(path: Path, results: Sequence[Result], world: World) -> None:
    """Write the votes to a new file and say so; where that fails they are printed, so none is lost."""
    say = texts("present")["use"]
    if not results:
        world.print(say["nothing_saved"].format(path=path))
        return
    text = votes_text(results)
    try:
        write_new(path, text)
    except InputError:
        world.print(text)
        raise
    world.print(say["saved"].format(path=path))


def _rows(result: Result) -> Iterator[tuple[object, ...]]:
    poll = result.poll
    for i, choice in enumerate(poll.asked.choices):
        votes = [result.votes[vote][i] if vote in result.votes else "" for vote in VOTES]
        right = "yes" if choice.right else "no"
        mistakes = " ".join(poll.mistakes[i])
        yield (result.page, poll.asked.text, choice.letter, choice.text, right, mistakes, *votes)
