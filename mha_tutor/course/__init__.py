"""The course: lessons read from their sources, notebooks built from them, and answers checked.

A notebook needs one line of it, and numpy alone:

    from mha_tutor.course import check

``check`` is the module of the checks that stand under the exercises.
"""
