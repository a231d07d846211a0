"""Tests see the package alone, with a style and a backend that need no screen."""

import os

os.environ.setdefault("MPLBACKEND", "agg")
