"""The pages of `mha-tutor compare`: one set of matrices cut differently, and three routes to Q, K and V."""

from .cut_pages import CUT_KEYS, cut_page
from .route_pages import PER_HEAD, ROUTE_KEYS, route_page

__all__ = ["CUT_KEYS", "PER_HEAD", "ROUTE_KEYS", "cut_page", "route_page"]
