"""Pages as HTML: a fragment for a notebook, or one file with every page, for a browser and for paper."""

from __future__ import annotations

from .assembly import Leaf, document
from .blocks import fragment
from .walk import holds_every_head, holds_every_token, walk_document, walk_title

__all__ = [
    "Leaf",
    "document",
    "fragment",
    "holds_every_head",
    "holds_every_token",
    "walk_document",
    "walk_title",
]
