"""Two policies, rollouts not paired: the score of the difference of success rates of one task, and its distribution over all results.

x of m rollouts of the first succeed, y of n of the second.
"""

from __future__ import annotations

from math import acos, cos, pi, sqrt

import numpy as np

from runoff._kernels._jit import kernel
from runoff._kernels.items import TIED, TINY, window
from runoff.base.arrays import Floats, Ints


@kernel
def second_rate(x: float, m: float, y: float, n: float, shift: float) -> float:
    """The rate of the second, most likely where that of the first is higher by shift: a root of a cubic (Miettinen & Nurminen 1985, app. I)."""
    total, none = m + n, 1 - shift
    square, linear = (m + 2 * n) * shift - total - x - y, (n * shift - total - 2 * y) * shift + x + y
    third = square / (3 * total)
    q = third * third * third - square * linear / (6 * total * total) + y * shift * none / (2 * total)
    size = sqrt(max(third * third - linear / (3 * total), 0.0))
    if size < 1e-9:
        return min(max(-third, 0.0, -shift), 1.0, none)
    p = size if q >= 0 else -size
    rate = 2 * p * cos((pi + acos(min(max(q / (p * p * p), -1.0), 1.0))) / 3) - third
    return min(max(rate, 0.0, -shift), 1.0, none)


@kernel
def rate_parts(x: float, m: float, y: float, n: float, shift: float) -> tuple[float, float]:
    """The difference less shift, and its variance where rates differ by shift, times N/(N − 1) of all N; Miettinen & Nurminen (1985), eq. 8."""
    q = second_rate(x, m, y, n, shift)
    p, total = q + shift, m + n
    return x / m - y / n - shift, (p * (1 - p) / m + q * (1 - q) / n) * total / (total - 1)


@kernel
def rate_score(x: Floats, m: Floats, y: Floats, n: Floats, shift: float) -> float:
    """The mean over tasks of the differences less shift, over its error; (n_tasks,) each."""
    lead, variance = 0.0, 0.0
    for t in range(x.size):
        own, part = rate_parts(x[t], m[t], y[t], n[t], shift)
        lead += own
        variance += part
    if abs(lead) < TIED * x.size:
        return 0.0
    return lead / sqrt(max(variance, 1e-14))


@kernel
def rates_tail(x: int, m: int, y: int, n: int, shift: float) -> float:
    """The chance of a score as high over all results of one task, where the rates differ by shift and the second's is the most likely one."""
    own, part = rate_parts(x, m, y, n, shift)
    least = (0.0 if abs(own) < TIED else own / sqrt(max(part, 1e-14))) - TIED
    second = second_rate(x, m, y, n, shift)
    first = min(max(second + shift, 0.0), 1.0)
    low, high = window(m, first)
    lowest, highest = window(n, second)
    weight, weights, tail = 1.0, 0.0, 0.0
    for a in range(low, high + 1):
        ratio, ratios, share = 1.0, 0.0, 0.0
        for b in range(lowest, highest + 1):
            ratios += ratio
            lead, variance = rate_parts(a, m, b, n, shift)
            if (0.0 if abs(lead) < TIED else lead / sqrt(max(variance, 1e-14))) >= least:
                share += ratio
            ratio *= (n - b) * second / ((b + 1) * max(1 - second, TINY))
        weights += weight
        tail += weight * (share / ratios)
        weight *= (m - a) * first / ((a + 1) * max(1 - first, TINY))
    return min(tail / weights, 1.0)


@kernel
def tails_of_equal(first: Ints, second: Ints, last: Ints, m: int, n: int, tails: Floats) -> None:
    """The chance of a score of no difference as high as that of each result, at the common rate of that result; into tails (m + 1, n + 1).

    first, second: the successes of all results, the highest score first; last: behind which place its ties end.
    """
    for total in range(m + n + 1):
        rate = total / (m + n)
        low, high = window(m, rate)
        lowest, highest = window(n, rate)
        odds, tail, whole, at = rate / max(1 - rate, TINY), 0.0, 0.0, 0
        of_first, of_second = weights_of(m, odds, low, high), weights_of(n, odds, lowest, highest)
        for a in range(low, high + 1):
            for b in range(lowest, highest + 1):
                whole += of_first[a] * of_second[b]
        for i in range(first.size):
            while at < last[i]:
                tail += of_first[first[at]] * of_second[second[at]]
                at += 1
            if first[i] + second[i] == total:
                tails[first[i], second[i]] = min(tail / whole, 1.0)


@kernel
def weights_of(n: int, odds: float, low: int, high: int) -> Floats:
    """The chances of 0 … n successes, but for one factor; 0 beyond low and high."""
    weights = np.zeros(n + 1)
    weights[low] = 1.0
    for k in range(low, high):
        weights[k + 1] = weights[k] * odds * (n - k) / (k + 1)
    return weights
