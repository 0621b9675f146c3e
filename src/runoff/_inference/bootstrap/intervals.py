"""The formulas of intervals: from replicates, of a stratified mean, of success rates. None where no honest interval exists."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot, sqrt

import numpy as np
from scipy import special

from runoff.base.arrays import Floats, Ints

Ends = tuple[float, float]


def percentile(replicates: Floats, estimate: float, confidence_level: float) -> Ends | None:
    """Return the percentile interval of replicates (n_resamples,); None if they do not vary."""
    del estimate
    tail = (1 - confidence_level) / 2
    low, high = np.quantile(replicates, [tail, 1 - tail])
    return usable(low, high)


def basic(replicates: Floats, estimate: float, confidence_level: float) -> Ends | None:
    """Return the basic (pivotal, reverse-percentile) interval: 2θ̂ − upper quantile, 2θ̂ − lower quantile."""
    tail = (1 - confidence_level) / 2
    low, high = np.quantile(replicates, [tail, 1 - tail])
    return usable(2 * estimate - high, 2 * estimate - low)


def bca(replicates: Floats, estimate: float, confidence_level: float, acceleration: float) -> Ends | None:
    """Return the bias-corrected and accelerated interval (Efron 1987).

    The bias correction z0 counts replicates equal to the estimate half, as SciPy does (arch counts them as not below, which biases
    z0 when scores are discrete). None if all replicates lie on one side of the estimate.
    """
    tail = (1 - confidence_level) / 2
    ends = bias_corrected_ends(replicates, estimate, (tail, 1 - tail), acceleration)
    return None if ends is None else usable(*ends)


def bias_corrected_ends(
    replicates: Floats, estimate: float, tails: tuple[float, float], acceleration: float
) -> Ends | None:
    """Return the ends that `bca` has, whether or not they differ; without acceleration those that are bias-corrected alone."""
    slack = 1e-12 * max(abs(estimate), float(np.abs(replicates).max()))  # equal but for the order of a sum is equal
    below = np.mean(replicates < estimate - slack) / 2 + np.mean(replicates <= estimate + slack) / 2
    if not 0 < below < 1:
        return None
    # Efron 1987: the quantile of the replicates at Φ(z₀ + (z₀ + z)/(1 − a (z₀ + z))).
    z0, z = special.ndtri(below), special.ndtri(tails)
    denominator = 1 - acceleration * (z0 + z)
    # Beyond the pole the formula turns round, and its ends change places.
    if np.any(denominator <= 0):
        return None
    low, high = np.quantile(replicates, special.ndtr(z0 + (z0 + z) / denominator))
    return float(low), float(high)


def usable(low: float, high: float) -> Ends | None:
    """Return the ends, or None if they are equal up to rounding: an interval of no width says more than the data can."""
    if not high - low > 1e-12 * max(abs(low), abs(high)):
        return None
    return float(low), float(high)


@dataclass(frozen=True, slots=True)
class Mean:
    """A stratified mean with its standard error and Welch-Satterthwaite degrees of freedom (None without spread)."""

    estimate: float
    error: float
    df: float | None

    def interval(self, confidence_level: float) -> Ends | None:
        if self.df is None:
            return None
        half = float(special.stdtrit(self.df, (1 + confidence_level) / 2)) * self.error
        return usable(self.estimate - half, self.estimate + half)


def both_errors(a: Mean, b: Mean) -> tuple[float, float | None]:
    """Return the error of a sum of two independent estimates, and Satterthwaite's degrees of freedom; 0 and None without spread."""
    error = hypot(a.error, b.error)
    if error == 0:
        return 0.0, None
    # Shares of the error, whose fourth powers neither overflow nor vanish together.
    return error, 1 / sum((mean.error / error) ** 4 / mean.df for mean in (a, b) if mean.df is not None)


def stratified_mean(terms: Sequence[Floats], weights: Sequence[float]) -> Mean:
    """Return Σ wᵢ mean(sampleᵢ), its standard error √Σ wᵢ² sᵢ²/nᵢ, and Welch-Satterthwaite degrees of freedom.

    Welch 1947: df = (Σ vᵢ)² / Σ vᵢ²/(nᵢ − 1), vᵢ = wᵢ² sᵢ²/nᵢ. A difference of algorithms has weights ±1/n_tasks. Without spread, or with
    a sample of one, the error is 0 and df None.
    """
    sizes, factors = np.array([sample.size for sample in terms]), np.asarray(weights, np.float64)
    # Samples of one size, which most are, are taken together: a call for each costs more than its sum.
    blocks = [np.stack(terms)] if (sizes == sizes[0]).all() else [sample[None] for sample in terms]
    estimate = float(sum((factors * np.concatenate([block.mean(axis=1) for block in blocks])).tolist()))
    if sizes.min() < 2:
        return Mean(estimate, 0.0, None)
    parts = factors * factors * np.concatenate([block.var(axis=1, ddof=1) for block in blocks]) / sizes
    scale = float((np.concatenate([np.abs(block).max(axis=1) for block in blocks]) * np.abs(factors)).max())
    # Equal scores leave a variance of rounding, some (1e-16 of their size)²; what is less than ten times that far apart is equal.
    parts[parts <= (1e-15 * scale) ** 2] = 0.0
    if not parts.sum() > 0:
        return Mean(estimate, 0.0, None)
    freedom = sizes - 1
    shares = parts / parts.sum()
    return Mean(estimate, float(np.sqrt(parts.sum())), float(1 / np.sum(shares**2 / freedom)))


# ── success rates ──────────


def of_two_values(cells: Sequence[Floats]) -> bool:
    return all(bool(np.all((cell == 0.0) | (cell == 1.0))) for cell in cells)


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
