"""Exact bootstrap laws of a performance profile: the share of runs above a threshold, when runs are redrawn, is a sum of independent counts.

A law is a vector of probabilities over a lattice; entries below `TINY` at its ends are left out, far below what any quantile sees.
"""

from __future__ import annotations

import numpy as np

from runoff._kernels._jit import kernel
from runoff.base.arrays import Floats, Ints

TINY = 1e-25
SLACK = 1e-12
"""A tail that reaches its level but for rounding reaches it."""


@kernel
def binomial_law(n: int, share: float, law: Floats) -> tuple[int, int]:
    """Fill `law` (≥ n + 1,) with the binomial law of n draws, from its mode outwards; return the first and last place that count.

    0 < share < 1.
    """
    mode = min(n, int((n + 1) * share))
    odds = share / (1.0 - share)
    law[mode] = 1.0
    total, first, last = 1.0, mode, mode
    while last < n and law[last] > TINY:
        law[last + 1] = law[last] * odds * (n - last) / (last + 1)
        last += 1
        total += law[last]
    while first > 0 and law[first] > TINY:
        law[first - 1] = law[first] * first / (odds * (n - first + 1))
        first -= 1
        total += law[first]
    for k in range(first, last + 1):
        law[k] /= total
    return first, last


@kernel
def convolve(
    a: Floats, first_a: int, last_a: int, b: Floats, first_b: int, last_b: int, out: Floats
) -> tuple[int, int]:
    """Fill `out` with the law of a sum of two independent counts; return its first and last place that counts."""
    first, last = first_a + first_b, last_a + last_b
    out[first : last + 1] = 0.0
    for i in range(first_a, last_a + 1):
        p = a[i]
        for j in range(first_b, last_b + 1):
            out[i + j] += p * b[j]
    while out[first] < TINY and first < last:
        first += 1
    while out[last] < TINY and last > first:
        last -= 1
    return first, last


@kernel
def group_law(tasks_with: Ints, size: int, law: Floats, other: Floats, part: Floats) -> tuple[int, int, bool]:
    """Fill `law` or `other` with the law of the runs above in redrawn tasks of `size` runs; tasks_with (size + 1,): how many have k above.

    The tasks with k of c above add up to one binomial count, of c · tasks draws with share k / c. Returns its first and last place, and
    whether it stands in `other`.
    """
    first = last = size * tasks_with[size]
    law[first] = 1.0
    swapped = False
    for k in range(1, size):
        if tasks_with[k] > 0:
            low, high = binomial_law(size * tasks_with[k], k / size, part)
            if swapped:
                first, last = convolve(other, first, last, part, low, high, law)
            else:
                first, last = convolve(law, first, last, part, low, high, other)
            swapped = not swapped
    return first, last, swapped


@kernel
def tails(law: Floats, first: int, last: int, tail: float) -> tuple[int, int]:
    """Return the outermost places that are left when less than `tail` is cut from each end of a law."""
    low, high, below, above = first, last, law[first], law[last]
    while below < tail - SLACK:
        low += 1
        below += law[low]
    while above < tail - SLACK:
        high -= 1
        above += law[high]
    return low, high


@kernel
def exact_ends(above: Ints, group: Ints, sizes: Ints, places: Ints, tail: float, out: Ints) -> None:
    """Fill `out` (n_thresholds, 2) with the places of the percentile ends of the share above each threshold, runs redrawn within tasks.

    above (n_thresholds, n_tasks) runs above; group (n_tasks,) the group of each task; sizes (n_groups,) runs of a task of each group; places
    (n_groups, ≥ most runs of a group + 1) where so many runs of a group lie on the lattice 0 … n_lattice.
    """
    n_lattice = 0
    for g in range(sizes.size):
        n_lattice += places[g].max()
    n_runs = places.shape[1]
    law, other, part = np.zeros(n_runs), np.zeros(n_runs), np.zeros(n_runs)
    total, wider = np.zeros(n_lattice + 1), np.zeros(n_lattice + 1)
    for row in range(above.shape[0]):
        if row > 0 and np.array_equal(above[row], above[row - 1]):
            out[row] = out[row - 1]
            continue
        first = last = 0
        total[0] = 1.0
        for g in range(sizes.size):
            tasks_with = np.zeros(sizes[g] + 1, np.int64)
            for t in range(group.size):
                if group[t] == g:
                    tasks_with[above[row, t]] += 1
            low, high, swapped = group_law(tasks_with, sizes[g], law, other, part)
            group_of_law = other if swapped else law
            start, stop = first + places[g, low], last + places[g, high]
            wider[start : stop + 1] = 0.0
            for j in range(low, high + 1):
                at = places[g, j]
                for i in range(first, last + 1):
                    wider[i + at] += total[i] * group_of_law[j]
            first, last = start, stop
            total, wider = wider, total
        low, high = tails(total, first, last, tail)
        out[row, 0], out[row, 1] = low, high


@kernel
def exact_ends_of_rows(above: Ints, n_tasks: int, tail: float, out: Ints) -> None:
    """Fill `out` (n_thresholds, 2) with the places of the percentile ends on 0 … n_runs · n_tasks, whole runs redrawn.

    above (n_thresholds, n_runs): the tasks on which each run is above. The sum over as many draws as there are runs is their n-fold convolution.
    """
    n_runs = above.shape[1]
    law, other = np.zeros(n_runs * n_tasks + 1), np.zeros(n_runs * n_tasks + 1)
    single = np.zeros(n_tasks + 1)
    for row in range(above.shape[0]):
        if row > 0 and np.array_equal(above[row], above[row - 1]):
            out[row] = out[row - 1]
            continue
        single[:] = 0.0
        for i in range(n_runs):
            single[above[row, i]] += 1.0 / n_runs
        least, most = above[row].min(), above[row].max()
        first = last = 0
        law[0] = 1.0
        for _ in range(n_runs):
            first, last = convolve(law, first, last, single, least, most, other)
            law, other = other, law
        low, high = tails(law, first, last, tail)
        out[row, 0], out[row, 1] = low, high
