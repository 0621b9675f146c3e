"""The permutation test as Colas (2019) has it: relabelings strictly beyond the data."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from runoff._kernels._jit import kernel
from runoff._kernels.two_sample.masks import draw_masks, first_mask
from runoff._kernels.two_sample.permutation import ROUNDING, byte_sums, centred, masked_sum
from runoff._kernels.two_sample.words import Words


@kernel
def strict_hits(pooled: NDArray[np.float64], n_x: int, n_resamples: int, state: Words) -> NDArray[np.int64]:
    """Count drawn relabelings with |d*| > |d|; ties do not count.

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
        limit = abs(masked_sum(table, own)) + ROUNDING * np.abs(pooled[b]).sum()
        for r in range(n_resamples):
            hits[b] += abs(masked_sum(table, masks[r])) > limit
    return hits
