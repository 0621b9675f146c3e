"""Probability of improvement: how often a run of x beats a run of y, ties counting half, and its bootstrap."""

from __future__ import annotations

import numpy as np

from runoff._arrays import Counts, Floats, Ints, Words
from runoff._kernels._jit import kernel
from runoff._kernels.bootstrap.resample import count_draws


def beaten(x: Floats, y: Floats) -> tuple[Ints, Ints]:
    """Return for each of x (n_x,) the number of sorted y (n_y,) below it, and not above it."""
    return np.searchsorted(y, x, side="left"), np.searchsorted(y, x, side="right")


@kernel
def improvement(
    counts_x: Counts, counts_y: Counts, below: Ints, not_above: Ints, offsets_x: Ints, offsets_y: Ints
) -> float:
    """Return the mean over tasks of P(x > y) + P(x = y) / 2 for samples given as counts.

    counts, below, not_above (n_scores,), the latter two within a task as from `beaten`; offsets (n_tasks + 1,). Agarwal et al. 2021 §4.3.
    """
    n_tasks = offsets_x.size - 1
    total = 0.0
    for t in range(n_tasks):
        first_y, n_y = offsets_y[t], offsets_y[t + 1] - offsets_y[t]
        ahead = np.empty(n_y + 1, np.int64)
        ahead[0] = 0
        for j in range(n_y):
            ahead[j + 1] = ahead[j] + counts_y[first_y + j]
        wins = np.int64(0)
        for i in range(offsets_x[t], offsets_x[t + 1]):
            wins += counts_x[i] * (ahead[below[i]] + ahead[not_above[i]])
        total += wins / (2.0 * n_y * (offsets_x[t + 1] - offsets_x[t]))
    return total / n_tasks


@kernel
def resample_improvement(
    words_x: Words, words_y: Words, below: Ints, not_above: Ints, offsets_x: Ints, offsets_y: Ints, out: Floats
) -> None:
    """Fill `out` (block,) with the probability of improvement of resamples of the runs of x and y within each task."""
    counts_x, counts_y = np.empty(offsets_x[-1], np.int32), np.empty(offsets_y[-1], np.int32)
    for b in range(words_x.shape[0]):
        counts_x[:] = 0
        counts_y[:] = 0
        for t in range(offsets_x.size - 1):
            count_draws(words_x[b], offsets_x[t], offsets_x[t + 1], counts_x)
            count_draws(words_y[b], offsets_y[t], offsets_y[t + 1], counts_y)
        out[b] = improvement(counts_x, counts_y, below, not_above, offsets_x, offsets_y)
