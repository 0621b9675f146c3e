"""Resamples of whole runs: drawn once, reduced at every step."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from runoff._kernels._jit import kernel
from runoff._kernels.bootstrap.resample import FIRST_TRIM, draw_counts, task_statistics, trimmed_counts, trimmed_weights
from runoff.base.arrays import Counts, Floats, Ints, Positions, Words


class Along(NamedTuple):
    """One algorithm's scores along training, runs in the same order at every step.

    values, shortfall : (n_steps, n_scores) by task, then run; offsets : (n_tasks + 1,)
    order : (n_steps, n_scores) positions in `values`, ascending; ranked, weights : the scores in that order, and their weights
    cut : weight to trim from each end, and column : the statistic, both as in `kernels.bootstrap.resample`
    whole : weights are 1 and the cut an integer
    rows : (n_scores,) the run of each value where tasks share n_shared runs, 0 where they do not
    """

    values: Floats
    shortfall: Floats
    offsets: Ints
    order: Positions
    ranked: Floats
    weights: Floats
    cut: float
    column: int
    whole: bool
    rows: Ints
    n_shared: int


@kernel
def share_counts(words: Words, n_shared: int, rows: Ints, counts: Counts) -> None:
    """Fill `counts` (n_scores,) with how often the run of each score is drawn by `words` (≥ n_shared,)."""
    drawn = np.zeros(n_shared, np.int32)
    for k in range(n_shared):
        drawn[(np.uint64(words[k]) * np.uint64(n_shared)) >> np.uint64(32)] += np.int32(1)
    for i in range(counts.size):
        counts[i] = drawn[rows[i]]


@kernel
def resample_steps(words: Words, along: Along, out: Floats) -> None:
    """Fill `out` (block, n_steps) with a metric of resamples of whole runs: one draw for all steps. words (block, ≥ n_scores) random bits."""
    values, offsets, order, ranked, weights = along.values, along.offsets, along.order, along.ranked, along.weights
    n_steps, n_scores = values.shape
    counts, means, work, row = np.empty(n_scores, np.int32), np.empty(offsets.size - 1), np.empty(n_scores), np.empty(3)
    for b in range(words.shape[0]):
        if along.n_shared > 0:
            share_counts(words[b], along.n_shared, along.rows, counts)
        else:
            draw_counts(words[b], offsets, along.whole, counts)
        for s in range(n_steps):
            if along.column < FIRST_TRIM:
                task_statistics(counts, values[s], along.shortfall[s], offsets, means, row)
                out[b, s] = row[along.column]
            elif along.whole:
                out[b, s] = trimmed_counts(counts, order[s], ranked[s], int(along.cut))
            else:
                for i in range(n_scores):
                    work[i] = counts[order[s, i]] * weights[s, i]
                out[b, s] = trimmed_weights(work, ranked[s], along.cut, np.float64(n_scores))
