"""Tasks whose runs reach one of two values: their rates do not move as a whole, so relabelling cannot rule out a drop of them.

The limit of the drop of a rate is exact, whatever the two rates are (Barnard 1947; Chan & Zhang 1999): outcomes are ordered by the upper end
of their score interval, and the chance of one as low as that of the data is maximised over all rates with the drop. The order is monotone in
both counts, so that the chance in a cell of rates is at most that in one of its corners: the maximum is bounded, not searched for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import inf, sqrt

import numpy as np
from scipy import special

from runoff._inference.bootstrap import clopper_pearson, wilson
from runoff._inference.pairs import PairData, least_level
from runoff.base.arrays import Floats, Ints

CONFIDENCE = 0.9
"""The level of the score intervals by which outcomes are ordered."""
CELLS, PARTS, ROUNDS, HALVINGS = 32, 8, 3, 14
"""Cells of rates at first, parts that a cell is divided into, rounds of division; halvings of the bracket of a limit."""
MOST_OUTCOMES = 15_000
"""With more outcomes, the exact ends of both rates are combined, each at half of the level (Clopper & Pearson 1934; Bonferroni)."""
ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """Successes of the baseline and of the candidate, and their runs; what a failure and a success score."""

    successes: tuple[int, int]
    sizes: tuple[int, int]
    lowest: float
    highest: float

    @property
    def worth(self) -> float:
        """Return the value of a success over a failure, in units of the scores."""
        return self.highest - self.lowest

    @property
    def certain(self) -> bool:
        """Return whether no other score is possible."""
        return (self.lowest, self.highest) == (0.0, 1.0)

    @property
    def tabled(self) -> bool:
        """Return whether all outcomes of these numbers of runs are looked at, not bounded."""
        return int(np.prod(np.add(self.sizes, 1))) <= MOST_OUTCOMES

    @property
    def room(self) -> float:
        """Return the largest drop that is possible from the rate of the baseline, in units of the scores; inf: lower scores may be."""
        return self.successes[0] / self.sizes[0] if self.certain else inf

    @property
    def drop(self) -> float:
        """Return the difference of the rates."""
        (a, b), (n, m) = self.successes, self.sizes
        return a / n - b / m

    def pvalue(self, drop: float) -> float:
        """Return the p-value, exact or larger, against a drop of at least so much, in units of the scores."""
        drop = drop / self.worth
        if drop > 1:
            return 0.0
        if self.tabled:
            return worst_chance(*self.sizes, least_successes(*self.sizes, *self.successes), drop)
        return min(1.0, least_level(lambda level: self._ends_apart(level) < drop, 0.5))

    def limit(self, level: float) -> float:
        """Return the upper limit of the drop, in units of the scores."""
        if not self.tabled:
            return self._ends_apart(level) * self.worth
        low, high = self.drop, 1.0
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            out = self.pvalue(middle * self.worth) <= level
            low, high = (low, middle) if out else (middle, high)
        return high * self.worth

    def distance(self, level: float) -> float:
        """Return how far the drop may lie above that of the data: the distances to the exact ends of both rates, added as errors are.

        Each at half of the level: few runs step so coarsely that at the level itself the mean of two tasks is held too often.
        """
        (a, b), (high, low) = (k / n for k, n in zip(self.successes, self.sizes, strict=True)), self._ends(level / 2)
        return self.worth * sqrt((high - a) ** 2 + (b - low) ** 2)

    def reach(self, level: float) -> float:
        """Return that distance where the rates of other tasks depend on these: the distances of both ends add up, each at half of the level."""
        return self.worth * (self._ends_apart(level) - self.drop)

    def _ends_apart(self, level: float) -> float:
        high, low = self._ends(level / 2)
        return high - low

    def _ends(self, level: float) -> tuple[float, float]:
        """Return the upper end of the baseline's rate, and the lower end of the candidate's, each at the level."""
        (a, b), (n, m) = self.successes, self.sizes
        high = clopper_pearson(np.array([float(a)]), n, level)[1]
        low = clopper_pearson(np.array([float(b)]), m, level)[0]
        return float(high[0]), float(low[0])


def rates_of(pair: PairData) -> list[Rates | None]:
    """Return the rates of the tasks whose runs reach one of two values; None of others, and of one value of which no other is known."""
    return [_rates(x, y, binary=pair.binary) for x, y in zip(pair.x, pair.y, strict=True)]


def _rates(x: Floats, y: Floats, *, binary: bool) -> Rates | None:
    values = np.array([0.0, 1.0]) if binary else np.unique(np.concatenate([x, y]))
    if values.size != 2:
        return None
    counts = int((x == values[1]).sum()), int((y == values[1]).sum())
    return Rates(successes=counts, sizes=(x.size, y.size), lowest=float(values[0]), highest=float(values[1]))


def most_drops(parts: Sequence[PairData]) -> list[float]:
    """Return the largest drop of each unit that its baseline's rates leave room for; inf where a task has other scores."""
    rooms = [[inf if rate is None else rate.room for rate in rates_of(part)] for part in parts]
    return [sum(of_tasks) / len(of_tasks) for of_tasks in rooms]


def worst_chance(n: int, m: int, least: Ints, drop: float) -> float:
    """Return the largest chance, or a little more, of at least so many successes of the candidate, (n + 1,), for rates with this drop."""
    edges = np.linspace(max(0.0, drop), min(1.0, 1.0 + drop), CELLS + 1)
    low, width = edges[:-1], float(edges[1] - edges[0])
    for _ in range(ROUNDS):
        bounds = _chances(n, m, least, low, low + width - drop)
        lower_bound = float(_chances(n, m, least, low, low - drop).max())
        highest = float(bounds.max())
        width /= PARTS
        low = (low[bounds >= lower_bound][:, None] + width * np.arange(PARTS)).ravel()
    return min(1.0, highest)


def _chances(n: int, m: int, least: Ints, p: Floats, q: Floats) -> Floats:
    k = np.arange(n + 1)
    p, q = np.clip(p, 0.0, 1.0)[:, None], np.clip(q, 0.0, 1.0)[:, None]
    ways = special.gammaln(n + 1) - special.gammaln(k + 1) - special.gammaln(n - k + 1)
    before = np.exp(ways + special.xlogy(k, p) + special.xlog1py(n - k, -p))
    chances: Floats = (before * special.bdtrc(least - 1, m, q)).sum(axis=1)
    return chances


@lru_cache(maxsize=256)
def least_successes(n: int, m: int, a: int, b: int) -> Ints:
    """Return how many successes of the candidate, for each number of the baseline's, say as little of a drop as a and b do; m + 1: none."""
    # The upper end of p − q by its score interval (Newcombe 1998, method 10), made monotone in both counts.
    (p, _, high_p), (q, low_q, _) = _ends_of_all(n)[:, :, None], _ends_of_all(m)[:, None, :]
    end = p - q + np.sqrt((high_p - p) ** 2 + (q - low_q) ** 2)
    rising = np.maximum.accumulate(end, axis=0)
    order = np.maximum.accumulate(rising[:, ::-1], axis=1)[:, ::-1]
    least: Ints = m + 1 - (order <= order[a, b] + ROUNDING).sum(axis=1)
    return least


def _ends_of_all(n: int) -> Floats:
    """Return the rate of every number of successes, and the ends of its score interval, (3, n + 1)."""
    cells = (np.repeat([1.0, 0.0], [k, n - k]) for k in range(n + 1))
    return np.array([(cell.mean(), *wilson(cell, CONFIDENCE)) for cell in cells]).T
