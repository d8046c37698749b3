"""``python -m mha_tutor`` is the same program as ``mha-tutor``."""

from .cli import main

main()
