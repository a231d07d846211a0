"""Export the notebooks to rfbook/: ``python tools/export.py [ROOT]``."""

import sys
from pathlib import Path

from rfdev import ROOT
from rfdev.export import main

if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT))
