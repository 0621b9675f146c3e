"""Groups drawn from given runs, task by task, no run twice: disjoint halves, or single groups.

Of independent runs any that are drawn without a look at their scores are independent as well. So the two halves are, over all sets of
runs that one could have had, two independent samples, and the rate of rejections is that of new runs, without bias. Given the runs, the
halves depend on each other, which adds to the variance of their difference what drawing from a finite set takes away:
2 s²/N (1 − N/M) + 2 s²/M = 2 s²/N.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from math import comb, prod

import numpy as np

from runoff.base.arrays import Floats, Ints
from runoff.studies.check.runs import OwnRuns
from runoff.studies.worlds.empirical import distinct_positions


def groups(runs: OwnRuns, n: int, n_batch: int, generator: np.random.Generator) -> Floats:
    """Return groups of n runs of each task, float64 (n_batch, n_tasks, n); of shared runs whole rows."""
    if runs.shared:
        at = distinct_positions(generator, n_batch, runs.n_all, n)
        return np.stack([cell[at] for cell in runs.cells], axis=1)
    return np.stack([cell[distinct_positions(generator, n_batch, cell.size, n)] for cell in runs.cells], axis=1)


def halves(runs: OwnRuns, n: int, n_batch: int, generator: np.random.Generator) -> Floats:
    """Return two disjoint groups of n runs of each task, float64 (n_batch, 2, n_tasks, n)."""
    both = groups(runs, 2 * n, n_batch, generator)
    return np.ascontiguousarray(both.reshape(n_batch, len(runs.cells), 2, n).transpose(0, 2, 1, 3))


def n_splits(runs: OwnRuns, n: int) -> int:
    """Return how many pairs of disjoint groups there are: ½ Π C(M, 2n) C(2n, n)."""
    return prod(comb(cell.size, 2 * n) * comb(2 * n, n) for cell in runs.cells) // 2


def all_splits(runs: OwnRuns, n: int) -> Floats:
    """Return every pair of disjoint groups once, float64 (n_splits, 2, n_tasks, n)."""
    kept = [
        [cell[pair] for cell, pair in zip(runs.cells, pairs, strict=True)]
        for pairs in product(*(list(_pairs(cell.size, n)) for cell in runs.cells))
        if pairs[0][0, 0] < pairs[0][1, 0]
    ]
    return np.ascontiguousarray(np.array(kept).transpose(0, 2, 1, 3))


def _pairs(size: int, n: int) -> Iterator[Ints]:
    """Yield every pair of disjoint groups, both ways round, as positions (2, n), ascending in each group."""
    for first in combinations(range(size), n):
        rest = [at for at in range(size) if at not in first]
        for second in combinations(rest, n):
            yield np.array([first, second], np.int64)
