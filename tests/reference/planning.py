"""Slow twins of planning: a relabelling test by every relabelling, an allocation by every allocation, limits by their formulas."""

from __future__ import annotations

from itertools import combinations, product
from math import sqrt

import numpy as np
from scipy import stats


def studentized(x: np.ndarray, y: np.ndarray) -> float:
    """Return the difference of task means over its standard error; x, y: (n_tasks, n_runs)."""
    error = sqrt(sum(side.var(ddof=1) / side.size for side in (*x, *y)))
    return float((x.mean(axis=1) - y.mean(axis=1)).sum() / error)


def relabelled_pvalue(x: np.ndarray, y: np.ndarray) -> float:
    """Return the share of relabellings within tasks that are as far apart, all of them tried."""
    n, observed, hits, tried = x.shape[1], abs(studentized(x, y)), 0, 0
    pooled = np.concatenate([x, y], axis=1)
    halves = list(combinations(range(2 * n), n))
    for chosen in product(halves, repeat=x.shape[0]):
        others = [[i for i in range(2 * n) if i not in half] for half in chosen]
        first = np.array([row[list(half)] for row, half in zip(pooled, chosen, strict=True)])
        second = np.array([row[rest] for row, rest in zip(pooled, others, strict=True)])
        hits += abs(studentized(first, second)) >= observed * (1 - 1e-9)
        tried += 1
    return hits / tried


def best_allocation(weights: np.ndarray, sizes: np.ndarray, total: int) -> float:
    """Return the smallest Σ w / n that `total` more runs can give, every allocation tried."""
    allocations = (more for more in product(range(total + 1), repeat=len(weights)) if sum(more) == total)
    return min(float((weights / (sizes + np.array(more))).sum()) for more in allocations)


def two_variances_limit(variances: tuple[float, float], df: tuple[float, float], assurance: float) -> float:
    """Return the upper limit of a sum of two variances of Graybill & Wang (1980)."""
    excess = [nu / stats.chi2.ppf(1 - assurance, nu) - 1 for nu in df]
    return sum(variances) + sqrt(sum((h * v) ** 2 for h, v in zip(excess, variances, strict=True)))
