"""Mutants of the library, judged by tests and ledger: python tools/mutants.py [--only survivors]."""

import sys

from rfdev.mutation.run import main

if __name__ == "__main__":
    sys.exit(main())
