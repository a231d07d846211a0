"""Run the notebooks that have changed, or whose library has: python tools/execute.py [NOTEBOOK ...]."""

import sys

from rfdev.execute import main

if __name__ == "__main__":
    sys.exit(main())
