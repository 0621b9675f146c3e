"""The words for files that are left out because they contain no runs."""

from __future__ import annotations

import re
from collections.abc import Sequence

from runoff.errors import warn
from runoff.reading._paths import OF_TEXTS, File, Found, shown
from runoff.reading.formats import SUFFIXES, NotRuns
from runoff.reading.logs.config import NAMES as CONFIGURATIONS
from runoff.words.speech import neutral

MANY = 8
"""The number of left-out files that are listed; the rest are counted."""


class Unchosen(NotRuns):
    """Raised if a file contains only runs of algorithms or tasks that the user did not choose."""


class Superseded(NotRuns):
    """Raised if a file is a copy of another, or an attempt at a run that another repeats."""


def unchosen(file: File) -> Unchosen:
    """Return the words for such a file."""
    return Unchosen(f"{shown(file.path)}: it has none of the chosen algorithms and tasks.")


def warn_of_tables(left_out: Sequence[tuple[File, NotRuns]], read: Sequence[File]) -> None:
    """Warn of tables that are left out, and of texts that lie beside others that were read, under numbers of runs: a log of a run that crashed
    would vanish, and with it its score."""
    shapes = {_shape(file) for file in read}
    folders = {(file.path.parent, file.suffix) for file in read}

    def beside_runs(file: File) -> bool:
        numbered = (file.path.parent, file.suffix) in folders and any(map(str.isdigit, file.path.stem))
        return numbered or _shape(file) in shapes

    tables = [
        refusal
        for file, refusal in left_out
        if file.suffix in SUFFIXES
        and file.path.name not in CONFIGURATIONS
        and (file.suffix not in OF_TEXTS or beside_runs(file))
        and not isinstance(refusal, Unchosen | Superseded)
    ]
    if tables:
        what = f"{len(tables)} file(s) have no readable runs and are left out, for example {neutral(tables[0]).removesuffix('.')}"
        warn(what)
    if again := [refusal for _, refusal in left_out if isinstance(refusal, Superseded)]:
        warn(f"{len(again)} file(s) repeat others and are left out, for example {neutral(again[0]).removesuffix('.')}")


def _shape(file: File) -> str:
    return re.sub(r"\d+", "#", str(file.path))


def noted_left_out(paths: Found, refused: Sequence[tuple[File, NotRuns]]) -> list[str]:
    configs = [shown(file.path) for file, _ in refused if file.path.name in CONFIGURATIONS]
    files = [neutral(refusal).removesuffix(".") for file, refusal in refused if file.path.name not in CONFIGURATIONS]
    counted = [f"{len(configs)} configuration(s), for example {place}" for place in configs[:1]]
    left_out = [*paths.left_out, *counted, *files]
    more = [f"left out: {len(left_out) - MANY} more file(s)"] if len(left_out) > MANY else []
    return [f"left out: {entry}" for entry in left_out[:MANY]] + more
