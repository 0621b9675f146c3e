"""Reading of training logs as tables of runs, from the folders that training tools leave behind (docs/design/logs.md)."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from runoff.reading.logs.base import SeveralRuns as SeveralRuns
from runoff.reading.logs.claims import Tree as Tree
from runoff.reading.logs.claims import are_tables as are_tables
from runoff.reading.logs.claims import is_one_history as is_one_history
from runoff.reading.logs.claims import tree_of_logs as tree_of_logs

if TYPE_CHECKING:
    from runoff.reading.logs.joining import join as join
    from runoff.reading.logs.joining import scan as scan


def __getattr__(name: str) -> Any:
    if name not in ("join", "scan"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    # With the first tree of logs: whether files are logs, which every call asks, takes half of the modules.
    return getattr(import_module("runoff.reading.logs.joining"), name)
