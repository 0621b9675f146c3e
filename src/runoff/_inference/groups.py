"""Two groups among the runs of a cell, where some seeds fail: how far apart they lie."""

from __future__ import annotations

from math import ceil, log
from types import MappingProxyType

import numpy as np

from runoff.base.arrays import Floats


def flat(cell: Floats) -> bool:
    return bool(np.ptp(cell) <= 1e-12 * np.abs(cell).max(initial=0.0))


def standardised(cell: Floats) -> Floats:
    """Return the runs less their mean, over their standard deviation."""
    # By the range first: squares of scores of 1e±200 are no doubles.
    scaled = (cell - cell.mean()) / np.ptp(cell)
    return np.asarray(scaled / np.sqrt(np.mean(scaled**2)))


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
