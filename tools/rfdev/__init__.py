"""What the tools of this repository share: notebooks and their cells, export, lint, site, paper, marking.

The scripts in ``tools/`` are its command line, ``_ext/`` shows it to Sphinx, and ``tests/`` import it.  It is no part
of the wheel.
"""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]  # of the repository
