"""What a lesson has uncovered so far, slide by slide, in the order of presses."""

from __future__ import annotations

from ...views.present import Slide, Spot
from ...views.present.slide import About


class Uncovered:
    """Kept for each slide, and apart for each head and token that its covered numbers belong to."""

    def __init__(self) -> None:
        self.steps: dict[About, list[frozenset[Spot]]] = {}

    def of(self, slide: Slide) -> frozenset[Spot]:
        """All that is uncovered of the slide."""
        return frozenset().union(*self.steps.get(slide.about, []))

    def add(self, slide: Slide, spots: frozenset[Spot]) -> None:
        """Uncover these of the slide's spots, as one step."""
        if new := spots - self.of(slide):
            self.steps.setdefault(slide.about, []).append(new)

    def take_back(self, slide: Slide, *, all: bool) -> None:
        """Cover the last step of the slide again, or all of them."""
        steps = self.steps.get(slide.about, [])
        del steps[0 if all else -1 :]
