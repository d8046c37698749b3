"""mha-tutor: one sentence through multi-head attention, every number of it."""
