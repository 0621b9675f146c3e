"""The words for files that are left out because they contain no runs."""

from __future__ import annotations

from collections.abc import Sequence

from runoff.errors import warn
from runoff.reading._paths import OF_TEXTS, File, Found, shown
from runoff.reading.formats import SUFFIXES, NotRuns
from runoff.words.speech import neutral

MANY = 8
"""The number of left-out files that are listed; the rest are counted."""


class Unchosen(NotRuns):
    """Raised if a file contains only runs of algorithms or tasks that the user did not choose."""


def unchosen(file: File) -> Unchosen:
    """Return the words for such a file."""
    return Unchosen(f"{shown(file.path)}: it has none of the chosen algorithms and tasks.")


def warn_of_tables(left_out: Sequence[tuple[File, NotRuns]]) -> None:
    tables = [
        refusal
        for file, refusal in left_out
        if file.suffix in SUFFIXES and file.suffix not in OF_TEXTS and not isinstance(refusal, Unchosen)
    ]
    if tables:
        what = f"{len(tables)} file(s) have no readable runs and are left out, for example {neutral(tables[0]).removesuffix('.')}"
        warn(what)


def noted_left_out(paths: Found, refused: Sequence[tuple[File, NotRuns]]) -> list[str]:
    left_out = [*paths.left_out, *(neutral(refusal).removesuffix(".") for _, refusal in refused)]
    more = [f"left out: {len(left_out) - MANY} more file(s)"] if len(left_out) > MANY else []
    return [f"left out: {entry}" for entry in left_out[:MANY]] + more
