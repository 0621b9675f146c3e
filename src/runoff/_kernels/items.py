"""Two models on the same items, one attempt each: the score of the difference of their success rates, and its distribution over all results.

won, lost: items that only the first, and only the second, solved; n: all items. What is summed over all results is summed over those within
`REACH` standard deviations, beyond which lies less than 1e-15.
"""

from __future__ import annotations

from math import sqrt

from runoff._kernels._jit import kernel

REACH = 9.0
TIED = 1e-9
"""Scores that differ by less are equal: they are those of tables that mirror each other."""

TINY = 1e-300


@kernel
def discordant_rate(won: float, lost: float, n: float, shift: float) -> float:
    """The rate of items that only the second solves, most likely where the rates differ by shift; Tango (1998), equation 11."""
    linear = (2 * n - won + lost) * shift - won - lost
    rate = (sqrt(max(linear * linear + 8 * n * lost * shift * (1 - shift), 0.0)) - linear) / (4 * n)
    return min(max(rate, 0.0, -shift), (1 - shift) / 2)


@kernel
def paired_score(won: float, lost: float, n: float, shift: float) -> float:
    """The difference less shift over its error where the rates differ by shift; Tango (1998), equation 8."""
    lead = won - lost - n * shift
    if abs(lead) < TIED:
        return 0.0
    variance = n * (2 * discordant_rate(won, lost, n, shift) + shift * (1 - shift))
    return lead / sqrt(max(variance, 1e-12))


@kernel
def paired_tail(won: int, lost: int, n: int, shift: float) -> float:
    """The chance of a score as high, where the rates differ by shift and the second alone solves as often as is most likely then."""
    least = paired_score(won, lost, n, shift) - TIED
    second = discordant_rate(won, lost, n, shift)
    first = min(max(second + shift, 0.0), 1.0)
    # Weights are products of ratios of neighbours, divided by their sum: no logarithm, whose last bit would depend on who compiled it.
    weight, weights, tail = 1.0, 0.0, 0.0
    low, high = window(n, first)
    # The score never falls with a, nor rises with b: of each a the results that reach it are those of fewer b than `reached`, which never falls.
    reached = 0
    for a in range(low, high + 1):
        rest = n - a
        while reached <= rest and paired_score(a, reached, n, shift) >= least:
            reached += 1
        rate = min(second / max(1 - first, TINY), 1.0)
        lowest, highest = window(rest, rate)
        ratio, ratios, share = 1.0, 0.0, 0.0
        for b in range(lowest, highest + 1):
            ratios += ratio
            if b < reached:
                share = ratios
            ratio *= (rest - b) * rate / ((b + 1) * max(1 - rate, TINY))
        weights += weight
        tail += weight * (share / ratios)
        weight *= rest * first / ((a + 1) * max(1 - first, TINY))
    return min(tail / weights, 1.0)


@kernel
def window(n: int, rate: float) -> tuple[int, int]:
    """The fewest and the most successes of n that are not too rare to count."""
    half = REACH * (sqrt(n * rate * (1 - rate)) + (0 < rate < 1))
    return max(int(n * rate - half), 0), min(int(n * rate + half + 1), n)
