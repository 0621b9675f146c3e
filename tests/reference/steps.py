"""Slow, obvious twins of what is done along training: plain loops over runs, draws and steps."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from scipy import stats


def interpolated(steps, values, at):
    """One run's score at a step between two of its evaluations; None outside."""
    for (s0, v0), (s1, v1) in pairwise(zip(steps, values, strict=True)):
        if s0 <= at <= s1:
            return v0 + (v1 - v0) * (at - s0) / (s1 - s0)
    return None


def errors_of(cells):
    """What the runs (n_runs, n_steps) of each task add to the squared error of the mean over tasks: lists by task and step."""
    return [[float(np.var(step, ddof=1)) / len(runs) / len(cells) ** 2 for step in runs.T] for runs in cells]


def steadied_errors(cells):
    """The same, no step below (8 mean over the steps + (n − 1) own) / (n + 7)."""
    errors = []
    for runs, own in zip(cells, errors_of(cells), strict=True):
        n, mean = len(runs), sum(own) / len(own)
        errors.append([max(v, (8 * mean + (n - 1) * v) / (n + 7)) for v in own])
    return errors


def step_pvalues(x, y, errors=errors_of):
    """P-values (n_steps,) of the mean over tasks of differences, the larger of Welch's and Student's; x, y: runs (n_runs, n_steps) of tasks."""
    pvalues, sides = [], (errors(x), errors(y))
    for s in range(x[0].shape[1]):
        difference = np.mean([a[:, s].mean() - b[:, s].mean() for a, b in zip(x, y, strict=True)])
        welch, student = [], []
        for a, b, v, w in zip(x, y, *sides, strict=True):
            n, m = len(a), len(b)
            welch += [(v[s], n - 1), (w[s], m - 1)]
            pooled = ((n - 1) * n * v[s] + (m - 1) * m * w[s]) / (n + m - 2)
            student.append((pooled * (1 / n + 1 / m), n + m - 2))
        both = []
        for parts in (welch, student):
            variance = sum(part for part, _ in parts)
            freedom = variance**2 / sum(part**2 / df for part, df in parts)
            both.append(2 * stats.t.sf(abs(difference) / np.sqrt(variance), freedom))
        pvalues.append(max(both))
    return np.array(pvalues)


def joint_pvalues(x, y, n_draws=100_000):
    """P-values (n_steps,) of all steps together, from normal steps with the correlation of the runs about the means of their cells."""
    rows = [
        (runs - runs.mean(axis=0)) / np.sqrt(len(runs) * (len(runs) - 1)) / len(side)
        for side in (x, y)
        for runs in side
    ]
    total = np.concatenate(rows)
    correlation = total.T @ total
    size = np.sqrt(np.diag(correlation))
    correlation = correlation / np.outer(size, size)
    mixed = (1 - 1 / len(total)) * correlation + np.eye(len(size)) / len(total)
    normal = np.random.default_rng(0).multivariate_normal(np.zeros(len(size)), mixed, n_draws)
    smallest = 2 * stats.norm.sf(np.abs(normal).max(axis=1))
    own, steady = step_pvalues(x, y), step_pvalues(x, y, steadied_errors)
    drawn = np.array([np.mean(smallest <= p) for p in steady])
    return np.minimum(np.maximum(np.minimum(drawn, len(own) * steady), own), 1.0)


def rueger(pvalues, directions, criterion):
    """The p-value of Colas' criterion: of the steps of one direction, the one that has to reject, times N_c / N_crit."""
    n = len(pvalues)
    needed = max(1, int(criterion * n))
    best = 1.0
    for sign in (1, -1):
        own = sorted(p for p, d in zip(pvalues, directions, strict=True) if d == sign)
        if len(own) > needed:
            best = min(best, own[needed] * n / needed)
    return best


def welch(x, y):
    """SciPy's p-values of Welch's t, (n_steps,), on one task."""
    return stats.ttest_ind(x, y, axis=0, equal_var=False).pvalue
