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
"""Bounded thing -> the environment variable that raises the bound, and the bound."""

Bounded = Literal["bytes", "values", "columns", "cells", "pairs", "files"]


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
    """Refuse n of something beyond its bound.

    Parameters
    ----------
    sentence : str
        The beginning of the message, to which the bound is added: "runs.csv: the file has 1000000 columns".

    Raises
    ------
    DataError
        n is beyond the bound; the message says how to raise it.
    """
    bound = limit(what)
    if n > bound:
        raise DataError(
            f"{sentence}, more than the {bound} that are taken unasked; set the environment variable {LIMITS[what][0]} to allow more."
        )
