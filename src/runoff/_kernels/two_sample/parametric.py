"""Moments and t statistics in closed form; differences are always x - y.

Shapes: samples (batch, n), everything else (batch,). Rows without variance have variance 0 exactly, whatever rounding
says. A zero standard error gives a statistic of 0 for equal centres and ±inf for different ones, never NaN.
"""

from __future__ import annotations

import numpy as np

from runoff.base.arrays import Bools, Floats

# statistic, degrees of freedom, and where the standard error is 0
TStatistic = tuple[Floats, Floats, Bools]


def moments(sample: Floats) -> tuple[Floats, Floats]:
    """Return mean and unbiased variance of each row: two passes; a row of one value has variance 0."""
    n = sample.shape[1]
    mean = sample.mean(axis=1)
    deviation = sample - mean[:, None]
    variance = np.einsum("ij,ij->i", deviation, deviation) / max(n - 1, 1)
    constant = (sample == sample[:, :1]).all(axis=1)
    return np.where(constant, sample[:, 0], mean), np.where(constant, 0.0, variance)


def trimmed_moments(sample: Floats, n_trimmed: int) -> tuple[Floats, Floats]:
    """Return trimmed mean and its squared standard error; `n_trimmed` values go at each end (Yuen 1974).

    Squared error (n-1) s_w² / (h (h-1)) with the winsorised variance s_w² and h = n - 2 n_trimmed values left.
    """
    n = sample.shape[1]
    left = n - 2 * n_trimmed
    ordered = np.sort(sample, axis=1)
    ends = ordered[:, n_trimmed, None], ordered[:, n - n_trimmed - 1, None]
    kept_mean = moments(ordered[:, n_trimmed : n - n_trimmed])[0]
    winsorized = moments(np.clip(ordered, *ends))[1]
    return kept_mean, winsorized * ((n - 1) / (left * (left - 1)))


def signed_ratio(difference: Floats, squared_error: Floats) -> Floats:
    """Return difference / sqrt(squared_error), with 0/0 = 0 and d/0 = ±inf."""
    ratio = np.where(difference == 0.0, 0.0, np.copysign(np.inf, difference))
    np.divide(difference, np.sqrt(squared_error), out=ratio, where=squared_error > 0.0)
    return ratio


def student(difference: Floats, variance_x: Floats, variance_y: Floats, n_x: int, n_y: int) -> TStatistic:
    """Return Student's t and its degrees of freedom n_x + n_y - 2 (pooled variance)."""
    freedom = n_x + n_y - 2
    pooled = ((n_x - 1) * variance_x + (n_y - 1) * variance_y) / freedom
    statistic = signed_ratio(difference, pooled * (1.0 / n_x + 1.0 / n_y))
    return statistic, np.full(difference.shape, float(freedom)), pooled == 0.0


def welch(difference: Floats, error_x: Floats, error_y: Floats, freedom_x: int, freedom_y: int) -> TStatistic:
    """Return t with separate squared errors and the Welch-Satterthwaite degrees of freedom (Welch 1947).

    Written with the share r of x in the squared error, 1 / (r²/f_x + (1-r)²/f_y), so that no fourth power can underflow.
    Without any variance the degrees of freedom are f_x + f_y.
    """
    total = error_x + error_y
    share = np.full(total.shape, freedom_x / (freedom_x + freedom_y))
    np.divide(error_x, total, out=share, where=total > 0.0)
    df = 1.0 / (share**2 / freedom_x + (1.0 - share) ** 2 / freedom_y)
    return signed_ratio(difference, total), df, total == 0.0
