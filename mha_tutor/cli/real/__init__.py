"""The commands under `mha-tutor real`."""
