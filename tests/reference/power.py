"""Slow twins of `runoff._inference.power`: integrals over the sample deviation, simulated experiments, every allocation tried."""

from __future__ import annotations

import numpy as np
from scipy import integrate, stats


def t_power(shift, df, alpha, two_sided=True):
    """Return P(T' > t) or P(|T'| > t): Φ integrated over the law of s / σ, which is χ / √df."""
    t = stats.t.isf(alpha / 2 if two_sided else alpha, df)

    def given(s):
        above = stats.norm.sf(t * s - shift) + (stats.norm.cdf(-t * s - shift) if two_sided else 0.0)
        return above * stats.chi.pdf(s * df**0.5, df) * df**0.5

    return integrate.quad(given, 0, 1 + 40 / df**0.5, epsabs=1e-12, limit=500)[0]


def averaged_power(difference, df, alpha, nodes=1_000, freedom=None):
    """Return P(|T'| > t), averaged over equally likely s / σ of the estimated error: the law of s integrated over the normal part of T'.

    df: of the estimated error; freedom: of the test, by default as many.
    """
    freedom = freedom or df
    t, z = stats.t.isf(alpha / 2, freedom), np.linspace(-9, 9, 2_001)
    errors = stats.chi.ppf((np.arange(nodes) + 0.5) / nodes, df) / df**0.5
    beyond = [stats.chi.cdf(freedom**0.5 * np.abs(z + difference * error) / t, freedom) for error in errors]
    return float(np.mean(beyond, axis=0) @ stats.norm.pdf(z) * (z[1] - z[0]))


def simulated(test, effect, stds, sizes, alpha, alternative, n_repeats=200_000, seed=0):
    """Return the share of simulated experiments in which SciPy's test rejects, and its standard error."""
    rng = np.random.default_rng(seed)
    x = rng.normal(effect, stds[0], (n_repeats, sizes[0]))
    if test == "one_sample":
        p = stats.ttest_1samp(x, 0.0, axis=1, alternative=alternative).pvalue
    else:
        y = rng.normal(0.0, stds[1], (n_repeats, sizes[1]))
        p = stats.ttest_ind(x, y, axis=1, equal_var=test == "student", alternative=alternative).pvalue
    rate = float((p <= alpha).mean())
    return rate, (rate * (1 - rate) / n_repeats) ** 0.5


def cheapest(power_of, power, cost, limit):
    """Return the cheapest of all (n, m) that have the power and cost at most `limit`, of equally cheap ones the most alike."""
    allocations = [
        (n * cost[0] + m * cost[1], abs(n - m), (n, m))
        for n in range(2, int(limit / cost[0]) + 1)
        for m in range(2, int((limit - n * cost[0]) / cost[1] + 1e-9) + 1)
        if power_of((n, m)) >= power
    ]
    return min(allocations)[2]
