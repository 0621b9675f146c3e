"""The shape of runs: moments, normality, two groups; None, never NaN."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, log, sqrt
from types import MappingProxyType

import numpy as np
from scipy import special

from runoff.base.arrays import Floats

LEAST_SHAPIRO, MOST_SHAPIRO, LEAST_DAGOSTINO = 3, 5000, 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What the runs of a cell look like; None where there are too few of them, or no spread.

    skewness, kurtosis: bias-corrected, kurtosis as excess over the normal's. normality_pvalue: D'Agostino and Pearson's K², from 8 runs.
    shapiro_pvalue: Shapiro and Wilk's W, for 3 to 5000 runs. within_groups: what `best_split` leaves, from 8 runs.
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


def flat(cell: Floats) -> bool:
    return bool(np.ptp(cell) <= 1e-12 * np.abs(cell).max(initial=0.0))


def standardised(cell: Floats) -> Floats:
    """Return the runs less their mean, over their standard deviation."""
    # By the range first: squares of scores of 1e±200 are no doubles.
    scaled = (cell - cell.mean()) / np.ptp(cell)
    return np.asarray(scaled / np.sqrt(np.mean(scaled**2)))


def skewness(z: Floats) -> float | None:
    """Return G₁ = g₁ √(n(n − 1)) / (n − 2) of standardised runs."""
    n = z.size
    return None if n < 3 else float(np.mean(z**3)) * sqrt(n * (n - 1)) / (n - 2)


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
    """Return the p-value of Shapiro and Wilk's W (Royston 1995); None below 3 or above 5000 runs, where it is not accurate."""
    if not LEAST_SHAPIRO <= z.size <= MOST_SHAPIRO:
        return None
    from scipy import stats

    return min(float(stats.shapiro(z).pvalue), 1.0)


# ── runs in two groups ──────────


LEAST_GROUPS = 8
"""With fewer runs two groups far apart are seen in half of the cases or less: too few to judge."""
LEAST_OF_GROUP = 2, 0.1
"""The fewest runs of a group, and the least share of the runs: fewer are outliers."""
ONE_GROUP = MappingProxyType(
    {
        8: 0.0358,
        9: 0.0432,
        10: 0.0511,
        12: 0.0654,
        14: 0.0784,
        16: 0.0898,
        20: 0.1094,
        25: 0.1239,
        30: 0.1342,
        40: 0.1498,
    }
    | {50: 0.1595, 70: 0.1731, 100: 0.1860, 200: 0.2049, 400: 0.2178, 1000: 0.2301}
)
"""By the number of runs, the lowest of the 1 % points of `best_split` of normal, uniform, exponential and t₃ runs (40,000 to 400,000 samples of
each; the exponential's below 20 runs, the uniform's from there on)."""


def two_groups(cell: Floats) -> tuple[int, int] | None:
    """Return how many runs are in the lower and in the upper of two groups; None where they do not fall into two, or are too few to judge.

    They do where the best split leaves less within its sides than in 1 % of samples of one group, whichever of four laws these have.
    """
    if cell.size < LEAST_GROUPS or flat(cell):
        return None
    within, lower = best_split(cell)
    # Between the sizes that were simulated: on a line in log n.
    critical = np.interp(log(cell.size), np.log(list(ONE_GROUP)), list(ONE_GROUP.values()))
    return (lower, cell.size - lower) if within < critical else None


def best_split(cell: Floats) -> tuple[float, int]:
    """Return the least sum of squares within two sides of the sorted runs, as a share of the whole, and how many runs are on the lower.

    With deviations from the mean that sum to S_k over the k lowest of n runs, the squares between the sides are n S_k² / (k (n − k)).
    """
    n, z = cell.size, np.sort(standardised(cell))
    least = max(LEAST_OF_GROUP[0], ceil(LEAST_OF_GROUP[1] * n))
    lower = np.arange(least, n - least + 1)
    between = np.cumsum(z)[lower - 1] ** 2 / (lower * (n - lower))
    best = int(between.argmax())
    return max(1.0 - float(between[best]), 0.0), int(lower[best])
