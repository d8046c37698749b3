"""`mha-tutor export`: the walk, or one stage of it, as a file."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from ..errors import InputError, WorkError
from ..examples import Example
from ..numbers import bytes_written
from ..texts import texts
from ..trace import Trace
from ..views.page import Page
from ..views.pages import View, page, page_keys
from .book import ShowOptions, check_show
from .choose import WalkOptions, chosen_token, chosen_walk, start_token
from .step import page_of, pages_of
from .world import World

ENDINGS = (".html", ".svg", ".md", ".json", ".tex")


class ExportOptions(NamedTuple):
    """The options of `mha-tutor export` as they were typed."""

    to: Path
    walk: WalkOptions = WalkOptions()
    show: ShowOptions = ShowOptions()
    stage: str | None = None
    force: bool = False


class _Walked(NamedTuple):
    """What is written: a walk, where the reader looks, and the keys of the pages."""

    example: Example
    trace: Trace
    view: View
    keys: tuple[str, ...]

    def pages(self) -> list[Page]:
        return [page(key, self.trace, self.example, self.view) for key in self.keys]

    @property
    def title(self) -> str:
        title = texts("html")["title"]
        return str(title.format(example=self.trace.example, sentence=self.trace.sentence))


def run_export(options: ExportOptions, world: World | None = None) -> None:
    """Write the file and say so.

    Raises InputError for anything that does not fit or a file that is there already, and WorkError
    where the file cannot be written.
    """
    world = world or World.here()
    ending = _ending(options.to)
    check_show(options.show, options.show.head)
    if not options.force and os.path.lexists(options.to):
        raise InputError(f"--to '{options.to}' is there already. Add --force to overwrite it.")
    walked = _walked(options, ending)
    text = _text(walked, ending, options.show.theme)
    _write(options.to, text)
    world.print(f"Wrote {options.to}: {bytes_written(len(text.encode()))}.{_held(walked, ending)}")


def _ending(path: Path) -> str:
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        given = f"ends in '{path.suffix}'" if path.suffix else "has no ending"
        raise InputError(f"--to '{path}' {given}. Choose one of {', '.join(ENDINGS)}.")
    return ending


def _walked(options: ExportOptions, ending: str) -> _Walked:
    example, trace = chosen_walk(options.walk)
    check_show(options.show, trace.sizes["heads"])
    given = options.show.token
    token = start_token(example) if given is None else chosen_token(example.tokens, given)
    keys = page_keys(trace)
    if options.stage is not None:
        keys = pages_of(keys[page_of(options.stage, trace, keys)], keys)
        keys = keys[:1] if ending == ".svg" else keys  # one stage, one slide
    return _Walked(example, trace, View(options.show.head - 1, token, options.show.decimals), keys)


def _text(walked: _Walked, ending: str, theme: str) -> str:
    if ending == ".json":
        return json.dumps(walked.trace.as_json(), ensure_ascii=False, allow_nan=False) + "\n"
    if ending == ".html":
        from ..views.html import walk_document

        return walk_document(walked.trace, walked.example, walked.view, keys=walked.keys, theme=theme)
    if ending == ".svg":
        from ..views.svg import slides

        return slides(walked.pages(), walked.title, theme="light" if theme == "auto" else theme)
    if ending == ".md":
        from ..views.markdown import markdown

        return markdown(walked.pages(), walked.title)
    from ..views.tex import latex

    return latex(walked.pages(), walked.title)


def _held(walked: _Walked, ending: str) -> str:
    """What a page for the browser holds, where it is not everything."""
    if ending != ".html":
        return ""
    from ..views.html import holds_every_head, holds_every_token

    alone = [] if holds_every_head(walked.trace) else [f"head {walked.view.head + 1}"]
    if not holds_every_token(walked.trace):
        alone.append(f"token '{walked.trace.tokens[walked.view.token]}'")
    return f" It shows {' and '.join(alone)} alone, to stay small." if alone else ""


def _write(path: Path, text: str) -> None:
    """Write beside the file, then put it in place, so that no half a file is ever there."""
    target = Path(os.path.realpath(path))
    if not target.parent.is_dir():
        raise WorkError(f"There is no folder '{path.parent}'. Make it first, or choose another place.")
    if target.is_dir():
        raise WorkError(f"'{path}' is a folder. Choose the name of a file.")
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with part.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
        part.replace(target)
    except OSError as error:
        raise WorkError(f"'{path}' cannot be written: {error.strerror or error}.") from error
    finally:
        with suppress(OSError):
            part.unlink()
