"""A real model's heads, read and run in numpy alone: where they look, and what is missing without them."""
