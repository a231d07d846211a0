"""What the tools of this repository share: notebooks and their cells, export, lint, site, paper, marking.

The scripts in ``tools/`` are its command line, ``_ext/`` shows it to Sphinx, and ``tests/`` import it.  It is no part
of the wheel.
"""

import sys
from pathlib import Path

# jsonschema, and so nbformat, builds grammars for internationalised addresses when it is imported, if this package is
# there: two seconds of each process, for a format that no notebook is checked for
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]

ROOT = Path(__file__).resolve().parents[2]  # of the repository
