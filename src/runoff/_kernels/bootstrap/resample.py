"""Stratified bootstrap: one block of resamples reduced to mean, median of task means, optimality gap and pooled trimmed means.

Draws are 32-bit words; word u becomes the index (u · c) >> 32 of a cell of c runs, which is uniform to within c / 2³².
Scores are sorted within each cell, so that shuffling the runs changes nothing, and a resample is a vector of counts over them. Indices are
unsigned: numba then omits the check for negative ones, which about doubles the speed of the counting loop.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from runoff._kernels._jit import kernel
from runoff.base.arrays import Counts, Floats, Ints, Positions, Words


class PooledScores(NamedTuple):
    """One algorithm's scores as the kernels read them.

    values, shortfall : (n_scores,) sorted within tasks: the scores, and each score's part of the optimality gap; offsets : (n_tasks + 1,)
    order : (n_scores,) positions in `values`, ascending over all tasks; position : (n_scores,) its inverse
    ranked, weights : (n_scores,) the scores in that order and their weights in the pool
    cuts : (n_cuts,) weight to trim from each end
    whole : all weights are 1 and all cuts integers, which implies that all cells have one size
    gamma : threshold of the optimality gap
    """

    values: Floats
    shortfall: Floats
    offsets: Ints
    order: Positions
    position: Ints
    ranked: Floats
    weights: Floats
    cuts: Floats
    whole: bool
    gamma: float


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
        lower = upper
        if values.size % 2 == 0:
            lower = values[0]
            for i in range(1, half):
                if values[i] > lower:
                    lower = values[i]
        return float(0.5 * (lower + upper))
    lower, upper = np.nan, np.nan
    for i in range(values.size):
        value, below, not_above = values[i], 0, 0
        for j in range(values.size):
            below += values[j] < value
            not_above += values[j] <= value
        # The value that has place `half` in sorted order, ties being one block of places.
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
    four, unit = np.uint64(4), np.uint64(1)
    s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0
    while i + four <= end:
        s0 += counts[i] * values[i]
        s1 += counts[i + unit] * values[i + unit]
        s2 += counts[i + np.uint64(2)] * values[i + np.uint64(2)]
        s3 += counts[i + np.uint64(3)] * values[i + np.uint64(3)]
        i += four
    while i < end:
        s0 += counts[i] * values[i]
        i += unit
    return (s0 + s1) + (s2 + s3)


@kernel
def trimmed_counts(counts: Counts, order: Positions, pool: Floats, cut: int) -> float:
    """Return the mean of a resample without its `cut` smallest and largest scores; pool = values[order] is sorted, (n,)."""
    total = np.int64(pool.size)
    stop, below = total - cut, np.int64(0)
    i, unit = np.uint64(0), np.uint64(1)
    while True:
        below += counts[order[i]]
        if below > cut:
            break
        i += unit
    # Two sums that change places at every step: an addition waits for the last but one, which saves a third of the
    # time.
    even, odd = (below - cut) * pool[i], 0.0
    while below < stop:
        i += unit
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
def draw_counts(words: Words, offsets: Ints, whole: bool, counts: Counts) -> None:
    """Fill `counts` (n_scores,) with how often each score is drawn by `words` (≥ n_scores,), within its task."""
    for i in range(counts.size):
        counts[i] = 0
    # The counts are the same either way; equal cells can be walked in an order that is faster.
    if whole:
        count_equal_cells(words, offsets[1], counts)
    else:
        for t in range(offsets.size - 1):
            count_draws(words, offsets[t], offsets[t + 1], counts)


@kernel
def task_statistics(
    counts: Counts, values: Floats, shortfall: Floats, offsets: Ints, means: Floats, row: Floats
) -> None:
    """Fill mean, median and optimality gap of `row` for the sample that holds values[i] counts[i] times; means (n_tasks,) is work space."""
    n_tasks = offsets.size - 1
    total = 0.0
    for t in range(n_tasks):
        first, stop = offsets[t], offsets[t + 1]
        # The sum of a cell is short: four chains cost more to set up and to join than they save.
        small = stop - first <= 16
        summed = short_dot(counts, values, first, stop) if small else dot(counts, values, first, stop)
        means[t] = summed / (stop - first)
        total += means[t]
    row[MEAN], row[GAP] = total / n_tasks, dot(counts, shortfall, offsets[0], offsets[n_tasks])
    row[MEDIAN] = median(means)


@kernel
def trimmed_statistics(
    counts: Counts,
    order: Positions,
    ranked: Floats,
    weights: Floats,
    cuts: Floats,
    whole: bool,
    work: Floats,
    row: Floats,
) -> None:
    """Fill the trimmed means of `row` for the same sample; work (n_scores,) is work space."""
    # Where whole runs are trimmed, counting does it in one walk; fractions of runs need the weight of every score
    # first.
    if not whole:
        for i in range(ranked.size):
            work[i] = counts[order[i]] * weights[i]
    for k in range(cuts.size):
        if whole:
            row[FIRST_TRIM + k] = trimmed_counts(counts, order, ranked, int(cuts[k]))
        else:
            row[FIRST_TRIM + k] = trimmed_weights(work, ranked, cuts[k], np.float64(ranked.size))


def in_order(values: Floats) -> Floats:
    """Return the sum of each row, (…, n), added up one after the other, as a kernel does; NumPy's own has another order."""
    return np.cumsum(values, axis=-1)[..., -1]


def in_chains(values: Floats) -> float:
    """Return the sum of at least one value (n,) as `dot` adds them up."""
    whole = values.size // 4 * 4
    chains = in_order(np.vstack([np.zeros(4), values[:whole].reshape(-1, 4)]).T)
    first = in_order(np.append(chains[0], values[whole:]))
    return float((first + chains[1]) + (chains[2] + chains[3]))


def sums_of_tasks(values: Floats, offsets: Ints) -> Floats:
    """Return the sum of each task, (n_tasks,), one after the other."""
    sizes = np.diff(offsets)
    # Zeros behind a cell add nothing to its sum, to the last bit.
    padded = np.zeros((sizes.size, sizes.max()))
    padded[np.arange(sizes.max()) < sizes[:, None]] = values
    return in_order(padded)


def statistics(pool: PooledScores) -> Floats:
    """Return the statistics (3 + n_cuts,) of the scores themselves: to the bit what `resample_runs` gives where each is drawn once."""
    sums, sizes = sums_of_tasks(pool.values, pool.offsets), np.diff(pool.offsets)
    for t in np.flatnonzero(sizes > 16):
        sums[t] = in_chains(pool.values[pool.offsets[t] : pool.offsets[t + 1]])
    means = sums / sizes
    middle = np.sort(means)[[(means.size - 1) // 2, means.size // 2]]
    row = np.empty(FIRST_TRIM + pool.cuts.size)
    row[MEAN], row[GAP] = in_order(means) / means.size, in_chains(pool.shortfall)
    row[MEDIAN] = 0.5 * (middle[0] + middle[1])
    for k, cut in enumerate(pool.cuts.tolist()):
        row[FIRST_TRIM + k] = _trimmed(pool, cut)
    return row


def _trimmed(pool: PooledScores, cut: float) -> float:
    """Return one trimmed mean, as `trimmed_counts` or `trimmed_weights` has it."""
    if pool.whole:
        kept = pool.ranked[int(cut) : pool.ranked.size - int(cut)]
        return float((in_order(kept[::2]) + in_order(np.append(0.0, kept[1::2]))) / kept.size)
    stop, above = pool.ranked.size - cut, np.cumsum(pool.weights)
    below = np.append(0.0, above[:-1])
    inside = (above > cut) & (below < stop)
    part = np.minimum(above, stop)[inside] - np.maximum(below, cut)[inside]
    return float(in_order(part * pool.ranked[inside]) / in_order(part))


@kernel
def resample_runs(words: Words, pool: PooledScores, out: Floats) -> None:
    """Fill `out` (block, 3 + n_cuts) with the statistics of resamples of the runs within each task.

    words (block, ≥ n_scores) random bits. Agarwal et al. 2021 §4.
    """
    # Unpacked once: handing the tuple on for every resample costs a third of the time at 5 runs.
    values, shortfall, offsets, order = pool.values, pool.shortfall, pool.offsets, pool.order
    ranked, weights, cuts, whole = pool.ranked, pool.weights, pool.cuts, pool.whole
    counts, work, means = np.empty(values.size, np.int32), np.empty(values.size), np.empty(offsets.size - 1)
    for b in range(words.shape[0]):
        draw_counts(words[b], offsets, whole, counts)
        row = out[b]
        task_statistics(counts, values, shortfall, offsets, means, row)
        trimmed_statistics(counts, order, ranked, weights, cuts, whole, work, row)


@kernel
def weighted_statistics(
    total: float, missed: float, means: Floats, weights: Floats, pool: PooledScores, row: Floats
) -> None:
    """Fill `row` (3 + n_cuts,) of a sample: the sum and the means of its tasks, its optimality gap, and the weight of each ranked score."""
    row[MEAN], row[GAP], row[MEDIAN] = total / means.size, missed, median(means)
    for k in range(pool.cuts.size):
        row[FIRST_TRIM + k] = trimmed_weights(weights, pool.ranked, pool.cuts[k], np.float64(weights.size))


@kernel
def resample_tasks(words: Words, slots: Ints, pool: PooledScores, out: Floats) -> None:
    """Fill `out` (block, 3 + n_cuts) with the statistics of resamples of tasks, and of runs within each drawn task.

    words (block, n_tasks · most runs) random bits; slots (block, n_tasks) the drawn tasks.
    """
    values, offsets, position = pool.values, pool.offsets, pool.position
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
                missed += pool.shortfall[i]
                weights[position[i]] += pool.weights[position[i]]
            means[s] = summed / size
            total += means[s]
        weighted_statistics(total, missed, means, weights, pool, out[b])


@kernel
def resample_shared(words: Words, n_runs: int, rows_of: Ints, pool: PooledScores, out: Floats) -> None:
    """Fill `out` (block, 3 + n_cuts) with the statistics of resamples of whole runs.

    words (block, ≥ n_runs) random bits; rows_of (n_scores,) the run of each value; every task has all runs, so their weights are 1.
    """
    values, shortfall, offsets, position = pool.values, pool.shortfall, pool.offsets, pool.position
    n_tasks = offsets.size - 1
    drawn, weights, means = np.empty(n_runs), np.empty(values.size), np.empty(n_tasks)
    for b in range(words.shape[0]):
        drawn[:] = 0.0
        for k in range(n_runs):
            drawn[(np.uint64(words[b, k]) * np.uint64(n_runs)) >> np.uint64(32)] += 1.0
        total, missed = 0.0, 0.0
        for t in range(n_tasks):
            summed = 0.0
            for i in range(offsets[t], offsets[t + 1]):
                weight = drawn[rows_of[i]]
                summed += weight * values[i]
                missed += weight * shortfall[i]
                weights[position[i]] = weight
            means[t] = summed / n_runs
            total += means[t]
        weighted_statistics(total, missed, means, weights, pool, out[b])


@kernel
def resample_whole_tasks(slots: Ints, pool: PooledScores, out: Floats) -> None:
    """Fill `out` (block, 3 + n_cuts) with the statistics of resamples of tasks with all their runs; slots (block, n_tasks) the drawn tasks."""
    values, offsets, position = pool.values, pool.offsets, pool.position
    n_tasks, n_scores = offsets.size - 1, values.size
    weights, means = np.empty(n_scores), np.empty(n_tasks)
    for b in range(slots.shape[0]):
        weights[:] = 0.0
        total, missed = 0.0, 0.0
        for s in range(n_tasks):
            first, stop = offsets[slots[b, s]], offsets[slots[b, s] + 1]
            summed = 0.0
            for i in range(first, stop):
                summed += values[i]
                missed += pool.shortfall[i]
                weights[position[i]] += pool.weights[position[i]]
            means[s] = summed / (stop - first)
            total += means[s]
        weighted_statistics(total, missed, means, weights, pool, out[b])
