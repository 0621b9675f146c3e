"""The answers along training: at every step, where two differ, how long until a score is reached, how steady training is."""

from __future__ import annotations

from dataclasses import dataclass

from runoff.results.base import Advice, AlgorithmRecords, Records, printed_lines
from runoff.words.names import metric_title
from runoff.words.numbers import counted, estimated, exactly, step_text


@dataclass(frozen=True, slots=True, kw_only=True)
class EfficiencyRecord:
    """One algorithm at one step.

    Attributes
    ----------
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
class EfficiencyResult(AlgorithmRecords):
    """A metric at every step, one record for each algorithm and step.

    Attributes
    ----------
    tasks : tuple of str
        Those of all algorithms together; an algorithm has an estimate over those that it has.
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
    tasks: tuple[str, ...]
    axis: str
    band: str
    confidence_level: float
    n_resamples: int
    unit: str
    seed: int
    notes: tuple[str, ...] = ()
    advice: tuple[Advice, ...] = ()

    @property
    def steps(self) -> tuple[float, ...]:
        return self._names("step")

    def curve(self, algorithm: str) -> tuple[EfficiencyRecord, ...]:
        """Return the records of one algorithm, by step."""
        return self._rows(algorithm=algorithm)

    def __str__(self) -> str:
        last = [self.curve(name)[-1] for name in self.algorithms]
        head = (
            f"{metric_title(last[0].metric)} of {counted([len(last)], 'algorithm')} at {len(self.steps)} steps; at the last, "
            f"{step_text(last[0].step)}:"
        )
        return printed_lines(head, more=[f"{r.algorithm}: {estimated(r.estimate, r.low, r.high)}" for r in last])


@dataclass(frozen=True, slots=True, kw_only=True)
class StepDifference:
    """One pair at one step.

    Attributes
    ----------
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
class CurveComparisonResult(Records):
    """Differences at every step, one record for each pair and step.

    Attributes
    ----------
    stretches : tuple of Stretch
        Where along training one is ahead.
    sentences : tuple of str
        One for each pair; `how` says how all of them were compared.
    n_runs : tuple of (algorithm, fewest, most)
        Runs per task.
    """

    records: tuple[StepDifference, ...]
    stretches: tuple[Stretch, ...]
    sentences: tuple[str, ...]
    how: str
    axis: str
    correction: str
    alpha: float
    confidence_level: float
    n_resamples: int
    n_runs: tuple[tuple[str, int, int], ...]
    tasks: tuple[str, ...]
    seed: int
    notes: tuple[str, ...] = ()
    advice: tuple[Advice, ...] = ()

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        return tuple(dict.fromkeys((record.a, record.b) for record in self.records))

    def curve(self, a: str, b: str) -> tuple[StepDifference, ...]:
        """Return the records of one pair, by step."""
        return self._rows(a=a, b=b)

    def __str__(self) -> str:
        return "\n".join([printed_lines(more=self.sentences, noun="pair"), self.how])


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
class CurveSummaryResult(AlgorithmRecords):
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

    @property
    def tasks(self) -> tuple[str, ...]:
        return self._names("task")

    def curve(self, algorithm: str, task: str) -> tuple[SummaryRecord, ...]:
        """Return the records of one algorithm on one task, by step."""
        return self._rows(algorithm=algorithm, task=task)

    def __str__(self) -> str:
        who, where = counted([len(self.algorithms)], "algorithm"), counted([len(self.tasks)], "task")
        return f"{metric_title(self.centre)} of the runs of {who} on {where}; spread: {self.spread_words}."


@dataclass(frozen=True, slots=True, kw_only=True)
class ReachRecord:
    """One algorithm on one task.

    Attributes
    ----------
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
    """Two algorithms on one task.

    Attributes
    ----------
    method : "exact", "monte_carlo" or "asymptotic"
    pvalue, pvalue_adjusted : float
        Two-sided, of this test, and over all pairs and tasks.
    sooner : str or None
        Whose runs reach it sooner, where a difference is found.
    """

    a: str
    b: str
    task: str
    method: str
    pvalue: float
    pvalue_adjusted: float
    rejected: bool
    sooner: str | None
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReachCurve:
    """One algorithm on one task: the share of runs that have reached the score from each step on, and where the others ended."""

    algorithm: str
    task: str
    steps: tuple[float, ...]
    shares: tuple[float, ...]
    ended: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReachResult(AlgorithmRecords):
    """Steps until a score is reached, one record and one curve for each algorithm and task; `pairs` are the tests."""

    records: tuple[ReachRecord, ...]
    curves: tuple[ReachCurve, ...]
    pairs: tuple[ReachPair, ...]
    axis: str
    unit: str
    test: str
    correction: str
    alpha: float
    n_resamples: int
    seed: int
    advice: tuple[Advice, ...] = ()

    @property
    def tasks(self) -> tuple[str, ...]:
        return self._names("task")

    def record(self, algorithm: str, task: str) -> ReachRecord:
        """Return the record of one algorithm on one task."""
        return self._row(ReachRecord, f"no times of {algorithm!r} on {task!r}", algorithm=algorithm, task=task)

    def __str__(self) -> str:
        rows = []
        for r in self.records:
            when = "not by half of the runs" if r.estimate is None else step_text(r.estimate)
            rows.append(f"{r.algorithm} on {r.task}: {when} ({r.n_reached} of {r.n_runs} runs reach it).")
        head = f"Median {self.axis} to a score of {exactly(self.records[0].threshold)}:"
        sentences = [pair.sentence for pair in self.pairs if pair.rejected]
        return "\n".join(
            [printed_lines(head, more=rows), *([printed_lines(more=sentences, noun="pair")] if sentences else [])]
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ReliabilityRecord:
    """One algorithm by one measure, in units of the scores.

    Attributes
    ----------
    low, high : float or None
        t interval from whole runs; None where no honest one exists: of the risks, and where runs do not vary.
    """

    algorithm: str
    metric: str
    words: str
    lower_is_steadier: bool
    estimate: float
    low: float | None
    high: float | None
    confidence_level: float
    n_tasks: int
    n_scores: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReliabilityResult(Records):
    """Measures of steadiness, one record for each algorithm and measure."""

    records: tuple[ReliabilityRecord, ...]
    window: int
    unit: str
    n_resamples: int
    seed: int
    notes: tuple[str, ...] = ()
    advice: tuple[Advice, ...] = ()

    def __str__(self) -> str:
        lines = []
        for metric in dict.fromkeys(r.metric for r in self.records):
            own = [r for r in self.records if r.metric == metric]
            sizes = "; ".join(f"{r.algorithm} {estimated(r.estimate, r.low, r.high)}" for r in own)
            bare = (
                ""
                if any(r.low is not None for r in own)
                else "; no interval holds"
                if "risk" in metric
                else "; no interval"
            )
            lines.append(f"{metric_title(metric)} ({own[0].words}{bare}): {sizes}.")
        return printed_lines(more=lines, noun="measure")
