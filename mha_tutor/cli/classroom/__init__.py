"""The commands under `mha-tutor class`."""
