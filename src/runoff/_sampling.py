"""How scores were drawn: whether a run is scored on one task or on all, and what a row is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from runoff._names import RunsName, UnitName
from runoff._validate import check_choice

RUNS: tuple[RunsName, ...] = ("per_task", "shared")
UNITS: tuple[UnitName, ...] = ("run", "episode")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """Where scores come from.

    Attributes
    ----------
    runs : "per_task" or "shared"
        Whether every task has runs of its own, or each run is scored on all tasks, so that its scores move together.
    unit : "run" or "episode"
        Whether a row is a training run, which speaks of the algorithm, or an episode of one policy, which speaks of that policy.
    """

    runs: RunsName = "per_task"
    unit: UnitName = "run"

    def __post_init__(self) -> None:
        check_choice("runs", self.runs, RUNS)
        check_choice("unit", self.unit, UNITS)

    @property
    def shared(self) -> bool:
        """Return whether runs are scored on all tasks."""
        return self.runs == "shared"


def lacking(tasks: Sequence[str], labels: Sequence[Sequence[str]]) -> tuple[str, str] | None:
    """Return a run and a task on which it has no score though others of its algorithm have; labels: those of each task."""
    everywhere = {label for cell in labels for label in cell}
    for task, cell in zip(tasks, labels, strict=True):
        missing = sorted(everywhere.difference(cell)) if cell else []
        if missing:
            return missing[0], task
    return None
