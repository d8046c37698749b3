"""`mha-tutor class guide`: the teacher's guide, to read here or to print."""

from __future__ import annotations

from ...course.reading import guide_pages
from ...errors import check_choice
from ..book import ShowOptions, check_show
from ..course.commands import TextBook, show_text


def run_guide(options: ShowOptions) -> None:
    """Open the guide as a book of pages."""
    check_choice("--format", options.format, ("text", "plain"))
    check_show(options)
    show_text(TextBook(guide_pages(), "class", "guide"), options)
