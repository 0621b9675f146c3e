"""Bounds on what is read and compared: a small file may unpack to a huge one. Each can be raised by an environment variable."""

from __future__ import annotations

import os
from typing import Literal

from runoff.errors import DataError, OptionError

LIMITS = {
    "bytes": ("RUNOFF_MAX_BYTES", 268_435_456),
    "values": ("RUNOFF_MAX_VALUES", 5_000_000),
    "columns": ("RUNOFF_MAX_COLUMNS", 10_000),
    "cells": ("RUNOFF_MAX_CELLS", 1_000_000),
    "pairs": ("RUNOFF_MAX_PAIRS", 10_000),
    "files": ("RUNOFF_MAX_FILES", 100_000),
}
"""What is bounded -> the environment variable that raises it, and the bound."""

Bounded = Literal["bytes", "values", "columns", "cells", "pairs", "files"]


def limit(what: Bounded) -> int:
    """Return a bound.

    Raises
    ------
    OptionError
        Its environment variable is not a whole number above 0.
    """
    variable, usual = LIMITS[what]
    given = os.environ.get(variable)
    if given is None:
        return usual
    if not (given.isascii() and given.isdigit() and int(given) > 0):
        raise OptionError(f"the environment variable {variable} must be a whole number above 0, not {given!r}.")
    return int(given)


def refuse_beyond(what: Bounded, n: int, sentence: str) -> None:
    """Refuse n of something beyond its bound.

    Parameters
    ----------
    sentence : str
        What there is, to be followed by the bound: "runs.csv: the file has 1000000 columns".

    Raises
    ------
    DataError
        n is beyond the bound, which is said, and how to raise it.
    """
    bound = limit(what)
    if n > bound:
        raise DataError(
            f"{sentence}, more than the {bound} that are taken unasked; set the environment variable {LIMITS[what][0]} to allow more."
        )


def refuse_many_cells(place: str, n_algorithms: int, n_tasks: int) -> None:
    """Refuse a grid of algorithms and tasks that is mostly empty and too large to hold."""
    n = n_algorithms * n_tasks
    refuse_beyond("cells", n, f"{place}: {n_algorithms} algorithms on {n_tasks} tasks make {n} cells")
