"""The words of a name: how names of series, folders and files are cut, and what the words mean."""

from __future__ import annotations

import re
from functools import cache

from runoff.words.words import CASES


@cache
def words(name: str) -> tuple[str, ...]:
    """Return the words of a name in small letters: separators and changes of case cut ("eval/AverageEpRet" has eval, average, ep, ret)."""
    return tuple(word.casefold() for word in CASES.findall(name))


def canonical(name: str) -> str:
    """Return a name without case and separators."""
    return re.sub(r"[^a-z0-9]", "", name.casefold())


def last_piece(name: str) -> str:
    """Return what stands behind the last slash or dot of a name."""
    return re.split(r"[/.]", name)[-1] or name


def matches(asked: str, name: str) -> bool:
    """Return whether a series is what was asked for: by its whole name, or by the pieces behind a slash; case does not matter."""
    full, wanted = name.casefold(), asked.strip().casefold()
    return full == wanted or full.endswith("/" + wanted)
