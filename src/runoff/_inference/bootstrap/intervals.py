"""The formulas of intervals: from replicates, of a stratified mean, of success rates. None where no honest interval exists."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot

import numpy as np
from scipy import special

from runoff.base.arrays import Floats

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
