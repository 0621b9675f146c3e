"""Pairwise rank statistics of all pairs of algorithms at once, under many labellings."""

from __future__ import annotations

import numpy as np

from runoff._arrays import Floats, Ints, Labels
from runoff._kernels._jit import kernel


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
