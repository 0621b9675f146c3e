"""The Mann-Whitney test from ranks: its p-values, exact given the ties where that is affordable, and the deviations at which it rejects."""

from __future__ import annotations

from functools import lru_cache
from math import floor

import numpy as np
from scipy.special import ndtr, ndtri

from runoff._kernels.two_sample import ranks
from runoff._kernels.two_sample.ranks import u_distribution, u_tails
from runoff.base.arrays import SMALLEST, Bools, Flags, Floats, Ints
from runoff.errors import DesignError

# Largest n_x · n_y: the null of a design and its ties is computed once and kept (100 × 100 without ties: 0.08 s; 50 × 50 with ties: 0.02 s);
# exact on demand up to 200 × 200 (1.3 s).
COUNTABLE, COUNTABLE_WITH_TIES, COUNTABLE_ON_DEMAND = 10_000, 2_500, 40_000
TWO_SIDED = 2
"""The place of the two-sided p-value beside those of "greater" and "less"."""


def exact_u_pvalue(doubled_u: Ints, last: Flags, sizes: tuple[int, int], side: int) -> Floats:
    """Return exact p-values of U: one table for the pairs without ties, one distribution for each pair with."""
    untied = last.all(axis=1)
    pvalue = np.empty(doubled_u.size)
    if untied.any():
        # Without ties U has one law for n, m and m, n, and both share the table that is kept.
        distribution = u_distribution((1,) * sum(sizes), min(sizes), max(sizes))
        pvalue[untied] = u_tails(distribution, doubled_u[untied], sizes[0] * sizes[1])[side]
    for i in np.flatnonzero(~untied):
        distribution = u_distribution(ranks.tie_groups(last[i]), *sizes)
        pvalue[i] = u_tails(distribution, doubled_u[i : i + 1], sizes[0] * sizes[1])[side][0]
    return pvalue


def normal_u_pvalue(doubled_u: Ints, last: Flags, sizes: tuple[int, int], side: int) -> Floats:
    """Return normal p-values of U with tie correction and a continuity correction of 1/2 (Lehmann 1975, eq. 1.36)."""
    product, variance = sizes[0] * sizes[1], u_variance(last, *sizes)
    deviation = (doubled_u - product) / 2.0
    # U moves in steps of 1 (½ with ties); half a step towards the middle makes the normal law fit a sum of steps.
    shifted = (deviation - 0.5, -deviation - 0.5, np.abs(deviation) - 0.5)[side]
    z = np.zeros(shifted.shape)
    np.divide(shifted, np.sqrt(variance), out=z, where=variance > 0.0)
    tail = ndtr(-z)
    pvalue = np.where(variance > 0.0, tail if side != TWO_SIDED else np.minimum(1.0, 2.0 * tail), 1.0)
    return np.maximum(pvalue, SMALLEST)


def u_variance(last: Flags, n_x: int, n_y: int) -> Floats:
    """Return the null variance of U given the ties, (batch,): n m / 12 · (N + 1 − Σ (t³ − t) / (N (N − 1))), N = n + m (Lehmann 1975)."""
    n = n_x + n_y
    return n_x * n_y / 12.0 * ((n + 1) - ranks.tie_term(last) / (n * (n - 1)))


def countable(last: Flags, product: int, method: str) -> Bools:
    """Return for which pairs the exact distribution of U is used."""
    if method == "exact" and product > COUNTABLE_ON_DEMAND:
        raise DesignError(
            f"the exact Mann-Whitney test of {product} pairs of runs is not affordable (limit {COUNTABLE_ON_DEMAND}); "
            "ask for method='asymptotic'."
        )
    if method != "auto":
        return np.full(last.shape[0], method == "exact")
    return np.where(last.all(axis=1), product <= COUNTABLE, product <= COUNTABLE_WITH_TIES)


def u_pvalues(x: Floats, y: Floats, side: int = TWO_SIDED, method: str = "auto") -> tuple[Ints, Floats, Bools]:
    """Return twice U = #(x > y) + #(x = y)/2 of each pair of samples, its p-value, and where that is exact."""
    sizes = x.shape[1], y.shape[1]
    is_x, last = ranks.sort_pooled(x, y)
    doubled_u = ranks.placement_sums(is_x, last)[:, 0]
    exact = countable(last, sizes[0] * sizes[1], method)
    pvalue = np.empty(doubled_u.size)
    for chosen, rule in ((exact, exact_u_pvalue), (~exact, normal_u_pvalue)):
        if chosen.any():
            pvalue[chosen] = rule(doubled_u[chosen], last[chosen], sizes, side)
    return doubled_u, pvalue, exact


def critical_deviation(x: Floats, y: Floats, alpha: float) -> float:
    """Return the least |U / (n_x n_y) − ½| at which the two-sided Mann-Whitney test of runs x and y (n,) rejects; inf if none does."""
    _, last = ranks.sort_pooled(x[None], y[None])
    product = x.size * y.size
    if countable(last, product, "auto")[0]:
        attained = _two_sided(last[0].tobytes(), x.size, y.size)
        first = int(np.argmax(attained <= alpha * (1 + 1e-12)))  # 1 − (1 − alpha) is alpha but for rounding
        return first / (2 * product) if attained[first] <= alpha * (1 + 1e-12) else np.inf
    variance = float(u_variance(last, x.size, y.size)[0])
    return (float(ndtri(1 - alpha / 2)) * float(np.sqrt(variance)) + 0.5) / product if variance > 0 else np.inf


def deviation_pvalue(x: Floats, y: Floats, deviation: float) -> float:
    """Return the least alpha at which `critical_deviation` is at most a deviation: its inverse."""
    _, last = ranks.sort_pooled(x[None], y[None])
    product = x.size * y.size
    if countable(last, product, "auto")[0]:
        attained = _two_sided(last[0].tobytes(), x.size, y.size)
        return float(attained[min(floor(2 * product * deviation + 1e-9), product)])
    variance = float(u_variance(last, x.size, y.size)[0])
    return float(2 * ndtr(-(deviation * product - 0.5) / np.sqrt(variance))) if variance > 0 else 1.0


@lru_cache(maxsize=256)
def _two_sided(last: bytes, n_x: int, n_y: int) -> Floats:
    distribution = u_distribution(ranks.tie_groups(np.frombuffer(last, np.uint8)), n_x, n_y)
    # From the middle on, in steps of ½ of U: entry i is the p-value at |U/(n m) − ½| = i/(2 n m).
    attained = u_tails(distribution, np.arange(n_x * n_y, 2 * n_x * n_y + 1), n_x * n_y)[2]
    # Ties may keep U from its ends, which then are no rarer.
    return np.asarray(np.maximum(attained, attained[attained > 0].min()))
