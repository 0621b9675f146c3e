"""The permutation test as Colas (2019) has it: shuffles strictly beyond the data."""

from __future__ import annotations

import numpy as np

from runoff._kernels._jit import kernel
from runoff._kernels.two_sample.masks import draw_masks, first_mask
from runoff._kernels.two_sample.permutation import ROUNDING, byte_sums, centred, masked_sum
from runoff._kernels.two_sample.sums import size_of
from runoff._kernels.two_sample.words import LOW_HALF, below, following
from runoff.base.arrays import Floats, Ints, Words64


@kernel
def sequential_mean(values: Floats, start: int, stop: int) -> float:
    """Mean of values[start:stop], added up one by one: NumPy's arithmetic for fewer than 8 values."""
    total = 0.0
    for i in range(start, stop):
        total += values[i]
    return total / (stop - start)


@kernel
def shuffled_hits(pooled: Floats, n_x: int, n_resamples: int, state: Words64) -> Ints:
    """Count shuffles with |d*| > |d| in floating point: a shuffle that only reorders the samples can be a hit by rounding.

    With 3 runs every tenth shuffle leaves the samples as they are up to order, so this decides. pooled: (batch, 2 n_x), n_x < 8; `state` moves
    on. Returns (batch,). Source: github.com/ccolas/rl_stats, tests.py, run_permutation_test.
    """
    n_batch, n = pooled.shape
    hits = np.zeros(n_batch, np.int64)
    values = np.empty(n)
    now = (state[0], state[1], state[2], state[3])
    for b in range(n_batch):
        for i in range(n):
            values[i] = pooled[b, i]
        limit = abs(sequential_mean(values, 0, n_x) - sequential_mean(values, n_x, n))
        for _ in range(n_resamples):
            for i in range(n - 1, 0, -1):
                word, now = following(now[0], now[1], now[2], now[3])
                j = below(word & LOW_HALF, np.uint64(i + 1))
                values[i], values[j] = values[j], values[i]
            hits[b] += abs(sequential_mean(values, 0, n_x) - sequential_mean(values, n_x, n)) > limit
    state[0], state[1], state[2], state[3] = now
    return hits


@kernel
def strict_hits(pooled: Floats, n_x: int, n_resamples: int, state: Words64) -> Ints:
    """Count drawn relabellings with |d*| > |d|; ties do not count.

    pooled: (batch, n), the first n_x values are x, n_x ≤ n / 2; `state` moves on. Returns (batch,).
    Source: github.com/ccolas/rl_stats, tests.py, `1 - mean(estimates <= delta)`.
    """
    n_batch, n = pooled.shape
    hits = np.zeros(n_batch, np.int64)
    masks = np.empty((n_resamples, (n + 63) // 64), np.uint64)
    own = first_mask(n, n_x)
    for b in range(n_batch):
        draw_masks(state, n, n_x, masks)
        table = byte_sums(centred(pooled[b]))
        limit = abs(masked_sum(table, own)) + ROUNDING * size_of(pooled[b])
        for r in range(n_resamples):
            hits[b] += abs(masked_sum(table, masks[r])) > limit
    return hits
