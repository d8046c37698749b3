"""`mha-tutor decode`: one token at a time, with a growing cache."""

from __future__ import annotations

from ..choose import WalkOptions, chosen_example, chosen_token
from ..decoding import Decoding, decode
from ..examples import Example
from ..views.decode_pages import decode_keys, decode_page
from ..views.page import Page
from ..views.pages import View
from .book import ShowOptions, check_head, check_show, options_as_typed
from .showing import show
from .world import World


class DecodeBook:
    """A page a token, and one that compares with the full pass."""

    def __init__(self, example: Example, decoding: Decoding, walk: WalkOptions, options: ShowOptions) -> None:
        self.example = example
        self.decoding = decoding
        self.keys = decode_keys(decoding)
        self.chapters = tuple(range(len(self.keys)))
        self.sizes = decoding.full.sizes
        self._given = [
            *options_as_typed(walk, WalkOptions(), set()),
            *options_as_typed(options, ShowOptions(), {"head", "token", "format"}),
        ]

    def page(self, key: str, view: View) -> Page:
        """The page of that key."""
        return decode_page(key, self.decoding, self.example, view)

    def per_head(self, key: str) -> bool:
        """Whether the page shows one head."""
        return key != "same"

    def command(self, key: str, view: View) -> list[str]:
        """The arguments of mha-tutor that open the pages at that one."""
        place = min(self.keys.index(key) + 1, len(self.example.tokens))
        return ["decode", *self._given, "--head", str(view.head + 1), "--token", str(place)]


def run_decode(walk: WalkOptions, options: ShowOptions, world: World | None = None) -> None:
    """Show the decoding. Raises InputError for anything that does not fit."""
    world = world or World.here()
    check_show(options)
    example = chosen_example(walk)
    decoding = decode(example, heads=walk.heads, kv_heads=walk.kv_heads)
    check_head(options, decoding.full.sizes["heads"])
    first = 0 if options.token is None else chosen_token(example.tokens, options.token)
    if options.format == "json":
        world.print_json(decoding.as_json())
        return
    book = DecodeBook(example, decoding, walk, options)
    view = View(options.head - 1, first, options.decimals)
    show(book, view, first, options._replace(token=None), world)
