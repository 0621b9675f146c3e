"""One pytest session in a forked child, on the copy of the tree: what it needs before pytest starts, and how it is run."""

from __future__ import annotations

import importlib
import os
import resource
import sys
import types
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

# Not polars and pyarrow: they start threads when imported, and a fork takes none along.
LIBRARIES = """
    numpy scipy.stats scipy.optimize scipy.special scipy.signal numba matplotlib.pyplot matplotlib.backends.backend_svg
    matplotlib.backends.backend_agg jinja2 typer typer.testing rich.console rich.table rich.progress hypothesis
    hypothesis.extra.numpy hypothesis.strategies pytest joblib narwhals coverage
"""
MEMORY = 12 << 30
FILE = 1 << 30
# Plain assertions: a mutant is killed without an explanation, and hypothesis was imported before pytest could rewrite it.
OPTIONS = ("-q", "--assert=plain", "--tb=short", "-p", "no:cacheprovider", "-p", "no:xdist", "--ignore=tests/tools")


def import_libraries() -> None:
    """Import what takes long and does not change, once, before any fork."""
    for name in LIBRARIES.split():
        with suppress(ImportError):
            importlib.import_module(name)


def settle(root: Path, tree: Path, numba_cache: Path) -> None:
    """Make the copy of `root` the only runoff there is: for this process, and by the environment for those it starts."""
    import numba

    source = str(tree / "src")
    sys.path[:] = [source, *(path for path in sys.path if Path(path).resolve() not in (root, root / "src"))]
    os.chdir(tree)
    os.environ |= {"PYTHONPATH": source, "NUMBA_CACHE_DIR": str(numba_cache)}
    numba.config.CACHE_DIR = str(numba_cache)
    # A worker process that a test starts would import our __main__ once more.
    sys.modules["__main__"] = types.ModuleType("__main__")
    limit()


def limit() -> None:
    """Let a mutant take neither all memory nor all disk."""
    for kind, most in ((resource.RLIMIT_AS, MEMORY), (resource.RLIMIT_FSIZE, FILE)):
        resource.setrlimit(kind, (most, resource.getrlimit(kind)[1]))


def pytest_main(basetemp: Path, arguments: Sequence[str], plugins: Sequence[object]) -> int:
    """Return the exit code of pytest."""
    import pytest

    return int(pytest.main([*OPTIONS, f"--basetemp={basetemp}", *arguments], plugins=[*plugins]))
