"""The boundary on success counts of two algorithms, whose pairs of episodes arrive one by one, by enumeration of all counts.

How many pairs of histories lead to a and b successes in n episodes each, none of them stopped before, hangs on no rate: a history with s
successes of both has the probability p^s (1 − p)^(2n − s) where the rates are equal. So one table of numbers of histories serves all rates:
for the boundary those of a grid, and afterwards, with unequal rates, the chances by which the interval is made.

At each look counts are taken into the stopping region from the largest pooled z downwards, as long as no common rate has spent more than its
share of the error by then; a total of successes whose counts do not fit is closed for that look (the enumeration of Suissa & Shuster 1985, with
the error spent over looks as by Lan & DeMets 1983). The interval is the stage-wise one: earlier claims are more extreme, then a larger z
(Tsiatis, Rosner & Mehta 1984), with the worst common shift over the rates of the grid.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import scipy

from runoff.base.arrays import Bools, Floats, Ints

MOST_PAIRS = 200
"""Numbers of histories are doubles: C(n, n/2)² of more than 500 episodes is beyond them, and 200 take seconds."""
GRID = 199
"""The success rates at which the error is controlled and the interval searches for the worst case: 1/200 to 199/200."""
SHARES: Floats = np.arange(1, GRID + 1) / (GRID + 1.0)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CountEnds:
    """Counts of both at a look, with the logarithm of the number of histories that lead to each and were not stopped before."""

    a: Ints
    b: Ints
    log_ways: Floats

    def chances(self, n: int, pa: Floats, pb: Floats) -> Floats:
        """Return the probability of each after n episodes of each, at each pair of rates, which are no 0 and no 1: (n_counts, n_rates)."""
        a, b = self.a[:, None], self.b[:, None]
        logs = a * np.log(pa) + (n - a) * np.log1p(-pa) + b * np.log(pb) + (n - b) * np.log1p(-pb)
        return np.asarray(np.exp(self.log_ways[:, None] + logs))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CountBoundary:
    """A lead decides as soon as it reaches `leads` at a look.

    leads: for each look the lead in successes that is enough at each total of both, 0 to 2n; inf where none is. stopped: the counts that stop
    at each look, of both sides. going: those that go on after each.
    """

    looks: tuple[int, ...]
    leads: tuple[Floats, ...]
    stopped: tuple[CountEnds, ...]
    going: tuple[CountEnds, ...]

    def lead(self, look: int, total: int) -> float:
        """Return the lead that is enough at a look, counted from 0, with so many successes of both."""
        return float(self.leads[look][total])

    def tails(self, look: int, a: int, b: int, d: float) -> Floats:
        """Return the chances of an end as much in favour of b, at rates over the grid of which that of b is higher by d."""
        n, lead = self.looks[look], abs(b - a) >= self.lead(look, a + b)
        low, high = max(0.0, -d), min(1.0, 1.0 - d)
        pa = low + (high - low) * SHARES
        pb = np.clip(pa + d, 1e-300, 1.0 - 1e-16)
        z, side = pooled_z(n, a, b), int(np.sign(b - a)) if lead else 0
        # A claim for a is less in favour of b the earlier it comes, so its tail is all but the ends that are less still.
        sign, chance = (-1 if side < 0 else 1), np.zeros(GRID)
        for k, ends in enumerate(self.stopped[: look + 1]):
            counted = np.sign(ends.b - ends.a) == sign
            if k == look and side:
                at = pooled_z(n, ends.a, ends.b)
                counted &= (at >= z) if side > 0 else (at < z)
            chance += _chosen(ends, counted).chances(self.looks[k], pa, pb).sum(axis=0)
        if not side:
            ends = self.going[look]
            chance += _chosen(ends, pooled_z(n, ends.a, ends.b) >= z).chances(n, pa, pb).sum(axis=0)
        return 1.0 - chance if side < 0 else chance

    def interval(self, look: int, a: int, b: int, alpha: float) -> tuple[float, float]:
        """Return the stage-wise interval of rate b − rate a of an experiment that ended at a look with so many successes."""
        return self._low(look, a, b, alpha / 2.0), -self._low(look, b, a, alpha / 2.0)

    def _low(self, look: int, a: int, b: int, share: float) -> float:
        def excess(d: float) -> float:
            return float(self.tails(look, a, b, d).max()) - share

        # At a difference of −1 nothing but losses of b can be seen; the tail rises with the difference.
        ends = (-1.0 + 1e-9, 1.0 - 1e-9)
        if excess(ends[0]) > 0.0:
            return -1.0
        return float(scipy.optimize.brentq(excess, *ends, xtol=1e-9)) if excess(ends[1]) > 0.0 else 1.0


def pooled_z(n: int, a: Ints | int, b: Ints | int) -> Floats:
    """Return the pooled statistic of n episodes of each, by which counts are ordered; in nine digits, so that equal ones tie."""
    total = np.asarray(a) + np.asarray(b)
    variance = total * (2 * n - total) / (2.0 * n)
    return np.asarray(np.round((np.asarray(b) - np.asarray(a)) / np.sqrt(np.maximum(variance, 1e-9)), 9))


@lru_cache(maxsize=32)
def count_boundary(looks: tuple[int, ...], spent: tuple[float, ...]) -> CountBoundary:
    """Return the boundary of looks after so many pairs of episodes that has spent at most so much of a two-sided error by each."""
    ways, used, before = np.ones((1, 1)), np.zeros(GRID), 0
    leads, stopped, going = [], [], []
    for n, share in zip(looks, spent, strict=True):
        for _ in range(n - before):
            ways = _pair_more(ways)
        lead, used = _look(ways, used, share / 2.0)
        a, b = _indices(n)
        beyond = np.abs(b - a) >= lead[a + b]
        stopped.append(_ends_of(ways, beyond))
        ways[beyond] = 0.0
        going.append(_ends_of(ways, ~beyond))
        leads.append(lead)
        before = n
    return CountBoundary(looks=looks, leads=tuple(leads), stopped=tuple(stopped), going=tuple(going))


def _pair_more(ways: Floats) -> Floats:
    """Return the number of histories after another pair: both fail, one of them succeeds, or both do."""
    more = np.zeros((ways.shape[0] + 1, ways.shape[1] + 1))
    more[:-1, :-1] += ways
    more[1:, :-1] += ways
    more[:-1, 1:] += ways
    more[1:, 1:] += ways
    return more


def _look(ways: Floats, used: Floats, share: float) -> tuple[Floats, Floats]:
    """Return the leads that are enough at a look, and what each rate has spent on one side by then."""
    n = ways.shape[0] - 1
    totals = np.arange(2 * n + 1, dtype=np.int64)
    logs = np.outer(totals, np.log(SHARES)) + np.outer(2 * n - totals, np.log1p(-SHARES))
    lead = np.full(2 * n + 1, np.inf)
    a, b = _indices(n)
    z = pooled_z(n, a, b)
    # The largest lead of each total to which a history leads; whatever is larger stopped before, and costs nothing.
    largest: Ints = -(totals % 2)
    reached = (ways > 0.0) & (b > a)
    np.maximum.at(largest, (a + b)[reached], (b - a)[reached])
    free = largest < np.minimum(totals, 2 * n - totals)
    lead[free] = largest[free] + 2
    # One candidate of each total, its largest lead, so that a heap has all counts in the order of z.
    first = [_candidate(z, int(total), int(largest[total])) for total in totals[largest > 0]]
    heapq.heapify(first)
    while first:
        _, low, high = heapq.heappop(first)
        if ways[low, high] > 0.0:
            after = used + np.exp(np.log(ways[low, high]) + logs[low + high])
            if (after > share).any():
                continue
            used = after
        lead[low + high] = high - low
        if high - low > 2:
            heapq.heappush(first, _candidate(z, low + high, high - low - 2))
    return lead, used


def _indices(n: int) -> tuple[Ints, Ints]:
    a, b = np.indices((n + 1, n + 1), dtype=np.int64)
    return a, b


def _candidate(z: Floats, total: int, lead: int) -> tuple[float, int, int]:
    low, high = (total - lead) // 2, (total + lead) // 2
    return (-float(z[low, high]), low, high)


def _ends_of(ways: Floats, chosen: Bools) -> CountEnds:
    a, b = np.nonzero(chosen & (ways > 0.0))
    return CountEnds(a=a, b=b, log_ways=np.log(ways[a, b]))


def _chosen(ends: CountEnds, where: Bools) -> CountEnds:
    return CountEnds(a=ends.a[where], b=ends.b[where], log_ways=ends.log_ways[where])
