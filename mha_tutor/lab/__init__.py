"""Small heads trained here, in numpy alone: what one head cannot do, and what each of several takes on."""

__all__ = ["ROLES", "Lab", "Plan", "Result", "Step", "Task", "chance", "floor", "result_of", "train"]
