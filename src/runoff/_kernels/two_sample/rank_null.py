"""The exact null distribution of the Mann-Whitney U, conditional on the observed ties.

Groups of tied values are added from the lowest up. The state is (number of x so far, U so far); adding a group of t
values of which m are from x, above v values of y, adds m v + m (t - m) / 2 to U and has C(t, m) p^m q^(t-m) ways with
p = n_x / n. All terms are positive, so tails keep their relative precision; conditioning on n_x values of x normalises.
"""

from __future__ import annotations

import numpy as np

from runoff._kernels._jit import kernel
from runoff.base.arrays import Floats, Ints


@kernel
def binomial_weights(size: int, p: float) -> Floats:
    """Return C(size, m) p^m (1-p)^(size-m) for m = 0 .. size."""
    weights = np.empty(size + 1, dtype=np.float64)
    weights[0] = 1.0
    for m in range(size):
        weights[m + 1] = weights[m] * (size - m) / (m + 1) * p / (1.0 - p)
    scale = (1.0 - p) ** size
    for m in range(size + 1):
        weights[m] *= scale
    return weights


@kernel
def add_group(states: Floats, row: Floats, n_before: int, size: int, limits: tuple[int, int, int]) -> None:
    """Add one group of tied values in place; `limits` = (n_x, n_y, scale), U is counted in units of 1/scale."""
    n_x, n_y, scale = limits
    weights = binomial_weights(size, n_x / (n_x + n_y))
    for j_new in range(min(n_x, n_before + size), max(0, n_before + size - n_y) - 1, -1):
        length = scale * j_new * (n_before + size - j_new) + 1
        for u in range(length):
            row[u] = 0.0
        for m in range(min(size, j_new) + 1):
            j, below = j_new - m, n_before - j_new + m
            if 0 <= below <= n_y:
                shift = scale * m * below + scale * m * (size - m) // 2
                for u in range(scale * j * below + 1):
                    row[shift + u] += weights[m] * states[j, u]
        for u in range(length):
            states[j_new, u] = row[u]


@kernel
def u_distribution(groups: Ints, n_x: int, n_y: int) -> Floats:
    """Return P(U = u): entry i is u = i without ties (all groups of size 1), and u = i / 2 with ties."""
    scale = 1 if groups.size == n_x + n_y else 2
    states = np.zeros((n_x + 1, scale * n_x * n_y + 1), dtype=np.float64)
    row = np.zeros(scale * n_x * n_y + 1, dtype=np.float64)
    states[0, 0] = 1.0
    # Of the type that it has later: a literal would have `add_group` compiled twice.
    n_before = int(np.int64(0))
    for g in range(groups.size):
        add_group(states, row, n_before, groups[g], (n_x, n_y, scale))
        n_before += groups[g]
    total = 0.0
    for u in range(row.size):
        total += states[n_x, u]
    for u in range(row.size):
        row[u] = states[n_x, u] / total
    return row


def u_tails(distribution: Floats, doubled_u: Ints, n_pairs: int) -> tuple[Floats, Floats, Floats]:
    """Return P(U ≥ u), P(U ≤ u) and P(|U - n_x n_y / 2| ≥ |u - n_x n_y / 2|); `n_pairs` is n_x n_y."""
    scale = (distribution.size - 1) // n_pairs
    up_to, from_on = both_sums(distribution), both_sums(distribution[::-1])[::-1]
    at = doubled_u * scale // 2
    high = np.maximum(at, scale * n_pairs - at)
    both = np.where(2 * high == scale * n_pairs, 1.0, from_on[high] + up_to[scale * n_pairs - high])
    return from_on[at], up_to[at], np.minimum(both, 1.0)


def both_sums(distribution: Floats) -> Floats:
    """Return the cumulative sums, above 1/2 as 1 minus what is left, so that all of it is 1 exactly."""
    up_to = np.cumsum(distribution)
    above = np.append(np.cumsum(distribution[::-1])[::-1][1:], 0.0)
    return np.where(above < 0.5, 1.0 - above, up_to)
