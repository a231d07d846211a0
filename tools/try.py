"""Run the changed cells of a notebook and what they need: python tools/try.py NOTEBOOK [--cells NUMBER ...]."""

import sys

from rfdev.trial import main

if __name__ == "__main__":
    sys.exit(main())
