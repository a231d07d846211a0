"""``python -m rfbook`` is ``rfbook``."""

import sys

from rfbook.cli import main

sys.exit(main())
