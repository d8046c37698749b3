"""The commands under `mha-tutor lab`."""
