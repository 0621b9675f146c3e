"""Statistics of two algorithms, or of all pairs of several, under given labels: rows of labels in, one statistic per row, or pair, out.

Labels: (n_rows, total) int8, 0 for the first algorithm, 1 for the second; runs are sorted by task. All statistics are
first minus second. The studentised ones divide by a standard error that treats tasks as fixed; where it is 0, a
difference counts as ±∞ and no difference as 0.
"""

from __future__ import annotations

import numpy as np

from runoff._kernels._jit import kernel
from runoff.base.arrays import Floats, GroupMask, Ints, Words


@kernel
def ratio(difference: float, variance: float, scale: float) -> float:
    """Difference over its standard error, ±∞ or 0 where the error is 0 up to rounding.

    scale: the size of the numbers, to distinguish rounding from a difference.
    """
    rounding = 1e-12 * scale
    if variance > rounding * rounding:
        return float(difference / np.sqrt(variance))
    if abs(difference) <= rounding:
        return 0.0
    return np.inf if difference > 0.0 else -np.inf


@kernel
def largest(values: Floats) -> float:
    most = 0.0
    for value in values:
        most = max(most, abs(value))
    return most


@kernel
def mean_differences(values: Floats, starts: Ints, labels: GroupMask, studentized: bool) -> Floats:
    """Mean over tasks of the difference of the cells' means; every task weighs the same.

    values: (total,) about a centre of each task; starts: (n_tasks + 1,). Variance: Σ_i (s²_i0 / c_i0 + s²_i1 / c_i1) / n², Welch within
    tasks.
    """
    n = starts.size - 1
    scale = largest(values)
    out = np.empty(labels.shape[0])
    for row in range(labels.shape[0]):
        difference, variance = 0.0, 0.0
        for i in range(n):
            count, total, square, second, total_2, square_2 = 0, 0.0, 0.0, np.int64(0), 0.0, 0.0
            for at in range(starts[i], starts[i + 1]):
                # Without a branch: labels are random, and a wrong guess costs more than the sum.
                who, value = labels[row, at], values[at]
                chosen = who * value
                second += np.int64(who)
                total_2 += chosen
                square_2 += chosen * value
                count += 1
                total += value
                square += value * value
            first = count - second
            total_1, square_1 = total - total_2, square - square_2
            mean_1, mean_2 = total_1 * (1.0 / first), total_2 * (1.0 / second)
            difference += mean_1 - mean_2
            if studentized:
                variance += max(square_1 - total_1 * mean_1, 0.0) * (1.0 / (first * (first - 1.0)))
                variance += max(square_2 - total_2 * mean_2, 0.0) * (1.0 / (second * (second - 1.0)))
        out[row] = ratio(difference / n, variance / n**2, scale) if studentized else difference / n
    return out


@kernel
def sums_of_runs(values: Floats, runs: Ints, n_runs: int, sums: Floats) -> None:
    """Fill sums, (2, n_pairs), with sums and sums of squares of the first so many runs; values: (total, n_pairs)."""
    for p in range(sums.shape[1]):
        sums[0, p], sums[1, p] = 0.0, 0.0
    # Two runs at a time, in their order: half the loads and stores of the sums.
    for j in range(0, n_runs - 1, 2):
        at, to = runs[j], runs[j + 1]
        for p in range(sums.shape[1]):
            value, other = values[at, p], values[to, p]
            sums[0, p] = sums[0, p] + value + other
            sums[1, p] = sums[1, p] + value * value + other * other
    if n_runs % 2:
        at = runs[n_runs - 1]
        for p in range(sums.shape[1]):
            value = values[at, p]
            sums[0, p] += value
            sums[1, p] += value * value


@kernel
def mean_differences_together(
    values: Floats, starts: Ints, labels: GroupMask, scale: Floats, studentized: bool
) -> Floats:
    """What `mean_differences` gives for several pairs of one design at once, to the bit: (n_rows, n_pairs).

    values: (total, n_pairs); scale: (n_pairs,) the largest |value| of each.
    """
    n, width = starts.size - 1, values.shape[1]
    out = np.empty((labels.shape[0], width))
    seconds = np.empty(starts[-1], np.int64)
    whole, both, second_sums = np.empty((n, 2, width)), np.empty((2, width)), np.empty((2, width))
    for i in range(n):
        for p in range(width):
            total, square = 0.0, 0.0
            for at in range(starts[i], starts[i + 1]):
                total += values[at, p]
                square += values[at, p] * values[at, p]
            whole[i, 0, p], whole[i, 1, p] = total, square
    for row in range(labels.shape[0]):
        for p in range(width):
            both[0, p], both[1, p] = 0.0, 0.0
        for i in range(n):
            second, size = np.int64(0), starts[i + 1] - starts[i]
            for at in range(starts[i], starts[i + 1]):
                seconds[second] = at
                second += np.int64(labels[row, at])
            first = size - second
            sums_of_runs(values, seconds, int(second), second_sums)
            # Reciprocals, once a task: divisions of every pair took most of the time.
            share_1, share_2 = 1.0 / first, 1.0 / second
            error_1, error_2 = 1.0 / (first * (first - 1.0)), 1.0 / (second * (second - 1.0))
            for p in range(width):
                total_2, square_2 = second_sums[0, p], second_sums[1, p]
                total_1, square_1 = whole[i, 0, p] - total_2, whole[i, 1, p] - square_2
                mean_1, mean_2 = total_1 * share_1, total_2 * share_2
                spread_1, spread_2 = square_1 - total_1 * mean_1, square_2 - total_2 * mean_2
                both[0, p] += mean_1 - mean_2
                both[1, p] += (spread_1 if spread_1 > 0.0 else 0.0) * error_1
                both[1, p] += (spread_2 if spread_2 > 0.0 else 0.0) * error_2
        for p in range(width):
            difference = both[0, p] / n
            out[row, p] = ratio(difference, both[1, p] / n**2, scale[p]) if studentized else difference
    return out


# ── all pairs of algorithms at once, many relabellings side by side ──────────


@kernel
def add_relabelled(values: Floats, members: Ints, words: Words, moments: Floats) -> None:
    """Add to moments, (n_tasks, k, 2, n_draws), sums and sums of squares of the runs that a relabelling within tasks gives to each algorithm.

    values: (n_tasks, k · n_runs); members: (k,), which of the words are theirs; words: (n_algorithms, n_tasks, n_runs, n_draws), random.
    Source: a run goes to an algorithm with the chance of its free places among all that are free (Fan, Muller & Rezucha 1962, method 1).
    """
    n, k, n_runs, n_draws = values.shape[0], members.size, words.shape[2], words.shape[3]
    # Draws are innermost, for vector instructions: a fifth of the time that a shuffle of each draw takes.
    free = np.empty((k - 1, n_draws), np.uint32)
    places, labels = np.empty(n_draws, np.uint32), np.empty(n_draws, np.uint32)
    for i in range(n):
        for a in range(k - 1):
            free[a] = (a + 1) * n_runs
        for at in range(k * n_runs):
            own = words[members[at // n_runs], i, at % n_runs]
            take_places(own, k * n_runs - at, free, places, labels)
            for a in range(k):
                add_labelled(labels, a, values[i, at], moments[i, a])


@kernel
def take_places(words: Words, left: int, free: Words, places: Words, labels: Words) -> None:
    """Fill `labels`, (n_draws,), of a run by its place among those left; free: (k - 1, n_draws) of the labels up to each, which fall."""
    for draw in range(words.size):
        places[draw] = np.uint32((np.uint64(words[draw]) * np.uint64(left)) >> np.uint64(32))
        labels[draw] = 0
    for a in range(free.shape[0]):
        for draw in range(words.size):
            before = np.uint32(places[draw] < free[a, draw])
            free[a, draw] -= before
            labels[draw] += np.uint32(1) - before


@kernel
def add_labelled(labels: Words, label: int, value: float, moments: Floats) -> None:
    """Add a value and its square where a draw gives it the label; moments: (2, n_draws)."""
    own = np.uint32(label)
    for draw in range(labels.size):
        chosen = value if labels[draw] == own else 0.0
        moments[0, draw] += chosen
        moments[1, draw] += chosen * chosen


@kernel
def pair_t(moments: Floats, n_runs: int, scale: float) -> Floats:
    """Σ_i d_iab / √(Σ_i (s²_ia + s²_ib) / n) over the tasks, for each a < b, where d is the difference of means: (n_pairs, n_draws).

    moments: of `add_relabelled`, of n runs in each cell. Every pair is studentised by its own runs only.
    Source: Welch within tasks; Chung & Romano (2016), multivariate and multiple permutation tests.
    """
    n, k, _, n_draws = moments.shape
    out = np.empty((k * (k - 1) // 2, n_draws))
    means, errors = np.zeros((k, n_draws)), np.zeros((k, n_draws))
    share, spare = 1.0 / n_runs, 1.0 / (n_runs * (np.float64(n_runs) - 1.0))
    for i in range(n):
        for a in range(k):
            for draw in range(n_draws):
                mean = moments[i, a, 0, draw] * share
                spread = moments[i, a, 1, draw] - mean * moments[i, a, 0, draw]
                means[a, draw] += mean
                errors[a, draw] += (spread if spread > 0.0 else 0.0) * spare
    pair = 0
    for a in range(k):
        for b in range(a + 1, k):
            for draw in range(n_draws):
                difference, variance = means[a, draw] - means[b, draw], errors[a, draw] + errors[b, draw]
                out[pair, draw] = ratio(difference, variance, scale)
            pair += 1
    return out
