"""Hits of bootstrap resamples of a difference of means, batched.

The statistic of a resample is its deviation d* - d from the observed difference, divided by its own standard error for
the studentised interval. Each kernel returns (batch, 2): deviations ≥ threshold and ≤ threshold, equality with a tolerance.
Sums of n draws take n / 2 look-ups in a table of the n² sums of two values, as long as the table fits the cache.
"""

from __future__ import annotations

import numpy as np

from runoff._kernels._jit import kernel
from runoff._kernels.two_sample.masks import HALF, LOW_HALF, below, following
from runoff._kernels.two_sample.permutation import (
    NO_VARIANCE,
    ROUNDING,
    mean_of,
    ratio,
    relative_tolerance,
    size_of,
    squares_of,
)
from runoff.base.arrays import Floats, Ints, Words64

LARGEST_PAIRED = 128
"""Most values of a table of pairs: its sums take 128 kB, which the second cache of a core holds; the words of half the draws are saved."""


@kernel
def pair_table(values: Floats) -> Floats:
    """Return the n² sums of two values, or the n values themselves where n² would not fit the cache."""
    n = values.size
    if n > LARGEST_PAIRED:
        return values.copy()
    table = np.empty(n * n, dtype=np.float64)
    for i in range(n):
        for j in range(n):
            table[i * n + j] = values[i] + values[j]
    return table


@kernel
def resampled_sums(state: Words64, table: Floats, values: Floats, sums: Floats) -> None:
    """Fill `sums` with sums of n values drawn with replacement; `state` moves on."""
    n, bound, single = values.size, np.uint64(table.size), np.uint64(values.size)
    paired = table.size > n
    looks = n // 2 if paired else n
    now = (state[0], state[1], state[2], state[3])
    for r in range(sums.size):
        total = 0.0
        for _ in range(looks // 2):
            word, now = following(now[0], now[1], now[2], now[3])
            total += table[below(word & LOW_HALF, bound)] + table[below(word >> HALF, bound)]
        # An odd look-up and an odd value share the halves of one more word.
        if looks % 2 or (paired and n % 2):
            word, now = following(now[0], now[1], now[2], now[3])
            if looks % 2:
                total += table[below(word & LOW_HALF, bound)]
            if paired and n % 2:
                total += values[below(word >> HALF, single)]
        sums[r] = total
    state[0], state[1], state[2], state[3] = now


@kernel
def resampled_moments(state: Words64, values: Floats, sums: Floats, squares: Floats) -> None:
    """Fill `sums` and `squares` with sums and sums of squares of n values drawn with replacement; `state` moves on."""
    n, bound = values.size, np.uint64(values.size)
    now = (state[0], state[1], state[2], state[3])
    for r in range(sums.size):
        sums[r], squares[r] = 0.0, 0.0
        for i in range(0, n, 2):
            word, now = following(now[0], now[1], now[2], now[3])
            first = values[below(word & LOW_HALF, bound)]
            second = values[below(word >> HALF, bound)] if i + 1 < n else 0.0
            sums[r] += first + second
            squares[r] += first * first + second * second
    state[0], state[1], state[2], state[3] = now


@kernel
def tally(values: Floats, threshold: float, tolerance: float, counts: Ints) -> None:
    """Add the deviations at or beyond the threshold, on either side, to counts (2,)."""
    for r in range(values.size):
        counts[0] += values[r] >= threshold - tolerance
        counts[1] += values[r] <= threshold + tolerance


@kernel
def about_mean(values: Floats, out: Floats) -> float:
    """Return the mean of `values` (n,), and fill `out` with the values less it."""
    mean = mean_of(values)
    for i in range(values.size):
        out[i] = values[i] - mean
    return mean


@kernel
def deviation_hits(x: Floats, y: Floats, sign: float, n_resamples: int, state: Words64) -> Ints:
    """Return (batch, 2) hits of d* - d against sign · d: sign +1 is the basic interval, -1 the percentile interval."""
    counts = np.zeros((x.shape[0], 2), dtype=np.int64)
    sums_x = np.empty(n_resamples, dtype=np.float64)
    sums_y = np.empty(n_resamples, dtype=np.float64)
    own_x, own_y = np.empty(x.shape[1]), np.empty(y.shape[1])
    for b in range(x.shape[0]):
        difference = about_mean(x[b], own_x) - about_mean(y[b], own_y)
        resampled_sums(state, pair_table(own_x), own_x, sums_x)
        resampled_sums(state, pair_table(own_y), own_y, sums_y)
        for r in range(n_resamples):
            sums_x[r] = sums_x[r] / x.shape[1] - sums_y[r] / y.shape[1]
        tally(sums_x, sign * difference, ROUNDING * (size_of(x[b]) + size_of(y[b])), counts[b])
    return counts


@kernel
def squared_error(total: float, squares: float, n: int, negligible: float) -> float:
    """Return the squared standard error of a resampled mean from its sum and sum of squares; rounding counts as 0."""
    # Safe only because the values are about their mean: with an offset both terms would be large, and their difference rounding.
    scatter = squares - total * total / n
    return scatter / (n * (n - 1)) if scatter > negligible else 0.0


@kernel
def studentized_hits(x: Floats, y: Floats, n_resamples: int, state: Words64) -> Ints:
    """Return (batch, 2) hits of t* = (d* - d) / se* against t = d / se (Efron & Tibshirani 1993, sec. 12.5)."""
    n_x, n_y = x.shape[1], y.shape[1]
    counts = np.zeros((x.shape[0], 2), dtype=np.int64)
    draws = np.empty((4, n_resamples), dtype=np.float64)
    own_x, own_y = np.empty(n_x), np.empty(n_y)
    for b in range(x.shape[0]):
        difference = about_mean(x[b], own_x) - about_mean(y[b], own_y)
        scatter_x, scatter_y = squares_of(own_x), squares_of(own_y)
        small_x, small_y = NO_VARIANCE * scatter_x, NO_VARIANCE * scatter_y
        resampled_moments(state, own_x, draws[0], draws[1])
        resampled_moments(state, own_y, draws[2], draws[3])
        observed = ratio(difference, scatter_x / (n_x * (n_x - 1)) + scatter_y / (n_y * (n_y - 1)))
        for r in range(n_resamples):
            error_x = squared_error(draws[0, r], draws[1, r], n_x, small_x)
            error_y = squared_error(draws[2, r], draws[3, r], n_y, small_y)
            draws[0, r] = ratio(draws[0, r] / n_x - draws[2, r] / n_y, error_x + error_y)
        tally(draws[0], observed, relative_tolerance(observed), counts[b])
    return counts
