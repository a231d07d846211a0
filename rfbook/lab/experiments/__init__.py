"""Experiments: a frozen dataclass of settings in, tidy records out."""
