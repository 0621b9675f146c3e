"""Success rates over tasks, written plainly: the number of runs that counts, Wilson's ends as roots; scores with their nuisance by a search."""

from __future__ import annotations

from fractions import Fraction
from math import inf, log, sqrt

from scipy import stats
from scipy.optimize import brentq, minimize_scalar

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


def most_likely(x, m, y, n, shift):
    """The rate of the second that makes x of m and y of n most likely where the first's is shift higher, by a search."""
    low, high = max(0.0, -shift), min(1.0, 1.0 - shift)

    def unlikely(q):
        p = q + shift
        counts = ((x, p), (m - x, 1 - p), (y, q), (n - y, 1 - q))
        return -sum(k * log(max(rate, 1e-300)) for k, rate in counts if k)

    if high - low < 1e-12:
        return low
    best = minimize_scalar(unlikely, bounds=(low, high), method="bounded", options={"xatol": 1e-13}).x
    return min((low, best, high), key=unlikely)


def score(x, y, shift):
    """Miettinen and Nurminen's score of lists of cells of 0 and 1, task by task."""
    lead, variance = 0.0, 0.0
    for own, other in zip(x, y, strict=True):
        m, n = len(own), len(other)
        q = most_likely(sum(own), m, sum(other), n, shift)
        p = q + shift
        lead += sum(own) / m - sum(other) / n - shift
        variance += (p * (1 - p) / m + q * (1 - q) / n) * (m + n) / (m + n - 1)
    return 0.0 if abs(lead) < 1e-9 else lead / sqrt(max(variance, 1e-14))


def tail(x, m, y, n, shift):
    """The chance of a score as high of one task, over all its results."""

    def of(a, b):
        return score([[1.0] * a + [0.0] * (m - a)], [[1.0] * b + [0.0] * (n - b)], shift)

    q, least = most_likely(x, m, y, n, shift), of(x, y) - 1e-6
    first, second = stats.binom(m, min(max(q + shift, 0.0), 1.0)), stats.binom(n, q)
    results = ((a, b) for a in range(m + 1) for b in range(n + 1))
    return sum(first.pmf(a) * second.pmf(b) for a, b in results if of(a, b) >= least)


def pvalue(x, y, null=0.0):
    """Twice the smaller tail of the score of several tasks, which is normal."""
    return 2 * float(stats.norm.sf(abs(score(x, y, null))))


def interval(x, y, level):
    """The differences that neither normal tail rejects, by a search on both sides of the estimate."""
    t, value = quantile(inf, level), sum(sum(a) / len(a) - sum(b) / len(b) for a, b in zip(x, y, strict=True)) / len(x)
    low, high = (lambda d: score(x, y, d) - t), (lambda d: score(x, y, d) + t)
    return (
        -1.0 if low(-1 + 1e-9) < 0 else brentq(low, -1 + 1e-9, value),
        1.0 if high(1 - 1e-9) > 0 else brentq(high, value, 1 - 1e-9),
    )
