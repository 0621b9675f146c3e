"""Pairwise statistics of all pairs of algorithms at once, under many labellings: rank sums, and studentised differences of means."""

from __future__ import annotations

import numpy as np

from runoff._kernels._jit import kernel
from runoff._kernels.blocked.stratified import largest, ratio
from runoff.base.arrays import Floats, Ints, Labels


@kernel
def pair_sums(ranks: Ints, starts: Ints, labels: Labels, weights: Floats) -> Floats:
    """Σ_i w_iab · (#{a > b} − #{a < b}) over tasks, for every pair and every row of labels.

    ranks: (total,) non-decreasing within tasks, equal where runs tie; starts: (n_tasks + 1,); labels: (n_rows, total);
    weights: (n_tasks, k, k). Returns (n_rows, k, k), antisymmetric. Every pair is ranked on its own runs only.
    Source: Steel (1960), Dwass (1960) rankings, within tasks; equals Σ w (2 U − c_a c_b).
    """
    n, k = weights.shape[0], weights.shape[1]
    sums = np.zeros((labels.shape[0], k, k))
    wins, below, level = np.empty((k, k), np.int64), np.empty(k, np.int64), np.empty(k, np.int64)
    for row in range(labels.shape[0]):
        for i in range(n):
            wins[:] = 0
            below[:] = 0
            level[:] = 0
            for at in range(starts[i], starts[i + 1]):
                if at > starts[i] and ranks[at] != ranks[at - 1]:
                    for other in range(k):
                        below[other] += level[other]
                        level[other] = 0
                who = labels[row, at]
                for other in range(k):
                    wins[who, other] += below[other]
                level[who] += 1
            for a in range(k):
                for b in range(a):
                    part = weights[i, a, b] * (wins[a, b] - wins[b, a])
                    sums[row, a, b] += part
                    sums[row, b, a] -= part
    return sums


@kernel
def pair_t(values: Floats, starts: Ints, labels: Labels, together: Floats) -> Floats:
    """Σ_i d_iab / √(Σ_i (s²_ia / c_ia + s²_ib / c_ib)) over the tasks of each pair, for every row of labels; d: difference of means.

    values: (total,) about a centre of each task; starts: (n_tasks + 1,); labels: (n_rows, total); together: (n_tasks, k, k), 1 where
    a pair is compared on a task, else 0. Returns (n_rows, k, k), antisymmetric. Every pair is studentised by its own runs only.
    Source: Welch within tasks; Chung & Romano (2016), multivariate and multiple permutation tests.
    """
    n, k = together.shape[0], together.shape[1]
    scale = largest(values)
    statistics = np.zeros((labels.shape[0], k, k))
    counts, sums, squares = np.empty(k), np.empty(k), np.empty(k)
    differences, variances = np.empty((k, k)), np.empty((k, k))
    for row in range(labels.shape[0]):
        differences[:] = 0.0
        variances[:] = 0.0
        for i in range(n):
            counts[:] = 0.0
            sums[:] = 0.0
            squares[:] = 0.0
            for at in range(starts[i], starts[i + 1]):
                who, value = labels[row, at], values[at]
                counts[who] += 1.0
                sums[who] += value
                squares[who] += value * value
            for a in range(k):
                if counts[a] > 1.0:
                    spread = max(squares[a] - sums[a] ** 2 / counts[a], 0.0)
                    squares[a] = spread / (counts[a] * (counts[a] - 1.0))
                    sums[a] /= counts[a]
            for a in range(k):
                for b in range(a):
                    if together[i, a, b] > 0.0:
                        differences[a, b] += sums[a] - sums[b]
                        variances[a, b] += squares[a] + squares[b]
        for a in range(k):
            for b in range(a):
                statistics[row, a, b] = ratio(differences[a, b], variances[a, b], scale)
                statistics[row, b, a] = -statistics[row, a, b]
    return statistics
