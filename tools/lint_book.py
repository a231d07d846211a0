"""Guard the book: ``python tools/lint_book.py`` prints one line per finding, and exits with 1 if there is any."""

import sys

from rfdev.lint.book import main

if __name__ == "__main__":
    sys.exit(main())
