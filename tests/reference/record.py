"""Slow, obvious twins of the record of an estimate: every run left out by hand, plain sums."""

from __future__ import annotations

from itertools import product

import numpy as np
from scipy import stats


def interquartile_mean(values, weights, cut=0.25):
    """The mean of the values between the cuts, each counting with the part of its weight that lies between them."""
    above, total = 0.0, 0.0
    for value, weight in sorted(zip(values, weights, strict=True)):
        inside = min(above + weight, 1 - cut) - max(above, cut)
        total += max(inside, 0.0) * value
        above += weight
    return total / (1 - 2 * cut)


def measure(cells, name, n=None):
    """An aggregate of cells, every task weighing the same; of n runs, from which the share of whole ones follows."""
    if name == "median":
        return float(np.median([np.mean(cell) for cell in cells]))
    if name == "mean":
        return float(np.mean([np.mean(cell) for cell in cells]))
    if name == "optimality_gap":
        return measure([np.maximum(1.0 - np.asarray(cell), 0.0) for cell in cells], "mean")
    weights = [1 / (len(cells) * len(cell)) for cell in cells for _ in cell]
    n = n or len(weights)
    cut = {"iqm": 0.25, "iqm_whole": int(n / 4) / n, "trimmed_mean_10": 0.1}[name]
    return interquartile_mean(np.concatenate(cells), weights, cut)


def rows(cells, name):
    """What each run adds to the error, task after task, runs in their order."""
    every, total = [], sum(map(len, cells))
    for t, cell in enumerate(cells):
        left = [measure([*cells[:t], np.delete(cell, i), *cells[t + 1 :]], name, total) for i in range(len(cell))]
        n = len(cell)
        every.append([((n - 1) / n) ** 0.5 * (value - np.mean(left)) for value in left])
    return every


def variances(cells, name):
    """What the runs of each task add to the squared error."""
    return np.array([sum(row**2 for row in task) for task in rows(cells, name)])


def satterthwaite(parts, freedom, c=0.0):
    """Degrees of freedom of a sum of variances."""
    df = sum(parts) ** 2 / sum(v**2 / (d + c) for v, d in zip(parts, freedom, strict=True)) - c
    return min(max(df, min(freedom)), sum(freedom))


def difference(x, y, name, level):
    """The difference of two sides, half the width of its interval, and its p-value: the wider of Welch's and Student's."""
    a, b = variances(x, name), variances(y, name)
    n, m = [len(cell) for cell in x], [len(cell) for cell in y]
    c = 1.0 if name in ("mean", "optimality_gap") and len(x) >= 10 else 0.0
    welch = sum(a) + sum(b), satterthwaite([*a, *b], [k - 1 for k in [*n, *m]], c)
    pooled = [
        ((k - 1) * k * v + (j - 1) * j * w) / (k + j - 2) * (1 / k + 1 / j)
        for k, j, v, w in zip(n, m, a, b, strict=True)
    ]
    student = sum(pooled), satterthwaite(pooled, [k + j - 2 for k, j in zip(n, m, strict=True)])
    lead = measure(x, name) - measure(y, name)
    halves = [stats.t.ppf((1 + level) / 2, df) * v**0.5 for v, df in (welch, student)]
    pvalues = [2 * stats.t.sf(abs(lead) / v**0.5, df) for v, df in (welch, student)]
    return lead, max(halves), max(pvalues)


def chance(a, b):
    """The chance that a run of a beats one of b, and its squared error."""
    n, m = len(a), len(b)
    wins = {(i, j): float(u > v) + 0.5 * float(u == v) for (i, u), (j, v) in product(enumerate(a), enumerate(b))}
    of_a = [np.mean([wins[i, j] for j in range(m)]) for i in range(n)]
    of_b = [np.mean([wins[i, j] for i in range(n)]) for j in range(m)]
    value, e = float(np.mean(of_a)), 3 * n * m / (n + m + 1)
    theta = (value * e + 2) / (e + 4)
    q, r = theta / (2 - theta), 2 * theta**2 / (1 + theta)
    guarded = (theta * (1 - theta) + (n - 1) * (q - theta**2) + (m - 1) * (r - theta**2)) / (n * m)
    return value, (np.var(of_a, ddof=1) / n + np.var(of_b, ddof=1) / m + guarded) / 2


def improvement(x, y, level):
    """The probability of improvement over two tasks or more, half the width of its interval, and its p-value."""
    chances, squares = zip(*(chance(a, b) for a, b in zip(x, y, strict=True)), strict=True)
    parts = [square / len(x) ** 2 for square in squares]
    freedom = [2 * min(len(a), len(b)) - 2 for a, b in zip(x, y, strict=True)]
    df, error = satterthwaite(parts, freedom), sum(parts) ** 0.5
    value = float(np.mean(chances))
    return value, stats.t.ppf((1 + level) / 2, df) * error, 2 * stats.t.sf(abs(value - 0.5) / error, df)


def chance_to_beat(own, others):
    """The chance to beat a run of the others and its squared error by task, all tasks met by all."""
    n_tasks, value, parts = len(own), 0.0, []
    for t, x in enumerate(own):
        rivals, weight = [other[t] for other in others], 1 / len(others) / n_tasks
        above = [[[1.0 if a > b else 0.5 if a == b else 0.0 for b in y] for a in x] for y in rivals]
        chance = sum(np.mean(table) for table in above) / len(others)
        of_x = [sum(np.mean(table[i]) for table in above) * weight for i in range(len(x))]
        of_y = [[np.mean([row[j] for row in table]) for j in range(len(table[0]))] for table in above]
        spread = np.var(of_x, ddof=1) / len(x) + sum(weight**2 * np.var(y, ddof=1) / len(y) for y in of_y)
        n, m = len(x), sum(map(len, rivals))
        e = 3 * n * m / (n + m + 1)
        theta = (chance * e + 2) / (e + 4)
        q, r = theta / (2 - theta), 2 * theta**2 / (1 + theta)
        guard = (theta * (1 - theta) + (n - 1) * (q - theta**2) + (m - 1) * (r - theta**2)) / (n * m) / n_tasks**2
        value += chance / n_tasks
        parts.append((spread + guard) / 2)
    return value, parts
