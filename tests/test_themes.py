"""Colours: legible and in order in every theme, whatever a terminal makes of them."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from itertools import combinations, pairwise

import numpy as np
import pytest
from numpy.typing import NDArray
from rich.color import ColorSystem
from rich.console import Console
from rich.style import Style
from rich.terminal_theme import DEFAULT_TERMINAL_THEME, TerminalTheme

from mha_tutor.cli.world import World
from mha_tutor.views.colours import LEVELS, level
from mha_tutor.views.terminal.theme import THEMES, Theme

Rgb = tuple[int, int, int]
TRUE, MANY, FEW = ColorSystem.TRUECOLOR, ColorSystem.EIGHT_BIT, ColorSystem.STANDARD
NAMES = ("dark", "light", "projector", "projector-dark")
COLOURED = [Theme(name, colors) for name in NAMES for colors in (TRUE, MANY, FEW)]
PLAIN = ["text", "title", "here", "chosen", "label", "formula", "axis", "strong"]
HEADS = 8
LIKELY = 6  # heads whose colours must differ: with 16 colours there are no more
DARK_GROUNDS: list[Rgb] = [(0, 0, 0), (12, 12, 12)]
GREY_GROUND: Rgb = (30, 30, 30)  # of editors, which have more than 16 colours
LIGHT_GROUNDS: list[Rgb] = [(255, 255, 255), (250, 250, 250)]


def rgb(text: str) -> list[Rgb]:
    return [(int(c[:2], 16), int(c[2:4], 16), int(c[4:], 16)) for c in text.split()]


def palette(dim: str, bright: str) -> TerminalTheme:
    return TerminalTheme((0, 0, 0), (255, 255, 255), rgb(dim), rgb(bright))


# What the 16 names look like; a terminal decides that, not the program.
PALETTES = {
    "old Windows": DEFAULT_TERMINAL_THEME,
    "Windows": palette(
        "0c0c0c c50f1f 13a10e c19c00 0037da 881798 3a96dd cccccc",
        "767676 e74856 16c60c f9f1a5 3b78ff b4009e 61d6d6 f2f2f2",
    ),
    "xterm": palette(
        "000000 cd0000 00cd00 cdcd00 0000ee cd00cd 00cdcd e5e5e5",
        "7f7f7f ff0000 00ff00 ffff00 5c5cff ff00ff 00ffff ffffff",
    ),
    "macOS": palette(
        "000000 990000 00a600 999900 0000b2 b200b2 00a6b2 bfbfbf",
        "666666 e50000 00d900 e5e500 0000ff e500e5 00e5e5 e5e5e5",
    ),
    "Tango": palette(
        "2e3436 cc0000 4e9a06 c4a000 3465a4 75507b 06989a d3d7cf",
        "555753 ef2929 8ae234 fce94f 729fcf ad7fa8 34e2e2 eeeeec",
    ),
    "Linux console": palette(
        "000000 aa0000 00aa00 aa5500 0000aa aa00aa 00aaaa aaaaaa",
        "555555 ff5555 55ff55 ffff55 5555ff ff55ff 55ffff ffffff",
    ),
}


def name_of(theme: Theme) -> str:
    return f"{theme.name}-{theme.colors.name.lower() if theme.colors else 'none'}"


coloured = pytest.mark.parametrize("theme", COLOURED, ids=name_of)


def palettes_of(theme: Theme) -> dict[str, TerminalTheme]:
    """Only 16 colours depend on the terminal's palette."""
    return PALETTES if theme.colors is FEW else {"any": DEFAULT_TERMINAL_THEME}


def grounds_of(theme: Theme) -> list[Rgb]:
    if theme.light:
        return LIGHT_GROUNDS
    return DARK_GROUNDS if theme.colors is FEW else [*DARK_GROUNDS, GREY_GROUND]


def luminance(color: Rgb) -> float:
    """Relative luminance of WCAG 2.1, written anew so that the program's own is checked too."""
    r, g, b = linear(color)
    return float(0.2126 * r + 0.7152 * g + 0.0722 * b)


def linear(color: Rgb) -> NDArray[np.float64]:
    parts = np.array(color) / 255
    return np.where(parts <= 0.03928, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def contrast(a: Rgb, b: Rgb) -> float:
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


def seen(style: Style, theme: Theme, shown: TerminalTheme, ground: Rgb) -> tuple[Rgb, Rgb]:
    """Ink and ground as the terminal shows them, after rich has brought them down to its colours."""
    assert theme.colors
    own_ink: Rgb = (0, 0, 0) if theme.light else (204, 204, 204)
    both: list[Rgb] = []
    for color, own in ((style.color, own_ink), (style.bgcolor, ground)):
        if color is None or color.is_default:
            both.append(own)
        else:
            both.append(tuple(color.downgrade(theme.colors).get_truecolor(shown)))  # type: ignore[arg-type]
    return both[0], both[1]


def every_ground(theme: Theme, names: list[str]) -> Iterator[tuple[str, list[tuple[Rgb, Rgb]]]]:
    """Those styles, on each palette and usual ground: where, and (ink, ground) of each."""
    for where, shown in palettes_of(theme).items():
        for ground in grounds_of(theme):
            yield f"{where} on {ground}", [seen(theme.style(name), theme, shown, ground) for name in names]


def weights() -> list[str]:
    return [f"weights.{step}" for step in range(LEVELS + 1)]


def signed(sign: int = 1) -> list[str]:
    """From the middle outwards."""
    return [f"signed.{sign * step}" for step in range(LEVELS // 2 + 1)]


def chips() -> list[str]:
    return [f"chip.{head}" for head in range(HEADS)]


def all_cells() -> list[str]:
    return [*weights(), *signed(-1), *signed(), *chips(), *(f"strong.{name}" for name in weights())]


def test_every_theme_that_can_be_asked_for_is_tested() -> None:
    assert {theme.name for theme in COLOURED} | {"mono"} == set(THEMES)


@coloured
def test_text_on_a_coloured_cell_has_a_contrast_of_4_5(theme: Theme) -> None:
    poor = [
        f"{name} ({where}): {contrast(*pair):.2f}, ink {pair[0]} on {pair[1]}"
        for where, pairs in every_ground(theme, all_cells())
        for name, pair in zip(all_cells(), pairs, strict=True)
        if contrast(*pair) < 4.5
    ]
    assert not poor, "\n".join(poor)


@pytest.mark.parametrize("name", ["projector", "projector-dark"])
def test_a_projector_washes_colours_out_so_there_the_contrast_is_7(name: str) -> None:
    theme = Theme(name, TRUE)
    for where, pairs in every_ground(theme, all_cells()):
        poor = [
            f"{name} ({where}): {contrast(*pair):.2f}"
            for name, pair in zip(all_cells(), pairs, strict=True)
            if contrast(*pair) < 7
        ]
        assert not poor, "\n".join(poor)


@coloured
@pytest.mark.parametrize("names", [weights(), signed(), signed(-1)], ids=["weights", "positive", "negative"])
def test_a_scale_goes_one_way_from_nothing_to_everything(theme: Theme, names: list[str]) -> None:
    for where, pairs in every_ground(theme, names):
        steps = [luminance(ground) for _, ground in pairs]
        if theme.light:
            steps = [1 - step for step in steps]
        told = f"{where}: {[round(step, 3) for step in steps]}"
        assert all(a <= b for a, b in pairwise(steps)), told
        assert steps[0] + 0.05 < steps[-1], told
        strictly = {TRUE: len(steps), MANY: len(steps) - 1, FEW: 3 if len(steps) < 8 else 4}
        assert len(set(steps)) >= strictly[theme.colors or FEW], told


@coloured
def test_the_two_ends_of_the_signed_scale_are_told_apart_by_hue(theme: Theme) -> None:
    far = LEVELS // 2
    for where, ((_, minus), (_, plus)) in every_ground(theme, [f"signed.-{far}", f"signed.{far}"]):
        assert distance(minus, plus) > 40, where
        # Orange to blue keeps apart for red-green colour blindness, where red to green does not.
        assert distance(minus, plus, DEUTERANOPE) > 40 and distance(minus, plus, PROTANOPE) > 40, where


# Machado, Oliveira and Fernandes 2009, severity 1, on linear light.
DEUTERANOPE = np.array(
    [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
)
PROTANOPE = np.array(
    [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
)


def distance(a: Rgb, b: Rgb, eyes: NDArray[np.float64] | None = None) -> float:
    """How different two colours look: the distance in CIE Lab, about 2 being just visible."""
    eyes = np.eye(3) if eyes is None else eyes
    return float(np.linalg.norm(lab(a, eyes) - lab(b, eyes)))


def lab(color: Rgb, eyes: NDArray[np.float64]) -> NDArray[np.float64]:
    to_xyz = np.array([[0.4125, 0.3576, 0.1804], [0.2127, 0.7152, 0.0722], [0.0193, 0.1192, 0.9503]])
    xyz = to_xyz @ np.clip(eyes @ linear(color), 0, 1) / np.array([0.9505, 1.0, 1.0888])
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@coloured
def test_heads_have_different_colours(theme: Theme) -> None:
    for where, pairs in every_ground(theme, [f"chip.{h}" for h in range(LIKELY)]):
        close = [
            (i + 1, j + 1, round(distance(a, b), 1))
            for (i, (_, a)), (j, (_, b)) in combinations(enumerate(pairs), 2)
            if distance(a, b) < 15
        ]
        assert not close, f"{where}: heads that look alike: {close}"


@coloured
def test_the_first_heads_are_told_apart_by_colour_blind_readers_too(theme: Theme) -> None:
    for where, pairs in every_ground(theme, [f"chip.{h}" for h in range(3)]):
        for eyes in (DEUTERANOPE, PROTANOPE):
            apart = [round(distance(a, b, eyes), 1) for (_, a), (_, b) in combinations(pairs, 2)]
            assert min(apart) > 10, f"{where}: {apart}"


@coloured
def test_a_bar_stands_out_from_the_usual_ground_of_its_theme(theme: Theme) -> None:
    poor = [
        f"head {h + 1} ({where}): {contrast(*pair):.2f}"
        for where, pairs in every_ground(theme, [f"head.{h}" for h in range(HEADS)])
        for h, pair in enumerate(pairs)
        if contrast(*pair) < 3
    ]
    assert not poor, "\n".join(poor)


@coloured
def test_with_few_colours_a_scale_is_its_palette_in_order(theme: Theme) -> None:
    if theme.colors is not FEW:
        return
    for names in (weights(), signed(), signed(-1)):
        grounds = [str(theme.style(name).bgcolor) for name in names]
        assert grounds[0] == "None", "the least is the terminal's own ground"
        runs = [a for a, b in pairwise([*grounds, ""]) if a != b]
        assert len(runs) == len(set(runs)), f"a colour comes back: {grounds}"


@pytest.mark.parametrize(
    "theme", [*COLOURED, *(Theme(name, None) for name in THEMES), Theme("mono", TRUE)], ids=name_of
)
def test_no_style_is_dim_or_blinks_or_hides(theme: Theme) -> None:
    for name in [*PLAIN, *all_cells(), *(f"head.{h}" for h in range(HEADS))]:
        style = theme.style(name)
        assert not (style.dim or style.blink or style.conceal), name
        assert str(style.color) != "bright_black", name


@pytest.mark.parametrize("name", THEMES)
def test_without_colours_no_style_has_any(name: str) -> None:
    for theme in (Theme(name, None), Theme("mono", TRUE), Theme("mono", FEW)):
        for style in map(theme.style, [*PLAIN, *all_cells(), *(f"head.{h}" for h in range(HEADS))]):
            assert style.color is None and style.bgcolor is None


def test_ordinary_text_keeps_the_colours_of_the_terminal() -> None:
    for theme in COLOURED:
        for style in map(theme.style, PLAIN):
            assert style.color is None and style.bgcolor is None


def test_a_level_follows_its_number() -> None:
    assert [level(x, 1.0, "weights") for x in (0.0, 0.04, 0.5, 1.0)] == [0, 0, 5, LEVELS]
    assert [level(x, 2.0, "signed") for x in (-2.0, -0.1, 0.0, 0.1, 2.0)] == [-5, -1, 0, 1, 5]
    assert level(0.0, 0.0, "signed") == 0 and level(1e-9, 1.0, "signed") == 0
    steps = [level(x, 1.0, "signed") for x in (i / 100 for i in range(-100, 101))]
    assert steps == sorted(steps) and steps == [-step for step in reversed(steps)]


@pytest.mark.skipif(sys.platform == "win32", reason="there rich itself is asked")
@pytest.mark.parametrize("color_term", [None, "", "truecolor", "24bit", "TrueColor ", "yes"])
@pytest.mark.parametrize(
    "term",
    [None, "", "xterm", "xterm-256color", "XTERM-256COLOR", "xterm-kitty", "linux-16color", "dumb", "DUMB"],
)
def test_a_terminal_has_the_colours_that_rich_says_it_has(term: str | None, color_term: str | None) -> None:
    given = {"TERM": term, "COLORTERM": color_term, "FORCE_COLOR": "1"}
    environ = {name: value for name, value in given.items() if value is not None}
    console = Console(file=io.StringIO(), force_terminal=True, _environ=environ)
    names = {None: FEW, "standard": FEW, "256": MANY, "truecolor": TRUE}
    assert World(sys.stdin, io.StringIO(), environ).colors is names[console.color_system]
