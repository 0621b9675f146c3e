"""The answer to "does a random run of a beat one of b?"."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from runoff.results.advice import Advice
from runoff.results.base import Result, less, not_compared, printed_lines
from runoff.words.numbers import chances


@dataclass(frozen=True, slots=True, kw_only=True)
class ImprovementRecord:
    """One pair: the probability that a random run of a beats one of b, ties counting half, averaged over `n_tasks` shared tasks.

    `low` and `high` are None where a cell has one run; `interval` is "t", "newcombe" (scores of 0 and 1), "percentile", or "score" where that
    has no width; `over` is what it allows for, "runs" or "runs_and_tasks"; `n_resamples` is 0 where nothing was resampled.
    """

    a: str
    b: str
    estimate: float
    low: float | None
    high: float | None
    interval: str | None
    confidence_level: float
    over: str
    n_tasks: int
    n_resamples: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ImprovementResult(Result):
    """Probabilities of improvement, one record per pair."""

    records: tuple[ImprovementRecord, ...]
    seed: int
    advice: tuple[Advice, ...] = ()
    _table: ClassVar[str | None] = "records"

    def pair(self, a: str, b: str) -> ImprovementRecord:
        """Return the record of a and b, turned round if it was made of b and a."""
        for record in self.records:
            if (record.a, record.b) == (a, b):
                return record
            if (record.a, record.b) == (b, a):
                low, high = less(1.0, record.high), less(1.0, record.low)
                return replace(record, a=a, b=b, estimate=1.0 - record.estimate, low=low, high=high)
        raise not_compared(a, b, [(record.a, record.b) for record in self.records])

    def __str__(self) -> str:
        rows = [f"P({r.a} > {r.b}) = {chances(r.estimate, r.low, r.high)}" for r in self.records]
        return printed_lines(more=rows, noun="pair")
