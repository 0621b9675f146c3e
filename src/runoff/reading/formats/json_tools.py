"""JSON that tools write of models and runs: reports of SWE-bench."""

from __future__ import annotations

from typing import Any

from runoff.errors import DataError
from runoff.reading.formats.base import NotRuns, Source, structural
from runoff.reading.formats.curves import is_scalars
from runoff.tables.source import SourceTable

SUBMITTED, RESOLVED = "submitted_ids", "resolved_ids"
"""Keys of SWE-bench's report on a model, `MODEL.RUN.json`."""
OF_INSTANCE = frozenset({"patch_exists", "resolved"})
"""Keys of its report on an instance, in folders of run and model."""


def of_tool(content: dict[str, Any], source: Source) -> SourceTable | None:
    """Return the table of an object that a tool wrote; None of another."""
    if is_scalars(content.get(SUBMITTED)) and is_scalars(content.get(RESOLVED)):
        return _instances(content[SUBMITTED], set(map(str, content[RESOLVED])), source)
    if any(isinstance(value, dict) and value.keys() >= OF_INSTANCE for value in content.values()):
        raise NotRuns(
            f"{source.place}: this is a report of SWE-bench on one instance; an instance without a patch has none: read the reports of the "
            "models, MODEL.RUN.json, which the harness writes where it was started."
        )
    return None


def _instances(submitted: list[Any], resolved: set[str], source: Source) -> SourceTable:
    """Return the instances that a model submitted, from a SWE-bench report; empty patches and errors count as submitted and not resolved."""
    columns: dict[str, list[Any]] = {
        "task": list(map(str, submitted)),
        "score": [float(str(name) in resolved) for name in submitted],
    }
    if not submitted:
        raise DataError(f"{source.place}: no instance was submitted ({SUBMITTED!r} is empty).")
    return structural(source.place, columns, "a report of SWE-bench: the instances that were submitted, 1 if resolved")
