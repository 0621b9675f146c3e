"""The answer to "how much of the spread is due to tasks, runs and episodes?"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from runoff.results.base import Result, printed_lines
from runoff.words.numbers import percent

Component = Literal["task", "run", "episode"]


@dataclass(frozen=True, slots=True, kw_only=True)
class VarianceRecord:
    """One source of spread of one algorithm's scores.

    Attributes
    ----------
    algorithm : str
    component : "task", "run" or "episode"
    variance : float or None
        In squared units of the scores; None where there is only one of its kind.
    share : float or None
        Of the total variance of a single episode's score.
    share_of_score : float or None
        Of the variance of a run's score about its task's mean, when that score is the mean of the run's episodes; None for "task".
    n : int
        Tasks, runs or episodes of this algorithm.
    """

    algorithm: str
    component: Component
    variance: float | None
    share: float | None
    share_of_score: float | None
    n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class VarianceResult(Result):
    """Three records per algorithm.

    Attributes
    ----------
    records : tuple of VarianceRecord
    algorithms : tuple of str
    notes : tuple of str
        What was done to the data, one sentence each.
    """

    records: tuple[VarianceRecord, ...]
    algorithms: tuple[str, ...]
    notes: tuple[str, ...] = ()
    _table: ClassVar[str | None] = "records"

    def record(self, algorithm: str, component: Component) -> VarianceRecord:
        """Return one source of spread."""
        return next(r for r in self.records if (r.algorithm, r.component) == (algorithm, component))

    def __str__(self) -> str:
        return printed_lines(more=[f"{name}: {self._told(name)}." for name in self.algorithms], noun="algorithm")

    def _told(self, algorithm: str) -> str:
        records = [r for r in self.records if r.algorithm == algorithm and r.share is not None]
        return (
            ", ".join(f"{percent(round(r.share or 0.0, 2))} {r.component}s" for r in records)
            if records
            else "no spread"
        )
