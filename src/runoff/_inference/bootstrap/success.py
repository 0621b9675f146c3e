"""Rates of successes, and their intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from scipy import special

from runoff._inference.bootstrap.intervals import Ends, Mean
from runoff.base.arrays import Floats, Ints


@dataclass(frozen=True, slots=True)
class Rate:
    """Success rates, averaged over tasks, the number of runs of one task with their variance, and its degrees of freedom; or arrays."""

    value: Floats
    n: Floats
    df: Floats | float = np.inf

    def ends(self, t: Floats) -> tuple[Floats, Floats]:
        """Return the ends of the score interval: the p with (p̂ − p)² ≤ t² p (1 − p) / n (Wilson 1927)."""
        rate, n = self.value, self.n
        middle, half = rate + t * t / (2 * n), t * np.sqrt(rate * (1 - rate) / n + t * t / (4 * n * n))
        low, high = (middle - half) / (1 + t * t / n), (middle + half) / (1 + t * t / n)
        # At 0 and 1 a root is the rate itself, which the difference in `low` would miss by rounding.
        return np.where(rate == 0, 0.0, np.maximum(low, 0.0)), np.where(rate == 1, 1.0, np.minimum(high, 1.0))

    def interval(self, alpha: float) -> tuple[Floats, Floats]:
        """Return the ends at level 1 − alpha."""
        return self.ends(np.asarray(-special.stdtrit(self.df, alpha / 2), np.float64))


PRIOR = 2.0
"""For so many runs a task counts as if it had the rate of all tasks, where its variance is estimated."""


def mean_rate(won: Floats | Ints, n_runs: Floats | Ints) -> Rate:
    """Return the rate of tasks, (…, n_tasks), with so many runs and so many of them won.

    n = θ̂ (1 − θ̂) T² / Σ v_t / n_t, v_t = (n_t p̂_t (1 − p̂_t) + c θ̂ (1 − θ̂)) / (n_t − 1 + c), c = 2: the variance of a run, drawn towards that
    of a run of a random task, and not biased where all rates are equal. It has n_t − 1 + c degrees of freedom, and the sum Satterthwaite's. One
    task has its own runs and no variance to estimate; where all are won, or none, v_t counts as 1.
    """
    rates, n_tasks = won / n_runs, won.shape[-1]
    # Sorted, so that the sum has the same bits whatever the order of tasks.
    mean = np.sort(rates, axis=-1).sum(axis=-1) / n_tasks
    if n_tasks == 1:
        return Rate(mean, np.full(mean.shape, float(n_runs[0])))
    whole = (mean * (1 - mean))[..., None]
    # p̂ (1 − p̂) is 0 for tasks that all won or all lost, as many of few runs are: without the prior few-run tasks would seem certain.
    spread = (n_runs * rates * (1 - rates) + PRIOR * whole) / (n_runs - 1 + PRIOR)
    parts = np.divide(spread, whole, out=np.ones_like(spread), where=whole > 0) / (n_runs * n_tasks**2)
    total, squares = (np.sort(part, axis=-1).sum(axis=-1) for part in (parts, parts**2 / (n_runs - 1 + PRIOR)))
    return Rate(mean, 1 / total, total**2 / squares)


def rate_of(cells: Sequence[Floats]) -> Rate:
    """Return the rate of cells of 0 and 1, (n_runs,) each."""
    return mean_rate(np.array([cell.sum() for cell in cells]), np.array([float(cell.size) for cell in cells]))


def wilson(cells: Sequence[Floats], confidence_level: float) -> Ends:
    """Return the score interval of a rate, averaged over tasks."""
    low, high = rate_of(cells).interval(1 - confidence_level)
    return float(low), float(high)


def clopper_pearson(k: Floats, n: int, tail: float) -> tuple[Floats, Floats]:
    """Return the exact interval of a share of which k of n were seen, `tail` beyond each end (Clopper & Pearson 1934)."""
    low = np.where(k > 0, special.betaincinv(np.maximum(k, 1), n - k + 1, tail), 0.0)
    high = np.where(k < n, special.betaincinv(k + 1, np.maximum(n - k, 1), 1 - tail), 1.0)
    return low, high


def guarded_rate(cells: Sequence[Floats]) -> Mean:
    """Return a mean rate with one success and one failure more in each cell, and its normal error, never 0 (Agresti & Caffo 2000)."""
    rates, errors = [], 0.0
    for cell in cells:
        rate = (float(cell.sum()) + 1.0) / (cell.size + 2)
        rates.append(rate)
        errors += rate * (1.0 - rate) / (cell.size + 2)
    n = len(cells)
    return Mean(sum(rates) / n, sqrt(errors) / n, float("inf"))
