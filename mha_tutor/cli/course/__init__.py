"""The commands under `mha-tutor course`."""
