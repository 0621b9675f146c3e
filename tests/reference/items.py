"""Items and rollouts, written plainly: every table, and the nuisance by a search."""

from __future__ import annotations

from itertools import combinations
from math import comb, sqrt

import numpy as np
from scipy import optimize, stats


def most_likely(won, lost, n, shift):
    """The rate at which the second alone solves that makes (won, lost) most likely, the first's being shift higher."""
    low, high = max(0.0, -shift), (1 - shift) / 2

    def unlikely(q):
        rates = np.maximum([q + shift, q, 1 - 2 * q - shift], 1e-300)
        return -sum(
            count * np.log(rate) for count, rate in zip([won, lost, n - won - lost], rates, strict=True) if count
        )

    if high - low < 1e-12:
        return low
    best = optimize.minimize_scalar(unlikely, bounds=(low, high), method="bounded", options={"xatol": 1e-13}).x
    return min((low, best, high), key=unlikely)


def score(won, lost, n, shift):
    q = most_likely(won, lost, n, shift)
    lead = won - lost - n * shift
    return 0.0 if abs(lead) < 1e-9 else lead / sqrt(max(n * (2 * q + shift - shift**2), 1e-12))


def tail(won, lost, n, shift):
    """The chance of a score as high over all tables."""
    t, q, total = score(won, lost, n, shift), most_likely(won, lost, n, shift), 0.0
    p = q + shift
    for a in range(n + 1):
        for b in range(n - a + 1):
            if score(a, b, n, shift) >= t - 1e-6:
                total += comb(n, a) * comb(n - a, b) * p**a * q**b * max(1 - p - q, 0.0) ** (n - a - b)
    return total


def clustered(leads, clusters):
    """Mean, its variance by clusters (CR2 of an intercept), and its degrees of freedom, all by matrices (Pustejovsky & Tipton 2018)."""
    n, names = len(leads), sorted(set(clusters))
    hat = np.full((n, n), 1 / n)
    residuals = (np.eye(n) - hat) @ np.asarray(leads)
    variance, parts = 0.0, []
    for name in names:
        own = np.array([cluster == name for cluster in clusters])
        size = own.sum()
        # The adjustment of the residuals of one cluster by an intercept: (1 − n_g/N)^−½ along its mean.
        weight = own / sqrt(1 - size / n) / n
        variance += float(weight @ residuals) ** 2
        parts.append((np.eye(n) - hat) @ weight)
    products = np.array([[a @ b for b in parts] for a in parts])
    return float(np.mean(leads)), variance, np.trace(products) ** 2 / (products**2).sum()


def scaled_interval(leads, clusters, level, least=0.0):
    """The differences at which the scaled score is no further out than t, on a fine grid."""
    mean, variance, df = clustered(leads, clusters)
    n, b, c = len(leads), sum(d for d in leads if d > 0), sum(-d for d in leads if d < 0)
    deff = max(variance / (((b + c) / n - mean**2) / n), least)
    most = stats.t.ppf((1 + level) / 2, df) * sqrt(deff)
    grid = np.linspace(-1, 1, 4001)
    kept = [d for d in grid if abs(tango_closed(b, c, n, d)) <= most]
    return min(kept), max(kept)


def tango_closed(b, c, n, d):
    """Tango's score by the roots of his equation, by NumPy's solver."""
    # 2n q² + (−b − c + (2n − b + c)d) q − c d(1 − d) = 0, the larger root.
    q = max(np.roots([2 * n, -b - c + (2 * n - b + c) * d, -c * d * (1 - d)]).real)
    return (b - c - n * d) / sqrt(max(n * (2 * q + d * (1 - d)), 1e-12))


def effective_items(values, clusters):
    """The number of items that clusters are worth for one mean: the smaller of two, cluster by cluster (Korn & Graubard 1998)."""
    n, mean, names = len(values), sum(values) / len(values), sorted(set(clusters))
    groups = [[v for v, own in zip(values, clusters, strict=True) if own == name] for name in names]
    variance = sum(sum(v - mean for v in group) ** 2 / (1 - len(group) / n) for group in groups) / n**2
    if variance <= 1e-14:
        return float(len(names))
    between = sum(len(g) * (sum(g) / len(g) - mean) ** 2 for g in groups) / (len(groups) - 1)
    within = sum((v - sum(g) / len(g)) ** 2 for g in groups for v in g) / max(n - len(groups), 1)
    squares = sum(len(g) ** 2 for g in groups) / n
    typical = (n - squares) / (len(groups) - 1)
    icc = min(max((between - within) / max(between + (typical - 1) * within, 1e-12), 0), 1)
    return min(mean * (1 - mean) / variance, n / (1 + (squares - 1) * icc), n)


def pass_at(outcomes, k, every):
    """The share of all choices of k attempts of one item of which one succeeds, or all do."""
    chosen = list(combinations(outcomes, k))
    return sum((all if every else any)(choice) for choice in chosen) / len(chosen)


def mover(lines, weights):
    """The weighted mean of (estimate, low, high) of each line, and its interval, term by term."""
    mean = sum(w * d for w, (d, _, _) in zip(weights, lines, strict=True))
    below = sum((w * (d - low)) ** 2 for w, (d, low, _) in zip(weights, lines, strict=True))
    above = sum((w * (high - d)) ** 2 for w, (d, _, high) in zip(weights, lines, strict=True))
    return mean, mean - sqrt(below), mean + sqrt(above)
