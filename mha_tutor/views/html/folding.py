"""One place of a walk for every token: what all its pages share stands there once.

A browser can then follow another token without a second file, and the file stays small.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..page import Block, FirstFit, Page, Table, Text
from .blocks import block_html
from .dress import ByClass


def folded(pages: Sequence[Page], start: int) -> str:
    """The blocks of ``pages``, one page a token from the first on; or of the only page.

    What is for the token ``start`` is in sight, all else hidden until a script shows it.
    """
    drawn: dict[object, str] = {}
    versions = [_drawn(page, start, drawn) for page in pages]
    if len(versions) == 1:
        return "".join(versions[0])
    shared = set.intersection(*map(set, versions))
    orders = {tuple(block for block in version if block in shared) for version in versions}
    order = orders.pop()
    if orders:  # no order that all keep to: then nothing is shared
        shared, order = set(), ()
    runs = [_split(version, shared) for version in versions]
    parts = []
    for i in range(len(order) + 1):
        parts += [_choice([run[i] for run in runs], start), *order[i : i + 1]]
    return "".join(parts)


def _drawn(page: Page, start: int, known: dict[object, str]) -> list[str]:
    """Each block of a page as HTML; a table that other pages show too is drawn once."""
    found, before = [], None
    for given in page.blocks:
        block = _with_chosen(given, start)
        key = (_key(block), before[1:] if isinstance(before, Text) else None)
        if key not in known:
            known[key] = block_html(block, ByClass(), before)
        found.append(known[key])
        before = given
    return found


def _choice(versions: Sequence[str], start: int) -> str:
    """What differs between tokens: each version names the tokens it is for; one is in sight."""
    tokens_of: dict[str, list[int]] = {}
    for token, version in enumerate(versions):
        tokens_of.setdefault(version, []).append(token)
    parts = []
    for version, tokens in tokens_of.items():
        if version:
            hidden = "" if start in tokens else " hidden"
            names = " ".join(map(str, tokens))
            parts.append(f'<div class="for" data-for="{names}"{hidden}>{version}</div>')
    return "".join(parts)


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
    if isinstance(block, Table):  # the places that bands point to are not drawn
        block = block._replace(bands=tuple(band._replace(cell=None) for band in block.bands))
    return tuple(
        (part.shape, part.tobytes()) if hasattr(part, "tobytes") else part for part in (type(block), *block)
    )
