"""Everything runoff refuses to do, and why.

RunoffError
 ├── DataError        the numbers or the file: empty, NaN, duplicate, wrong column, unknown task
 ├── DesignError      the numbers are fine, but the question cannot be asked of them: one algorithm, no shared task
 ├── OptionError      an argument: unknown name, alpha outside (0, 1)
 └── OutputError      the answer cannot be written where it was asked for
RunoffWarning         an answer was given, with a caveat that the result also carries

Each message is one sentence: what was wrong, where (file, row, algorithm, task, run), the value received, what would be right. `str` of it
names options as Python does; the command line says it in its own words (`in_shell(error.args[0])`).
"""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Iterable
from difflib import get_close_matches
from functools import partial

from runoff.words.names import value_here
from runoff.words.speech import Sentence, in_both, shell_parts

LONGEST, LONGEST_WITH_REPAIRS = 400, 700
"""Characters of a refusal: what is longer is cut in the middle, and a repair that is cut is none."""
LONGEST_NAME = 120
NEAR = 0.6
"""How alike names must be for one to be suggested for the other."""


class RunoffError(Exception):
    """The base class of all errors of runoff; the command line prints it and exits with 2. Long names are shortened in the middle."""

    def __init__(self, message: str = "", *rest: object) -> None:
        most = LONGEST_WITH_REPAIRS if shell_parts(message) else LONGEST
        super().__init__(in_both(partial(_concise, most=most), message), *rest)


def _concise(message: str, most: int) -> str:
    if len(message) <= most:
        return message
    named = re.sub(rf"\S{{{LONGEST_NAME},}}", lambda match: shortened(match[0], LONGEST_NAME), message)
    return shortened(named, most)


def shortened(text: str, longest: int) -> str:
    """Return a text without its middle if it is too long.

    >>> shortened("abcdefghij", 7)
    'abc…hij'
    """
    if len(text) <= longest:
        return text
    kept = longest - 1
    return f"{text[: kept - kept // 2]}…{text[len(text) - kept // 2 :]}"


class DataError(RunoffError, ValueError):
    """The data are invalid: a number, a column, a file or a name."""


class DesignError(RunoffError, ValueError):
    """The data are valid, but they cannot answer the question."""


class OptionError(RunoffError, ValueError):
    """An argument has an invalid value."""


class OutputError(RunoffError, OSError):
    """The answer cannot be written to the requested place."""


class RunoffWarning(UserWarning):
    """An answer with a caveat."""

    def __init__(self, message: str = "", *rest: object) -> None:
        super().__init__(Sentence(message), *rest)


OURS = ("runoff", "contextlib", "functools")
"""The packages whose frames are no caller's."""


def warn(text: str) -> None:
    """Warn at the line of the nearest caller outside of this package, who can change it."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] in OURS:
        frame, level = frame.f_back, level + 1
    warnings.warn(RunoffWarning(text), stacklevel=level)


def nearest(name: str, names: Iterable[str]) -> str:
    """Return " Did you mean 'x'?" for the closest known name if one is near, or nothing."""
    close = closest(name, names)
    return "" if close is None else f" Did you mean '{close}'?"


def closest(name: str, names: Iterable[str]) -> str | None:
    """Return the known name that means the same elsewhere, or the closest if one is near."""
    by_folded = {candidate.casefold(): candidate for candidate in names}
    if (same := value_here(str(name).casefold(), by_folded)) is not None:
        return by_folded[same]
    close = get_close_matches(str(name).casefold(), by_folded, n=1, cutoff=NEAR)
    return by_folded[close[0]] if close else None
