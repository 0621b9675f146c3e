"""The law of a difference of success rates of rollouts that are not paired: Miettinen and Nurminen's score, by task."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import fsum, inf, sqrt

import numpy as np
from scipy import special

from runoff._inference.pairs.score import ScoreLaw
from runoff._kernels.rates import rate_score, rates_tail, tails_of_equal
from runoff.base.arrays import SMALLEST, Bools, Floats, Ints, read_only

ROUNDING = 1e-12
"""Means that differ by less than this share of them are equal: the order of addition decides between them."""
LARGEST_TABLE = 1_000_000
"""Results (m + 1)(n + 1) of the largest design of one task whose tail is summed over all of them (5 ms); that of more is normal."""
LARGEST_REGION = 100_000
"""Results of the largest design of which it is found which of them are rejected (half a second)."""
ByTask = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class RateLaw(ScoreLaw):
    """The difference of success rates of two policies, averaged over tasks, whose rollouts are not paired.

    x of m rollouts of the first succeed on each task, y of n of the second. With the rates p̃, q̃ of each task that are most likely where they
    differ by δ, T(δ) = Σ (x/m − y/n − δ) / √Σ (p̃(1 − p̃)/m + q̃(1 − q̃)/n)(m + n)/(m + n − 1) (Miettinen & Nurminen 1985). One task: its tail
    is summed over all results at those rates; several, and beyond the tables, normal.
    """

    x: ByTask
    m: ByTask
    y: ByTask
    n: ByTask
    chance: bool = False

    @property
    def method(self) -> str:
        """Whether there is one task, and its results are not too many."""
        summed = len(self.m) == 1 and (self.m[0] + 1) * (self.n[0] + 1) <= LARGEST_TABLE
        return "exact" if summed else "asymptotic"

    @property
    def lead(self) -> float:
        tasks = zip(self.x, self.m, self.y, self.n, strict=True)
        lead = fsum(x / m - y / n for x, m, y, n in tasks) / len(self.m)
        return 0.0 if abs(lead) <= ROUNDING else lead

    @property
    def grain(self) -> float:
        return 1 / max(*self.m, *self.n)

    @property
    def statistic(self) -> float:
        """The score of no difference."""
        return self._score(0.0)

    @property
    def least(self) -> float:
        """The p-value of all rollouts of one against none of the other, on one task."""
        if self.method != "exact":
            return 0.0
        return least_of_rates(int(self.m[0]), int(self.n[0]))

    def turned(self) -> RateLaw:
        return replace(self, x=self.y, m=self.n, y=self.x, n=self.m)

    def above(self, shift: float) -> float:
        if self.method == "exact":
            return rates_tail(int(self.x[0]), int(self.m[0]), int(self.y[0]), int(self.n[0]), shift)
        return float(special.ndtr(-self._score(shift)))

    def detectable(self, alpha: float, power: float = 0.8) -> float:
        """Return the true difference that new runs of these numbers would find with `power`, whoever is ahead; inf where none is as large."""
        reach = max(rates_reach(law, alpha, power) for law in (self, self.turned()))
        return reach / 2 if self.chance else reach

    def _score(self, shift: float) -> float:
        # In an order of the tasks that does not depend on how they are listed, so that sums have the same bits.
        tasks = np.array(sorted(zip(self.x, self.m, self.y, self.n, strict=True)))
        x, m, y, n = np.ascontiguousarray(tasks.T)
        return rate_score(x, m, y, n, shift)


def rates_reach(law: RateLaw, alpha: float, power: float) -> float:
    """Return the least true lead of the first that the score finds with `power`, by normal distributions.

    On each task one has the mean rate of both, and the other lies towards ½ and beyond, where rates vary most. The estimate is nearly normal
    and the score rejects beyond the lead d that is z errors of equal rates, of its expected counts: power is Φ((δ − d) / s), s its own error.
    """
    x, m, y, n = (np.array(counts) for counts in (law.x, law.m, law.y, law.n))
    middle = ((x / m + y / n) / 2)[None]
    true = np.linspace(0.0, 1.0, STEPS)[:, None]
    # One keeps the mean rate, the other goes towards ½, where p (1 − p) is largest: the reach is not told too small.
    a = np.clip(np.where(middle < 0.5, middle + true, middle), true, 1.0)
    b = a - true
    common = (a * m + b * n) / (m + n)
    equal = np.sqrt((common * (1 - common) * (1 / m + 1 / n) * (m + n) / (m + n - 1)).sum(axis=1)) / m.size
    spread = np.sqrt((a * (1 - a) / m + b * (1 - b) / n).sum(axis=1)) / m.size
    # The lead at which the expected counts are just rejected. Made monotone for the interpolation: at rates of 0 and 1 it may dip.
    beyond = np.maximum.accumulate(true[:, 0] + special.ndtri(alpha / 2) * equal)
    edge = float(np.interp(0.0, beyond, true[:, 0])) if beyond[-1] > 0 else inf
    lacks = np.maximum.accumulate(true[:, 0] - edge - special.ndtri(power) * spread)
    return float(np.interp(0.0, lacks, true[:, 0])) if lacks[-1] > 0 else inf


STEPS = 1001
"""True differences from 0 to 1 between which that of a power is interpolated."""


def rate_law(x: Sequence[Floats], y: Sequence[Floats], *, chance: bool) -> RateLaw:
    """Return the law of cells of 0 and 1, (n_runs,) each."""
    won, of = ([tuple(float(count(cell)) for cell in side) for side in (x, y)] for count in (np.sum, np.size))
    return RateLaw(won[0], of[0], won[1], of[1], chance=chance)


def rates_apart(x: Floats, y: Floats, alpha: float) -> Bools:
    """Return whether the score rejects equal rates, (n_batch,), of many experiments of one size, (n_batch, n_tasks, n_runs) each side."""
    n = x.shape[2]
    won, lost = x.sum(axis=2), y.sum(axis=2)
    if x.shape[1] == 1 and (n + 1) ** 2 <= LARGEST_REGION:
        return np.asarray(rejected_rates(n, n, alpha)[won[:, 0].astype(int), lost[:, 0].astype(int)])
    common = (won + lost) / (2 * n)
    # p̃(1 − p̃)(1/n + 1/n) · 2n/(2n − 1).
    variance = (common * (1 - common)).sum(axis=1) * 4 / (2 * n - 1)
    lead = (won - lost).sum(axis=1) / n
    return np.asarray(np.abs(lead) >= -special.ndtri(alpha / 2) * np.sqrt(np.maximum(variance, 1e-14)))


@lru_cache(maxsize=64)
def rejected_rates(m: int, n: int, alpha: float) -> Bools:
    """Return which results, (m + 1, n + 1), the score rejects on one task."""
    x, y = np.meshgrid(np.arange(m + 1), np.arange(n + 1), indexing="ij")
    common, lead = (x + y) / (m + n), x / m - y / n
    variance = common * (1 - common) * (1 / m + 1 / n) * (m + n) / (m + n - 1)
    score = np.divide(lead, np.sqrt(variance), out=np.zeros(lead.shape), where=variance > 0).ravel()
    rejected = np.zeros((m + 1, n + 1), bool)
    for sign in (-1, 1):
        order = np.argsort(-sign * score, kind="stable")
        last = np.searchsorted(-sign * score[order], -sign * score[order] + 1e-9, side="right")
        tails = np.ones((m + 1, n + 1))
        tails_of_equal(x.ravel()[order], y.ravel()[order], last, m, n, tails)
        rejected |= tails <= alpha / 2
    return read_only(rejected)


def rates_power(rate_x: float, m: int, rate_y: float, n: int, alpha: float) -> float:
    """Return the chance that the score rejects equal rates on one task, over all results; of large designs by its normal tail."""
    (x, of_x), (y, of_y) = (_likely(size, rate) for size, rate in ((m, rate_x), (n, rate_y)))
    if (m + 1) * (n + 1) <= LARGEST_REGION:
        return float(of_x @ rejected_rates(m, n, alpha)[np.ix_(x, y)] @ of_y)
    power, limit = 0.0, special.ndtri(alpha / 2) ** 2 * (1 / m + 1 / n) * (m + n) / (m + n - 1)
    # Result by result of the first: of ten thousand rollouts a table of all would be large.
    for a, chance in zip(x.tolist(), of_x.tolist(), strict=True):
        common = (a + y) / (m + n)
        power += chance * float(of_y[(a / m - y / n) ** 2 >= limit * common * (1 - common) + TINY_SQUARE].sum())
    return power


TINY_SQUARE = 1e-24
"""A squared difference of two rates that is rounding."""
FARTHEST = 8.0
"""Standard deviations beyond which results are too rare to count, 1e-15."""


def _likely(n: int, rate: float) -> tuple[Ints, Floats]:
    """Return the numbers of successes that are not too rare to count, and the chance of each."""
    half = FARTHEST * sqrt(n * rate * (1 - rate)) + 1
    k = np.arange(max(int(n * rate - half), 0), min(int(n * rate + half) + 1, n) + 1)
    # Below 0 successes there are none, of which bdtr knows no chance.
    below = special.bdtr(k[0] - 1, n, rate) if k[0] else 0.0
    return k, np.diff(special.bdtr(k, n, rate), prepend=below)


@lru_cache(maxsize=4096)
def least_of_rates(m: int, n: int) -> float:
    """Return the least p-value of these numbers of rollouts of one task: that of all of one side and none of the other."""
    return min(1.0, max(2 * rates_tail(m, m, 0, n, 0.0), SMALLEST))


def least_level(holds: Callable[[Floats], Bools], most: float, *, cuts: int = 65) -> float:
    """Return the smallest alpha at which a statement about an interval holds; twice `most` if it never does.

    holds: (n,) levels → (n,) answers, which turn true once. The range of the logarithm is cut again and again, into so many levels at once.
    """
    low, high = np.log(LEAST_LEVEL), np.log(most)
    if not holds(np.exp([high]) * (1 - 1e-9))[0]:
        return 2 * most
    # 64 parts a call: eight calls reach thirteen digits of the logarithm, where halving takes 43.
    while high - low > 1e-13 * -low:
        levels = np.linspace(low, high, cuts)
        # At the last level it holds, as was seen before.
        first = int(np.argmax(np.append(holds(np.exp(levels[:-1])), True)))
        low, high = levels[max(first - 1, 0)], levels[first]
        if first == 0:
            break
    return float(np.exp(high))


LEAST_LEVEL = 1e-15
"""The lower end of the levels that `least_level` searches."""
