"""The names that options take, by themselves: the help shows them before anything else is read."""

from __future__ import annotations

EXAMPLES = ("robot", "trophy", "chef", "by-hand", "random", "narrow", "trained", "real")
STAGES = ("embed", "project", "dots", "scale", "mask", "softmax", "mix", "concat", "output")
COMPARE_PAGES = ("budgets", "added", "divisor", "same", "q", "k", "v", "seen", "effect", "count")
REAL_PAGES = ("sentence", "map", "places", "kinds", "sink", "reference")
PRESETS = ("gpt3", "gpt2", "bert-base", "transformer-base", "transformer-big", "llama2-70b")
FORMATS = ("text", "plain", "json")
THEMES = ("auto", "dark", "light", "projector", "projector-dark", "mono")
SHEET_SIZES = ("tiny", "small", "large")
SHEET_STAGES = ("dots", "scale", "softmax", "mix", "concat", "output")
