"""Mid-ranks within tasks, as integers: twice the rank, so that ties need no halves.

A segment holds all runs of one task. Rank 1 is the lowest score; tied scores share the mean of their ranks.
"""

from __future__ import annotations

import numpy as np

from runoff._arrays import Floats, Ints
from runoff._kernels._jit import kernel


@kernel
def centred_ranks(values: Floats, starts: Ints) -> Ints:
    """Doubled mid-ranks less their mean, 2r − (q + 1), within the segments `starts[i]:starts[i + 1]`.

    values: (total,) scores; starts: (n_segments + 1,). Returns (total,) int64 with sum 0 in every segment.
    Source: mid-ranks of Mack & Skillings (1980) as in Casesa (2024) section 2.3.2, step 1.
    """
    ranks = np.empty(values.size, np.int64)
    for i in range(starts.size - 1):
        first, q = starts[i], starts[i + 1] - starts[i]
        segment = values[first : first + q]
        order = np.argsort(segment, kind="mergesort")
        low = 0
        while low < q:
            high = low
            while high + 1 < q and segment[order[high + 1]] == segment[order[low]]:
                high += 1
            for position in range(low, high + 1):
                ranks[first + order[position]] = low + high + 1 - q
            low = high + 1
    return ranks


def regular_starts(n_segments: int, length: int) -> Ints:
    """Segment starts of equally long segments."""
    return np.arange(n_segments + 1, dtype=np.int64) * length
