"""The ruler of the package: `make weight` prints how much a reader has to carry, from the code alone (ast; nothing is imported).

modules   the files, and what each name in them stands for
reach     which definitions a function reaches
counts    lines, branches, type names, private functions with one caller, lines of presentation
__main__  the table

What is measured, so that another hand gets the same numbers:

lines          line ends of all *.py of the package.
code           lines that are neither blank nor only a comment nor within a text that stands as a statement (a docstring).
comments       lines with nothing but a comment, per 100 lines of code; a # behind code does not count.
branches       if, elif, conditional expression, for, while, except, case, a chain of `and` or of `or`, a `for` of a comprehension: each counts
               one, per 100 lines of code.
type names     names of classes, and of top-level assignments (aliases, type variables) in capital and small letters. A name has as many
               definitions as modules define it.
reach          of a function: the definitions that its text names, annotations and late imports included, and so on from each of these. A
               definition is a top-level function, a constant or a whole class. A module counts with all its lines once a definition of it
               is reached; its statements that define nothing (a registration, a loop) are then reached too. A face counts only if a
               definition of its own is reached. A module that is used as a value (`getattr(plots, name)`) reaches all its names.
ports          a table, list, name or object that others fill (`TABLE[k] = f`, `TABLE |= ...`, `LIST.append(f)`, `module.NAME = f`, a function or
               decorator that stores its argument there, a decorator or a lone call at the top of a module that is a method of the object)
               reaches all that any module puts in.
public         a function that `__init__.pyi` of the package lists.
without files  the same without the rooms of `FILES`: no definition there is reached.
presentation   lines of the rooms and files of `PRESENTATION`.
one caller     a top-level function with a leading underscore that exactly one other definition (or the rest of one module) names.
"""

from __future__ import annotations

FILES = ("reading",)
"""Rooms that read files."""
PRESENTATION = ("answer", "cells", "cli", "exits", "hints", "page", "plots", "words")
"""Rooms and files, from the package on, that show answers."""
