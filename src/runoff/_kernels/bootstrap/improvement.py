"""Probability of improvement: how often a run of x beats a run of y, ties counting half, and its bootstrap."""

from __future__ import annotations

import numpy as np

from runoff._kernels._jit import kernel
from runoff._kernels.bootstrap.resample import count_draws
from runoff.base.arrays import Counts, Floats, Ints, Words


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


@kernel
def task_improvements(
    counts: Counts, running: Counts, below: Ints, not_above: Ints, offsets_x: Ints, offsets_y: Ints, out: Floats
) -> None:
    """Fill `out` (block, n_tasks) with P(x > y) + P(x = y) / 2 of each task, of samples given as counts, as for `improvements`."""
    for b in range(out.shape[0]):
        for t in range(out.shape[1]):
            first = offsets_y[t] + t
            wins = np.int64(0)
            for i in range(offsets_x[t], offsets_x[t + 1]):
                wins += counts[b, i] * np.int64(running[b, first + below[i]] + running[b, first + not_above[i]])
            out[b, t] = wins / (2.0 * (offsets_y[t + 1] - offsets_y[t]) * (offsets_x[t + 1] - offsets_x[t]))


@kernel
def improvements_over_tasks(
    words_x: Words,
    words_y: Words,
    slots: Ints,
    below: Ints,
    not_above: Ints,
    offsets_x: Ints,
    offsets_y: Ints,
    out: Floats,
) -> None:
    """Fill `out` (block,) with the mean over drawn tasks of P(x > y) + P(x = y) / 2, the runs of both sides redrawn in each.

    words (block, ≥ n_tasks · most runs) random bits of each side; slots (block, n_tasks) the drawn tasks, the same for both sides; below,
    not_above (n_scores of x,) as from `beaten`.
    """
    n_tasks = offsets_x.size - 1
    running = np.empty(np.diff(offsets_y).max() + 1, np.int64)
    for b in range(out.size):
        total, word_x, word_y = 0.0, 0, 0
        for s in range(n_tasks):
            first = offsets_x[slots[b, s]]
            n_x = np.uint64(offsets_x[slots[b, s] + 1] - first)
            n_y = np.uint64(offsets_y[slots[b, s] + 1] - offsets_y[slots[b, s]])
            running[: n_y + np.uint64(1)] = 0
            for _ in range(n_y):
                running[1 + ((np.uint64(words_y[b, word_y]) * n_y) >> np.uint64(32))] += 1
                word_y += 1
            for j in range(n_y):
                running[j + 1] += running[j]
            wins = np.int64(0)
            for _ in range(n_x):
                i = first + np.int64((np.uint64(words_x[b, word_x]) * n_x) >> np.uint64(32))
                word_x += 1
                wins += running[below[i]] + running[not_above[i]]
            total += wins / (2.0 * n_x * n_y)
        out[b] = total / n_tasks
