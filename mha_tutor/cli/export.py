"""`mha-tutor export`: the walk, or one stage of it, as a file."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import NamedTuple

from ..choose import WalkOptions, first_token
from ..errors import InputError
from ..numbers import bytes_written
from ..views.page import Page
from ..views.pages import View
from .book import ShowOptions, check_head, check_show
from .saving import write_whole
from .step import StepBook, page_of, pages_of
from .world import World

ENDINGS = (".html", ".svg", ".md", ".json", ".tex")


class ExportOptions(NamedTuple):
    """The options of `mha-tutor export` as they were typed."""

    to: str
    walk: WalkOptions = WalkOptions()
    show: ShowOptions = ShowOptions()
    stage: str | None = None
    force: bool = False


class _Chosen(NamedTuple):
    """What is written: a walk's pages, where the reader looks, and the keys of the pages."""

    book: StepBook
    view: View
    keys: tuple[str, ...]

    def pages(self) -> list[Page]:
        return [self.book.page(key, self.view) for key in self.keys]


def run_export(options: ExportOptions, world: World | None = None) -> None:
    """Write the file and say so.

    Raises InputError for anything that does not fit or a file that is there already, and WorkError
    where the file cannot be written.
    """
    world = world or World.here()
    to = Path(options.to)
    ending = _ending(to)
    check_show(options.show)
    if not options.force and os.path.lexists(to):
        raise InputError(f"--to '{options.to}' is there already. Add --force to overwrite it.")
    chosen = _chosen(options, ending)
    data = _text(chosen, ending, options.show.theme).encode()
    write_whole(to, data)
    world.print(f"Wrote {options.to}: {bytes_written(len(data))}.{_held(chosen, ending)}")


def _ending(path: Path) -> str:
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        given = f"ends in '{path.suffix}'" if path.suffix else "has no ending"
        raise InputError(f"--to '{path}' {given}. Choose one of {', '.join(ENDINGS)}.")
    return ending


def _chosen(options: ExportOptions, ending: str) -> _Chosen:
    book = StepBook(options.walk, options.show)
    example, trace = book.chosen.example, book.chosen.trace
    check_head(options.show, trace.sizes["heads"])
    token = first_token(example, options.show.token)
    keys = book.keys
    if options.stage is not None:
        keys = pages_of(keys[page_of(options.stage, trace, keys)], keys)
        keys = keys[:1] if ending == ".svg" else keys  # one stage, one slide
    return _Chosen(book, View(options.show.head - 1, token, options.show.decimals), keys)


def _text(chosen: _Chosen, ending: str, theme: str) -> str:
    trace = chosen.book.chosen.trace
    if ending == ".json":
        return json.dumps(trace.as_json(), ensure_ascii=False, allow_nan=False) + "\n"
    from ..views.html import walk_document, walk_title

    if ending == ".html":
        return walk_document(trace, chosen.book.page, chosen.view, keys=chosen.keys, theme=theme)
    if ending == ".svg":
        from ..views.svg import slides

        return slides(chosen.pages(), walk_title(trace), theme="light" if theme == "auto" else theme)
    if ending == ".md":
        from ..views.markdown import markdown

        return markdown(chosen.pages(), walk_title(trace))
    from ..views.tex import latex

    return latex(chosen.pages(), walk_title(trace))


def _held(chosen: _Chosen, ending: str) -> str:
    """What a page for the browser holds, where it is not everything."""
    if ending != ".html":
        return ""
    from ..views.html import holds_every_head, holds_every_token

    trace, view = chosen.book.chosen.trace, chosen.view
    alone = [] if holds_every_head(trace) else [f"head {view.head + 1}"]
    if not holds_every_token(trace):
        alone.append(f"token '{trace.tokens[view.token]}'")
    return f" It shows {' and '.join(alone)} alone, to stay small." if alone else ""
