"""Questions asked in a terminal: a whole quiz, one question, and what is kept."""
