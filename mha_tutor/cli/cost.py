"""`mha-tutor cost`: parsed options in, a page or JSON out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack

from ..cost.presets import Sizes, choose
from ..cost.shape import unknown
from .book import ShowOptions, check_show
from .choices import FORMATS
from .printing import print_page
from .world import World

if TYPE_CHECKING:
    from ..views.page import Page


def cost_output(*, preset: str | None = None, format: str = "text", **sizes: Unpack[Sizes]) -> Page | str:
    """The page for ``text`` and ``plain``, the text of a JSON document for ``json``.

    Sizes that are None come from the preset, or from the robot example. Raises InputError.
    """
    if format not in FORMATS:
        raise unknown("format", format, FORMATS)
    chosen = choose(preset, **sizes)
    if format == "json":
        import json

        from ..cost import as_json

        return json.dumps(as_json(chosen.shape, chosen.preset), indent=2)
    from ..views.cost_page import make_cost_page

    return make_cost_page(chosen)


def run_cost(world: World | None = None, *, theme: str, width: int | None, format: str, **sizes: Any) -> None:
    """Print the figures of a shape as ``format`` asks. Raises InputError."""
    world = world or World.here()
    shown = ShowOptions(format=format, theme=theme, width=width)
    output = cost_output(format=format, **sizes)
    check_show(shown)
    if isinstance(output, str):
        world.print(output)
    else:
        print_page(output, shown, world)
