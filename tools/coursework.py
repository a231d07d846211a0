"""Write assignments as students get them, and mark what they hand in.

``python tools/coursework.py release`` writes ``coursework/release/NAME/NAME.ipynb``.
``python tools/coursework.py grade`` marks ``coursework/submitted/STUDENT/NAME/NAME.ipynb`` and writes
``coursework/grades.csv`` and ``coursework/feedback/STUDENT/NAME.html``; what did not change since the last run is left
alone.  ``python tools/coursework.py mark STUDENT NAME QUESTION POINTS`` records a mark given by a person, and
``python tools/coursework.py otter`` writes the assignments for Otter-Grader.
"""

import signal
import sys

from rfdev.marking.cli import main

if __name__ == "__main__":
    # a marking that is told to end, or interrupted in the background, ends the submissions that run, too
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.default_int_handler)
    sys.exit(main())
