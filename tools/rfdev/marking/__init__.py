"""Marking of coursework: student versions, and what is handed in.

nbgrader makes the student versions and keeps the gradebook.  The notebooks themselves are run here, each in a process
of its own with limits, because nbgrader gives up on a submission that kills its kernel.  A submission goes through
`repair`, `run` and `gradebook` to `feedback`; `grade` leads it.
"""
