"""The answer to "how long until a score is reached?"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from runoff.results.advice import Advice
from runoff.results.base import Result


@dataclass(frozen=True, slots=True, kw_only=True)
class ReachRecord:
    """One algorithm on one task.

    Attributes
    ----------
    algorithm, task : str
    threshold : float
    n_runs, n_reached : int
        Runs, and those that reached the threshold; the others are censored at their last evaluation.
    estimate, low, high : float or None
        Median step (Kaplan-Meier) and its interval; None where fewer than half of the runs reach it, or an end is not known.
    """

    algorithm: str
    task: str
    threshold: float
    n_runs: int
    n_reached: int
    estimate: float | None
    low: float | None
    high: float | None
    confidence_level: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ReachPair:
    """Two algorithms on one task: the log-rank test; `pvalue_adjusted` over all pairs and tasks."""

    a: str
    b: str
    task: str
    pvalue: float
    pvalue_adjusted: float
    rejected: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ReachResult(Result):
    """Steps until a score is reached, one record for each algorithm and task; `pairs` are the tests."""

    records: tuple[ReachRecord, ...]
    pairs: tuple[ReachPair, ...]
    axis: str
    correction: str
    alpha: float
    advice: tuple[Advice, ...] = ()
    _table: ClassVar[str | None] = "records"

    def __str__(self) -> str:
        first = self.records[0].task
        told = []
        for r in (r for r in self.records if r.task == first):
            when = "not by half of the runs" if r.estimate is None else f"{r.estimate:.10g}"
            told.append(f"{r.algorithm} {when} ({r.n_reached} of {r.n_runs} runs reach it)")
        return f"Median {self.axis} to a score of {self.records[0].threshold:g} on {first}: {'; '.join(told)}."
