"""Where a lead comes from, written plainly: the mean without the extreme tasks, every relabelling, an interval from its χ² law."""

from __future__ import annotations

from itertools import combinations, product
from math import ceil, sqrt

import numpy as np
from scipy import stats


def few(leads, error):
    """The k = ⌈T/10⌉ highest leads where the mean of those between lies an error below half of the mean; error: of weights by task."""
    n, order = len(leads), sorted(range(len(leads)), key=lambda t: -leads[t])
    k = ceil(n / 10)
    between = order[k : n - k]
    shortfall = np.mean([leads[t] for t in between]) - np.mean(leads) / 2
    weights = [(t in between) / len(between) - 1 / (2 * n) for t in range(n)]
    return order[:k] if n >= 5 and np.mean(leads) > 0 and shortfall <= -error(weights) else []


def error_by_task(squares):
    return lambda weights: sqrt(sum(w**2 * square for w, square in zip(weights, squares, strict=True)))


def squared_error(a, b):
    return np.var(a, ddof=1) / len(a) + np.var(b, ddof=1) / len(b)


def heterogeneity(x, y):
    """Cochran's Q with one weight for all tasks."""
    leads = [np.mean(a) - np.mean(b) for a, b in zip(x, y, strict=True)]
    return np.var(leads) * len(leads) / np.mean([squared_error(a, b) for a, b in zip(x, y, strict=True)])


def heterogeneity_pvalue(x, y):
    """The share of all relabellings within tasks, the mean lead taken off the runs of a, whose Q is as large."""
    common, observed = np.mean([np.mean(a) - np.mean(b) for a, b in zip(x, y, strict=True)]), heterogeneity(x, y)
    pooled = [np.concatenate([np.asarray(a) - common, b]) for a, b in zip(x, y, strict=True)]
    choices = [list(combinations(range(runs.size), len(a))) for runs, a in zip(pooled, x, strict=True)]
    hits = [
        heterogeneity(
            [runs[list(chosen)] for runs, chosen in zip(pooled, relabelling, strict=True)],
            [np.delete(runs, chosen) for runs, chosen in zip(pooled, relabelling, strict=True)],
        )
        >= observed * (1 - 1e-9)
        for relabelling in product(*choices)
    ]
    return np.mean(hits)


def errors_about_the_mean(x, y):
    """The mean squared error of the leads of shared runs about their mean, and the sum of squares of its covariances, less noise."""
    n, m, n_tasks = len(x), len(y), x.shape[1]
    centring = np.eye(n_tasks) - 1 / n_tasks
    covariance = centring @ (np.cov(x, rowvar=False) / n + np.cov(y, rowvar=False) / m) @ centring
    df = (1 / n + 1 / m) ** 2 / (1 / n**2 / (n - 1) + 1 / m**2 / (m - 1))
    trace, squares = np.trace(covariance), np.trace(covariance @ covariance)
    squares = (squares - trace**2 / df) * df**2 / (df - 1) / (df + 2)
    return trace / (n_tasks - 1), max(squares, trace**2 / (n_tasks - 1))


def tau_ends_of(leads, own, squared, level):
    """The ends of tau by the chi-squared law of the variance of leads."""
    total, k = np.var(leads, ddof=1), len(leads) - 1
    between = max(total - own, 0)
    df = (k * (between + own)) ** 2 / (k * between**2 + 2 * k * between * own + squared)
    ends = [total * df / stats.chi2.ppf(q, df) for q in ((1 + level) / 2, (1 - level) / 2)]
    return tuple(max(end - own, 0) ** 0.5 for end in ends)


def tau_ends(leads, squares, level):
    """The interval of the standard deviation of true leads: s² of the leads follows χ² with Satterthwaite's degrees of freedom."""
    n, total, own = len(leads), np.var(leads, ddof=1), np.mean(squares)
    variances = [max(total - own, 0.0) + square for square in squares]
    df = (n - 1) * sum(variances) ** 2 / n / sum(v**2 for v in variances)
    tails = (1 + level) / 2, (1 - level) / 2
    return tuple(sqrt(max(df * total / stats.chi2.ppf(tail, df) - own, 0.0)) for tail in tails)
