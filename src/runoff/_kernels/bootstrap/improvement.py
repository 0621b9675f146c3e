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
def drawn_counts(words: Words, offsets: Ints, counts: Counts) -> None:
    """Fill `counts` (block, n_scores) with how often each run is drawn, within its task, by `words` (block, ≥ n_scores)."""
    for b in range(counts.shape[0]):
        for i in range(counts.shape[1]):
            counts[b, i] = 0
        for t in range(offsets.size - 1):
            count_draws(words[b], offsets[t], offsets[t + 1], counts[b])


@kernel
def running_counts(counts: Counts, offsets: Ints, running: Counts) -> None:
    """Fill `running` (block, n_scores + n_tasks) with the sums of `counts` (block, n_scores) before each run of a task, and of all of it."""
    for b in range(counts.shape[0]):
        for t in range(offsets.size - 1):
            total = np.int32(0)
            for j in range(offsets[t], offsets[t + 1]):
                running[b, j + t] = total
                total += counts[b, j]
            running[b, offsets[t + 1] + t] = total


@kernel
def improvements(
    counts: Counts, running: Counts, below: Ints, not_above: Ints, offsets_x: Ints, offsets_y: Ints, out: Floats
) -> None:
    """Fill `out` (block,) with the mean over tasks of P(x > y) + P(x = y) / 2 of samples given as counts.

    counts of x (block, n_scores); running (block, n_scores + n_tasks) of y, of `running_counts`; below, not_above (n_scores of x,) within a task
    as from `beaten`; offsets (n_tasks + 1,). Agarwal et al. 2021 §4.3.
    """
    n_tasks = offsets_x.size - 1
    for b in range(out.size):
        total = 0.0
        for t in range(n_tasks):
            first = offsets_y[t] + t
            wins = np.int64(0)
            for i in range(offsets_x[t], offsets_x[t + 1]):
                wins += counts[b, i] * np.int64(running[b, first + below[i]] + running[b, first + not_above[i]])
            total += wins / (2.0 * (offsets_y[t + 1] - offsets_y[t]) * (offsets_x[t + 1] - offsets_x[t]))
        out[b] = total / n_tasks
