"""Mutation testing: small errors put into the library one at a time, and whether tests or the ledger notice.

Why a tool of our own.  mutmut puts a trampoline before every function that it mutates and leaves decorated functions
alone; our compiled loops are decorated, and numba could not compile a trampoline.  Cosmic Ray changes the file in the
working tree and starts one command per mutant: a cold process that imports for seconds, no second jury (we ask tests
and ledger separately), and machine code from numba's cache, which does not see that the callee of a loop in another
module has changed.  What is needed besides is short: ``operators`` writes the mutants, ``sample`` draws them,
``copies`` puts one into a copy of the repository, ``jury`` asks tests and claims in forked processes, ``run`` keeps the
rows.
"""
