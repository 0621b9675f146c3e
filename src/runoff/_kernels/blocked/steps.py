"""Differences of two algorithms at every step, studentised, under many labellings of whole runs."""

from __future__ import annotations

import numpy as np

from runoff._kernels._jit import kernel
from runoff._kernels.blocked.stratified import ratio
from runoff.base.arrays import Bools, Floats, Ints, Labels


@kernel
def step_t(values: Floats, starts: Ints, labels: Labels) -> tuple[Floats, Floats]:
    """Σ_i (mean_ia − mean_ib) / √Σ_i (s²_ia / c_ia + s²_ib / c_ib) over tasks i at every step, for every row of labels; and its df.

    values: (total, n_steps) runs about the mean of their task, below 1 in size; starts: (n_tasks + 1,); labels: (n_rows, total), 0 for a and 1
    for b, two of each in every task. Returns (n_rows, n_steps) twice; df is 1 where the error is 0. Source: Welch (1947) within tasks.
    """
    n_tasks, n_steps = starts.size - 1, values.shape[1]
    t, freedom = np.empty((2, labels.shape[0], n_steps))
    whole, of_b, total = np.zeros((n_tasks, 2, n_steps)), np.empty((2, n_steps)), np.empty((3, n_steps))
    runs_of_b = np.empty(starts[-1], np.int64)
    for i in range(n_tasks):
        for at in range(starts[i], starts[i + 1]):
            whole[i, 0] += values[at]
            whole[i, 1] += values[at] * values[at]
    for row in range(labels.shape[0]):
        total[:] = 0.0
        for i in range(n_tasks):
            of_b[:] = 0.0
            n_b = 0
            for at in range(starts[i], starts[i + 1]):
                runs_of_b[n_b] = at
                n_b += labels[row, at]
            for j in range(n_b):
                at = runs_of_b[j]
                for s in range(n_steps):
                    value = values[at, s]
                    of_b[0, s] += value
                    of_b[1, s] += value * value
            n_a = starts[i + 1] - starts[i] - n_b
            for s in range(n_steps):
                sum_a, square_a = whole[i, 0, s] - of_b[0, s], whole[i, 1, s] - of_b[1, s]
                a, b = sum_a / n_a, of_b[0, s] / n_b
                spread_a, spread_b = square_a - a * sum_a, of_b[1, s] - b * of_b[0, s]
                error_a = (spread_a if spread_a > 0.0 else 0.0) / (n_a * (n_a - 1.0))
                error_b = (spread_b if spread_b > 0.0 else 0.0) / (n_b * (n_b - 1.0))
                total[0, s] += a - b
                total[1, s] += error_a + error_b
                total[2, s] += error_a * error_a / (n_a - 1.0) + error_b * error_b / (n_b - 1.0)
        for s in range(n_steps):
            t[row, s] = ratio(total[0, s], total[1, s], 2.0)
            freedom[row, s] = total[1, s] ** 2 / total[2, s] if total[2, s] > 0.0 else 1.0
    return t, freedom


@kernel
def farthest(t: Floats, df: Floats) -> Bools:
    """Which t values no other one of their row leaves behind in size and degrees of freedom both: among them is that of the smallest p-value.

    t, df: (n_rows, n_steps). A tail of Student's law shrinks with t and with its degrees of freedom. Of equals the first.
    """
    n_rows, n_steps = t.shape
    kept = np.zeros((n_rows, n_steps), np.bool_)
    for row in range(n_rows):
        least = -1.0
        while True:
            best = -1
            for s in range(n_steps):
                if df[row, s] > least and (
                    best < 0
                    or abs(t[row, s]) > abs(t[row, best])
                    or (abs(t[row, s]) == abs(t[row, best]) and df[row, s] > df[row, best])
                ):
                    best = s
            if best < 0:
                break
            kept[row, best] = True
            least = df[row, best]
    return kept
