"""Stratified bootstrap: one block of resamples reduced to mean, median of task means, optimality gap and pooled trimmed means.

Draws are 32-bit words; word u becomes the index (u · c) >> 32 of a cell of c runs, which is uniform to within c / 2³².
Scores are sorted within each cell, so that shuffling the runs changes nothing, and a resample is a vector of counts over them. Indices are
unsigned: numba then leaves out the test for negative ones, which about doubles the speed of the counting loop.
"""

from __future__ import annotations

import numpy as np

from runoff._arrays import Counts, Floats, Ints, Positions, Words
from runoff._kernels._jit import kernel

MEAN, MEDIAN, GAP, FIRST_TRIM = 0, 1, 2, 3
"""Columns of the result; pooled trimmed means follow from FIRST_TRIM on."""


@kernel
def select(values: Floats, rank: int) -> float:
    """Return the rank-th smallest of `values` (n,), reordering them: Hoare's quickselect."""
    low, high = 0, values.size - 1
    while low < high:
        pivot = values[(low + high) // 2]
        i, j = low, high
        while i <= j:
            while values[i] < pivot:
                i += 1
            while values[j] > pivot:
                j -= 1
            if i <= j:
                values[i], values[j] = values[j], values[i]
                i += 1
                j -= 1
        if rank <= j:
            high = j
        elif rank >= i:
            low = i
        else:
            break
    return float(values[rank])


@kernel
def median(values: Floats) -> float:
    """Return the median of `values` (n,), which may be reordered.

    Up to 64 values it is found by counting, for each, how many are smaller: the compiler does several comparisons at once, without
    branches to mispredict, which is faster than selecting.
    """
    half = values.size // 2
    if values.size > 64:
        upper = select(values, half)
        lower = values[:half].max() if values.size % 2 == 0 else upper
        return float(0.5 * (lower + upper))
    lower, upper = np.nan, np.nan
    for i in range(values.size):
        value, below, not_above = values[i], 0, 0
        for j in range(values.size):
            below += values[j] < value
            not_above += values[j] <= value
        if below <= half < not_above:
            upper = value
        if below <= values.size - 1 - half < not_above:
            lower = value
    return float(0.5 * (lower + upper))


@kernel
def count_equal_cells(words: Words, size: int, counts: Counts) -> None:
    """Count the draws of cells of one size, as `count_draws` does, going from cell to cell.

    Within a small cell the next draw often adds to a counter that has only just been written, and has to wait for it;
    in successive cells the counters are apart. With 26 tasks this is about 5 times as fast at 5 runs, 3 times at 10,
    and no faster from 50 on.
    """
    runs, end = np.uint64(size), np.uint64(counts.size)
    for k in range(runs):
        first = np.uint64(0)
        while first < end:
            counts[first + ((np.uint64(words[first + k]) * runs) >> np.uint64(32))] += np.int32(1)
            first += runs


@kernel
def count_draws(words: Words, first: int, stop: int, counts: Counts) -> None:
    """Count the draws of cell [first, stop): `counts[first + index] += 1` for each of its words."""
    start, end = np.uint64(first), np.uint64(stop)
    size = end - start
    for k in range(start, end):
        counts[start + ((np.uint64(words[k]) * size) >> np.uint64(32))] += np.int32(1)


@kernel
def dot(counts: Counts, values: Floats, first: int, stop: int) -> float:
    """Return Σ counts · values over [first, stop), in four interleaved sums of fixed order.

    In a single sum every addition waits for the one before it; four chains halve the time of a long one. Their order
    is written out, so that the last bit is not left to the compiler.
    """
    i, end = np.uint64(first), np.uint64(stop)
    four, one = np.uint64(4), np.uint64(1)
    s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0
    while i + four <= end:
        s0 += counts[i] * values[i]
        s1 += counts[i + one] * values[i + one]
        s2 += counts[i + np.uint64(2)] * values[i + np.uint64(2)]
        s3 += counts[i + np.uint64(3)] * values[i + np.uint64(3)]
        i += four
    while i < end:
        s0 += counts[i] * values[i]
        i += one
    return (s0 + s1) + (s2 + s3)


@kernel
def trimmed_counts(counts: Counts, order: Positions, pool: Floats, cut: int) -> float:
    """Return the mean of a resample without its `cut` smallest and largest scores; pool = values[order] is sorted, (n,)."""
    total = np.int64(pool.size)
    stop, below = total - cut, np.int64(0)
    i, one = np.uint64(0), np.uint64(1)
    while True:
        below += counts[order[i]]
        if below > cut:
            break
        i += one
    # Two sums that change places at every step: an addition waits for the last but one, which saves a third of the
    # time.
    even, odd = (below - cut) * pool[i], 0.0
    while below < stop:
        i += one
        drawn = counts[order[i]]
        even, odd = odd + drawn * pool[i], even
        below += drawn
    return float(((even + odd) - (below - stop) * pool[i]) / (stop - cut))


@kernel
def trimmed_weights(weights: Floats, pool: Floats, cut: float, total: float) -> float:
    """Return the mean of the weight on `pool` (n,), sorted, that lies between `cut` and `total - cut`; ends count in part."""
    stop = total - cut
    below, kept, summed = 0.0, 0.0, 0.0
    for i in range(pool.size):
        if weights[i] > 0.0:
            above = below + weights[i]
            if above > cut:
                part = min(above, stop) - max(below, cut)
                summed += part * pool[i]
                kept += part
                if above >= stop:
                    break
            below = above
    return summed / kept


@kernel
def short_dot(counts: Counts, values: Floats, first: int, stop: int) -> float:
    """Return Σ counts · values over [first, stop) in one plain sum: faster than `dot` below some 16 terms."""
    summed = 0.0
    for i in range(np.uint64(first), np.uint64(stop)):
        summed += counts[i] * values[i]
    return summed


@kernel
def statistics(
    counts: Counts,
    values: Floats,
    shortfall: Floats,
    offsets: Ints,
    order: Positions,
    pool: Floats,
    pool_weights: Floats,
    cuts: Floats,
    whole: bool,
    means: Floats,
    weights: Floats,
    row: Floats,
) -> None:
    """Fill `row` (3 + n_cuts,) with the statistics of the sample that holds values[i] counts[i] times.

    means (n_tasks,) and weights (n_scores,) are work space; the rest as in `resample_runs`.
    """
    n_tasks, n_scores = offsets.size - 1, values.size
    total = 0.0
    for t in range(n_tasks):
        first, stop = offsets[t], offsets[t + 1]
        # The sum of a cell is short: four chains cost more to set up and to join than they save.
        small = stop - first <= 16
        summed = short_dot(counts, values, first, stop) if small else dot(counts, values, first, stop)
        means[t] = summed / (stop - first)
        total += means[t]
    row[MEAN], row[GAP] = total / n_tasks, dot(counts, shortfall, 0, n_scores)
    row[MEDIAN] = median(means)
    # Where whole runs are trimmed, counting does it in one walk; fractions of runs need the weight of every score
    # first.
    if not whole:
        for i in range(n_scores):
            weights[i] = counts[order[i]] * pool_weights[i]
    for k in range(cuts.size):
        if whole:
            row[FIRST_TRIM + k] = trimmed_counts(counts, order, pool, int(cuts[k]))
        else:
            row[FIRST_TRIM + k] = trimmed_weights(weights, pool, cuts[k], np.float64(n_scores))


@kernel
def resample_runs(
    words: Words,
    values: Floats,
    shortfall: Floats,
    offsets: Ints,
    order: Positions,
    pool: Floats,
    pool_weights: Floats,
    cuts: Floats,
    whole: bool,
    out: Floats,
) -> None:
    """Fill `out` (block, 3 + n_cuts) with the statistics of resamples of the runs within each task.

    words (block, n_scores) random bits; values (n_scores,) sorted within tasks, offsets (n_tasks + 1,); shortfall (n_scores,) each score's
    part of the optimality gap; order, pool, pool_weights (n_scores,) the pool in ascending order and its weights; cuts (n_cuts,) weight to
    trim from each end; whole: all weights are 1 and all cuts integers. Agarwal et al. 2021 §4.
    """
    n_tasks, n_scores = offsets.size - 1, values.size
    counts, weights, means = np.empty(n_scores, np.int32), np.empty(n_scores), np.empty(n_tasks)
    for b in range(words.shape[0]):
        counts[:] = 0
        # `whole` implies that all cells have one size; the counts are the same either way.
        if whole:
            count_equal_cells(words[b], offsets[1], counts)
        else:
            for t in range(n_tasks):
                count_draws(words[b], offsets[t], offsets[t + 1], counts)
        statistics(
            counts, values, shortfall, offsets, order, pool, pool_weights, cuts, whole, means, weights, out[b]
        )  # fmt: skip


@kernel
def resample_tasks(
    words: Words,
    slots: Ints,
    values: Floats,
    shortfall: Floats,
    offsets: Ints,
    position: Ints,
    pool: Floats,
    pool_weights: Floats,
    cuts: Floats,
    out: Floats,
) -> None:
    """Fill `out` (block, 3 + n_cuts) with the statistics of resamples of tasks, and of runs within each drawn task.

    words (block, n_tasks · most runs) random bits; slots (block, n_tasks) the drawn tasks; position (n_scores,) the rank of each score in
    the pool; the rest as in `resample_runs`.
    """
    n_tasks, n_scores = offsets.size - 1, values.size
    weights, means = np.empty(n_scores), np.empty(n_tasks)
    for b in range(words.shape[0]):
        weights[:] = 0.0
        total, missed, word = 0.0, 0.0, 0
        for s in range(n_tasks):
            first = offsets[slots[b, s]]
            size = np.uint64(offsets[slots[b, s] + 1] - first)
            summed = 0.0
            # A drawn task takes as many words as it has runs. A row holds enough for the largest task every time; the
            # rest is unused.
            for _ in range(size):
                i = first + np.int64((np.uint64(words[b, word]) * size) >> np.uint64(32))
                word += 1
                summed += values[i]
                missed += shortfall[i]
                weights[position[i]] += pool_weights[position[i]]
            means[s] = summed / size
            total += means[s]
        out[b, MEAN], out[b, GAP], out[b, MEDIAN] = total / n_tasks, missed, median(means)
        for k in range(cuts.size):
            out[b, FIRST_TRIM + k] = trimmed_weights(weights, pool, cuts[k], np.float64(n_scores))
