"""Pages as SVG: each fits a slide of 16 to 9, its text stays text, and nothing outside is needed."""

from __future__ import annotations

from .slide import HEIGHT, WIDTH, slides

__all__ = ["HEIGHT", "WIDTH", "slides"]
