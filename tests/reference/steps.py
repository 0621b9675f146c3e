"""Slow, obvious twins of what is done along training: plain loops over runs, draws and steps."""

from __future__ import annotations

from itertools import combinations, pairwise, product

import numpy as np
from scipy import stats

from tests.reference.bootstrap import statistics


def interpolated(steps, values, at):
    """One run's score at a step between two of its evaluations; None outside."""
    for (s0, v0), (s1, v1) in pairwise(zip(steps, values, strict=True)):
        if s0 <= at <= s1:
            return v0 + (v1 - v0) * (at - s0) / (s1 - s0)
    return None


def whole_run_replicates(cells, words, column):
    """Replicates (n_resamples, n_steps): word u of a cell of c runs is run floor(u · c / 2³²), with all its steps; runs by their last scores."""
    ordered = [sorted(cell.tolist(), key=lambda run: run[::-1]) for cell in cells]
    out = []
    for row in words:
        used, drawn = 0, []
        for runs in ordered:
            drawn.append([runs[int(row[used + k]) * len(runs) // 2**32] for k in range(len(runs))])
            used += len(runs)
        n_steps = cells[0].shape[1]
        out.append([statistics([[run[s] for run in runs] for runs in drawn])[column] for s in range(n_steps)])
    return np.array(out)


def stratified_pvalues(x, y):
    """P-values (n_steps,) of Welch's t of the mean over tasks of differences; x, y: runs (n_runs, n_steps) of each task."""
    difference = sum(a.mean(axis=0) - b.mean(axis=0) for a, b in zip(x, y, strict=True))
    parts = [(runs.var(axis=0, ddof=1) / len(runs), len(runs) - 1) for runs in (*x, *y)]
    variance = sum(part for part, _ in parts)
    freedom = variance**2 / sum(part**2 / df for part, df in parts)
    return 2 * stats.t.sf(np.abs(difference) / np.sqrt(variance), freedom)


def max_t_pvalues(x, y):
    """Max-T p-values (n_steps,) by all relabellings of whole runs within tasks, one after the other."""
    pooled = [np.concatenate(pair) for pair in zip(x, y, strict=True)]
    ways = [combinations(range(len(runs)), len(a)) for runs, a in zip(pooled, x, strict=True)]
    smallest = []
    for chosen in product(*map(list, ways)):
        sides = [(runs[list(own)], np.delete(runs, own, axis=0)) for runs, own in zip(pooled, chosen, strict=True)]
        smallest.append(stratified_pvalues([a for a, _ in sides], [b for _, b in sides]).min())
    return np.array([np.mean(np.array(smallest) <= p * (1 + 1e-9)) for p in stratified_pvalues(x, y)])


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
