"""The law of the chance of whole runs: the larger p-value of two, that of a t law and that of relabelling the runs.

Scores of one run go together, so that its tasks are worth less than as many independent ones. Of few runs whose tasks agree the t law alone
calls up to 8 % of equal algorithms different at 5 %, and 3 % at 1 %. A task on which all runs are equal says nothing: as it cannot tip the
order of runs, it takes no evidence from the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb, inf

import numpy as np
from scipy import special

from runoff._inference.bootstrap import Ends, Law, usable
from runoff._inference.pairs.chance import (
    Placements,
    RankLaw,
    error_of_parts,
    guarded,
    improvement_law,
    improvement_parts,
    moving,
    rarest_order,
)
from runoff._inference.pairs.law import PairLaw
from runoff._inference.pairs.small import EVERY
from runoff._kernels.blocked.exact import line_counts
from runoff._kernels.blocked.permute import subsets
from runoff._kernels.blocked.ranks import centred_ranks, regular_starts
from runoff.base.arrays import SMALLEST, Floats, Ints
from runoff.words.measures import EVEN

AT_ONCE = 256
"""Experiments that are relabelled together, for memory."""


def whole_law(x: Sequence[Floats], y: Sequence[Floats], placed: Placements) -> PairLaw:
    """Return the law of the chance that a run of x beats one of y, averaged over tasks, run i of a side being the same in every cell.

    The t law has the variance of the placements of whole runs, means over tasks (DeLong et al. 1988), and n − 1 and m − 1 degrees of freedom;
    where all runs of a side are ahead, Hanley & McNeil's error of one task. x, y: cells, (n,) and (m,) each. placed: their placements.
    """
    alone = improvement_law(x, y, placed=placed)
    n, m = x[0].size, y[0].size
    if len(x) == 1 or min(n, m) < 2:
        return alone
    sizes, moved = (np.array([float(n)]), np.array([float(m)])), moving(placed[2][0])
    law = error_of_parts(improvement_parts(placed, shared=True), *sizes, shared=True)
    if not moved.any():
        return Law(alone.value, (law,), least=rarest_order(*sizes), range=(0.0, 1.0))
    share = float(moved.mean())
    ranks = _doubled_ranks(np.concatenate([np.array(x), np.array(y)], axis=1)).sum(axis=0)
    sums = RankSums.of(EVEN + (alone.value - EVEN) / share, ranks, n, 2 * n * m * int(moved.sum()))
    ends = EVEN - share / 2, EVEN + share / 2
    return WholeLaw(alone.value, (law,), least=rarest_order(*sizes), range=ends, sums=sums, share=share)


@dataclass(frozen=True, slots=True, eq=False)
class RankSums(RankLaw):
    """The mean chance of the tasks on which runs differ, by the sum of the ranks of those runs that are x's: which these are is drawn by chance.

    ranks: doubled mid-ranks less their mean, added over tasks, (n + m,). n: runs of x. duels: twice the pairs of runs, over all these tasks.
    distances, shares: how far from 0 a sum can lie, ascending, and the share of relabellings that lie so far; empty where there are too many.
    """

    value: float
    ranks: Ints
    n: int
    duels: int
    distances: Floats
    shares: Floats

    @classmethod
    def of(cls, value: float, ranks: Ints, n: int, duels: int) -> RankSums:
        if comb(ranks.size, n) > EVERY:  # of more the normal law is as good
            return cls(value, ranks, n, duels, np.empty(0), np.empty(0))
        low = ranks.min()
        ways = line_counts(np.sort(ranks - low), n)
        distances, at = np.unique(np.abs(n * low + np.arange(ways.size)), return_inverse=True)
        times = np.bincount(at, ways)
        possible = times > 0
        shares = times[possible][::-1].cumsum()[::-1] / times.sum()
        return cls(value, ranks, n, duels, distances[possible].astype(np.float64), shares)

    def critical(self, alpha: float) -> float:
        if not self.shares.size:
            spread, half = (float(part[0]) for part in _normal(self.ranks[None], self.n))
            return (half - float(special.ndtri(alpha / 2)) * spread) / self.duels
        rare = self.shares <= alpha * (1 + 1e-12)  # 1 − (1 − alpha) is alpha but for rounding
        return float(self.distances[rare.argmax()]) / self.duels if rare.any() else inf

    def beyond(self, deviation: float) -> float:
        distance = deviation * self.duels
        if not self.shares.size:
            return float(_normal_pvalues(self.ranks[None], self.n, np.array([distance]))[0])
        # Sums are whole numbers: what lies below one by less than a half does so by rounding.
        at = int(np.searchsorted(self.distances, distance - 1e-6))
        return float(self.shares[min(at, self.shares.size - 1)])


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class WholeLaw(Law):
    """The law of a chance by its t laws and by rank sums, which are of the tasks on which runs differ, a share of all."""

    sums: RankSums
    share: float

    @property
    def method(self) -> str:  # type: ignore[override]
        return "exact" if self.sums.shares.size else "asymptotic"

    def interval(self, level: float) -> Ends | None:
        """Return the chances that neither law rejects."""
        by_ranks = (EVEN + (end - EVEN) * self.share for end in self.sums.interval(level))
        by_t = Law.interval(self, level)
        assert by_t is not None  # the error of placements is never 0
        (low, high), (lower, upper) = by_t, by_ranks
        return usable(min(low, lower), max(high, upper))

    def pvalue(self, null: float = EVEN) -> float:
        assert null == EVEN  # of no other chance the law of relabelled runs is known
        return max(Law.pvalue(self, EVEN), self.sums.beyond(abs(self.sums.value - EVEN)))

    def equivalence_pvalue(self, margin: float, even: float = EVEN) -> float:
        by_ranks = self.sums.equivalence_pvalue(margin / self.share, even)
        return max(Law.equivalence_pvalue(self, margin, even), by_ranks)


def whole_pvalues(x: Floats, y: Floats) -> Floats:
    """Return the p-values, (n_batch,), by `whole_law` in many experiments, (n_batch, n_tasks, n_runs) of each side."""
    _, n_tasks, n = x.shape
    both = np.concatenate([x, y], axis=2)
    pooled = _doubled_ranks(both)
    # By doubled ranks a run is ahead of (rank among all − rank among its own + n) / 2 of the others: whole numbers, so that ties stay ties.
    wins = [
        (of_all - _doubled_ranks(own) + n).sum(axis=1) for of_all, own in ((pooled[..., :n], x), (pooled[..., n:], y))
    ]
    share = np.maximum((np.ptp(both, axis=2) > 0).sum(axis=1), 1) / n_tasks
    lead = wins[0].mean(axis=1) / (2 * n * n_tasks) - EVEN
    parts = np.stack([np.where(np.ptp(own, axis=1) > 0, own.var(axis=1, ddof=1), 0.0) for own in wins], axis=1)
    parts /= n * (2 * n * n_tasks) ** 2
    ahead = parts.sum(axis=1) == 0
    size = np.full(int(ahead.sum()), float(n))
    parts[ahead] = (share[ahead] ** 2 * guarded(EVEN + lead[ahead] / share[ahead], size, size))[:, None] / 2
    total = parts.sum(axis=1)
    df = np.clip((n - 1) / np.square(parts / total[:, None]).sum(axis=1), n - 1, 2 * (n - 1))
    tails = special.stdtr(df, -np.abs(lead) / np.sqrt(total))
    by_t = np.clip(2 * tails, rarest_order(np.array([n]), np.array([n])), 1.0)
    ranks = pooled.sum(axis=1)
    return np.asarray(np.maximum(by_t, _relabelled(ranks, n, np.abs(ranks[:, :n].sum(axis=1)))))


def _relabelled(ranks: Ints, n: int, distance: Ints) -> Floats:
    """Return the share of relabellings whose rank sums lie so far from 0, (n_batch,), as `RankSums.beyond` does."""
    if comb(ranks.shape[1], n) > EVERY:
        return _normal_pvalues(ranks, n, distance.astype(np.float64))
    labels, shares = _labels(ranks.shape[1], n), np.empty(len(ranks))
    for first in range(0, len(ranks), AT_ONCE):
        some = slice(first, first + AT_ONCE)
        shares[some] = (np.abs(labels @ ranks[some].T) >= distance[some]).mean(axis=0)
    return shares


def _normal_pvalues(ranks: Ints, n: int, distance: Floats) -> Floats:
    """Return the p-values of sums so far from 0, (n_batch,), by the normal law with a continuity correction."""
    spread, half = _normal(ranks, n)
    z = np.divide(half - distance, spread, out=np.zeros(len(ranks)), where=spread > 0)
    return np.asarray(np.clip(2 * special.ndtr(z), SMALLEST, 1.0))


def _normal(ranks: Ints, n: int) -> tuple[Floats, Floats]:
    """Return the standard deviation of the sum of n of the ranks, (n_batch, n_runs), and half the step of such sums."""
    size = ranks.shape[1]
    spread = np.sqrt(n * (size - n) / (size * (size - 1)) * np.square(ranks.astype(np.float64)).sum(axis=1))
    return spread, np.gcd.reduce(ranks - ranks[:, :1], axis=1) / 2


@lru_cache(maxsize=8)
def _labels(n_runs: int, n: int) -> Floats:
    """Return all choices of n of the runs, (C(n_runs, n), n_runs); floats, which are multiplied fast, and whole numbers are exact."""
    return subsets(n_runs, n).astype(np.float64)


def _doubled_ranks(values: Floats) -> Ints:
    """Return doubled mid-ranks along the last axis, less their mean."""
    return centred_ranks(values.ravel(), regular_starts(values.size // values.shape[-1], values.shape[-1])).reshape(
        values.shape
    )
