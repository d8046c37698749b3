"""The known wrong computations, each with the hint that helps.

    problem = Problem.of(walk(find("robot")))
    diagnose(my_weights, problem, "weights").message
    diagnose_number("0.41", Cell("weights", (1, 6, 1)), problem).message

An id such as B26 is the number of a mistake found in public threads, F01 a further one of the same
kind, S01 a slip with a single number.
"""

from . import projecting, scoring, masking, weighing, combining  # noqa: F401, I001  the order is the registry's
from .diagnosis import Diagnosis, diagnose
from .mistake import LESSON_OF, REGISTRY, STAGE_OF, Mistake
from .practice import practice_problem
from .problem import Problem
from .single import WrongNumber, diagnose_number, wrong_numbers
from .slips import SLIPS, Slip
from .whole import wrong_output, wrong_outputs

__all__ = [
    "LESSON_OF",
    "REGISTRY",
    "SLIPS",
    "STAGE_OF",
    "Diagnosis",
    "Mistake",
    "Problem",
    "Slip",
    "WrongNumber",
    "diagnose",
    "diagnose_number",
    "practice_problem",
    "wrong_numbers",
    "wrong_output",
    "wrong_outputs",
]
