"""Boschloo's exact test of two success rates: Fisher's p-value as a statistic, its law at the worst common rate."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scipy import special

from runoff.base.arrays import Bools, Floats, Ints

LARGEST = 100_000
"""Tables (n_x + 1)(n_y + 1) of the largest design for which the law is found."""
GRID = 400
"""Common rates at which a tail is looked up, before the best neighbours are looked up again as finely, twice."""


@lru_cache(maxsize=4096)
def boschloo(won_x: int, n_x: int, won_y: int, n_y: int) -> float:
    """Return the two-sided p-value of equal rates: twice the smaller one-sided one.

    One-sided: the largest probability, over the common rate π, of a table whose one-sided Fisher p-value is at most the observed one (Boschloo
    1970). Unconditional, so it errs at most as often as promised and finds more than Fisher's own test.
    """
    above = _one_sided(won_x, n_x, won_y, n_y)
    below = _one_sided(won_y, n_y, won_x, n_x)
    return min(1.0, 2.0 * min(above, below))


def smallest_boschloo(n_x: int, n_y: int) -> float:
    """Return the least p-value of these numbers of runs: that of all of one side and none of the other."""
    return boschloo(n_x, n_x, 0, n_y)


def boschloo_power(rate_x: float, n_x: int, rate_y: float, n_y: int, alpha: float) -> float:
    """Return the chance that the test rejects at alpha, over all results of two binomial samples with these rates."""
    x, y = (_binomial(n, np.array([rate]))[:, 0] for n, rate in ((n_x, rate_x), (n_y, rate_y)))
    above, below = _region(n_x, n_y, alpha / 2), _region(n_y, n_x, alpha / 2).T
    return float(x @ (above | below) @ y)


@lru_cache(maxsize=64)
def _region(n_x: int, n_y: int, alpha: float) -> Bools:
    """Return the results, (n_x + 1, n_y + 1), whose one-sided p-value is at most alpha: those with a Fisher p-value up to some limit."""
    fisher = _fisher(n_x, n_y)
    limits = np.unique(fisher)
    # Boschloo's p-value rises with Fisher's, so the rejected results are all up
    # to some limit: bisection over the values that Fisher's can have.
    low, high = -1, limits.size - 1  # the last holds every result, and has a p-value of 1
    while high - low > 1:
        middle = (low + high) // 2
        tail = _tail(_up_to(fisher, limits[middle]), n_x, n_y, enough=alpha)
        low, high = (middle, high) if tail <= alpha else (low, middle)
    region: Bools = _up_to(fisher, limits[low]) if low >= 0 else np.zeros(fisher.shape, np.bool_)
    region.flags.writeable = False
    return region


def _one_sided(won_x: int, n_x: int, won_y: int, n_y: int) -> float:
    fisher = _fisher(n_x, n_y)
    return _tail(_up_to(fisher, fisher[won_x, won_y]), n_x, n_y)


def _up_to(fisher: Floats, limit: float) -> Bools:
    # Tables that are equally extreme, as mirrored ones, differ in the rounding of their logarithms.
    return np.asarray(fisher <= limit * (1 + 1e-9))


def _tail(tables: Bools, n_x: int, n_y: int, *, enough: float = 1.0) -> float:
    """Return the largest probability of a set of tables over the common rate; any that is above `enough` will do."""
    low, high, best = 0.0, 1.0, 0.0
    for _ in range(3):
        tails = _tails(tables, n_x, n_y, (low, high))
        at, step = int(tails.argmax()), (high - low) / GRID
        best = max(best, float(tails[at]))
        if best > enough:
            break
        # The maximum lies within a step of the best rate of the grid, if the
        # grid is fine enough to see its hill: twice more, 200 times as fine.
        rate = low + at * step
        low, high = max(rate - step, 0.0), min(rate + step, 1.0)
    return min(best, 1.0)


@lru_cache(maxsize=16)
def _fisher(n_x: int, n_y: int) -> Floats:
    """Return the one-sided Fisher p-value, P(X ≥ won_x | won_x + won_y), of every table, (n_x + 1, n_y + 1)."""
    tails = np.empty((n_x + 1, n_y + 1))
    of_x, of_y, of_both = (_log_binomial(n, np.arange(n + 1)) for n in (n_x, n_y, n_x + n_y))
    for total in range(n_x + n_y + 1):
        x = np.arange(max(0, total - n_y), min(n_x, total) + 1)
        mass = np.exp(of_x[x] + of_y[total - x] - of_both[total])
        # From the far end, so that small tails keep their digits.
        tails[x, total - x] = np.cumsum(mass[::-1])[::-1]
    tails.flags.writeable = False
    return tails


def _tails(tables: Bools, n_x: int, n_y: int, ends: tuple[float, float]) -> Floats:
    """Return the probability of a set of tables at each common rate of the grid between two.

    Fisher's p-value grows with the successes of y, so that a set up to a limit has the first few of each row.
    """
    x, y = (_of_grid(n, *ends) for n in (n_x, n_y))
    below = np.vstack([np.zeros(GRID + 1), np.cumsum(y, axis=0)])
    return np.asarray(np.einsum("ir,ir->r", x, below[tables.sum(axis=1)]))


@lru_cache(maxsize=16)
def _of_grid(n: int, low: float, high: float) -> Floats:
    return _binomial(n, np.linspace(low, high, GRID + 1))


def _binomial(n: int, rates: Floats) -> Floats:
    """Return the probabilities of 0 … n successes at each rate, (n + 1, n_rates)."""
    k = np.arange(n + 1)
    powers = special.xlogy(k[:, None], rates) + special.xlog1py(n - k[:, None], -rates)
    return np.asarray(np.exp(_log_binomial(n, k)[:, None] + powers))


def _log_binomial(n: int, k: Ints) -> Floats:
    return np.asarray(special.gammaln(n + 1) - special.gammaln(k + 1) - special.gammaln(n - k + 1))
