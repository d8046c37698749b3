"""Curves on a slide: every digit stands there, and a curve is as high as its numbers."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from mha_tutor.views.page import Bars, Chart, Page
from mha_tutor.views.svg import slides
from mha_tutor.views.svg.curves import DASHES, is_curve

SERIES = (
    Bars("most first", (1.0, 0.5, 0.25, 0.125), ("1.00", "0.50", "0.25", "0.12"), "cosine"),
    Bars("nothing", (0.2, 0.2, 0.2, 0.2), ("0.20", "0.20", "0.20", "0.20"), "cosine"),
)
CHART = Chart("Cosine by heads removed", "removed", ("0", "6", "12", "30"), SERIES)


def slide(chart: Chart, theme: str = "light") -> ElementTree.Element:
    page = Page(key="prune", title="A page", source="made here", blocks=(chart,))
    return ElementTree.fromstring(slides([page], "Slides", theme=theme))


def curves(root: ElementTree.Element) -> list[ElementTree.Element]:
    return [each for each in root.iter() if each.tag.endswith("polyline")]


def points(curve: ElementTree.Element) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in re.findall(r"([\d.]+),([\d.]+)", curve.attrib["points"])]


def test_a_curve_is_as_far_along_and_as_high_as_its_numbers() -> None:
    first, second = (points(curve) for curve in curves(slide(CHART)))
    (left, high), (right, last) = first[0], first[-1]
    zero = high + (last - high) / (1 - 0.125)  # in SVG y grows downwards, and the curve starts at 1
    for (x, y), at, value in zip(first, (0, 6, 12, 30), SERIES[0].values, strict=True):
        assert x == pytest.approx(left + (right - left) * at / 30, abs=0.2)
        assert y == pytest.approx(zero - (zero - high) * (value or 0), abs=0.3)
    assert right > left and zero > high
    for _, y in second:
        assert y == pytest.approx(zero - (zero - high) * 0.2, abs=0.3)


@pytest.mark.parametrize("theme", ["light", "dark", "mono", "projector"])
def test_every_digit_is_written_and_dashes_tell_curves_apart_without_colour(theme: str) -> None:
    root = slide(CHART, theme)
    written = [each.text for each in root.iter() if each.tag.endswith("text")]
    for bars in SERIES:
        assert bars.name in written and all(text in written for text in bars.written)
    assert [curve.attrib.get("stroke-dasharray", "") for curve in curves(root)] == list(DASHES[:2])


@pytest.mark.parametrize(
    "chart",
    [
        CHART._replace(xs=("1", "2", "floor", "chance")),
        CHART._replace(xs=("0", "6", "6", "30")),
        CHART._replace(scale="doublings"),
        CHART._replace(series=(SERIES[0], SERIES[1]._replace(unit="nats"))),
        CHART._replace(series=(SERIES[0], SERIES[1]._replace(values=(0.2, None, 0.2, 0.2)))),
    ],
)
def test_what_is_no_curve_is_drawn_as_bars(chart: Chart) -> None:
    assert not is_curve(chart) and is_curve(CHART)
    assert not curves(slide(chart))
