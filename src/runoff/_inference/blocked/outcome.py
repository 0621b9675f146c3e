"""What every blocked test returns, before it is dressed as a result."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockedOutcome:
    """Statistic and p-value of one blocked test.

    pvalue_error: 0.0 for closed forms and exact nulls, else the Monte Carlo standard error. method: the method used,
    never "auto". df: degrees of freedom of the asymptotic law (a pair for F, None where there is none). rank_sums,
    mean_ranks: per algorithm, rank 1 is best (empty where the test does not rank). n_tasks: tasks that were used.
    n_runs: runs used, per algorithm. direction: of two algorithms, positive where the test's own statistic favours the first.
    all_tied: nothing to compare, statistic 0 and p = 1 by definition.
    """

    statistic: float
    pvalue: float
    pvalue_error: float
    method: str
    df: float | tuple[float, float] | None
    rank_sums: tuple[float, ...]
    mean_ranks: tuple[float, ...]
    n_resamples: int
    n_tasks: int
    n_runs: tuple[int, ...]
    direction: float
    all_tied: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class StepTests:
    """What a procedure finds, with the fields of `BlockedOutcome`; the rest is known from the design."""

    statistic: float
    pvalue: float
    pvalue_error: float
    method: str
    df: float | tuple[float, float] | None
    n_resamples: int
    direction: float
    all_tied: bool
