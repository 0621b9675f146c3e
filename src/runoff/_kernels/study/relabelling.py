"""The studentised permutation test of many simulated experiments, each drawn only until its decision is clear."""

from __future__ import annotations

import numpy as np

from runoff._kernels._jit import kernel
from runoff._kernels.blocked.stratified import largest, ratio
from runoff._kernels.two_sample.words import HALF, LOW_HALF, below, following
from runoff.base.arrays import Bools, Floats, Ints, Words64

ROUNDING = 1e-9
"""Statistics closer than this share of the observed one are equal, but for the order in which they were added."""


@kernel
def studentized_decisions(values: Floats, looks: Ints, low: Ints, high: Ints, state: Words64) -> Bools:
    """Whether each experiment is rejected by relabelling within tasks the difference of means over its standard error, (n_batch,).

    values: (n_batch, n_tasks, 2 n_runs) about the middle of each task, the first algorithm's runs first. After looks[i] relabellings low[i] hits
    or fewer reject, more than high[i] do not; the last look decides. `state` moves on. Source: `mean_differences` of the blocked kernels; with
    as many runs of both the sum of squares of a task does not depend on the labels.
    """
    n_batch, n_tasks, size = values.shape
    rejected = np.zeros(n_batch, np.bool_)
    work, sums, squares = np.empty((n_tasks, size)), np.empty(n_tasks), np.empty(n_tasks)
    now = (state[0], state[1], state[2], state[3])
    for b in range(n_batch):
        scale, first, spread = largest(values[b].ravel()), 0.0, 0.0
        for t in range(n_tasks):
            sums[t], squares[t] = 0.0, 0.0
            own = 0.0
            for i in range(size):
                value = values[b, t, i]
                work[t, i] = value
                sums[t] += value
                squares[t] += value * value
                own += value if i < size // 2 else 0.0
            first += 2.0 * own - sums[t]
            spread += _spread(own, sums[t], squares[t], size // 2)
        observed = abs(_statistic(first, spread, n_tasks, size // 2, scale))
        limit = observed * (1.0 - ROUNDING) - 1e-12 if np.isfinite(observed) else observed
        hits, drawn = 0, 0
        for look in range(looks.size):
            while drawn < looks[look]:
                first, spread = 0.0, 0.0
                for t in range(n_tasks):
                    chosen, now = _choose(work[t], now)
                    first += 2.0 * chosen - sums[t]
                    spread += _spread(chosen, sums[t], squares[t], size // 2)
                hits += abs(_statistic(first, spread, n_tasks, size // 2, scale)) >= limit
                drawn += 1
            rejected[b] = hits <= low[look]
            if rejected[b] or hits > high[look]:
                break
    state[0], state[1], state[2], state[3] = now
    return rejected


@kernel
def _choose(row: Floats, now: tuple[np.uint64, np.uint64, np.uint64, np.uint64]):  # type: ignore[no-untyped-def]
    """Sum of a random half of a row, by a shuffle of its front in place; two places a word."""
    size, total = row.size, 0.0
    half = size // 2
    word = np.uint64(0)
    for i in range(half):
        if i % 2 == 0:
            word, now = following(now[0], now[1], now[2], now[3])
            bits = word & LOW_HALF
        else:
            bits = word >> HALF
        j = i + below(bits, np.uint64(size - i))
        value = row[j]
        row[j] = row[i]
        row[i] = value
        total += value
    return total, now


@kernel
def _spread(chosen: float, total: float, square: float, n: int) -> float:
    """Sum of squares about the means of both halves of a task."""
    return max(square - (chosen * chosen + (total - chosen) * (total - chosen)) / n, 0.0)


@kernel
def _statistic(first: float, spread: float, n_tasks: int, n: int, scale: float) -> float:
    """The difference of task means over its standard error, from their sums over tasks."""
    return ratio(first / (n * n_tasks), spread / (n * (n - 1.0) * n_tasks * n_tasks), scale)
