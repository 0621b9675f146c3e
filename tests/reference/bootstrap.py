"""Slow, obvious twins of the bootstrap kernels: plain Python lists, fractions, SciPy."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
from scipy import stats


def iqm(cells, proportion=0.25, exact=True):
    """The weighted trimmed mean of cells, every task weighing the same: one run at a time, in fractions of a run."""
    n = sum(len(cell) for cell in cells)
    pool = sorted((float(x), Fraction(n, len(cells) * len(cell))) for cell in cells for x in cell)
    cut = Fraction(proportion) * n if exact else Fraction(int(proportion * n))
    total, kept, below = Fraction(0), Fraction(0), Fraction(0)
    for x, weight in pool:
        part = max(Fraction(0), min(below + weight, n - cut) - max(below, cut))
        total += part * Fraction(x)
        kept += part
        below += weight
    return float(total / kept)


def statistics(cells, gamma=1.0, trims=(0.25,), exact=True):
    """Mean, median of task means, optimality gap and trimmed means, in the kernel's order."""
    means = [float(np.mean(cell)) for cell in cells]
    gap = float(np.mean([np.mean([max(gamma - x, 0.0) for x in cell]) for cell in cells]))
    return [float(np.mean(means)), float(np.median(means)), gap, *(iqm(cells, p, exact) for p in trims)]


def rliable_statistics(matrix, gamma=1.0):
    """What rliable computes on a rectangular matrix (n_runs, n_tasks)."""
    per_task = np.mean(matrix, axis=0)
    gap = gamma - np.mean(np.minimum(matrix, gamma))
    return [per_task.mean(), np.median(per_task), gap, stats.trim_mean(matrix, 0.25, axis=None)]


def resample(cells, words):
    """One resample: word u of a cell of c runs becomes the index floor(u · c / 2³²) into its sorted runs."""
    used, out = 0, []
    for cell in cells:
        ordered = sorted(cell)
        indices = [int(words[used + k]) * len(ordered) // 2**32 for k in range(len(ordered))]
        used += len(ordered)
        out.append([ordered[i] for i in indices])
    return out


def enumerate_means(cells):
    """All equally likely bootstrap means of tiny cells."""
    resamples = [[np.mean(draw) for draw in product(cell, repeat=len(cell))] for cell in cells]
    return np.array([np.mean(combination) for combination in product(*resamples)])


def jackknife(cells, gamma=1.0, trims=(0.25,), exact=True):
    """Every statistic without one run, run by run; whole runs are cut as the share that they are of all."""
    rows, n = [], sum(len(cell) for cell in cells)
    trims = trims if exact else tuple(Fraction(int(p * n), n) for p in trims)
    for t, cell in enumerate(cells):
        for i in range(len(cell)):
            ordered = sorted(cell)
            left = [sorted(c) for c in cells]
            left[t] = ordered[:i] + ordered[i + 1 :]
            rows.append(statistics(left, gamma, trims))
    return np.array(rows)


def improvement(x_cells, y_cells):
    """P(x > y) + P(x = y) / 2 by counting all pairs, averaged over tasks."""
    rates = [np.mean([(a > b) + 0.5 * (a == b) for a in x for b in y]) for x, y in zip(x_cells, y_cells, strict=True)]
    return float(np.mean(rates))
