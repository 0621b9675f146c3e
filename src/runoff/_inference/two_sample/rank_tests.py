"""Mann-Whitney, Brunner-Munzel and Kolmogorov-Smirnov; each sorts the pooled sample once."""

from __future__ import annotations

from functools import lru_cache
from math import comb

import numpy as np
from scipy.special import kolmogorov, ndtr, ndtri

from runoff._inference.about import SMALLEST
from runoff._inference.two_sample.closed_form import TwoSampleOptions, TwoSampleOutcome, choose, labels, t_outcome
from runoff._inference.two_sample.resampling import ENUMERABLE, permutation_test
from runoff._kernels.two_sample import parametric, ranks
from runoff._kernels.two_sample.permutation import BRUNNER_MUNZEL
from runoff._kernels.two_sample.ranks import gap_pvalues, largest_gap, u_distribution, u_tails
from runoff.base.arrays import Bools, Flags, Floats, Ints
from runoff.errors import DesignError

# Largest n_x · n_y: without ties the null is computed once per design and kept (100 × 100: 0.06 s), with ties once per pair
# (50 × 50: 6 ms); exact on demand up to 200 × 200 (1 s); Kolmogorov-Smirnov is linear in it (1000 × 1000: 5 ms).
COUNTABLE, COUNTABLE_WITH_TIES, COUNTABLE_ON_DEMAND, WALKABLE = 10_000, 2_500, 40_000, 1_000_000


@lru_cache(maxsize=64)
def untied_distribution(n_x: int, n_y: int) -> Floats:
    """Return the null distribution of U without ties, computed once per design."""
    return u_distribution(np.ones(n_x + n_y, dtype=np.int64), n_x, n_y)


def exact_u_pvalue(doubled_u: Ints, last: Flags, sizes: tuple[int, int], side: int) -> Floats:
    """Return exact p-values of U: one table for the pairs without ties, one distribution for each pair with."""
    untied = last.all(axis=1)
    pvalue = np.empty(doubled_u.size)
    if untied.any():
        tails = u_tails(untied_distribution(min(sizes), max(sizes)), doubled_u[untied], sizes[0] * sizes[1])
        pvalue[untied] = choose(side, *tails)
    for i in np.flatnonzero(~untied):
        distribution = u_distribution(ranks.tie_groups(last[i]), *sizes)
        pvalue[i] = choose(side, *u_tails(distribution, doubled_u[i : i + 1], sizes[0] * sizes[1]))[0]
    return pvalue


def normal_u_pvalue(doubled_u: Ints, last: Flags, sizes: tuple[int, int], side: int) -> Floats:
    """Return normal p-values of U with tie correction and a continuity correction of 1/2 (Lehmann 1975, eq. 1.36)."""
    n, product = sum(sizes), sizes[0] * sizes[1]
    variance = product / 12.0 * ((n + 1) - ranks.tie_term(last) / (n * (n - 1)))
    deviation = (doubled_u - product) / 2.0
    shifted = choose(side, deviation - 0.5, -deviation - 0.5, np.abs(deviation) - 0.5)
    z = np.zeros(shifted.shape)
    np.divide(shifted, np.sqrt(variance), out=z, where=variance > 0.0)
    tail = ndtr(-z)
    pvalue = np.where(variance > 0.0, tail if side != 2 else np.minimum(1.0, 2.0 * tail), 1.0)
    return np.maximum(pvalue, SMALLEST)


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


def mann_whitney(x: Floats, y: Floats, options: TwoSampleOptions) -> TwoSampleOutcome:
    """U = #(x > y) + #(x = y)/2. Exact: P over all relabellings of the mid-ranks, two-sided P(|U - n_x n_y/2| ≥ |u - n_x
    n_y/2|), for n_x n_y ≤ 10,000 (≤ 2,500 with ties; ≤ 40,000 on demand). Asymptotic: tie-corrected normal with
    continuity 1/2. SciPy's exact method ignores ties and R's falls back to the normal without asking, so both differ
    from ours with ties; coin and exactRankTests agree.
    """
    sizes = x.shape[1], y.shape[1]
    is_x, last = ranks.sort_pooled(x, y)
    doubled_u = ranks.placement_sums(is_x, last)[:, 0]
    exact = countable(last, sizes[0] * sizes[1], options.method)
    pvalue = np.empty(doubled_u.size)
    for chosen, rule in ((exact, exact_u_pvalue), (~exact, normal_u_pvalue)):
        if chosen.any():
            pvalue[chosen] = rule(doubled_u[chosen], last[chosen], sizes, options.side)
    method = labels(doubled_u.size, "asymptotic")
    method[exact] = "exact"
    return TwoSampleOutcome(
        statistic=doubled_u / 2.0, pvalue=pvalue, pvalue_error=np.zeros(doubled_u.size), method=method
    )


def critical_deviation(x: Floats, y: Floats, alpha: float) -> float:
    """Return the least |U / (n_x n_y) − ½| at which the two-sided Mann-Whitney test of runs x and y (n,) rejects; inf if none does."""
    _, last = ranks.sort_pooled(x[None], y[None])
    product = x.size * y.size
    if countable(last, product, "auto")[0]:
        distribution = u_distribution(ranks.tie_groups(last[0]), x.size, y.size)
        doubled_u = np.arange(product, 2 * product + 1)
        rejected = doubled_u[
            u_tails(distribution, doubled_u, product)[2] <= alpha * (1 + 1e-12)
        ]  # 1 − (1 − alpha) is alpha but for rounding
        return float(rejected[0] - product) / (2 * product) if rejected.size else np.inf
    n = x.size + y.size
    variance = product / 12.0 * ((n + 1) - float(ranks.tie_term(last)[0]) / (n * (n - 1)))
    return (float(ndtri(1 - alpha / 2)) * float(np.sqrt(variance)) + 0.5) / product if variance > 0 else np.inf


def brunner_munzel_t(x: Floats, y: Floats) -> parametric.TStatistic:
    """Return the Brunner-Munzel statistic, positive where x tends to be larger, and its degrees of freedom."""
    n_x, n_y = x.shape[1], y.shape[1]
    sums = ranks.placement_sums(*ranks.sort_pooled(x, y))
    variance_x, variance_y = ranks.placement_variances(sums, n_x, n_y)
    product = n_x * n_y
    centred = sums[:, 0] / (2.0 * product) - 0.5
    return parametric.welch(centred, variance_x * n_x / product**2, variance_y * n_y / product**2, n_x - 1, n_y - 1)


def brunner_munzel(x: Floats, y: Floats, options: TwoSampleOptions) -> TwoSampleOutcome:
    """T = (p̂ - 1/2) / sqrt(s_x²/n_x + s_y²/n_y) with s² the variances of the placements over the other sample's size; t
    with Satterthwaite df, or its permutation distribution (Neubert & Brunner 2007) where there are ≤ 200,000
    relabellings. Our sign is that of x - y; SciPy and R's packages have the opposite sign.
    """
    sizes = x.shape[1], y.shape[1]
    t = brunner_munzel_t(x, y)
    few = comb(sum(sizes), sizes[0]) <= ENUMERABLE
    if options.method == "asymptotic" or (options.method == "auto" and not few):
        return t_outcome(t, sizes, options.side)
    return permutation_test(x, y, options, statistic=t[0], kind=BRUNNER_MUNZEL)


def kolmogorov_smirnov(x: Floats, y: Floats, options: TwoSampleOptions) -> TwoSampleOutcome:
    """D = max |F_x - F_y|; exact by counting paths, conditional on ties."""
    product = x.shape[1] * y.shape[1]
    is_x, last = ranks.sort_pooled(x, y)
    gaps = largest_gap(is_x, last, x.shape[1])
    exact = options.method == "exact" or (options.method == "auto" and product <= WALKABLE)
    statistic = gaps / product
    scaled = np.sqrt(product / (x.shape[1] + y.shape[1])) * statistic
    pvalue = gap_pvalues(gaps, last, x.shape[1]) if exact else np.asarray(kolmogorov(scaled))
    return TwoSampleOutcome(
        statistic=statistic,
        pvalue=np.maximum(pvalue, SMALLEST),
        pvalue_error=np.zeros(gaps.size),
        method=labels(gaps.size, "exact" if exact else "asymptotic"),
    )
