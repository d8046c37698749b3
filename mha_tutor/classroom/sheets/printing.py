"""Sheets and answer sheets as PDF, set by typst from the templates beside this file.

Only what typst brings along is used: its fonts, no packages, no date. So the same sheets give the
same bytes, here and on another machine, with no network.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ...errors import WorkError
from ...installing import install_line
from ...texts import LANGUAGE, texts
from .answer_book import AnswerBook
from .parts import Box, Sheet

TEMPLATES = Path(__file__).parent
PAPERS = ("a4", "letter")
# The fonts that come with typst have Latin, Greek, Cyrillic and Hebrew letters.
LAST_LETTER = "\u05ff"


def can_print() -> bool:
    """Whether typst is installed."""
    return find_spec("typst") is not None


def sheets_pdf(sheets: Sequence[Sheet], *, paper: str, large: bool) -> bytes:
    """One PDF of all ``sheets``, each beginning on a new page."""
    say = texts("sheet")
    words = {key: say[key] for key in ("title", "sheet", "name", "date", "page", "of", "example")}
    data = {
        "title": f"{say['title']}: {', '.join(sheet.code for sheet in sheets[:3])}",
        "paper": paper,
        "large": large,
        "say": words,
        "sheets": [plain(sheet) for sheet in sheets],
    }
    return typeset("sheets.typ", data, any(_rare(sheet.name) for sheet in sheets))


def answers_pdf(book: AnswerBook, *, paper: str, large: bool) -> bytes:
    """The PDF of the answer sheets."""
    say = texts("sheet")["answers"]
    data = {"paper": paper, "large": large, "say": say, "book": plain(book)}
    return typeset("answers.typ", data, any(_rare(leaf.name) for leaf in book.leaves))


def typeset(template: str, data: Mapping[str, Any], rare_letters: bool) -> bytes:
    """The PDF of a template. Only for ``rare_letters`` is a font of this computer looked for.

    Raises WorkError where typst fails.
    """
    typst = import_module("typst")  # 80 MB that only printing needs
    given = json.dumps({"language": LANGUAGE, **data}, ensure_ascii=False)
    source = (TEMPLATES / template).read_bytes()
    try:
        made: bytes = typst.compile(source, sys_inputs={"data": given}, ignore_system_fonts=not rare_letters)
    except RuntimeError as error:
        raise WorkError(
            f"typst cannot set the PDF: {error}. A newer typst may: {install_line('-U typst')}"
        ) from error
    return made


def _rare(name: str) -> bool:
    return any(letter > LAST_LETTER for letter in name)


def plain(value: Any) -> Any:
    """Named tuples as dictionaries, for JSON."""
    if isinstance(value, Box):
        return {"box": value.item}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return {key: plain(part) for key, part in value._asdict().items()}
    return [plain(part) for part in value] if isinstance(value, tuple | list) else value
