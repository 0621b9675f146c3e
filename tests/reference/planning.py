"""Slow twins of planning: an allocation by every allocation, limits by their formulas."""

from __future__ import annotations

from itertools import product
from math import sqrt

import numpy as np
from scipy import stats


def best_allocation(weights: np.ndarray, sizes: np.ndarray, total: int) -> float:
    """Return the smallest Σ w / n that `total` more runs can give, every allocation tried."""
    allocations = (more for more in product(range(total + 1), repeat=len(weights)) if sum(more) == total)
    return min(float((weights / (sizes + np.array(more))).sum()) for more in allocations)


def two_variances_limit(variances: tuple[float, float], df: tuple[float, float], assurance: float) -> float:
    """Return the upper limit of a sum of two variances of Graybill & Wang (1980)."""
    excess = [nu / stats.chi2.ppf(1 - assurance, nu) - 1 for nu in df]
    return sum(variances) + sqrt(sum((h * v) ** 2 for h, v in zip(excess, variances, strict=True)))
