"""The style sheet of an HTML file: page.css, and the colours of light and dark put in."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from ..colours import HEADS_DARK, HEADS_LIGHT, LEVELS, ink_on, scale

# The page around the tables: every ink is legible on ground and on panel.
LIGHT = {
    "ground": "#ffffff",
    "panel": "#f3f5f8",
    "ink": "#1b1f24",
    "muted": "#57606a",
    "rule": "#d0d7de",
    "accent": "#0a549e",
}
DARK = {
    "ground": "#1c1c1c",
    "panel": "#272727",
    "ink": "#ededed",
    "muted": "#aab2bb",
    "rule": "#444444",
    "accent": "#7cc0f5",
}


def _classes() -> dict[str, tuple[str, str]]:
    """Each class that has a ground, with the ground in light and in dark."""
    found = {f"w{i}": pair for i, pair in enumerate(_both("weights"))}
    half = LEVELS // 2
    for i, pair in enumerate(_both("signed")):
        found[f"n{half - i}" if i < half else f"s{i - half}"] = pair
    return found | {f"h{i}": pair for i, pair in enumerate(zip(HEADS_LIGHT, HEADS_DARK, strict=True))}


def _both(paint: str) -> list[tuple[str, str]]:
    return list(zip(scale(paint, light=True), scale(paint, light=False), strict=True))


def variables(*, light: bool) -> dict[str, str]:
    """Every colour by name: the page's own, then a ground (w3) and the ink on it (w3i) for each class."""
    colours = dict(LIGHT if light else DARK)
    for name, pair in _classes().items():
        colours[name] = pair[0 if light else 1]
        colours[f"{name}i"] = ink_on(colours[name])
    return colours


@cache
def style_sheet() -> str:
    """The whole sheet."""
    light, dark = (
        "".join(f"--{name}:{colour};" for name, colour in variables(light=is_light).items())
        for is_light in (True, False)
    )
    grounds = "".join(f".{name}{{background:var(--{name});color:var(--{name}i)}}" for name in _classes())
    css = (Path(__file__).parent / "page.css").read_text(encoding="utf-8")
    for name, rules in (("light", light), ("dark", dark), ("grounds", grounds)):
        css = css.replace(f"/*{name}*/", rules)
    return css
