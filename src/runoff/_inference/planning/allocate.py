"""Which cells to run next, so that the error of a difference shrinks most for its price."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from math import sqrt

import numpy as np

from runoff.base.arrays import Floats, Ints

SLACK = 1e-9
"""Relative slack of a budget, for sums of prices that a double does not hold exactly."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cells:
    """The cells, (n_cells,) each: their weight in the squared error, of one run, their runs, and the price of another run."""

    weights: Floats
    sizes: Ints
    prices: Floats

    def error(self, more: Ints) -> float:
        """Return √Σ weight / (n + more)."""
        return sqrt(float((self.weights / (self.sizes + more)).sum()))


def cheapest_gain(cells: Cells, budget: float) -> Ints:
    """Return how many runs to add to each cell, one at a time where the squared error falls most for its price.

    With one price for all this is the best there is: the sum is convex in every count and the counts are free, so that no exchange of two
    runs helps. With several prices what is left of a budget may have bought a little more elsewhere.
    """

    def change(i: int, n: int) -> float:
        """Return the change of the squared error by one more run than n, for its price."""
        return -float(cells.weights[i]) / (n * (n + 1.0)) / float(cells.prices[i])

    return _bought(cells, budget, np.flatnonzero(cells.weights > 0).tolist(), change)


def alike_gain(cells: Cells, n_algorithms: int, budget: float) -> Ints:
    """Return the same where all algorithms of a task get as many runs; none are bought where they have unequal numbers now."""
    weights, sizes, prices = (field.reshape(n_algorithms, -1) for field in (cells.weights, cells.sizes, cells.prices))
    if (sizes != sizes[0]).any():
        return np.zeros_like(cells.sizes)
    together = Cells(weights=weights.sum(axis=0), sizes=sizes[0], prices=prices.sum(axis=0))
    return np.tile(cheapest_gain(together, budget), n_algorithms)


def evenly(cells: Cells, budget: float) -> Ints:
    """Return the runs that the budget buys if cells take turns, those with fewest runs first."""
    return _bought(cells, budget, range(cells.sizes.size), lambda _i, n: n)


def _bought(cells: Cells, budget: float, places: Iterable[int], order: Callable[[int, int], float]) -> Ints:
    """Return the runs that are bought one at a time, the next for the cell of the least order(cell, its runs) that is affordable."""
    more = np.zeros(cells.sizes.size, np.int64)
    left = budget * (1.0 + SLACK)
    heap = [(order(i, int(cells.sizes[i])), i) for i in places]
    heapify(heap)
    while heap:
        _, i = heappop(heap)
        if cells.prices[i] > left:
            continue
        left -= float(cells.prices[i])
        more[i] += 1
        heappush(heap, (order(i, int(cells.sizes[i] + more[i])), i))
    return more
