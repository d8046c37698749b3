"""The colours of all views: scales for numbers, a colour a head, and ink that can be read on them.

Weights use one light-to-dark scale, signed numbers two that meet in the middle (orange below 0,
blue above), both safe for colour-blind readers. Ink is black or white, whichever stands out more.
"""

from __future__ import annotations

from functools import cache

LEVELS = 10

# From nothing to everything: cividis (Nunez, Anderton and Renslow 2018) sampled at equal steps.
WEIGHTS_DARK = (
    "#00204d", "#00306f", "#2a3f6d", "#48506d", "#606173", "#7c7b78",
    "#958f78", "#b0a473", "#ccbb69", "#e9d257", "#ffea46",
)  # fmt: skip
# Blues of ColorBrewer (Harrower and Brewer 2003), filled up to eleven.
WEIGHTS_LIGHT = (
    "#ffffff", "#f0f5fb", "#deebf7", "#c9ddf0", "#b0d0e8", "#93c4de",
    "#6baed6", "#4e97c9", "#2171b5", "#0a549e", "#08306b",
)  # fmt: skip
# Orange to blue around the page's own ground; index 0 is the most negative.
SIGNED_DARK = (
    "#fdb863", "#e08214", "#b35806", "#7f3b08", "#4a2507", "#1c1c1c",
    "#11304f", "#1b4f83", "#2b74b8", "#5ba3d9", "#a6d3f2",
)  # fmt: skip
SIGNED_LIGHT = (
    "#b35806", "#d07a1c", "#ee9f46", "#fdc584", "#fee6cc", "#ffffff",
    "#dbeaf7", "#aed2ec", "#74afd9", "#3f86c0", "#15599a",
)  # fmt: skip
# After Okabe and Ito 2008; darker on light grounds. The first four stay apart for every kind of
# colour vision, and all stand out from the ground as bars.
HEADS_DARK = ("#56b4e9", "#e69f00", "#00a87b", "#cc79a7", "#f0e442", "#e5683a", "#b8b8b8", "#9485f2")
HEADS_LIGHT = ("#0072b2", "#c25e00", "#00876c", "#b8498f", "#857200", "#d02f2f", "#6b6b6b", "#5b3fbf")


def scale(paint: str, *, light: bool) -> tuple[str, ...]:
    """The grounds of a scale in order: "weights" from 0 to 1, "signed" from below 0 to above."""
    if paint == "weights":
        return WEIGHTS_LIGHT if light else WEIGHTS_DARK
    return SIGNED_LIGHT if light else SIGNED_DARK


def ground(paint: str, step: int, *, light: bool) -> str:
    """The colour behind a number at that ``level``."""
    return scale(paint, light=light)[step if paint == "weights" else step + LEVELS // 2]


def head_colour(head: int, *, light: bool) -> str:
    """The colour of a head, counted from 0; after the eighth they come again."""
    colours = HEADS_LIGHT if light else HEADS_DARK
    return colours[head % len(colours)]


def luminance(colour: str) -> float:
    """Relative luminance of "#rrggbb", 0 to 1 (WCAG 2.1)."""
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    r, g, b = (x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(a: str, b: str) -> float:
    """Contrast ratio of two colours, 1 to 21 (WCAG 2.1)."""
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@cache
def ink_on(colour: str) -> str:
    """Black or white, whichever stands out more on ``colour``: always 4.5 to 1 or better."""
    return max("#000000", "#ffffff", key=lambda ink: contrast(ink, colour))


# Between these two luminances neither black nor white ink has a contrast of 7 to 1.
_DARK_ENOUGH, _LIGHT_ENOUGH = 0.098, 0.302
_MIDDLE = 0.17  # up to here a colour is made darker, beyond it lighter


@cache
def washed(colour: str, *, darker: bool = False) -> str:
    """The colour as a projector needs it, which washes out: ink on it has a contrast of 7 to 1.

    Lighter and darker ones stay in their order. ``darker`` ones all go below, as bars need on white.
    """
    light = luminance(colour)
    if darker:
        wanted = light * _DARK_ENOUGH / 0.2
    elif light <= _MIDDLE:
        wanted = light * _DARK_ENOUGH / _MIDDLE
    else:
        wanted = _LIGHT_ENOUGH + (light - _MIDDLE) * (1 - _LIGHT_ENOUGH) / (1 - _MIDDLE)
    return _mixed_to(colour, wanted)


def _mixed_to(colour: str, wanted: float) -> str:
    """The colour mixed with black or white until it has that luminance, as near as can be."""
    other = 0 if wanted <= luminance(colour) else 255
    parts = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]

    def mixed(share: float) -> str:
        return "#" + "".join(f"{round(part + (other - part) * share):02x}" for part in parts)

    low, high = 0.0, 1.0
    for _ in range(10):  # halving finds it to a thousandth
        middle = (low + high) / 2
        enough = luminance(mixed(middle)) >= wanted if other else luminance(mixed(middle)) <= wanted
        low, high = (low, middle) if enough else (middle, high)
    return mixed(high)


def level(value: float, largest: float, paint: str) -> int:
    """Which step of the scale a number takes: 0 to LEVELS, or -LEVELS/2 to LEVELS/2 when signed."""
    if paint == "weights":
        return max(0, min(LEVELS, round(value * LEVELS)))
    if largest <= 0:
        return 0
    half = LEVELS // 2
    step = round(value / largest * half)
    if step == 0 and value != 0 and abs(value) / largest > 0.02:
        step = 1 if value > 0 else -1
    return max(-half, min(half, step))
