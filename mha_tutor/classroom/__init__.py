"""For a teacher and a room: sheets, exit tickets, what to take along, grading."""
