"""How scores were drawn: whether a run is scored on one task or on all, and what a row is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from runoff.base.validate import check_choice
from runoff.errors import DesignError
from runoff.words.names import RunsName, UnitName
from runoff.words.speech import option

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


def refuse_lacking(algorithm: str, tasks: Sequence[str], labels: Sequence[Sequence[str]]) -> None:
    """Refuse shared runs that have no score on a task on which others of their algorithm have; labels: those of each task.

    Raises
    ------
    DesignError
        Names the run and the task.
    """
    everywhere = {label for cell in labels for label in cell}
    for task, cell in zip(tasks, labels, strict=True):
        missing = sorted(everywhere.difference(cell)) if cell else []
        if missing:
            raise DesignError(
                f"run {missing[0]!r} of algorithm {algorithm!r} has no score on task {task!r}, but {option('runs', 'shared')} says that every "
                f"run is scored on all tasks; leave out the run or the task, or say {option('runs', 'per_task')}."
            )
    if len({tuple(cell) for cell in labels if cell}) > 1:
        raise DesignError(f"the shared runs of algorithm {algorithm!r} stand in another order from task to task.")
