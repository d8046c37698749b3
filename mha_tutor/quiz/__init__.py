"""Questions about a walk, made from its numbers, and what a wrong answer comes from.

desk = Desk(trace, View(), seed=7)
question = ask_about(desk, "softmax")
judge(question, read_answer(question, "0.92"), desk).message
"""

from .choosing import OF_PAGE, PAGE_OF, TOPICS, ask_about, ask_topic
from .desk import Desk
from .hidden import hidden_product
from .judging import Verdict, judge, read_answer
from .question import Option, Question

__all__ = [
    "OF_PAGE",
    "PAGE_OF",
    "TOPICS",
    "Desk",
    "Option",
    "Question",
    "Verdict",
    "ask_about",
    "ask_topic",
    "hidden_product",
    "judge",
    "read_answer",
]
