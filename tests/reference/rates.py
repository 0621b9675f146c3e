"""Success rates over tasks, written plainly: the number of runs that counts, Wilson's and Newcombe's ends as roots of their equations."""

from __future__ import annotations

from fractions import Fraction
from math import hypot, inf
from statistics import NormalDist

from scipy.optimize import brentq

PRIOR = 2


def effective(cells):
    """The mean rate of lists of 0 and 1, and the number of runs of one task that would have its variance."""
    sizes = [len(cell) for cell in cells]
    rates = [Fraction(int(sum(cell)), n) for cell, n in zip(cells, sizes, strict=True)]
    mean = sum(rates) / len(rates)
    if len(cells) == 1:
        return float(mean), float(sizes[0])
    if mean in (0, 1):
        return float(mean), float(len(cells) ** 2 / sum(Fraction(1, n) for n in sizes))
    whole = mean * (1 - mean)
    spread = [(n * p * (1 - p) + PRIOR * whole) / (n - 1 + PRIOR) for p, n in zip(rates, sizes, strict=True)]
    return float(mean), float(whole * len(cells) ** 2 / sum(v / n for v, n in zip(spread, sizes, strict=True)))


def wilson(cells, level):
    """The rates p with (p̂ − p)² = z² p (1 − p) / n, below and above p̂."""
    rate, n = effective(cells)
    z = NormalDist().inv_cdf((1 + level) / 2)

    def excess(p):
        return (rate - p) ** 2 - z * z * p * (1 - p) / n

    middle = (rate + z * z / (2 * n)) / (1 + z * z / n)
    low = 0.0 if rate == 0 else brentq(excess, 0.0, middle, xtol=1e-15)
    return low, 1.0 if rate == 1 else brentq(excess, middle, 1.0, xtol=1e-15)


def newcombe(x, y, level):
    """The ends of the difference of the rates of x and y: the distances to the ends of both, added in squares."""
    (p, _), (q, _), (low_p, high_p), (low_q, high_q) = effective(x), effective(y), wilson(x, level), wilson(y, level)
    return p - q - hypot(p - low_p, high_q - q), p - q + hypot(high_p - p, q - low_q)


def pvalue(x, y, null=0.0):
    """The smallest alpha at which the interval of level 1 − alpha leaves a difference out."""

    def inside(z):
        low, high = newcombe(x, y, 2 * NormalDist().cdf(z) - 1)
        return min(null - low, high - null) + (0.0 if z else -inf)

    return 1.0 if inside(1e-9) > 0 else 2 * NormalDist().cdf(-brentq(inside, 1e-9, 8.0))
