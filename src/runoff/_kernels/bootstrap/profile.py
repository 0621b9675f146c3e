"""Shares of runs above each threshold of a performance profile.

Redrawn runs are reduced to the share above each threshold, or to the largest deviation over all thresholds. The share above a threshold is also
a sum of independent counts, whose law is exact: a vector of probabilities over a lattice; entries below `TINY` at its ends are left out, far
below what any quantile sees.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from runoff._kernels._jit import kernel
from runoff.base.arrays import Floats, Ints, Words


class Drawn(NamedTuple):
    """One algorithm's runs as they are redrawn.

    offsets : (n_tasks + 1,); rows : (n_scores,) the run of each score, where whole runs are drawn
    n_rows : whole runs to draw from, 0 where runs are drawn within tasks
    fewer : by how many runs each draw is smaller than what it is drawn from: 0, or 1 (Rao & Wu 1988)
    """

    offsets: Ints
    rows: Ints
    n_rows: int
    fewer: int


@kernel
def draw(words: Words, drawn: Drawn, weights: Floats) -> None:
    """Fill `weights` (n_scores,) with how often each score is drawn, together as many as there are.

    words: random bits, ≥ n_scores, or n_rows.
    """
    weights[:] = 0.0
    if drawn.n_rows > 0:
        size = np.uint64(drawn.n_rows)
        heavier = drawn.n_rows / (drawn.n_rows - drawn.fewer)
        often = np.zeros(drawn.n_rows)
        for k in range(drawn.n_rows - drawn.fewer):
            often[(np.uint64(words[k]) * size) >> np.uint64(32)] += heavier
        for i in range(weights.size):
            weights[i] = often[drawn.rows[i]]
        return
    for t in range(drawn.offsets.size - 1):
        start, end = np.uint64(drawn.offsets[t]), np.uint64(drawn.offsets[t + 1])
        size, less = end - start, np.uint64(drawn.fewer)
        heavier = np.float64(size) / np.float64(size - less)
        for k in range(start, end - less):
            weights[start + ((np.uint64(words[k]) * size) >> np.uint64(32))] += heavier


@kernel
def shares_above(weights: Floats, units: Floats, levels: Ints, total: float, out: Floats) -> None:
    """Fill `out` (n_thresholds,) with the weight of the scores above each; levels (n_scores,): how many thresholds each score is above."""
    out[:] = 0.0
    for i in range(weights.size):
        if levels[i] > 0:
            out[levels[i] - 1] += weights[i] * units[i]
    summed = 0.0
    for j in range(out.size - 1, -1, -1):
        summed += out[j]
        out[j] = summed / total


@kernel
def resampled_shares(words: Words, drawn: Drawn, units: Floats, levels: Ints, total: float, out: Floats) -> None:
    """Fill `out` (block, n_thresholds) with the shares of runs above each threshold."""
    weights = np.empty(units.size)
    for b in range(words.shape[0]):
        draw(words[b], drawn, weights)
        shares_above(weights, units, levels, total, out[b])


@kernel
def resampled_deviations(
    words: Words, drawn: Drawn, units: Floats, levels: Ints, total: float, estimate: Floats, out: Floats
) -> None:
    """Fill `out` (block,) with the largest deviation of the resampled shares from `estimate` (n_thresholds,)."""
    weights, shares = np.empty(units.size), np.empty(estimate.size)
    for b in range(words.shape[0]):
        draw(words[b], drawn, weights)
        shares_above(weights, units, levels, total, shares)
        out[b] = np.abs(shares - estimate).max()


@kernel
def task_means(weights: Floats, values: Floats, offsets: Ints, means: Floats) -> None:
    """Fill `means` (n_tasks,) with the weighted means, ascending."""
    for t in range(means.size):
        first, stop = offsets[t], offsets[t + 1]
        summed = 0.0
        for i in range(first, stop):
            summed += weights[i] * values[i]
        means[t] = summed / (stop - first)
    means.sort()


@kernel
def resampled_means_above(words: Words, drawn: Drawn, values: Floats, thresholds: Floats, out: Floats) -> None:
    """Fill `out` (block, n_thresholds) with the share of tasks whose mean is above each threshold, ascending."""
    weights, means = np.empty(values.size), np.empty(drawn.offsets.size - 1)
    for b in range(words.shape[0]):
        draw(words[b], drawn, weights)
        task_means(weights, values, drawn.offsets, means)
        below = 0
        for j in range(thresholds.size):
            while below < means.size and means[below] <= thresholds[j]:
                below += 1
            out[b, j] = (means.size - below) / means.size


@kernel
def mean_deviations(words: Words, drawn: Drawn, values: Floats, means: Floats, slack: float, out: Floats) -> None:
    """Fill `out` (block,) with the largest difference, over all thresholds, from the shares of the task means (n_tasks,), ascending.

    Means that differ by at most `slack`, a rounding error, are equal.
    """
    weights, again = np.empty(values.size), np.empty(means.size)
    n = means.size
    for b in range(words.shape[0]):
        draw(words[b], drawn, weights)
        task_means(weights, values, drawn.offsets, again)
        # The shares change only at means: both lists are walked at once, and compared after each mean.
        i, j, most = 0, 0, 0
        while i < n and j < n:
            at = min(means[i], again[j]) + slack
            while i < n and means[i] <= at:
                i += 1
            while j < n and again[j] <= at:
                j += 1
            most = max(most, abs(i - j))
        out[b] = most / n


# ── exact laws ──────────


TINY = 1e-25
"""Probabilities below it do not count."""
SLACK = 1e-12
"""A tail that reaches its level but for rounding reaches it."""


@kernel
def binomial_law(n: int, share: float, law: Floats) -> tuple[int, int]:
    """Fill `law` (≥ n + 1,) with the binomial law of n draws, from its mode outwards; return the first and last place that count.

    0 < share < 1.
    """
    # From the mode outwards no term overflows, and both walks end where terms no longer count.
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
        # Between many thresholds lies no run: their law is that of the threshold before.
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
