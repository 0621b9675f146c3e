"""Redrawn runs of a performance profile, reduced to shares above thresholds, or to the largest deviation over all thresholds."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from runoff._kernels._jit import kernel
from runoff.base.arrays import Floats, Ints, Words


class RedrawnRuns(NamedTuple):
    """One algorithm's runs as they are redrawn.

    offsets : (n_tasks + 1,); rows : (n_scores,) the run of each score, where whole runs are drawn
    n_rows : whole runs to draw from, 0 where runs are drawn within tasks
    fewer : by how many runs each draw is smaller than what it is drawn from: 0, or 1 (Rao & Wu 1988)
    """

    offsets: Ints
    rows: Ints
    n_rows: int
    fewer: int


@kernel
def draw(words: Words, drawn: RedrawnRuns, weights: Floats) -> None:
    """Fill `weights` (n_scores,) with how often each score is drawn, together as many as there are.

    words: random bits, ≥ n_scores, or n_rows.
    """
    weights[:] = 0.0
    if drawn.n_rows > 0:
        size = np.uint64(drawn.n_rows)
        # Rao & Wu 1988: n − 1 draws of weight n/(n − 1) have the variance of the estimate, n draws only (n − 1)/n of it.
        heavier = np.float64(drawn.n_rows) / np.float64(drawn.n_rows - drawn.fewer)
        often = np.zeros(drawn.n_rows)
        for k in range(drawn.n_rows - drawn.fewer):
            often[(np.uint64(words[k]) * size) >> np.uint64(32)] += heavier
        for i in range(weights.size):
            weights[i] = often[drawn.rows[i]]
        return
    for t in range(drawn.offsets.size - 1):
        start, end = np.uint64(drawn.offsets[t]), np.uint64(drawn.offsets[t + 1])
        size, less = end - start, np.uint64(drawn.fewer)
        heavier = np.float64(size) / np.float64(size - less)
        for k in range(start, end - less):
            weights[start + ((np.uint64(words[k]) * size) >> np.uint64(32))] += heavier


@kernel
def shares_above(weights: Floats, units: Floats, levels: Ints, total: float, out: Floats) -> None:
    """Fill `out` (n_thresholds,) with the weight of the scores above each; levels (n_scores,): how many thresholds each score is above."""
    out[:] = 0.0
    for i in range(weights.size):
        # A score is counted at the highest threshold that it is above; summed from above, each threshold then has all above it.
        if levels[i] > 0:
            out[levels[i] - 1] += weights[i] * units[i]
    summed = 0.0
    for j in range(out.size - 1, -1, -1):
        summed += out[j]
        out[j] = summed / total


@kernel
def resampled_deviations(
    words: Words, drawn: RedrawnRuns, units: Floats, levels: Ints, total: float, estimate: Floats, out: Floats
) -> None:
    """Fill `out` (block,) with the largest deviation of the resampled shares from `estimate` (n_thresholds,)."""
    weights, shares = np.empty(units.size), np.empty(estimate.size)
    for b in range(words.shape[0]):
        draw(words[b], drawn, weights)
        shares_above(weights, units, levels, total, shares)
        # A loop: numba compiles for a second to reduce an array.
        most = 0.0
        for j in range(shares.size):
            most = max(most, abs(shares[j] - estimate[j]))
        out[b] = most


@kernel
def task_means(weights: Floats, values: Floats, offsets: Ints, means: Floats) -> None:
    """Fill `means` (n_tasks,) with the weighted means, ascending."""
    for t in range(means.size):
        first, stop = offsets[t], offsets[t + 1]
        summed = 0.0
        for i in range(first, stop):
            summed += weights[i] * values[i]
        means[t] = summed / (stop - first)
    means.sort()


@kernel
def resampled_means_above(words: Words, drawn: RedrawnRuns, values: Floats, thresholds: Floats, out: Floats) -> None:
    """Fill `out` (block, n_thresholds) with the share of tasks whose mean is above each threshold, ascending."""
    weights, means = np.empty(values.size), np.empty(drawn.offsets.size - 1)
    for b in range(words.shape[0]):
        draw(words[b], drawn, weights)
        task_means(weights, values, drawn.offsets, means)
        below = 0
        for j in range(thresholds.size):
            while below < means.size and means[below] <= thresholds[j]:
                below += 1
            out[b, j] = (means.size - below) / means.size


@kernel
def mean_deviations(words: Words, drawn: RedrawnRuns, values: Floats, means: Floats, slack: float, out: Floats) -> None:
    """Fill `out` (block,) with the largest difference, over all thresholds, from the shares of the task means (n_tasks,), ascending.

    Means that differ by at most `slack`, a rounding error, are equal.
    """
    weights, again = np.empty(values.size), np.empty(means.size)
    n = means.size
    for b in range(words.shape[0]):
        draw(words[b], drawn, weights)
        task_means(weights, values, drawn.offsets, again)
        # The shares change only at means: both lists are walked at once, and compared after each mean.
        i, j, most = 0, 0, 0
        while i < n and j < n:
            at = min(means[i], again[j]) + slack
            while i < n and means[i] <= at:
                i += 1
            while j < n and again[j] <= at:
                j += 1
            most = max(most, abs(i - j))
        out[b] = most / n
