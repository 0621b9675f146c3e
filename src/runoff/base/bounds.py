"""Bounds on what is read and compared: a small file may unpack to a huge one."""

from __future__ import annotations

import os
from typing import Literal

from runoff.errors import DataError, OptionError

LIMITS = {
    "bytes": ("RUNOFF_MAX_BYTES", 1 << 30),
    "fields": ("RUNOFF_MAX_FIELDS", 75_000_000),
    "values": ("RUNOFF_MAX_VALUES", 5_000_000),
    "columns": ("RUNOFF_MAX_COLUMNS", 10_000),
    "cells": ("RUNOFF_MAX_CELLS", 1_000_000),
    "pairs": ("RUNOFF_MAX_PAIRS", 10_000),
    "files": ("RUNOFF_MAX_FILES", 100_000),
}
"""Bounded thing -> the environment variable that raises the bound, and the bound: a small file may unpack to a huge one.

Fields of a table stay columns, about 50 bytes each; values of other files are Python's objects, of several hundred: both bounds are 4 GB.
"""

Bounded = Literal["bytes", "fields", "values", "columns", "cells", "pairs", "files"]


def limit(what: Bounded) -> int:
    """Return a bound; refuse an environment variable that is not a whole number above 0."""
    variable, usual = LIMITS[what]
    given = os.environ.get(variable)
    if given is None:
        return usual
    if not (given.isascii() and given.isdigit() and int(given) > 0):
        raise OptionError(f"the environment variable {variable} must be a whole number above 0, not {given!r}.")
    return int(given)


def refuse_beyond(what: Bounded, n: int, sentence: str) -> None:
    """Refuse n of something beyond its bound; `sentence` begins the message: "runs.csv: the file has 1000000 columns"."""
    bound = limit(what)
    if n > bound:
        fewer = (
            "save it as Parquet or unquoted CSV, or "
            if what == "values"
            else "save fewer rows or columns, or "
            if what == "fields"
            else ""
        )
        raised = f"{fewer}set the environment variable {LIMITS[what][0]} to allow more"
        message = f"{sentence}, more than the {bound} that are taken unasked; {raised}."
        raise DataError(message)
