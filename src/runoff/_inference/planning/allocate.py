"""Which cells to run next, so that the error of a difference shrinks most for its price."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from math import sqrt

import numpy as np
from scipy import special

from runoff.base.arrays import Floats, Ints

SLACK = 1e-9
"""Relative slack of a budget, for sums of prices that a double does not hold exactly."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AllocationCells:
    """The cells, (n_cells,) each: their weight in the squared error, of one run, their runs, and the price of another run."""

    weights: Floats
    sizes: Ints
    prices: Floats

    def error(self, more: Ints) -> float:
        """Return √Σ weight / (n + more)."""
        return sqrt(float((self.weights / (self.sizes + more)).sum()))


def moderated(variances: Floats, df: Floats) -> Floats:
    """Return variances drawn towards each other, (d₀ s₀² + d s²) / (d₀ + d), by as much as their own df d would let equal ones differ.

    With e = log s² − ψ(d/2) + log(d/2), ψ'(d₀/2) = Var e − mean ψ'(d/2) and log s₀² = mean e + ψ(d₀/2) − log(d₀/2) (Smyth 2004, eqs. 7-9,
    Statistical Applications in Genetics and Molecular Biology 3); d₀ is infinite where they differ no more than equal ones. A variance of 0
    does not tell of the others, and is drawn towards them. Placed by the variances of few runs, runs go where these are high by chance.
    """
    seen = variances > 0
    if seen.sum() < 2:
        return variances
    half = df[seen] / 2
    # E log s² = log σ² + ψ(d/2) − log(d/2): what the log of each variance is too low by is put back.
    logs = np.log(variances[seen]) - special.psi(half) + np.log(half)
    # What the logs vary beyond what equal variances would, whose log s² has the variance ψ'(d/2).
    beyond = float(logs.var(ddof=1) - special.polygamma(1, half).mean())
    if beyond <= 0:
        return np.full_like(variances, np.exp(logs.mean()))
    own = _inverse_trigamma(beyond)
    common = np.exp(logs.mean() + special.psi(own) - np.log(own))
    return np.asarray((2 * own * common + df * variances) / (2 * own + df))


def _inverse_trigamma(value: float) -> float:
    """Return the y with ψ'(y) = value, by Newton's method on 1 / ψ' (Smyth 2004, appendix)."""
    # 1/ψ' is convex and nearly a line, so Newton's method from here never overshoots.
    y = 0.5 + 1 / value
    for _ in range(20):
        slope = special.polygamma(1, y)
        y += float(slope * (1 - slope / value) / special.polygamma(2, y))
    return y


def cheapest_gain(cells: AllocationCells, budget: float) -> Ints:
    """Return how many runs to add to each cell, one at a time where the squared error falls most for its price.

    With one price for all this is the best there is: the sum is convex in every count and the counts are free, so that no exchange of two
    runs helps. With several prices what is left of a budget may have bought a little more elsewhere.
    """

    def change(i: int, n: int) -> float:
        """Return the change of the squared error by one more run than n, for its price."""
        # w/n − w/(n + 1) = w / (n (n + 1)).
        return -float(cells.weights[i]) / (n * (n + 1.0)) / float(cells.prices[i])

    return _bought(cells, budget, np.flatnonzero(cells.weights > 0).tolist(), change)


def alike_gain(cells: AllocationCells, n_algorithms: int, budget: float) -> Ints:
    """Return the same where all algorithms of a task get as many runs; none are bought where they have unequal numbers now."""
    weights, sizes, prices = (field.reshape(n_algorithms, -1) for field in (cells.weights, cells.sizes, cells.prices))
    if (sizes != sizes[0]).any():
        return np.zeros_like(cells.sizes)
    together = AllocationCells(weights=weights.sum(axis=0), sizes=sizes[0], prices=prices.sum(axis=0))
    return np.tile(cheapest_gain(together, budget), n_algorithms)


def evenly(cells: AllocationCells, budget: float) -> Ints:
    """Return the runs that the budget buys if cells take turns, those with fewest runs first."""
    return _bought(cells, budget, range(cells.sizes.size), lambda _i, n: n)


def _bought(cells: AllocationCells, budget: float, places: Iterable[int], order: Callable[[int, int], float]) -> Ints:
    """Return the runs that are bought one at a time, the next for the cell of the least order(cell, its runs) that is affordable."""
    more = np.zeros(cells.sizes.size, np.int64)
    left = budget * (1.0 + SLACK)
    # Equal gains go to the cell that stands first, for a heap compares positions next: one answer on every machine.
    heap = [(order(i, int(cells.sizes[i])), i) for i in places]
    heapify(heap)
    while heap:
        _, i = heappop(heap)
        # Not pushed again: what is too dear now stays so, while cheaper cells go on.
        if cells.prices[i] > left:
            continue
        left -= float(cells.prices[i])
        more[i] += 1
        heappush(heap, (order(i, int(cells.sizes[i] + more[i])), i))
    return more
