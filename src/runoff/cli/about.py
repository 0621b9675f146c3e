"""The facts for a bug report: runoff --version --verbose."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec

from runoff.cli.defaults import settings_near

PACKAGES = ("numpy", "scipy", "polars", "matplotlib", "typer")


def lines() -> Iterator[str]:
    """Yield the version and its environment."""
    yield f"runoff {version('runoff')}"
    # What is heavy is loaded after the first line, which is all that --version alone asks for.
    from runoff._kernels._kept import folder
    from runoff.base.random import n_threads

    yield f"{platform.python_implementation()} {platform.python_version()} on {platform.platform()}"
    yield ", ".join(map(_package, PACKAGES))
    if find_spec("numba") is None:
        yield "numba is not installed: compiled loops are interpreted, which is slower"
    else:
        kept = folder()
        where = "no folder can be written, so that each process compiles anew" if kept is None else f"kept in {kept}"
        yield f"{_package('numba')}; compiled kernels: {where}"
    settings = settings_near([])
    yield f"defaults: {'no runoff.toml, and no [tool.runoff] in pyproject.toml' if settings is None else settings}"
    threads = "RUNOFF_THREADS" if "RUNOFF_THREADS" in os.environ else "one per core"
    yield f"{os.cpu_count()} cores, {n_threads()} threads ({threads})"


def _package(name: str) -> str:
    try:
        return f"{name} {version(name)}"
    except PackageNotFoundError:
        return f"{name} without a version"
