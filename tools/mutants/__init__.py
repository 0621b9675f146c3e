"""Mutation testing: small faults are put into the code one by one, and the fast tests should notice each.

    operators   what may be wrong: a node of the syntax tree -> edits         places   what may be changed at all
    mutant      an edit with a key that lasts                                 sampling which mutants are tried
    mapping     which test runs which line, measured once (contexts, dispatch) testmap  the same, to be asked
    names       who uses a constant or a kernel                               selection the tests of a mutant
    scratch     the copy of the tree that holds the mutant                    fork, session, trial, pool, together  the tests run on it
    justified   mutants that change nothing                                   result   the score and the survivors

A test that spawns `runoff` sees the mutant too, but the map does not know what runs there. See `python -m tools.mutants --help`.
"""
