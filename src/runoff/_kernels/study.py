"""Many simulated experiments at once: one set of resamples for a group of them, and tests by relabelling.

A resample is a table of counts: how often each slot (task, run) was drawn. The counts serve a group of experiments, and the walk over the
sorted scores of one experiment goes through CHUNK resamples in lockstep, so that the compiler makes vector instructions of it.
"""

from __future__ import annotations

import numpy as np

from runoff._kernels._jit import kernel
from runoff._kernels.two_sample.masks import LOW_HALF, below, draw_masks, first_mask, following
from runoff._kernels.two_sample.permutation import ROUNDING, byte_sums, centred, masked_sum, size_of
from runoff.base.arrays import Floats, GroupMask, Ints, SmallCounts, Words, Words64

CHUNK = 256
"""Resamples walked through in lockstep."""


@kernel
def resample_counts(words: Words, n_runs: int) -> SmallCounts:
    """How often each slot is drawn, (n_chunks, n_slots, CHUNK); the last chunk is padded with zeros.

    words: (n_resamples, n_slots) random bits; slot t · n_runs + i is run i of task t. At most 255 draws of one slot are counted, which
    n_runs ≤ 255 makes sure of. Source: Agarwal et al. (2021) section 4, "Stratified bootstrap confidence intervals".
    """
    n_resamples, n_slots = words.shape
    # Lanes innermost: a slot's counts of 256 resamples lie side by side, and are read by vector instructions.
    counts = np.zeros(((n_resamples + CHUNK - 1) // CHUNK, n_slots, CHUNK), np.uint8)
    for r in range(n_resamples):
        chunk, lane = r // CHUNK, r % CHUNK
        for slot in range(n_slots):
            drawn = np.int64((np.uint64(words[r, slot]) * np.uint64(n_runs)) >> np.uint64(32))
            counts[chunk, slot - slot % n_runs + drawn, lane] += np.uint8(1)
    return counts


@kernel
def pooled_means(
    counts: SmallCounts, order: Ints, values: Floats, size: int, cut: float, trimmed: Floats, means: Floats
) -> None:
    """Fill trimmed and plain means of all runs pooled, (n_batch, n_resamples) each.

    counts: of `resample_counts`; order: (n_batch, n_slots) slots by ascending score; values: (n_batch, n_slots) the scores in that order;
    size: the sum of each resample's counts; cut: how many of them to drop at each end, 0.25 size for the IQM, one at the cut in part.
    Source: Agarwal et al. (2021) section 4.3.
    """
    n_batch, n_slots = order.shape
    n_resamples = trimmed.shape[1]
    stop = size - cut
    below, kept, total = np.empty(CHUNK), np.empty(CHUNK), np.empty(CHUNK)
    for c in range(counts.shape[0]):
        first = c * CHUNK
        n_lanes = min(CHUNK, n_resamples - first)
        for b in range(n_batch):
            below[:], kept[:], total[:] = 0.0, 0.0, 0.0
            for i in range(n_slots):
                row, value = counts[c, order[b, i]], values[b, i]
                for lane in range(CHUNK):
                    weight = np.float64(row[lane])
                    low = below[lane]
                    high = low + weight
                    below[lane] = high
                    total[lane] += weight * value
                    high = high if high < stop else stop
                    low = low if low > cut else cut
                    part = high - low
                    kept[lane] += (part if part > 0.0 else 0.0) * value
            for lane in range(n_lanes):
                trimmed[b, first + lane] = kept[lane] / (stop - cut)
                means[b, first + lane] = total[lane] / size


def lanes(labels: GroupMask) -> SmallCounts:
    """Arrange indicators (n_resamples, n_slots), 0 or 1, as `resample_counts` does."""
    n_resamples, n_slots = labels.shape
    n_chunks = -(-n_resamples // CHUNK)
    padded = np.zeros((n_chunks * CHUNK, n_slots), np.uint8)
    padded[:n_resamples] = labels
    return np.ascontiguousarray(padded.reshape(n_chunks, CHUNK, n_slots).transpose(0, 2, 1))


@kernel
def add(row: SmallCounts, into: Floats) -> None:
    """into += row, over the lanes."""
    for lane in range(CHUNK):
        into[lane] += np.float64(row[lane])


@kernel
def add_half(row: SmallCounts, other: Floats, into: Floats) -> None:
    """into += ½ · row · other, over the lanes."""
    for lane in range(CHUNK):
        into[lane] += 0.5 * np.float64(row[lane]) * other[lane]


@kernel
def improvements(counts_x: SmallCounts, counts_y: SmallCounts, order: Ints, last: SmallCounts, out: Floats) -> None:
    """Fill P(x > y) + P(x = y) / 2, averaged over tasks, of each experiment and resample, (n_batch, n_resamples).

    counts_x, counts_y: of `resample_counts`; order: (n_batch, n_tasks, 2 n_runs) positions of the pooled runs of a task by ascending score, x
    first; last: the same shape, 1 where a group of tied scores ends. Source: Agarwal et al. (2021) section 4.3, Mann & Whitney (1947).
    """
    n_batch, n_tasks, n = order.shape
    n_runs, n_resamples = n // 2, out.shape[1]
    wins, beaten = np.empty(CHUNK), np.empty(CHUNK)
    for c in range(counts_x.shape[0]):
        first = c * CHUNK
        for b in range(n_batch):
            wins[:] = 0.0
            for t in range(n_tasks):
                beaten[:] = 0.0
                start, base = 0, t * n_runs
                for i in range(n):
                    if last[b, t, i] == 0:
                        continue
                    # A run of x beats what lies below its group, and half of its group: the mean of what was beaten
                    # before the runs of y of the group are added, and after.
                    for j in range(start, i + 1):
                        if order[b, t, j] < n_runs:
                            add_half(counts_x[c, base + order[b, t, j]], beaten, wins)
                    for j in range(start, i + 1):
                        if order[b, t, j] >= n_runs:
                            add(counts_y[c, base + order[b, t, j] - n_runs], beaten)
                    for j in range(start, i + 1):
                        if order[b, t, j] < n_runs:
                            add_half(counts_x[c, base + order[b, t, j]], beaten, wins)
                    start = i + 1
            for lane in range(min(CHUNK, n_resamples - first)):
                out[b, first + lane] = wins[lane] / (n_tasks * n_runs * n_runs)


# ── the permutation test as Colas (2019) has it: shuffles strictly beyond the data ──────────


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
            # Fisher & Yates from the end, on what the shuffle before left: a uniform shuffle of any order is uniform.
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
        # The limit is raised by the rounding of both sums, for equality must not count here.
        limit = abs(masked_sum(table, own)) + ROUNDING * size_of(pooled[b])
        for r in range(n_resamples):
            hits[b] += abs(masked_sum(table, masks[r])) > limit
    return hits
