"""The answer to "which places are possible?"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from runoff.results.advice import Advice
from runoff.results.base import Result, told
from runoff.words.names import metric_words
from runoff.words.numbers import percent


@dataclass(frozen=True, slots=True, kw_only=True)
class RankIntervalRecord:
    """One algorithm's places; place 1 is best.

    Attributes
    ----------
    algorithm : str
    estimate : float
        Of the metric, in units of the scores.
    place : int
        By the estimates: one more than the number of those that are ahead.
    low, high : int
        The best and the worst place that are possible, of this algorithm on its own.
    joint_low, joint_high : int or None
        The same for all algorithms at once; None for the bootstrap.
    p_best : float or None
        Share of draws in which it is best; None where an algorithm has single runs.
    p_places : tuple of float or None
        The same of each place, the best first; together 1.
    """

    algorithm: str
    estimate: float
    place: int
    low: int
    high: int
    joint_low: int | None
    joint_high: int | None
    p_best: float | None
    p_places: tuple[float, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RankIntervalsResult(Result):
    """Possible places, one record for each algorithm.

    Attributes
    ----------
    records : tuple of RankIntervalRecord
    metric, method : str
    confidence_level : float
    n_tasks, n_resamples, seed : int
    advice : tuple of Advice
    """

    records: tuple[RankIntervalRecord, ...]
    metric: str
    method: str
    confidence_level: float
    n_tasks: int
    n_resamples: int
    seed: int
    advice: tuple[Advice, ...] = ()
    _table: ClassVar[str | None] = "records"

    @property
    def algorithms(self) -> tuple[str, ...]:
        return tuple(record.algorithm for record in self.records)

    @property
    def best_first(self) -> tuple[RankIntervalRecord, ...]:
        """The records by place, then by how good and how bad a place is possible."""
        return tuple(sorted(self.records, key=lambda r: (r.place, r.low, r.high, r.algorithm)))

    def record(self, algorithm: str) -> RankIntervalRecord:
        """Return the record of one algorithm."""
        for record in self.records:
            if record.algorithm == algorithm:
                return record
        raise KeyError(f"no places of {algorithm!r}; there are {', '.join(map(repr, self.algorithms))}")

    def __str__(self) -> str:
        head = f"Possible places by {metric_words(self.metric)}, {percent(self.confidence_level)} each:"
        return told(head, more=[f"{r.algorithm}: {places_words(r.low, r.high)}" for r in self.best_first])


def places_words(low: int, high: int) -> str:
    """Return "2" or "1 to 3"."""
    return f"{low}" if low == high else f"{low} to {high}"
