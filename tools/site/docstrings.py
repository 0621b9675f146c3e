"""The examples of docstrings are executed, and print what they show."""

from __future__ import annotations

import doctest
import importlib
import io
import pkgutil
from collections.abc import Iterator

import runoff

FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
MODULES = tuple(m.name for m in pkgutil.walk_packages(runoff.__path__, "runoff.") if not m.name.endswith("__main__"))


def refused(module: str) -> Iterator[str]:
    """Yield what is wrong with the examples of a module, one text for each docstring that does not print what it shows."""
    for test in doctest.DocTestFinder(exclude_empty=True).find(importlib.import_module(module)):
        talk = io.StringIO()
        if test.examples and doctest.DocTestRunner(optionflags=FLAGS).run(test, out=talk.write).failed:
            yield talk.getvalue()
