"""Slides for a room: a page of the walk in parts, and what of each is covered until a press."""

from .slide import Slide, Spot, as_seen, number_spot
from .slides import slides_of

__all__ = ["Slide", "Spot", "as_seen", "number_spot", "slides_of"]
