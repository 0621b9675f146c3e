"""The fewest runs that have the power, also per cost; the smallest difference that has it.

The first half knows the standard deviations of runs. `detectable` and `needed_multiple` know an estimated standard error only, and average
power over what the true one may be.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from functools import lru_cache
from math import ceil, exp, inf, log, sqrt

import numpy as np
from scipy import optimize, special

from runoff._inference.power.formulas import POWER_TESTS, Question, Sizes, critical_value, noncentral, power_of
from runoff.base.arrays import Floats

LEAST, MOST_RUNS = 2, 10_000_000
FEW, MANY = 30, 1_000
"""Up to FEW runs of each every cheaper allocation is tried, beyond MANY only the one that is best for many runs."""
SLACK, TIGHT = 0.7, 0.97
"""No test of ours needs fewer runs than this share of what a test with known variances needs: few runs, many runs."""


def sizes_of(question: Question, n: float, ratio: float) -> Sizes:
    """Return n runs of each sample, the second having `ratio` times as many."""
    return (n,) if POWER_TESTS[question.test].n_samples == 1 else (n, n * ratio)


def whole_sizes(question: Question, n: int, ratio: float) -> tuple[int, ...]:
    """Return the runs of each sample as whole numbers, at least two; a ratio of 1.1 · 10 = 11.000000000000002 is 11."""
    first, *rest = sizes_of(question, n, ratio)
    return (int(first), *(max(LEAST, ceil(m - 1e-9)) for m in rest))


def fewest_runs(question: Question, effect: float, power: float, ratio: float = 1.0) -> tuple[int, ...] | None:
    """Return the fewest runs that find the effect with that power, None if `MOST_RUNS` are too few."""
    fewest_equal = fewest(lambda n: power_of(question, effect, whole_sizes(question, n, ratio)) >= power, MOST_RUNS)
    return None if fewest_equal is None else whole_sizes(question, fewest_equal, ratio)


def fewest(enough: Callable[[int], bool], most: int) -> int | None:
    """Return the fewest runs that are enough, from `LEAST` on, where more are enough too; None if `most` are too few."""
    high = LEAST
    while not enough(high):
        if high == most:
            return None
        high = min(2 * high, most)
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def real_runs(question: Question, effect: float, power: float, ratio: float = 1.0) -> float | None:
    """Return the n before it is rounded up, as R's power.t.test tells it; None where two runs are enough."""

    def missing(count: float) -> float:
        return power_of(question, effect, sizes_of(question, count, ratio)) - power

    low = max(float(LEAST), LEAST / ratio)
    if missing(low) >= 0:
        return None
    high = 2 * low
    while missing(high) < 0:
        high *= 2
    return float(optimize.brentq(missing, high / 2, high, xtol=1e-10, rtol=1e-13))


def cheapest_runs(question: Question, effect: float, power: float, cost: tuple[float, float]) -> tuple[int, ...] | None:
    """Return the cheapest runs of two samples that have the power; of equally cheap ones, the most alike.

    Every allocation that could be cheaper is tried, up to `MANY` equal runs; beyond, the ratio is the one that is best for many runs,
    σ₂/σ₁ · √(c₁/c₂).
    """
    equal = fewest_runs(question, effect, power)
    if equal is None:
        return None
    ratio = question.stds[1] / question.stds[0] * sqrt(cost[0] / cost[1])
    allocations = [equal, fewest_runs(question, effect, power, ratio)]
    best = min((_price(sizes, cost), abs(sizes[0] - sizes[1]), sizes) for sizes in allocations if sizes is not None)
    if equal[0] > MANY:
        return best[2]
    slack = SLACK if equal[0] <= FEW else TIGHT
    for least, n, fewest in _candidates(question, effect, power, cost, limit=best[0], slack=slack):
        if least > best[0]:
            break
        m = _second(question, effect, power, n, (fewest, int((best[0] - n * cost[0]) / cost[1] + 1e-9)))
        if m is not None:
            best = min(best, (_price((n, m), cost), abs(n - m), (n, m)))
    return best[2]


def _second(question: Question, effect: float, power: float, n: int, among: tuple[int, int]) -> int | None:
    """Return the fewest m that have the power beside n; a few are tried one by one, since more of them can lower the degrees of freedom."""

    def enough(m: int) -> bool:
        return power_of(question, effect, (n, m)) >= power

    low, high = among
    if high - low <= 2 * FEW:
        return next((m for m in range(low, high + 1) if enough(m)), None)
    if not enough(high):
        return None
    return low + bisect_left(range(low, high), True, key=enough)


def _candidates(
    question: Question, effect: float, power: float, cost: tuple[float, float], *, limit: float, slack: float
) -> Iterator[tuple[float, int, int]]:
    """Yield (least cost, n, fewest m) for every n that may be cheap enough, the cheapest first.

    With known variances, power is reached where σ₁²/n + σ₂²/m is (Δ / δ)², δ being the shift of a normal test; no t test does it
    with fewer runs than `slack` times those.
    """
    s, t = question.stds
    alpha = question.alpha / 2 if question.alternative == "two-sided" else question.alpha
    variance = (effect / float(special.ndtri(power) - special.ndtri(alpha))) ** 2 / slack
    n = np.arange(LEAST, (limit - LEAST * cost[1]) / cost[0] + 1)
    n = n[s**2 / n < variance]
    m = np.maximum(LEAST, np.ceil(t**2 / (variance - s**2 / n)))
    least = cost[0] * n + cost[1] * m
    for i in np.argsort(least, kind="stable"):
        yield float(least[i]), int(n[i]), int(m[i])


def _price(sizes: tuple[int, ...], cost: tuple[float, float]) -> float:
    return sum(n * c for n, c in zip(sizes, cost, strict=True))


def smallest_effect(question: Question, power: float, sizes: tuple[int, ...]) -> float:
    """Return the true difference found with that power, in the direction in which the test looks; 0 where chance has it."""
    unit = question.sign * question.design(sizes).error

    def missing(shift: float) -> float:
        return power_of(question, shift * unit, sizes) - power

    if missing(0.0) >= 0:
        return 0.0
    high = 2.0
    while missing(high) < 0:
        high *= 2
    return unit * float(optimize.brentq(missing, 0.0, high, xtol=1e-12, rtol=1e-13))


MOST = 1e6
"""Times as many runs, beyond which no number is given."""
NODES = 64
"""Equally likely values of the standard error over which power is averaged."""


def detectable(error: float, df: float, alpha: float, power: float = 0.8) -> float:
    """Return the true difference that new runs of this design would find with `power` by a two-sided t test.

    The standard error is an estimate, and may be too small or too large by what df allows: power is averaged over that, s² / σ² being
    χ² / df. With the estimate taken for the truth, 3 runs of one task would find the difference stated in 70 % of cases, not 80 %.
    Colas 2018 eq. 8 shifts a central t and is one-sided, which gives sizes too small. inf: SciPy knows no critical value so far out.
    """
    if alpha >= power:
        return 0.0  # chance alone has that power
    return _in_errors(round(df, 6), alpha, power) * error


@lru_cache(maxsize=1024)
def _in_errors(df: float, alpha: float, power: float) -> float:
    errors, critical = likely_errors(df), critical_value(df, alpha, two_sided=True)
    if np.isinf(critical):
        return inf

    def missing(difference: float) -> float:
        return float(np.mean(noncentral(difference * errors, df, critical, two_sided=True))) - power

    high = 2.0
    while missing(high) < 0:
        high *= 2
    return float(optimize.brentq(missing, high / 2 if high > 2 else 0.0, high, xtol=1e-8))


def needed_multiple(
    difference: float, error: float, df: float, n_runs: int, alpha: float, *, power: float = 0.8
) -> float:
    """Return how many times the runs of this design a two-sided t test needs to find a true difference with `power`; 1: those there are.

    As `detectable`, which it inverts: the standard error shrinks with the root of the number of runs, what is known of it does not; the
    degrees of freedom of the test grow as those of its cells of `n_runs`. inf: more than a million times.
    """
    if not difference:
        return inf
    errors, ratio = likely_errors(df), abs(difference) / error

    def missing(log_multiple: float) -> float:
        multiple = exp(log_multiple)
        freedom = max(df * (n_runs * multiple - 1) / (n_runs - 1), 1.0)
        critical = critical_value(freedom, alpha, two_sided=True)
        chances = noncentral(ratio * sqrt(multiple) * errors, freedom, critical, two_sided=True)
        return float(np.mean(chances)) - power

    least, most = log(2 / n_runs), log(MOST)
    # Of normal errors that are known it takes so many; the root is searched from there.
    likely = 2 * log(max(float(special.ndtri(1 - alpha / 2) + special.ndtri(power)), 0.1) / ratio)
    low = high = min(max(likely, least), most)
    while low > least and missing(low) >= 0:
        low = max(low - 0.5, least)
    if missing(low) >= 0:
        return 2 / n_runs
    high = max(high, low)
    while high < most and missing(high) < 0:
        high = min(high + 0.5, most)
    return inf if missing(high) < 0 else exp(float(optimize.brentq(missing, low, high, xtol=1e-4)))


def likely_errors(df: float) -> Floats:
    """Return s / σ at equally likely quantiles."""
    quantiles = (np.arange(NODES) + 0.5) / NODES
    likely: Floats = np.sqrt(2 * special.gammaincinv(df / 2, quantiles) / df)
    return likely
