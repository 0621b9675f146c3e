"""The answers to "what do the runs of each cell look like?" and "how much of the spread is due to tasks, runs and episodes?"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from runoff.results.advice import Advice
from runoff.results.base import Records, printed_lines
from runoff.words.numbers import counted, exactly, percent


@dataclass(frozen=True, slots=True, kw_only=True)
class CellRecord:
    """The runs of one algorithm on one task. None: too few runs, or no spread, to tell.

    Attributes
    ----------
    n_runs, n_distinct : int
        Runs, and different scores among them.
    skewness, kurtosis : float or None
        Bias-corrected; kurtosis as excess over the normal's.
    normality_pvalue : float or None
        D'Agostino and Pearson's test, from 8 runs.
    shapiro_pvalue : float or None
        Shapiro and Wilk's test, for 3 to 5000 runs.
    normal : bool or None
        Whether normality is not rejected, by D'Agostino and Pearson's test, or Shapiro and Wilk's below 8 runs.
    bimodality : float or None
        Sarle's coefficient; above 5/9 there may be two humps, or a long tail.
    bimodal : bool
        Whether the runs fall into two groups: two well separated normals fit better than any family of one hump.
    family : str or None
        The family that fits best by AICc; the normal where normality is not rejected.
    parameters : mapping of str to float, or None
        As scipy.stats names them; of the mixture `weight` (of the second), `loc_1`, `scale_1`, `loc_2`, `scale_2`.
    histogram : tuple of int
        Counts in equal bins from `minimum` to `maximum`.
    """

    algorithm: str
    task: str
    n_runs: int
    n_distinct: int
    mean: float
    std: float | None
    median: float
    minimum: float
    maximum: float
    skewness: float | None
    kurtosis: float | None
    normality_pvalue: float | None
    shapiro_pvalue: float | None
    normal: bool | None
    bimodality: float | None
    bimodal: bool
    family: str | None
    parameters: Mapping[str, float] | None
    aicc: float | None
    histogram: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DescribeResult(Records):
    """The shape of every cell that has runs, in the order of algorithms, then tasks.

    Attributes
    ----------
    alpha : float
        Level of the tests of normality, each on its own.
    fitted : bool
        Whether families were compared.
    """

    records: tuple[CellRecord, ...]
    algorithms: tuple[str, ...]
    tasks: tuple[str, ...]
    alpha: float
    fitted: bool
    advice: tuple[Advice, ...] = ()

    def record(self, algorithm: str, task: str) -> CellRecord | None:
        """Return one cell, None if it has no runs."""
        return next(iter(self._rows(algorithm=algorithm, task=task)), None)

    def __str__(self) -> str:
        tested = [r for r in self.records if r.normal is not None]
        rejected = sum(not r.normal for r in tested)
        humps = sum(r.bimodal for r in self.records)
        untold = len(self.records) - len(tested)
        also = f"; {counted([untold], 'cell')} with too few runs or no spread to tell" if untold else ""
        cells = counted([len(tested)], "cell")
        return f"Normality is rejected in {rejected} of {cells} at α = {exactly(self.alpha)}; {humps} with two humps{also}."


Component = Literal["task", "run", "episode"]


@dataclass(frozen=True, slots=True, kw_only=True)
class VarianceRecord:
    """One source of spread of one algorithm's scores.

    Attributes
    ----------
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
class VarianceResult(Records):
    """Three records per algorithm.

    Attributes
    ----------
    notes : tuple of str
        What was done to the data, one sentence each.
    """

    records: tuple[VarianceRecord, ...]
    algorithms: tuple[str, ...]
    notes: tuple[str, ...] = ()

    def record(self, algorithm: str, component: Component) -> VarianceRecord:
        """Return one source of spread."""
        return self._row(
            VarianceRecord, f"no spread of {algorithm!r} by {component!r}", algorithm=algorithm, component=component
        )

    def __str__(self) -> str:
        return printed_lines(more=[f"{name}: {self._shares(name)}." for name in self.algorithms], noun="algorithm")

    def _shares(self, algorithm: str) -> str:
        records = [r for r in self.records if r.algorithm == algorithm and r.share is not None]
        return (
            ", ".join(f"{percent(round(r.share or 0.0, 2))} {r.component}s" for r in records)
            if records
            else "no spread"
        )
