"""The answers to "how good is each algorithm?" and "which intervals may be read by eye?"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from runoff.results.base import Advice, AlgorithmRecords, Records, printed_lines
from runoff.results.pair import listed
from runoff.words.names import LOWER_IS_BETTER, TESTS, measure_words, metric_title, metric_words
from runoff.words.numbers import counted, digits, estimated, exactly, percent


@dataclass(frozen=True, slots=True, kw_only=True)
class AggregateRecord:
    """One algorithm, one metric.

    Attributes
    ----------
    task : str or None
        The task for a per-task mean, None for an aggregate over all tasks.
    estimate : float
        In units of the scores.
    low, high : float or None
        Ends of the interval; None where no honest interval exists (`advice` says why).
    interval : str or None
        How it was made: "t", "wilson" (success rates), "percentile", "basic" or "bca"; None without an interval.
    over : str
        What was resampled: "runs", or "runs_and_tasks".
    n_tasks, n_scores : int
        Tasks and runs the estimate is made of.
    n_resamples : int
        0 for a closed form.
    """

    algorithm: str
    metric: str
    task: str | None = None
    estimate: float
    low: float | None
    high: float | None
    interval: str | None
    confidence_level: float
    over: str
    n_tasks: int
    n_scores: int
    n_resamples: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AggregateResult(AlgorithmRecords):
    """Aggregates with intervals, one record for each algorithm and metric.

    Attributes
    ----------
    gamma : float
        Threshold of the optimality gap.
    reference : str or None
        The reference scores that the scores are normalised by.
    """

    records: tuple[AggregateRecord, ...]
    seed: int
    gamma: float
    advice: tuple[Advice, ...] = ()
    reference: str | None = None

    @property
    def metrics(self) -> tuple[str, ...]:
        return self._names("metric")

    def record(self, algorithm: str, metric: str, task: str | None = None) -> AggregateRecord:
        """Return the record of one algorithm and metric."""
        where = "" if task is None else f" on {task!r}"
        there = f"{', '.join(self.metrics)} of {', '.join(map(repr, self.algorithms))}"
        missing = f"no {metric!r} of {algorithm!r}{where}; there are {there}"
        return self._row(AggregateRecord, missing, algorithm=algorithm, metric=metric, task=task)

    @property
    def sentence(self) -> str:
        """Who has the best value of the first metric; whether that is more than chance is what `compare` answers."""
        metric = self.metrics[0]
        rows, lower = [record for record in self.records if record.metric == metric], metric in LOWER_IS_BETTER
        best = (min if lower else max)(record.estimate for record in rows)
        first, *level = [record for record in rows if record.estimate == best]
        value = estimated(best, first.low, first.high)
        if len(rows) == 1:
            return f"The {measure_words(metric)} of {first.algorithm} is {value}."
        words = "chance to beat a run of another" if metric == "improvement" else measure_words(metric)
        names = listed([record.algorithm for record in (first, *level)])
        of = f"{'lowest' if lower else 'highest'} {words} of {len(rows)} algorithms"
        return f"{names} have the {of}, {digits(best)}." if level else f"{names} has the {of}, {value}."

    def __str__(self) -> str:
        first = self.records[0]
        head = f"{metric_title(first.metric)} of {counted([len(self.algorithms)], 'algorithm')}, {percent(first.confidence_level)} intervals."
        rows = [
            f"{r.algorithm}{'' if r.task is None else f' on {r.task}'}: {estimated(r.estimate, r.low, r.high)}"
            + (" (no interval)" if r.low is None else "")
            for r in self.records
            if r.metric == first.metric
        ]
        others = [metric_words(metric) for metric in self.metrics[1:]]
        also = f"Also there, in to_records(): {', '.join(others)}." if others else ""
        return "\n".join(part for part in (printed_lines(head, more=rows), also) if part)


# ── which intervals may be read by eye? ──────────


Reason = Literal["no_interval", "equal_estimates", "no_width", "direction", "conflict"]


@dataclass(frozen=True, slots=True, kw_only=True)
class InferentialRecord:
    """One algorithm: its aggregate, its inferential and its descriptive interval, and the factor between them.

    All ends and the factor are None where there is no descriptive interval (a cell of one run, or no spread).
    """

    algorithm: str
    estimate: float
    low: float | None
    high: float | None
    descriptive_low: float | None
    descriptive_high: float | None
    factor: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class InferentialPair:
    """What the test says about two algorithms, and what the eye sees.

    Attributes
    ----------
    rejected : bool
        Whether the adjusted p-value is at most alpha.
    overlap : bool or None
        Whether the inferential intervals share a point; None where one of the two has none.
    """

    a: str
    b: str
    pvalue: float
    pvalue_adjusted: float
    rejected: bool
    overlap: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Disagreement:
    """A pair that must not be read by eye.

    Attributes
    ----------
    reason : "no_interval", "equal_estimates", "no_width", "direction" or "conflict"
        "direction": the intervals are apart, as the test demands, but the test favours the algorithm with the lower estimate.
    """

    a: str
    b: str
    reason: Reason
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class InferentialResult(Records):
    """Intervals whose overlap says what the test says, except for the pairs in `disagreements`.

    Attributes
    ----------
    alpha, confidence_level : float
        Of the test's decisions, and of the descriptive intervals.
    tasks : tuple of str
        The tasks all algorithms have; the others are left out.
    reference : str or None
        The reference scores that the scores are normalised by.
    """

    records: tuple[InferentialRecord, ...]
    pairs: tuple[InferentialPair, ...]
    disagreements: tuple[Disagreement, ...]
    measure: str
    interval: str
    test: str
    formula: str
    correction: str
    alpha: float
    confidence_level: float
    tasks: tuple[str, ...]
    n_resamples: int
    seed: int
    advice: tuple[Advice, ...] = ()
    reference: str | None = None

    def record(self, algorithm: str) -> InferentialRecord:
        """Return one algorithm's record."""
        return self._row(InferentialRecord, f"no interval of {algorithm!r}", algorithm=algorithm)

    def __str__(self) -> str:
        pairs = counted([len(self.pairs)], "pair")
        readable = f"{pairs} of the {metric_words(self.measure)} may be read by eye"
        if self.disagreements:
            named = ", ".join(f"{d.a} and {d.b}" for d in self.disagreements)
            readable = f"{len(self.pairs) - len(self.disagreements)} of {readable}, not {named}"
        rule = f"intervals overlap if and only if {TESTS[self.test]} does not reject at α = {exactly(self.alpha)}"
        rows = [f"{r.algorithm}: {estimated(r.estimate, r.low, r.high)}" for r in self.records]
        return printed_lines(f"{readable}: {rule}.", more=rows)
