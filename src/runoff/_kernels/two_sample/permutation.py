"""Hits of relabellings, batched: how many are at least as extreme as the sample itself.

Each kernel returns (batch, 3) counts: statistic ≥ observed, ≤ observed, |statistic| ≥ |observed|. Equality is taken with a
tolerance for rounding, so ties count as hits. A relabelled statistic is computed by the arithmetic of the observed one.
Sums over a mask come from tables of the 256 sums of each 8 values: n / 8 look-ups instead of n additions.
"""

from __future__ import annotations

from math import copysign, inf, sqrt

import numpy as np

from runoff._kernels._jit import kernel
from runoff._kernels.two_sample.masks import NONE, ONE, draw_masks, first_mask
from runoff.base.arrays import Flags, Floats, Ints, Words64

# ── sums of a sample: written out, for numba takes as long to compile `sum` and `mean` as all of a kernel ──────────


@kernel
def mean_of(values: Floats) -> float:
    total = 0.0
    for value in values:
        total += value
    return total / values.size


@kernel
def size_of(values: Floats) -> float:
    total = 0.0
    for value in values:
        total += abs(value)
    return total


@kernel
def squares_of(values: Floats) -> float:
    total = 0.0
    for value in values:
        total += value * value
    return total


# ── hits ──────────

MEAN, STUDENTIZED, BRUNNER_MUNZEL = 0, 1, 2
BYTE = np.uint64(0xFF)
ROUNDING = 8 * np.finfo(np.float64).eps
"""Tolerance of a sum, as a share of Σ |value| before centring, which has rounded every value by a share of itself."""
RELATIVE = 1e-9
"""Tolerance of a ratio, some thousand times what rounding was seen to leave of equal ones (3e-13)."""
NO_VARIANCE = 1e-12
"""Share of the total scatter below which a sample has none; rounding leaves 1e-16 of equal values."""


@kernel
def byte_sums(values: Floats) -> Floats:
    """Return (ceil(n / 8), 256): entry [c, m] is the sum of the values 8c + i over the bits i set in m; 0 where a bit has no value."""
    n = values.size
    table = np.empty(((n + 7) // 8, 256), dtype=np.float64)
    for c in range(table.shape[0]):
        table[c, 0] = 0.0
        n_bits = min(8, n - 8 * c)
        for i in range(n_bits):
            # Each bit doubles the table, so every entry costs one addition.
            for m in range(1 << i):
                table[c, m + (1 << i)] = table[c, m] + values[8 * c + i]
        for m in range(1 << n_bits, 256):
            table[c, m] = 0.0
    return table


@kernel
def centred(pooled: Floats) -> Floats:
    """Return the values about their mean; twice, so that a large offset leaves no rounding behind."""
    values = np.empty(pooled.size, dtype=np.float64)
    mean = mean_of(pooled)
    for i in range(pooled.size):
        values[i] = pooled[i] - mean
    mean = mean_of(values)
    for i in range(pooled.size):
        values[i] -= mean
    return values


@kernel
def masked_sum(table: Floats, mask: Words64) -> float:
    total = 0.0
    for c in range(table.shape[0]):
        total += table[c, np.int64((mask[c >> 3] >> np.uint64(8 * (c & 7))) & BYTE)]
    return total


@kernel
def tally(values: Floats, observed: float, tolerance: float, counts: Ints) -> None:
    """Add the hits of the statistics `values` to counts (3,)."""
    for r in range(values.size):
        counts[0] += values[r] >= observed - tolerance
        counts[1] += values[r] <= observed + tolerance
        counts[2] += abs(values[r]) >= abs(observed) - tolerance


@kernel
def relative_tolerance(observed: float) -> float:
    """Return the tolerance of a ratio statistic; an infinite one is compared as it is."""
    return RELATIVE * abs(observed) if np.isfinite(observed) else 0.0


@kernel
def ratio(difference: float, squared_error: float) -> float:
    """Return difference / sqrt(squared_error), with 0/0 = 0 and d/0 = ±inf."""
    if squared_error > 0.0:
        return difference / sqrt(squared_error)
    return 0.0 if difference == 0.0 else copysign(inf, difference)


@kernel
def mean_hits(pooled: Floats, n_x: int, masks: Words64, counts: Ints) -> None:
    """Count hits of the sum of x over centred values: as extreme as the difference of means, of which it is a multiple."""
    # The sum of all runs is fixed, so the sum of x orders the relabellings as the difference of means does.
    table = byte_sums(centred(pooled))
    observed = masked_sum(table, first_mask(pooled.size, n_x))
    values = np.empty(masks.shape[0], dtype=np.float64)
    for r in range(masks.shape[0]):
        values[r] = masked_sum(table, masks[r])
    tally(values, observed, ROUNDING * size_of(pooled), counts)


@kernel
def studentized(total: float, squares: float, all_squares: float, sizes: tuple[int, int]) -> float:
    """Return Welch's t from the sum and sum of squares of x; the pooled values are centred at 0."""
    n_x, n_y = sizes
    # Squares less the square of the sum, because only sums come from tables; safe only because the values are
    # centred.
    scatter_x = squares - total * total / n_x
    scatter_y = all_squares - squares - total * total / n_y
    negligible = NO_VARIANCE * all_squares
    error_x = scatter_x / (n_x * (n_x - 1)) if scatter_x > negligible else 0.0
    error_y = scatter_y / (n_y * (n_y - 1)) if scatter_y > negligible else 0.0
    difference = total * (1.0 / n_x + 1.0 / n_y)
    return ratio(difference if difference * difference > negligible * NO_VARIANCE else 0.0, error_x + error_y)


@kernel
def studentized_hits(pooled: Floats, n_x: int, masks: Words64, counts: Ints) -> None:
    """Count hits of Welch's t (Janssen 1997, eq. 1.1; Chung & Romano 2013, sec. 2)."""
    values = centred(pooled)
    sums, all_squares = byte_sums(values), squares_of(values)
    for i in range(values.size):
        values[i] *= values[i]
    squares = byte_sums(values)
    sizes = (n_x, pooled.size - n_x)
    own = first_mask(pooled.size, n_x)
    observed = studentized(masked_sum(sums, own), masked_sum(squares, own), all_squares, sizes)
    statistics = np.empty(masks.shape[0], dtype=np.float64)
    for r in range(masks.shape[0]):
        statistics[r] = studentized(masked_sum(sums, masks[r]), masked_sum(squares, masks[r]), all_squares, sizes)
    tally(statistics, observed, relative_tolerance(observed), counts)


@kernel
def brunner_munzel(last: Flags, mask: Words64, n_x: int) -> float:
    """Return the Brunner-Munzel statistic, up to a factor, when the sorted values whose bit is set are x."""
    n_y = last.size - n_x
    below_x, below_y, tied_x, tied_y = 0, 0, 0, 0
    sum_x, squares_x, sum_y, squares_y = 0.0, 0.0, 0.0, 0.0
    for i in range(last.size):
        inside = ((mask[i >> 6] >> np.uint64(i & 63)) & ONE) != NONE
        tied_x += inside
        tied_y += not inside
        # Placements are doubled, so that half a tie is whole: up to the ratio these are sums of whole numbers, and
        # exact.
        if last[i]:
            of_x, of_y = 2.0 * below_y + tied_y, 2.0 * below_x + tied_x
            sum_x += tied_x * of_x
            squares_x += tied_x * of_x * of_x
            sum_y += tied_y * of_y
            squares_y += tied_y * of_y * of_y
            below_x, below_y, tied_x, tied_y = below_x + tied_x, below_y + tied_y, 0, 0
    scatter_x, scatter_y = n_x * squares_x - sum_x * sum_x, n_y * squares_y - sum_y * sum_y
    return ratio(sum_x - n_x * n_y, scatter_x / (n_x - 1) + scatter_y / (n_y - 1))


@kernel
def brunner_munzel_hits(pooled: Floats, order: Ints, n_x: int, masks: Words64, counts: Ints) -> None:
    """Count hits of the Brunner-Munzel statistic (Neubert & Brunner 2007); order (n,) sorts `pooled`."""
    last = np.ones(pooled.size, dtype=np.uint8)
    own = np.zeros(masks.shape[1], dtype=np.uint64)
    for i in range(pooled.size):
        if i + 1 < pooled.size:
            last[i] = pooled[order[i]] != pooled[order[i + 1]]
        if order[i] < n_x:
            own[i >> 6] |= ONE << np.uint64(i & 63)
    observed = brunner_munzel(last, own, n_x)
    values = np.empty(masks.shape[0], dtype=np.float64)
    for r in range(masks.shape[0]):
        values[r] = brunner_munzel(last, masks[r], n_x)
    tally(values, observed, relative_tolerance(observed), counts)


def orders(pooled: Floats, statistic: int) -> Ints:
    """Return (batch, n), what sorts each row of `pooled` (batch, n), for the statistic that is made of ranks; (batch, 0) for the others."""
    return np.argsort(pooled, axis=1) if statistic == BRUNNER_MUNZEL else np.empty((pooled.shape[0], 0), np.int64)


def hits(pooled: Floats, order: Ints, n_x: int, masks: Words64, counts: Ints, *, statistic: int) -> None:
    """Count the hits of one pair by the statistic's number; `order` is that of `orders`. Python chooses, so that only what runs is compiled."""
    if statistic == BRUNNER_MUNZEL:
        brunner_munzel_hits(pooled, order, n_x, masks, counts)
    else:
        (mean_hits, studentized_hits)[statistic](pooled, n_x, masks, counts)


def enumerated_hits(pooled: Floats, order: Ints, n_x: int, masks: Words64, *, statistic: int) -> Ints:
    """Return (batch, 3) hits among the given relabellings, the same for each pair; pooled (batch, n), x first; order of `orders`."""
    counts = np.zeros((pooled.shape[0], 3), dtype=np.int64)
    for b in range(pooled.shape[0]):
        hits(pooled[b], order[b], n_x, masks, counts[b], statistic=statistic)
    return counts


def sampled_hits(pooled: Floats, order: Ints, n_x: int, state: Words64, *, n_resamples: int, statistic: int) -> Ints:
    """Return (batch, 3) hits among relabellings drawn anew for each pair; n_x ≤ n / 2; `state` moves on."""
    n_batch, n = pooled.shape
    counts = np.zeros((n_batch, 3), dtype=np.int64)
    masks = np.empty((n_resamples, (n + 63) // 64), dtype=np.uint64)
    for b in range(n_batch):
        draw_masks(state, n, n_x, masks)
        hits(pooled[b], order[b], n_x, masks, counts[b], statistic=statistic)
    return counts
