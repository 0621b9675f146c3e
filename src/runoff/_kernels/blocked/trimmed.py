"""The studentised difference of trimmed means under given labels: which relabellings are as far apart as the data.

Labels: (n_rows, total) int8, 0 for the first algorithm, 1 for the second.
"""

from __future__ import annotations

import numpy as np

from runoff._kernels._jit import kernel
from runoff.base.arrays import Bools, Floats, GroupMask, Ints

ROUNDING = 1e-12
"""Differences of scores of at most 1 that are nothing but rounding."""


@kernel
def trimmed_as_far_apart(
    values: Floats, tasks: Ints, places: Ints, counts: Ints, labels: GroupMask, cuts: Floats, least: float
) -> Bools:
    """Return which relabellings have a squared difference of `least` squared standard errors or more, (n_rows,).

    values: (total,) of both algorithms, ascending, at most 1 in size; tasks: (total,), the task of each; places: (total,), where its label
    stands; counts: (n_tasks, 2), the runs of each algorithm, two or more; cuts: (2,), the share of each algorithm's pool, every task weighing
    the same, that is cut from each end. The squared error is the sum over algorithms and tasks of (n − 1)/n Σ (θ₍ⱼ₎ − θ̄)², each run left out in
    turn; it is added up until it is too large, which is soon for most relabellings.
    """
    n_tasks, n = counts.shape[0], values.size
    reached = np.zeros(labels.shape[0], np.bool_)
    shares = 1.0 / (n_tasks * counts.astype(np.float64))
    own, weights, whose = np.empty((2, n)), np.empty((2, n)), np.empty((2, n), np.int64)
    size, ends, means, spare = np.empty(2, np.int64), np.empty(2), np.empty(2), np.empty((2, counts.max()))
    for row in range(labels.shape[0]):
        size[:], ends[:], means[:] = 0, 0.0, 0.0
        for i in range(n):
            side = np.int64(labels[row, places[i]])
            at, start, weight = size[side], ends[side], shares[tasks[i], side]
            own[side, at], weights[side, at], whose[side, at] = values[i], weight, tasks[i]
            size[side] = at + 1
            ends[side] = start + weight
            cut = cuts[side]
            means[side] += max(min(start + weight, 1.0 - cut) - max(start, cut), 0.0) * values[i]
        difference = abs(means[0] / (1.0 - 2.0 * cuts[0]) - means[1] / (1.0 - 2.0 * cuts[1]))
        if difference <= ROUNDING or least <= 0.0:
            reached[row] = least <= 0.0
            continue
        most, error, cell = difference * difference / least, 0.0, 0
        while cell < 2 * n_tasks and error <= most:
            of, task = cell % 2, cell // 2
            to = size[of]
            n_of = counts[task, of]
            error += error_of_task(own[of, :to], weights[of, :to], whose[of, :to], task, n_of, cuts[of], spare)
            cell += 1
        reached[row] = error <= most
    return reached


@kernel
def error_of_task(values: Floats, weights: Floats, tasks: Ints, task: int, n: int, cut: float, spare: Floats) -> float:
    """Return (n − 1)/n Σ (θ₍ⱼ₎ − θ̄)² of the n runs of a task, θ₍ⱼ₎ being the trimmed mean without run j, whose weight the others share.

    values: of one algorithm, ascending, with their weights, which add up to 1, and tasks; spare: (2, n or more), overwritten. Every run of
    the task has a slot of the weight that it has where one is left out, so that all slots make 1 and a slot. Leaving a run out takes its slot
    away: the integral of the sorted values stays up to the slot, and is read a slot further right behind it.
    """
    slot, place = 0.0, 0
    for i in range(values.size):
        if tasks[i] == task:
            slot = weights[i] * n / (n - 1.0)
            break
    low, low_behind, high, high_behind = cut, cut + slot, 1.0 - cut, 1.0 - cut + slot
    at_low, at_low_behind, at_high, at_high_behind = 0.0, 0.0, 0.0, 0.0
    end, area = 0.0, 0.0
    for i in range(values.size):
        value, start = values[i], end
        if tasks[i] == task:
            spare[0, place], spare[1, place] = start, value
            place += 1
            end += slot
        else:
            end += weights[i]
        # The last of these that is written is the right one.
        if start <= low:
            at_low = area + (low - start) * value
        if start <= low_behind:
            at_low_behind = area + (low_behind - start) * value
        if start <= high:
            at_high = area + (high - start) * value
        if start <= high_behind:
            at_high_behind = area + (high_behind - start) * value
        area += (end - start) * value
    total, square, first = 0.0, 0.0, 0.0
    for j in range(n):
        upper = at_high if high <= spare[0, j] else at_high_behind - slot * spare[1, j]
        lower = at_low if low <= spare[0, j] else at_low_behind - slot * spare[1, j]
        without = (upper - lower) / (1.0 - 2.0 * cut)
        first = without if j == 0 else first
        # About the first, so that no digit is lost.
        total += without - first
        square += (without - first) * (without - first)
    return max(square - total * total / n, 0.0) * (n - 1.0) / n
