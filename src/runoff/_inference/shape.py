"""The shape of runs: moments and normality; None, never NaN."""

from __future__ import annotations

from dataclasses import dataclass
from math import log, sqrt

import numpy as np
from scipy import special

from runoff._inference.groups import LEAST_GROUPS, best_split, flat, standardised
from runoff.base.arrays import Floats

ROUNDING = 1e-13
"""The mean of third powers of standardised runs that lie evenly about their mean is 0 but for this."""
LEAST_SHAPIRO, MOST_SHAPIRO, LEAST_DAGOSTINO = 3, 5000, 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What the runs of a cell look like; None where there are too few of them, or no spread.

    skewness, kurtosis: bias-corrected, kurtosis as excess over the normal's. normality_pvalue: D'Agostino and Pearson's K², from 8 runs.
    shapiro_pvalue: Shapiro and Wilk's W, for 3 to 5000 runs, three of them different. within_groups: what `best_split` leaves, from 8 runs.
    """

    skewness: float | None
    kurtosis: float | None
    normality_pvalue: float | None
    shapiro_pvalue: float | None
    within_groups: float | None


def shape_of(cell: Floats) -> Shape:
    if flat(cell):
        return Shape(skewness=None, kurtosis=None, normality_pvalue=None, shapiro_pvalue=None, within_groups=None)
    z = standardised(cell)
    return Shape(
        skewness=skewness(z),
        kurtosis=kurtosis(z),
        normality_pvalue=dagostino_pearson(z),
        shapiro_pvalue=shapiro_wilk(z),
        within_groups=None if cell.size < LEAST_GROUPS else best_split(cell)[0],
    )


def skewness(z: Floats) -> float | None:
    """Return G₁ = g₁ √(n(n − 1)) / (n − 2) of standardised runs."""
    n = z.size
    if n < 3:
        return None
    moment = float(np.mean(z**3))
    return 0.0 if abs(moment) < ROUNDING else moment * sqrt(n * (n - 1)) / (n - 2)


def kurtosis(z: Floats) -> float | None:
    """Return G₂ = (n − 1) ((n + 1) g₂ + 6) / ((n − 2)(n − 3)) of standardised runs."""
    n = z.size
    return None if n < 4 else (n - 1) / ((n - 2) * (n - 3)) * ((n + 1) * (float(np.mean(z**4)) - 3) + 6)


def dagostino_pearson(z: Floats) -> float | None:
    """Return the p-value of K² = Z₁² + Z₂² against χ² with 2 degrees of freedom (D'Agostino & Pearson 1973); None below 8 runs.

    As SciPy's `normaltest`, which warns below 20 runs, where the p-value of the kurtosis is approximate.
    """
    if z.size < LEAST_DAGOSTINO:
        return None
    return float(special.chdtrc(2, skew_score(z) ** 2 + kurtosis_score(z) ** 2))


def skew_score(z: Floats) -> float:
    """Return D'Agostino's (1970) normal score of the skewness g₁."""
    n = z.size
    y = float(np.mean(z**3)) * sqrt((n + 1) * (n + 3) / (6 * (n - 2)))
    beta = 3 * (n * n + 27 * n - 70) * (n + 1) * (n + 3) / ((n - 2) * (n + 5) * (n + 7) * (n + 9))
    w2 = sqrt(2 * (beta - 1)) - 1
    a = sqrt(2 / (w2 - 1))
    return float(np.arcsinh(y / a)) / sqrt(log(w2) / 2)


def kurtosis_score(z: Floats) -> float:
    """Return Anscombe and Glynn's (1983) normal score of the kurtosis b₂."""
    n = z.size
    mean = 3 * (n - 1) / (n + 1)
    variance = 24 * n * (n - 2) * (n - 3) / ((n + 1) ** 2 * (n + 3) * (n + 5))
    x = (float(np.mean(z**4)) - mean) / sqrt(variance)
    root = 6 * (n * n - 5 * n + 2) / ((n + 7) * (n + 9)) * sqrt(6 * (n + 3) * (n + 5) / (n * (n - 2) * (n - 3)))
    a = 6 + 8 / root * (2 / root + sqrt(1 + 4 / root**2))
    # The cube root of a χ² over its freedom is nearly normal (Wilson & Hilferty 1931); a is the freedom that has the kurtosis' skewness.
    denominator = 1 + x * sqrt(2 / (a - 4))
    term = np.cbrt((1 - 2 / a) / denominator) if denominator != 0 else 0.0
    return float((1 - 2 / (9 * a) - term) / sqrt(2 / (9 * a)))


def shapiro_wilk(z: Floats) -> float | None:
    """Return the p-value of Shapiro and Wilk's W (Royston 1995); None below 3 or above 5000 runs, where it is not accurate.

    Of runs with two different scores W is what their counts make it: of three, two of them equal, it is the least that there is, and p is 0.
    """
    if not LEAST_SHAPIRO <= z.size <= MOST_SHAPIRO or np.unique(z).size < LEAST_SHAPIRO:
        return None
    from scipy import stats

    return min(float(stats.shapiro(z).pvalue), 1.0)


# ── runs in two groups ──────────
