"""Success rates over tasks, written plainly: the number of runs that counts, Wilson's and Newcombe's ends as roots of their equations."""

from __future__ import annotations

from fractions import Fraction
from math import hypot, inf

from scipy import stats
from scipy.optimize import brentq

PRIOR = 2


def effective(cells):
    """The mean rate of lists of 0 and 1, the number of runs of one task that would have its variance, and Satterthwaite's degrees of freedom."""
    sizes = [len(cell) for cell in cells]
    rates = [Fraction(int(sum(cell)), n) for cell, n in zip(cells, sizes, strict=True)]
    mean = sum(rates) / len(rates)
    if len(cells) == 1:
        return float(mean), float(sizes[0]), inf
    whole, shares = mean * (1 - mean), [Fraction(1)] * len(cells)
    if whole:
        spread = [(n * p * (1 - p) + PRIOR * whole) / (n - 1 + PRIOR) for p, n in zip(rates, sizes, strict=True)]
        shares = [v / whole for v in spread]
    parts = [share / n for share, n in zip(shares, sizes, strict=True)]
    df = sum(parts) ** 2 / sum(part**2 / (n - 1 + PRIOR) for part, n in zip(parts, sizes, strict=True))
    return float(mean), float(len(cells) ** 2 / sum(parts)), float(df)


def quantile(df, level):
    return (stats.norm if df == inf else stats.t(df)).ppf((1 + level) / 2)


def ends(rate, n, t):
    """The rates p with (p̂ − p)² = t² p (1 − p) / n, below and above p̂."""

    def excess(p):
        return (rate - p) ** 2 - t * t * p * (1 - p) / n

    middle = (rate + t * t / (2 * n)) / (1 + t * t / n)
    low = 0.0 if rate == 0 else brentq(excess, 0.0, middle, xtol=1e-15)
    return low, 1.0 if rate == 1 else brentq(excess, middle, 1.0, xtol=1e-15)


def wilson(cells, level):
    rate, n, df = effective(cells)
    return ends(rate, n, quantile(df, level))


def newcombe(x, y, level):
    """The ends of the difference of the rates of x and y: the distances to the ends of both, added in squares."""
    (p, n, f), (q, m, g) = effective(x), effective(y)
    t = quantile(inf if f == g == inf else (1 / n + 1 / m) ** 2 / (1 / n**2 / f + 1 / m**2 / g), level)
    (low_p, high_p), (low_q, high_q) = ends(p, n, t), ends(q, m, t)
    return p - q - hypot(p - low_p, high_q - q), p - q + hypot(high_p - p, q - low_q)


def pvalue(x, y, null=0.0):
    """The smallest alpha at which the interval of level 1 − alpha leaves a difference out."""

    def inside(alpha):
        low, high = newcombe(x, y, 1 - alpha)
        return min(null - low, high - null)

    return 1.0 if inside(1 - 1e-9) > 0 else brentq(inside, 1e-12, 1 - 1e-9, xtol=1e-16)
