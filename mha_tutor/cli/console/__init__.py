"""The terminal itself: single keys in, whole screens out. Knows nothing of pages."""
