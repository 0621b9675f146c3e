"""Differences of two algorithms at every step, studentised, under many labellings of whole runs."""

from __future__ import annotations

import numpy as np

from runoff._arrays import Floats, Ints, Labels
from runoff._kernels._jit import kernel
from runoff._kernels.blocked.stratified import ratio


@kernel
def step_t(values: Floats, starts: Ints, labels: Labels) -> tuple[Floats, Floats]:
    """Σ_i (mean_ia − mean_ib) / √Σ_i (s²_ia / c_ia + s²_ib / c_ib) over tasks i at every step, for every row of labels; and its df.

    values: (total, n_steps) runs about the mean of their task, below 1 in size; starts: (n_tasks + 1,); labels: (n_rows, total), 0 for a and 1
    for b, two of each in every task. Returns (n_rows, n_steps) twice; df is 1 where the error is 0. Source: Welch (1947) within tasks.
    """
    n_tasks, n_steps = starts.size - 1, values.shape[1]
    found, freedom = np.empty((2, labels.shape[0], n_steps))
    sums, squares, total = np.empty((2, n_steps)), np.empty((2, n_steps)), np.empty((3, n_steps))
    for row in range(labels.shape[0]):
        total[:] = 0.0
        for i in range(n_tasks):
            sums[:] = 0.0
            squares[:] = 0.0
            n_b = 0
            for at in range(starts[i], starts[i + 1]):
                who = labels[row, at]
                n_b += who
                for s in range(n_steps):
                    value = values[at, s]
                    sums[who, s] += value
                    squares[who, s] += value * value
            n_a = starts[i + 1] - starts[i] - n_b
            for s in range(n_steps):
                a, b = sums[0, s] / n_a, sums[1, s] / n_b
                of_a = max(squares[0, s] - a * sums[0, s], 0.0) / (n_a * (n_a - 1.0))
                of_b = max(squares[1, s] - b * sums[1, s], 0.0) / (n_b * (n_b - 1.0))
                total[0, s] += a - b
                total[1, s] += of_a + of_b
                total[2, s] += of_a * of_a / (n_a - 1.0) + of_b * of_b / (n_b - 1.0)
        for s in range(n_steps):
            found[row, s] = ratio(total[0, s], total[1, s], 2.0)
            freedom[row, s] = total[1, s] ** 2 / total[2, s] if total[2, s] > 0.0 else 1.0
    return found, freedom
