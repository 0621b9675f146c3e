"""Everything rank tests need, from one sort of the pooled sample, in integers; the exact nulls of U and of the largest gap.

The pooled sample of a pair is described by `is_x` (batch, n), 1 where the value of that rank came from x, and `last`
(batch, n), 1 where a group of tied values ends. Ranks and placements are doubled, so mid-ranks are whole numbers.

Groups of tied values are added from the lowest up. The state is (number of x so far, U so far); adding a group of t
values of which m are from x, above v values of y, adds m v + m (t - m) / 2 to U and has C(t, m) p^m q^(t-m) ways with
p = n_x / n. All terms are positive, so tails keep their relative precision; conditioning on n_x values of x normalises.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from runoff.base.arrays import Flags, Floats, Ints


def sort_pooled(x: Floats, y: Floats) -> tuple[Flags, Flags]:
    """Return (is_x, last) of each pair; values are tied when they are equal as float64."""
    pooled = np.concatenate([x, y], axis=1)
    order = np.argsort(pooled, axis=1)
    ordered = np.take_along_axis(pooled, order, axis=1)
    last = np.ones(pooled.shape, dtype=np.uint8)
    last[:, :-1] = ordered[:, 1:] != ordered[:, :-1]
    return (order < x.shape[1]).astype(np.uint8), last


def tie_groups(last: Flags) -> tuple[int, ...]:
    """Return the sizes of the groups of tied values of one pair, in ascending order of value."""
    return tuple(np.diff(np.flatnonzero(last), prepend=-1).tolist())


def group_ends(last: Flags) -> tuple[Ints, Ints]:
    """Return the first and the last position of the group of tied values that each position is in, (batch, n) each, or (1, n) without ties."""
    positions = np.arange(last.shape[1])[None]
    if last.all():
        return positions, positions
    first = np.ones(last.shape, np.bool_)
    first[:, 1:] = last[:, :-1]
    end = np.where(last, positions, last.shape[1])[:, ::-1]
    return np.maximum.accumulate(positions * first, axis=1), np.minimum.accumulate(end, axis=1)[:, ::-1]


def placement_sums(is_x: Flags, last: Flags) -> Ints:
    """Return (batch, 4): sum and sum of squares of the doubled placements of x among y, then of y among x.

    The placement of a value is the number of values of the other sample below it plus half of those tied with it;
    the first column is therefore twice the Mann-Whitney U of x (Mann & Whitney 1947; Brunner & Munzel 2000).
    """
    first, end = group_ends(last)
    up_to = np.cumsum(is_x, axis=1, dtype=np.int64)
    # Of y among x: those below the group and those up to its end; the other one is what is left of all runs.
    below = up_to - is_x
    if not last.all():
        below, up_to = np.take_along_axis(below, first, axis=1), np.take_along_axis(up_to, end, axis=1)
    of_y = below + up_to
    of_x = (first + end + 1 - of_y) * is_x
    of_y *= 1 - is_x.astype(np.int64)
    moments = [(own.sum(axis=1), np.einsum("ij,ij->i", own, own)) for own in (of_x, of_y)]
    return np.stack([*moments[0], *moments[1]], axis=1)


def doubled_midranks(last: Flags) -> Ints:
    """Return (batch, n): twice the mid-rank of each position of the sorted pooled sample (1-based ranks)."""
    first, end = group_ends(last)
    return np.broadcast_to(first + end + 2, last.shape)


def tie_term(last: Flags) -> Floats:
    """Return (batch,): the sum of t³ - t over the groups of t tied values; 0 without ties."""
    first, end = group_ends(last)
    sizes = (end - first + 1).astype(np.float64)
    return np.asarray(np.broadcast_to(np.square(sizes) - 1.0, last.shape).sum(axis=1))


def split_ranks(is_x: Flags, last: Flags, n_x: int) -> tuple[Floats, Floats]:
    """Return the doubled mid-ranks of x (batch, n_x) and of y (batch, n_y), each ascending."""
    ranks = doubled_midranks(last).astype(np.float64)
    n_batch, n = ranks.shape
    mine = is_x.astype(bool)
    return ranks[mine].reshape(n_batch, n_x), ranks[~mine].reshape(n_batch, n - n_x)


def placement_variances(sums: Ints, n_x: int, n_y: int) -> tuple[Floats, Floats]:
    """Return the unbiased variances of the (undoubled) placements of x and of y, from whole-number sums."""
    scatter_x = n_x * sums[:, 1] - sums[:, 0] ** 2
    scatter_y = n_y * sums[:, 3] - sums[:, 2] ** 2
    return scatter_x / (4.0 * n_x * (n_x - 1)), scatter_y / (4.0 * n_y * (n_y - 1))


# ── the exact null of U ──────────


@lru_cache(maxsize=64)
def u_distribution(groups: tuple[int, ...], n_x: int, n_y: int) -> Floats:
    """Return P(U = u) by the sizes of the groups of tied values: entry i is u = i without ties (all of size 1), and u = i / 2 with ties."""
    scale = 1 if len(groups) == n_x + n_y else 2
    states = np.zeros((n_x + 1, scale * n_x * n_y + 1))
    states[0, 0] = 1.0
    before = 0
    for size in groups:
        # With p = n_x/n the mass stays where the answer is: without it the counts of hundreds of runs are no doubles.
        weights = binomial_weights(size, n_x / (n_x + n_y))
        # Downwards, in place: the states of fewer x are still those of the group before.
        for j_new in range(min(n_x, before + size), max(0, before + size - n_y) - 1, -1):
            row = np.zeros(scale * j_new * (before + size - j_new) + 1)
            for m in range(max(0, j_new - before), min(size, j_new, n_y + j_new - before) + 1):
                j, below = j_new - m, before - j_new + m
                shift, width = scale * m * below + scale * m * (size - m) // 2, scale * j * below + 1
                row[shift : shift + width] += weights[m] * states[j, :width]
            states[j_new, : row.size] = row
        before += size
    return np.asarray(states[n_x] / np.cumsum(states[n_x])[-1])


def binomial_weights(size: int, p: float) -> list[float]:
    """Return C(size, m) p^m (1-p)^(size-m) for m = 0 .. size."""
    weights, scale, square, left = [1.0], 1.0, 1.0 - p, size
    for m in range(size):
        weights.append(weights[m] * (size - m) / (m + 1) * p / (1.0 - p))
    while left:  # (1-p)^size by multiplications alone, whose last digits no library decides
        scale *= square if left % 2 else 1.0
        square, left = square * square, left // 2
    return [weight * scale for weight in weights]


def u_tails(distribution: Floats, doubled_u: Ints, n_pairs: int) -> tuple[Floats, Floats, Floats]:
    """Return P(U ≥ u), P(U ≤ u) and P(|U - n_x n_y / 2| ≥ |u - n_x n_y / 2|); `n_pairs` is n_x n_y."""
    scale = (distribution.size - 1) // n_pairs
    up_to, from_on = both_sums(distribution), both_sums(distribution[::-1])[::-1]
    at = doubled_u * scale // 2
    high = np.maximum(at, scale * n_pairs - at)
    # In the middle both tails hold the same value, which their sum would count twice.
    both = np.where(2 * high == scale * n_pairs, 1.0, from_on[high] + up_to[scale * n_pairs - high])
    return from_on[at], up_to[at], np.minimum(both, 1.0)


def both_sums(distribution: Floats) -> Floats:
    """Return the cumulative sums, above 1/2 as 1 minus what is left, so that all of it is 1 exactly."""
    up_to = np.cumsum(distribution)
    above = np.append(np.cumsum(distribution[::-1])[::-1][1:], 0.0)
    return np.where(above < 0.5, 1.0 - above, up_to)


# ── Kolmogorov-Smirnov ──────────


def largest_gap(is_x: Flags, last: Flags, n_x: int) -> Ints:
    """Return (batch,): n_x n_y · max |F_x - F_y|, a whole number; taken where groups of tied values end."""
    n = is_x.shape[1]
    # n_x n_y (F_x − F_y) = j n − i n_x where j of the i lowest are of x: whole numbers, so that equal gaps are equal.
    gaps = np.cumsum(is_x, axis=1, dtype=np.int64) * n - np.arange(1, n + 1) * n_x
    return np.asarray(np.abs(gaps * last).max(axis=1))


def gap_pvalues(gaps: Ints, last: Flags, n_x: int) -> Floats:
    """Return P(largest gap ≥ gap) over all relabellings of each pair, (batch,).

    A relabelling is a path of n steps; `inside` is the probability to be at j values of x without having reached the gap,
    `reached` with. Both are sums of positive terms (Hodges 1958; ties as in Schröer & Trenkler 1995).
    """
    n, j = last.shape[1], np.arange(n_x + 1)
    inside, reached = np.zeros((2, gaps.size, n_x + 1))
    inside[:, 0] = 1.0
    for i in range(n):
        stay, step = np.maximum(n - n_x - i + j, 0) / (n - i), (n_x - j[:-1]) / (n - i)
        for paths in (inside, reached):
            stepped = paths[:, :-1] * step
            paths *= stay
            paths[:, 1:] += stepped
        beyond = np.abs(j * n - (i + 1) * n_x) >= gaps[:, None]
        at = (last[:, i, None] > 0) & beyond
        reached += np.where(at, inside, 0.0)
        inside[at] = 0.0
    return np.minimum(reached[:, n_x], 1.0)
