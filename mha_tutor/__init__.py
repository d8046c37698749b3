"""mha-tutor: one sentence through multi-head attention, every number of it."""

__version__ = "0.1.0"
