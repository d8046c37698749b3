"""Sheets to fill in by hand, and what is right and wrong on them.

    it = variant("893-RYM")                # the problem that belongs to a code, for ever
    sheet(it, ("dots", "scale"), "Zoë")    # what is printed, with boxes to fill in
    AnswerSheet(it).answers                # what is right, what is accepted, what often goes wrong

In reading order: ``codes``, ``chance``, ``drawing``, ``variants`` (a problem for each code), ``items``,
``telling``, ``ways``, ``worked`` (what is asked, and how paper works), ``answers``, ``judging``,
``answer_book`` (for the teacher), ``roster``, ``parts``, ``sheet``, then ``printing`` and ``page`` that draw.
"""
