"""Guard the book: figures, statements and their claims, the anatomy of chapters, the house that the library is.

The conventions are those of CONTRIBUTING.md.  Each family of rules is a module.
"""
