"""Everything runoff refuses to do, and why.

RunoffError
 ├── DataError        the numbers or the file: empty, NaN, duplicate, wrong column, unknown task
 ├── DesignError      the numbers are fine, but the question cannot be asked of them: one algorithm, no shared task
 ├── OptionError      an argument: unknown name, alpha outside (0, 1)
 └── OutputError      the answer cannot be written where it was asked for
RunoffWarning         an answer was given, with a caveat that the result also carries

Each message is one sentence: what was wrong, where (file, row, algorithm, task, run), the value received, what would be right.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class RunoffError(Exception):
    """The base of all refusals; the command line prints its text and exits with 2."""


class DataError(RunoffError, ValueError):
    """The data are not what they should be."""


class DesignError(RunoffError, ValueError):
    """The data are sound but the question cannot be answered with them."""


class OptionError(RunoffError, ValueError):
    """An argument has a value that means nothing here."""


class OutputError(RunoffError, OSError):
    """The answer cannot be written where it was asked for."""


class RunoffWarning(UserWarning):
    """An answer with a caveat."""


def nearest(name: str, known: Iterable[str]) -> str:
    """Return " Did you mean 'x'?" for the closest known name, or nothing."""
    by_folded = {candidate.casefold(): candidate for candidate in known}
    close = get_close_matches(name.casefold(), by_folded, n=1, cutoff=0.5)
    return f" Did you mean '{by_folded[close[0]]}'?" if close else ""
