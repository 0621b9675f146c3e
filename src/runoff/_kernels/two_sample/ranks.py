"""Everything rank tests need, from one sort of the pooled sample, in integers.

The pooled sample of a pair is described by `is_x` (batch, n), 1 where the value of that rank came from x, and `last`
(batch, n), 1 where a group of tied values ends. Ranks and placements are doubled, so mid-ranks are whole numbers.
"""

from __future__ import annotations

import numpy as np

from runoff._kernels._jit import kernel
from runoff.base.arrays import Flags, Floats, Ints


def sort_pooled(x: Floats, y: Floats) -> tuple[Flags, Flags]:
    """Return (is_x, last) of each pair; values are tied when they are equal as float64."""
    pooled = np.concatenate([x, y], axis=1)
    order = np.argsort(pooled, axis=1)
    ordered = np.take_along_axis(pooled, order, axis=1)
    last = np.ones(pooled.shape, dtype=np.uint8)
    last[:, :-1] = ordered[:, 1:] != ordered[:, :-1]
    return (order < x.shape[1]).astype(np.uint8), last


@kernel
def tie_groups(last: Flags) -> Ints:
    """Return the sizes of the groups of tied values of one pair, in ascending order of value."""
    ends = np.flatnonzero(last)
    sizes = np.empty(ends.size, dtype=np.int64)
    before = -1
    for g in range(ends.size):
        sizes[g] = ends[g] - before
        before = ends[g]
    return sizes


@kernel
def placement_sums(is_x: Flags, last: Flags) -> Ints:
    """Return (batch, 4): sum and sum of squares of the doubled placements of x among y, then of y among x.

    The placement of a value is the number of values of the other sample below it plus half of those tied with it;
    the first column is therefore twice the Mann-Whitney U of x (Mann & Whitney 1947; Brunner & Munzel 2000).
    """
    n_batch, n = is_x.shape
    sums = np.zeros((n_batch, 4), dtype=np.int64)
    for b in range(n_batch):
        below_x, below_y, tied_x, tied_y = 0, 0, 0, 0
        for i in range(n):
            tied_x += is_x[b, i]
            tied_y += 1 - is_x[b, i]
            if last[b, i]:
                of_x, of_y = 2 * below_y + tied_y, 2 * below_x + tied_x
                sums[b, 0] += tied_x * of_x
                sums[b, 1] += tied_x * of_x * of_x
                sums[b, 2] += tied_y * of_y
                sums[b, 3] += tied_y * of_y * of_y
                below_x, below_y, tied_x, tied_y = below_x + tied_x, below_y + tied_y, 0, 0
    return sums


@kernel
def doubled_midranks(last: Flags) -> Ints:
    """Return (batch, n): twice the mid-rank of each position of the sorted pooled sample (1-based ranks)."""
    n_batch, n = last.shape
    ranks = np.empty((n_batch, n), dtype=np.int64)
    for b in range(n_batch):
        start = 0
        for i in range(n):
            if last[b, i]:
                ranks[b, start : i + 1] = start + i + 2
                start = i + 1
    return ranks


@kernel
def tie_term(last: Flags) -> Floats:
    """Return (batch,): the sum of t³ - t over the groups of t tied values; 0 without ties."""
    n_batch, n = last.shape
    term = np.zeros(n_batch, dtype=np.float64)
    for b in range(n_batch):
        size = 0.0
        for i in range(n):
            size += 1.0
            if last[b, i]:
                term[b] += size * size * size - size
                size = 0.0
    return term


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
