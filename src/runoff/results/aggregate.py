"""The answer to "how good is each algorithm?"."""

from __future__ import annotations

from dataclasses import dataclass

from runoff.results.advice import Advice
from runoff.results.base import AlgorithmRecords, printed_lines
from runoff.words.names import metric_title, metric_words
from runoff.words.numbers import counted, estimated, percent


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
        How it was made: "t", "wilson" (success rates on one task), "percentile", "basic", "bca" or "studentized"; None without an interval.
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
