"""The answers to "can these tests be trusted on runs like mine?" and "and these intervals?"."""

from __future__ import annotations

from dataclasses import dataclass

from runoff.results.base import AlgorithmRecords
from runoff.words.numbers import span


@dataclass(frozen=True, slots=True, kw_only=True)
class FalsePositiveRecord:
    """One test on two groups of one algorithm's runs.

    Attributes
    ----------
    actual_test : str
        The test behind the name: of "auto" the one that `compare` takes with so many runs.
    n_runs : int
        Runs of each group on each task.
    rate : float
        Share of the splits in which the test finds a difference, which is never there.
    rate_error : float
        Standard error of this share, √(p (1 − p) / n_repeats); 0 where all splits were counted. It says nothing of how the share would be with
        other runs.
    n_repeats : int
        Splits that were tried: fewer than asked for where there are no more.
    counted : bool
        Whether they are all that there are.
    n_disjoint : int
        Splits that share no run with each other: independent experiments that the runs hold.
    n_all, n_tasks : int
        Runs on the task with fewest, and tasks.
    """

    algorithm: str
    test: str
    actual_test: str
    n_runs: int
    rate: float
    rate_error: float
    n_repeats: int
    counted: bool
    n_disjoint: int
    n_all: int
    n_tasks: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FalsePositiveResult(AlgorithmRecords):
    """False positive rates on one's own runs.

    Attributes
    ----------
    alpha : float
        What the tests promise.
    labels : tuple of (test, label)
        What the tests are called in figures.
    notes : tuple of str
        Who is left out, and what the numbers cannot say.
    """

    records: tuple[FalsePositiveRecord, ...]
    alpha: float
    n_resamples: int
    seed: int
    labels: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]
    sentence: str

    def of(self, algorithm: str, n_runs: int | None = None) -> tuple[FalsePositiveRecord, ...]:
        """Return the records of one algorithm, or of one algorithm and number of runs."""
        return self._rows(algorithm=algorithm, **_given(n_runs))


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverageRecord:
    """One interval of one metric, from groups of one algorithm's runs.

    Attributes
    ----------
    n_runs : int
        Runs of a group on each task.
    coverage, coverage_error : float
        Share of the groups whose interval holds the truth, and its standard error. A group without interval holds nothing.
    mean_width : float or None
        Of the intervals that there are.
    no_interval : float
        Share of the groups that have none, because they have no spread.
    truth : float
        The metric of all runs.
    bias, bias_error, spread : float
        Mean error of the estimate, its standard error, and the standard deviation of the estimate, for new runs.
    n_repeats, n_all, n_tasks : int
        Groups, runs on the task with fewest, and tasks.
    """

    algorithm: str
    interval: str
    metric: str
    n_runs: int
    coverage: float
    coverage_error: float
    mean_width: float | None
    no_interval: float
    truth: float
    bias: float
    bias_error: float
    spread: float
    n_repeats: int
    n_all: int
    n_tasks: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverageResult(AlgorithmRecords):
    """Coverage of intervals on one's own runs.

    Attributes
    ----------
    confidence_level : float
        What the intervals promise.
    notes : tuple of str
        Who is left out, and what the numbers cannot say.
    """

    records: tuple[CoverageRecord, ...]
    confidence_level: float
    n_resamples: int
    seed: int
    notes: tuple[str, ...]
    sentence: str

    @property
    def metrics(self) -> tuple[str, ...]:
        return self._names("metric")

    @property
    def intervals(self) -> tuple[str, ...]:
        return self._names("interval")

    def of(self, algorithm: str, metric: str, n_runs: int | None = None) -> tuple[CoverageRecord, ...]:
        """Return the records of one algorithm and metric, or of these and a number of runs."""
        return self._rows(algorithm=algorithm, metric=metric, **_given(n_runs))


def _given(n_runs: int | None) -> dict[str, int]:
    return {} if n_runs is None else {"n_runs": n_runs}


def repeats_of(records: tuple[FalsePositiveRecord, ...] | tuple[CoverageRecord, ...]) -> str:
    """Return how many groups were drawn, "1000" or "3 to 1000"."""
    return span([record.n_repeats for record in records])
