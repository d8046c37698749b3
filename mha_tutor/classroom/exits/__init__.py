"""Exit tickets: one number, one choice and one "because" at the end of a lesson.

    make_ticket(4, seed=7).number.text
    pool(4)["choice"]           # the ids of lesson 4's choices

The words stand in texts/exit.en.toml. What is drawn and computed for a question stands in
``early``, ``middle`` and ``late`` under the question's id, such as 4.weight. Nothing of it is in
the lessons.
"""

from .ticket import KINDS, Because, Choice, Number, Option, Ticket, make_ticket, make_tickets, pool

__all__ = ["KINDS", "Because", "Choice", "Number", "Option", "Ticket", "make_ticket", "make_tickets", "pool"]
