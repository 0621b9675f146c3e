"""Whose run is whose, under many labellings; the first is that of the data.

Where a block has few labellings, each is drawn equally often, in random order. The rows are then as exchangeable as independent ones, so that
the test stays exact; and a p-value that is one of 20 is one of 20, whatever the seed.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from math import comb, lcm

import numpy as np

from runoff._kernels.blocked import permute
from runoff.base.arrays import Bools, Floats, Ints
from runoff.base.random import Streams

MANY = 40
Sizes = tuple[int, int]
"""Runs of the baseline and of the candidate that are relabelled together: those of a task, or whole runs."""


def n_labellings(size: Sizes) -> int:
    """Return in how many ways the runs of a block can be labelled; where both sides have more than `MANY`, fewer, but more than can be drawn."""
    return comb(sum(size), min(*size, MANY))


def freedom(sizes: Sequence[Sizes]) -> float:
    """Return Welch-Satterthwaite's degrees of freedom of the mean over blocks of a difference of means, where all runs spread alike."""
    squared = sum(1 / n + 1 / m for n, m in sizes)
    return squared**2 / sum(1 / (n * n * (n - 1)) + 1 / (m * m * (m - 1)) for n, m in sizes)


def n_draws(sizes: Sequence[Sizes], n_resamples: int) -> int:
    """Return how many labellings are drawn: of one block all of them if they are few, else so many that few ones come equally often."""
    counts = sorted({n_labellings(size) for size in sizes})
    if len(sizes) == 1 and counts[0] <= n_resamples:
        return counts[0]
    period = 1
    for count in counts:
        period = lcm(period, count) if lcm(period, count) <= n_resamples else period
    return period * -(-n_resamples // period)


def labellings(size: Sizes, n: int, streams: Streams, block: int) -> Floats:
    """Return n labellings of a block, (n, n_runs): 1 where a run counts as the baseline's, whose own come first."""
    count = n_labellings(size)
    rng = streams.block("gate", block)
    if n % count == 0:
        order = np.tile(np.arange(1, count), n // count)
        order = rng.permutation(np.concatenate([order, np.zeros(n // count - 1, np.int64)]))
        rows: Floats = _every(*size)[np.concatenate([[0], order])].astype(np.float64)
        return rows
    counts = np.array([size], np.int64)
    words = rng.integers(0, 2**32, size=(n - 1, permute.words_per_draw(counts)), dtype=np.uint32)
    drawn = permute.shuffled_labels(np.array([0, sum(size)], np.int64), counts, words) == 0
    own = np.arange(sum(size)) < size[0]
    return np.concatenate([own[None, :], drawn]).astype(np.float64)


@lru_cache(maxsize=16)
def _every(n_baseline: int, n_candidate: int) -> Bools:
    """Return all labellings, that of the data first."""
    chosen: Ints = np.array(list(combinations(range(n_baseline + n_candidate), n_baseline)), np.int64)
    masks = np.zeros((len(chosen), n_baseline + n_candidate), np.bool_)
    np.put_along_axis(masks, chosen, True, axis=1)
    return masks
