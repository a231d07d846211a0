"""Export the notebooks to rfbook/: ``python tools/export.py [ROOT]``."""

import sys
from pathlib import Path

from rfdev import ROOT
from rfdev.export import export

if __name__ == "__main__":
    export(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT)
