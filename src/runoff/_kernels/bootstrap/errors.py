"""Standard errors for studentised intervals: the delta method on each resample."""

from __future__ import annotations

import numpy as np

from runoff._kernels._jit import kernel
from runoff._kernels.bootstrap import resample
from runoff.base.arrays import Counts, Floats, Ints, Words


@kernel
def mean_variance(counts: Counts, values: Floats, offsets: Ints, low: float, high: float, out: Floats) -> None:
    """Fill `out` (n_tasks,) with the squared standard error of each task's mean of the values clipped to [low, high].

    In two passes: a difference of sums of squares would lose the digits of scores with a large common offset.
    """
    for t in range(offsets.size - 1):
        size = offsets[t + 1] - offsets[t]
        mean = 0.0
        for i in range(offsets[t], offsets[t + 1]):
            mean += counts[i] * min(max(values[i], low), high)
        mean /= size
        squares = 0.0
        for i in range(offsets[t], offsets[t + 1]):
            squares += counts[i] * (min(max(values[i], low), high) - mean) ** 2
        out[t] = squares / (size * (size - 1))


@kernel
def trim_points(weights: Floats, pool: Floats, cut: float, total: float) -> tuple[float, float]:
    """Return the scores at which `cut` weight lies below, and above."""
    low, high, below = pool[0], pool[-1], 0.0
    reached = False
    for i in range(pool.size):
        if weights[i] > 0.0:
            below += weights[i]
            if not reached and below > cut:
                low, reached = pool[i], True
            if below >= total - cut:
                high = pool[i]
                break
    return low, high


@kernel
def errors(counts: Counts, pool: resample.Pooled, row: Floats) -> None:
    """Fill `row` (3 + n_cuts,) with the delta-method standard errors of a resample's statistics.

    Mean: Σ s²_t/c_t / T². Gap: the same of min(score, gamma). Median of task means: the variance of the middle task's mean (or of the
    two middle ones). Trimmed mean: that of the winsorised scores divided by (1 − 2p)² (Tukey & McLaughlin 1963), task by task.
    """
    values, offsets, cuts = pool.values, pool.offsets, pool.cuts
    n_tasks, n_scores = offsets.size - 1, values.size
    variances, means, weights = np.empty(n_tasks), np.empty(n_tasks), np.empty(n_scores)
    mean_variance(counts, values, offsets, -np.inf, np.inf, variances)
    row[resample.MEAN] = np.sqrt(variances.sum()) / n_tasks
    for t in range(n_tasks):
        means[t] = 0.0
        for i in range(offsets[t], offsets[t + 1]):
            means[t] += counts[i] * values[i] / (offsets[t + 1] - offsets[t])
    ranked = np.argsort(means)
    lower, upper = ranked[(n_tasks - 1) // 2], ranked[n_tasks // 2]
    # A small change of another task's mean does not move the median, so only the middle contributes.
    if lower == upper:
        row[resample.MEDIAN] = np.sqrt(variances[lower])
    else:
        row[resample.MEDIAN] = np.sqrt(variances[lower] + variances[upper]) / 2
    mean_variance(counts, values, offsets, -np.inf, pool.gamma, variances)
    row[resample.GAP] = np.sqrt(variances.sum()) / n_tasks
    for i in range(n_scores):
        weights[i] = counts[pool.order[i]] * pool.weights[i]
    for k in range(cuts.size):
        # The cut points lie in the pool, but the runs were drawn within tasks: only their spread about the task's own
        # mean is error.
        low, high = trim_points(weights, pool.ranked, cuts[k], np.float64(n_scores))
        mean_variance(counts, values, offsets, low, high, variances)
        row[resample.FIRST_TRIM + k] = np.sqrt(variances.sum()) / n_tasks / (1.0 - 2.0 * cuts[k] / n_scores)


@kernel
def resample_errors(words: Words, pool: resample.Pooled, out: Floats, out_errors: Floats) -> None:
    """Fill `out` and `out_errors` (block, 3 + n_cuts) with the statistics of resamples and their standard errors."""
    counts = np.empty(pool.values.size, np.int32)
    for b in range(words.shape[0]):
        resample.draw_counts(words[b], pool.offsets, pool.whole, counts)
        resample.statistics(counts, pool, out[b])
        errors(counts, pool, out_errors[b])
