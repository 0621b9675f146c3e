"""Mid-ranks within tasks, as integers: twice the rank, so that ties need no halves.

A segment holds all runs of one task. Rank 1 is the lowest score; tied scores share the mean of their ranks. NumPy sorts: to compile
a sort takes a second.
"""

from __future__ import annotations

import numpy as np

from runoff._kernels._jit import kernel
from runoff.base.arrays import Floats, Ints


def order_within(values: Floats | Ints, starts: Ints) -> Ints:
    """Positions that sort the segments `starts[i]:starts[i + 1]`, tied values in any order.

    values: (total,); starts: (n_segments + 1,), from 0 to total. Returns (total,).
    """
    lengths = np.diff(starts)
    if lengths.size and (lengths == lengths[0]).all():
        order: Ints = (np.argsort(values.reshape(lengths.size, lengths[0]), axis=1) + starts[:-1, None]).ravel()
        return order
    return np.lexsort((values, np.repeat(np.arange(lengths.size), lengths)))


def centred_ranks(values: Floats, starts: Ints) -> Ints:
    """Doubled mid-ranks less their mean, 2r − (q + 1), within the segments `starts[i]:starts[i + 1]`.

    values: (total,) scores; starts: (n_segments + 1,). Returns (total,) int64 with sum 0 in every segment.
    Source: mid-ranks of Mack & Skillings (1980) as in Casesa (2024) section 2.3.2, step 1.
    """
    return _ranks_in_order(values, starts, order_within(values, starts))


@kernel
def _ranks_in_order(values: Floats, starts: Ints, order: Ints) -> Ints:
    """The same, given the order of `order_within`."""
    ranks = np.empty(values.size, np.int64)
    for i in range(starts.size - 1):
        low, end = starts[i], starts[i + 1]
        while low < end:
            high = low
            while high + 1 < end and values[order[high + 1]] == values[order[low]]:
                high += 1
            for position in range(low, high + 1):
                ranks[order[position]] = low + high + 1 - starts[i] - end
            low = high + 1
    return ranks


def regular_starts(n_segments: int, length: int) -> Ints:
    """Segment starts of equally long segments."""
    return np.arange(n_segments + 1, dtype=np.int64) * length
