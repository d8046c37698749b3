"""Small heads trained here, in numpy alone: what one head cannot do, and what each of several takes on."""

from .lower_bound import best_graded, built_graded, chance, floor
from .results import Lab, Result
from .sitting import News, loss_without, sit, trained
from .task import ROLES, TAGS
from .training import Plan

__all__ = [
    "ROLES",
    "TAGS",
    "Lab",
    "News",
    "Plan",
    "Result",
    "best_graded",
    "built_graded",
    "chance",
    "floor",
    "loss_without",
    "sit",
    "trained",
]
