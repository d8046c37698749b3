"""Notebooks of a class run apart, judged, and told: to each student, and to the teacher.

Two processes work on a notebook. The *desk* runs what a student wrote, inside a fence. The *judge*
runs the course's checks, and asks the desk for numbers and for what functions return. Only plain
data goes between them, so what is found is never said by a process in which a student's code ran.
"""
