"""JSON that tools write of models and runs: reports of SWE-bench, and the experiments of IOHprofiler."""

from __future__ import annotations

from typing import Any

from runoff.errors import DataError
from runoff.reading.formats.base import NotRuns, Source, structural
from runoff.reading.formats.curves import is_scalars
from runoff.tables.source import SourceTable

SUBMITTED, RESOLVED = "submitted_ids", "resolved_ids"
"""Keys of SWE-bench's report on a model, `MODEL.RUN.json`."""
UNRESOLVED = ("unresolved_ids", "error_ids", "empty_patch_ids")
"""What else of the submitted instances there may be."""
OF_INSTANCE = frozenset({"patch_exists", "resolved"})
"""Keys of its report on an instance, in folders of run and model."""
OF_LEADERBOARD = frozenset({"resolved", "no_generation"})
"""Keys of what its leaderboard keeps of a model."""
OF_IOH = frozenset({"function_name", "algorithm", "scenarios"})


def of_tool(content: dict[str, Any], source: Source) -> SourceTable | None:
    """Return the table of an object that a tool wrote; None of another."""
    if is_scalars(content.get(RESOLVED)) and (
        is_scalars(content.get(SUBMITTED)) or is_scalars(content.get(UNRESOLVED[0]))
    ):
        return _instances(_submitted(content, source.place), set(map(str, content[RESOLVED])), source)
    if any(isinstance(value, dict) and value.keys() >= OF_INSTANCE for value in content.values()):
        raise NotRuns(
            f"{source.place}: this is a report of SWE-bench on one instance; an instance without a patch has none: read the reports of the "
            "models, MODEL.RUN.json, which the harness writes where it was started."
        )
    if content.keys() >= OF_LEADERBOARD and all(map(is_scalars, content.values())):
        raise NotRuns(
            f"{source.place}: this is what the leaderboard of SWE-bench keeps of a model, which does not name the instances that were not "
            "resolved: read the reports of the models, MODEL.RUN.json, which the harness writes."
        )
    return _of_ioh(content, source.place) if content.keys() >= OF_IOH else None


def _submitted(content: dict[str, Any], place: str) -> list[str]:
    """Return the instances that a model submitted, put together where the report does not list them."""
    if is_scalars(content.get(SUBMITTED)):
        return list(map(str, content[SUBMITTED]))
    parts = [content[name] for name in (RESOLVED, *UNRESOLVED) if is_scalars(content.get(name))]
    names = list(dict.fromkeys(str(name) for part in parts for name in part))
    number = content.get("submitted_instances", len(names))
    if number != len(names):
        raise DataError(
            f"{place}: {number} instances were submitted, and the report names {len(names)} of them; without {SUBMITTED!r} it does not say "
            "which were not resolved."
        )
    return names


def _of_ioh(content: dict[str, Any], place: str) -> SourceTable:
    """Return the best value of each run in an experiment of IOHprofiler, of whose function each dimension is a task."""
    runs = [
        (f"{content['function_name']} {scenario['dimension']}D", str(at), run["best"]["y"])
        for scenario in content["scenarios"]
        for at, run in enumerate(scenario["runs"])
    ]
    task, run, score = zip(*runs, strict=True) if runs else ((), (), ())
    columns = {
        "algorithm": [content["algorithm"]["name"]] * len(runs),
        "task": list(task),
        "run": list(run),
        "score": list(score),
    }
    less = "" if content.get("maximization") else "maximization: false, minimized"
    return structural(place, columns, "an experiment of IOHprofiler: the best value of each run", less=less)


def _instances(submitted: list[Any], resolved: set[str], source: Source) -> SourceTable:
    """Return the instances that a model submitted, from a SWE-bench report; empty patches and errors count as submitted and not resolved."""
    columns: dict[str, list[Any]] = {
        "task": list(map(str, submitted)),
        "score": [float(str(name) in resolved) for name in submitted],
    }
    if not submitted:
        raise DataError(f"{source.place}: no instance was submitted ({SUBMITTED!r} is empty).")
    return structural(source.place, columns, "a report of SWE-bench: the instances that were submitted, 1 if resolved")
