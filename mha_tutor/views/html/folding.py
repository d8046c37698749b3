"""One place of a walk for every token: what all its pages share stands there once.

A browser can then follow another token without a second file, and the file stays small.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..page import Block, FirstFit, Page, Table, Text
from .blocks import block_html
from .dress import ByClass


class Folder:
    """Makes the bodies of sections; a table that several pages show is drawn once."""

    def __init__(self, start: int) -> None:
        self.start = start
        self.dress = ByClass()
        self.drawn: dict[object, str] = {}

    def body(self, pages: Sequence[Page]) -> str:
        """The blocks of ``pages``, one page a token; or of the only page, for the chosen token."""
        versions = [
            [self._html(*pair) for pair in zip(page.blocks, (None, *page.blocks), strict=False)]
            for page in pages
        ]
        if len(versions) == 1:
            return "".join(versions[0])
        shared = set.intersection(*map(set, versions))
        runs = [_split(version, shared) for version in versions]
        anchors = [block for block in versions[0] if block in shared]
        parts = []
        for i in range(len(anchors) + 1):
            parts.append(self._choice([run[i] for run in runs]))
            parts.append(anchors[i] if i < len(anchors) else "")
        return "".join(parts)

    def _choice(self, versions: Sequence[str]) -> str:
        """What differs between tokens: each version names the tokens it is for; one is in sight."""
        tokens_of: dict[str, list[int]] = {}
        for token, version in enumerate(versions):
            tokens_of.setdefault(version, []).append(token)
        parts = []
        for version, tokens in tokens_of.items():
            if version:
                hidden = "" if self.start in tokens else " hidden"
                names = " ".join(map(str, tokens))
                parts.append(f'<div class="for" data-for="{names}"{hidden}>{version}</div>')
        return "".join(parts)

    def _html(self, block: Block, before: Block | None) -> str:
        block = _with_chosen(block, self.start)
        key = (_key(block), before[1:] if isinstance(before, Text) else None)
        if key not in self.drawn:
            self.drawn[key] = block_html(block, self.dress, before)
        return self.drawn[key]


def _split(version: Sequence[str], shared: set[str]) -> list[str]:
    """What stands before, between and after the shared blocks."""
    runs = [""]
    for block in version:
        if block in shared:
            runs.append("")
        else:
            runs[-1] += block
    return runs


def _with_chosen(block: Block, start: int) -> Block:
    """Tables that mark the chosen token all mark the first one; the page's script moves the mark."""
    if isinstance(block, Table) and block.chosen is not None:
        return block._replace(chosen=start)
    if isinstance(block, FirstFit):
        options = (tuple(_with_chosen(table, start) for table in block.options[0]),)
        return FirstFit(options)  # type: ignore[arg-type]
    return block


def _key(block: Block) -> object:
    """What makes two blocks the same; arrays count by their numbers."""
    if isinstance(block, FirstFit):
        return tuple(_key(table) for table in block.options[0])
    return tuple(
        (part.shape, part.tobytes()) if hasattr(part, "tobytes") else part for part in (type(block), *block)
    )
