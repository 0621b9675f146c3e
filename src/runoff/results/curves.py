"""The answers along training: an algorithm at every step, and where two of them differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from runoff.results.advice import Advice
from runoff.results.base import Result, told
from runoff.words.names import metric_title
from runoff.words.numbers import counted, estimated, step_text


@dataclass(frozen=True, slots=True, kw_only=True)
class EfficiencyRecord:
    """One algorithm at one step.

    Attributes
    ----------
    algorithm, metric : str
    step : float
    estimate : float
        In units of the scores.
    low, high : float or None
        Ends of the interval, or of the simultaneous band; None where no honest one exists.
    interval : str or None
        How it was made, as in `AggregateRecord`.
    n_tasks, n_scores : int
        Tasks and runs that the estimate is made of.
    """

    algorithm: str
    metric: str
    step: float
    estimate: float
    low: float | None
    high: float | None
    interval: str | None
    n_tasks: int
    n_scores: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EfficiencyResult(Result):
    """A metric at every step, one record for each algorithm and step.

    Attributes
    ----------
    records : tuple of EfficiencyRecord
    axis : "step", "time" or "episodes"
        What the steps count.
    band : "pointwise" or "simultaneous"
        Whether the level holds at each step on its own, or for all steps of an algorithm together.
    unit : "run" or "episode"
        What was resampled.
    notes : tuple of str
        What aligning the curves did.
    """

    records: tuple[EfficiencyRecord, ...]
    axis: str
    band: str
    confidence_level: float
    n_resamples: int
    unit: str
    seed: int
    notes: tuple[str, ...] = ()
    advice: tuple[Advice, ...] = ()
    _table: ClassVar[str | None] = "records"

    @property
    def algorithms(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(record.algorithm for record in self.records))

    @property
    def steps(self) -> tuple[float, ...]:
        return tuple(dict.fromkeys(record.step for record in self.records))

    def curve(self, algorithm: str) -> tuple[EfficiencyRecord, ...]:
        """Return the records of one algorithm, by step."""
        return tuple(record for record in self.records if record.algorithm == algorithm)

    def __str__(self) -> str:
        last = [self.curve(name)[-1] for name in self.algorithms]
        head = (
            f"{metric_title(last[0].metric)} of {counted([len(last)], 'algorithm')} at {len(self.steps)} steps; at the last, "
            f"{step_text(last[0].step)}:"
        )
        return told(head, more=[f"{r.algorithm}: {estimated(r.estimate, r.low, r.high)}" for r in last])


@dataclass(frozen=True, slots=True, kw_only=True)
class StepDifference:
    """One pair at one step.

    Attributes
    ----------
    a, b : str
    step : float
    difference : float
        Mean of a − mean of b, over shared tasks.
    low, high : float or None
        Pointwise interval of the difference.
    low_simultaneous, high_simultaneous : float or None
        Of the band that holds all steps (and pairs) at once; None where the correction has none, or runs are too few.
    statistic : float
        Difference over its error; ±inf where neither side varies.
    pvalue, pvalue_adjusted : float
        Two-sided, of this step, and over all steps and pairs.
    rejected : bool
        Whether a difference is found at this step.
    """

    a: str
    b: str
    step: float
    difference: float
    low: float | None
    high: float | None
    low_simultaneous: float | None
    high_simultaneous: float | None
    statistic: float
    pvalue: float
    pvalue_adjusted: float
    rejected: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """Neighbouring steps of the grid, from `first` to `last`, at which `ahead` is found above `behind`."""

    a: str
    b: str
    ahead: str
    behind: str
    first: float
    last: float
    n_steps: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CurveComparisonResult(Result):
    """Differences at every step, one record for each pair and step.

    Attributes
    ----------
    records : tuple of StepDifference
    stretches : tuple of Stretch
        Where along training one is ahead.
    sentences : tuple of str
        One for each pair.
    method : "exact", "monte_carlo" or "asymptotic"
        How p-values were found: from all relabellings, from some, or from t.
    axis, test, correction : str
    alpha, confidence_level : float
    n_runs : tuple of (algorithm, fewest, most)
        Runs per task.
    """

    records: tuple[StepDifference, ...]
    stretches: tuple[Stretch, ...]
    sentences: tuple[str, ...]
    axis: str
    test: str
    method: str
    correction: str
    alpha: float
    confidence_level: float
    n_resamples: int
    n_runs: tuple[tuple[str, int, int], ...]
    tasks: tuple[str, ...]
    seed: int
    notes: tuple[str, ...] = ()
    advice: tuple[Advice, ...] = ()
    _table: ClassVar[str | None] = "records"

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        return tuple(dict.fromkeys((record.a, record.b) for record in self.records))

    def curve(self, a: str, b: str) -> tuple[StepDifference, ...]:
        """Return the records of one pair, by step."""
        return tuple(record for record in self.records if (record.a, record.b) == (a, b))

    def __str__(self) -> str:
        return told(more=self.sentences, noun="pair")


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryRecord:
    """The runs of one algorithm on one task at one step: their centre, and the ends of the spread (None with a single run)."""

    algorithm: str
    task: str
    step: float
    centre: float
    low: float | None
    high: float | None
    n_runs: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RunCurve:
    """One run: its own evaluations, not interpolated."""

    algorithm: str
    task: str
    run: str
    steps: tuple[float, ...]
    scores: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CurveSummaryResult(Result):
    """Centre and spread of the runs at every step, task by task; `runs` are the curves of cells of fewer than ten."""

    records: tuple[SummaryRecord, ...]
    runs: tuple[RunCurve, ...]
    axis: str
    centre: str
    spread: str
    spread_words: str
    unit: str
    notes: tuple[str, ...] = ()
    advice: tuple[Advice, ...] = ()
    _table: ClassVar[str | None] = "records"

    @property
    def algorithms(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(record.algorithm for record in self.records))

    @property
    def tasks(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(record.task for record in self.records))

    def curve(self, algorithm: str, task: str) -> tuple[SummaryRecord, ...]:
        """Return the records of one algorithm on one task, by step."""
        return tuple(r for r in self.records if (r.algorithm, r.task) == (algorithm, task))

    def __str__(self) -> str:
        who, where = counted([len(self.algorithms)], "algorithm"), counted([len(self.tasks)], "task")
        return f"{metric_title(self.centre)} of the runs of {who} on {where}; spread: {self.spread_words}."
