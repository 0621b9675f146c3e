"""Reading and writing of `Scores` and `Curves`.

The stages of reading: paths → bytes → a format's table (`formats/`, one file each) → roles of its columns → one table of all files →
`Scores` or `Curves`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from runoff.reading._write import write_runs
from runoff.reading.made import tidy_curves, tidy_scores
from runoff.reading.read import end_scores, episode_rows, load, load_example, read_curves, read_frame, read_scores
from runoff.reading.results_log import read_search
from runoff.tables.tidy import table_of

if TYPE_CHECKING:
    from runoff.reading.logs import scan as scan


def __getattr__(name: str) -> Any:
    if name != "scan":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module("runoff.reading.logs").scan
