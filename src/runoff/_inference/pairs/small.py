"""The law of a mean or an IQM of few runs: the larger p-value of two, that of t laws and that of relabelling runs within tasks.

Where runs are few, the t laws find too little at two runs and too much at three and more, and relabelling too much beside few runs of unlike
spread; what both find is seldom wrong (docs/calibration.md). The interval is what neither rejects: the runs of the first algorithm are
shifted by each difference, and relabelled anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from math import comb, prod, sqrt

import numpy as np
from scipy import special

from runoff._inference.blocked import Blocks, canonical, gather
from runoff._inference.bootstrap import Ends, Law, MetricEstimate, usable
from runoff._kernels.blocked import permute
from runoff._kernels.blocked.stratified import mean_differences
from runoff._kernels.blocked.trimmed import trimmed_as_far_apart
from runoff.base.arrays import Floats, GroupMask, Ints
from runoff.base.random import Streams

MOST_FREEDOM = 32.0
"""Degrees of freedom from which on the t law alone errs as seldom, and finds as much."""
MOST_RUNS = 200
"""Runs of a pair up to which a relabelling takes microseconds."""
MORE_FREEDOM = 2.0
"""What is added to the degrees of freedom of each task, and taken off their sum again, by Welch (1947), whose formula has it."""
EVERY, DRAWS = 20_000, 9_999
"""Up to so many arrangements all are looked at, else so many are drawn."""
FEWEST_BEYOND = 10
"""Draws beyond a level below which it is too coarse to be decided by draws."""
SURE = 10
"""A difference on one task of many has few arrangements, however large it is: what the t law alone finds at a tenth of a level is found."""
CLOSE = 1e-3
"""An end of an interval lies between two differences that are so near, as a share of its distance from the estimate."""
LONGEST = 100
"""Differences that are tried for an end."""
TOLERANCE = 1e-9
"""Squared statistics that differ by less than this share of them are equal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Relabelling:
    """What decides whether and how a pair is relabelled: the lowest level at which its law will be asked, and where draws come from."""

    level: float = 0.05
    streams: Streams = field(default_factory=lambda: Streams(0))


NEVER = Relabelling(level=0.0)
"""For simulated pairs, power is computed by the t law."""


def small_law(
    records: tuple[MetricEstimate, MetricEstimate],
    x: Sequence[Floats],
    y: Sequence[Floats],
    *,
    cuts: tuple[float, float],
    relabelling: Relabelling,
) -> SmallLaw | None:
    """Return the law of few runs; None where a pair has one task, too many runs, or arrangements that are too common for the level.

    A task on which all runs of both are equal has one arrangement and no degree of freedom, and a mean over it and one other is that of one
    task. Where most are so, an IQM rests on the runs of a few, of which it keeps the extremes, and its t law alone finds a difference of
    equal algorithms in 10 %.
    """
    first, second = records
    sizes = np.array([first.n_runs, second.n_runs]).T
    # Where a run adds to the error runs vary; of large designs that is enough to know that the runs are many.
    if len(sizes) < 2 or sizes.min() < 2 or freedom(sizes[first.parts + second.parts > 0]) > MOST_FREEDOM:
        return None
    varied = sizes[[bool(np.ptp(np.concatenate([a, b])) > 0) for a, b in zip(x, y, strict=True)]]
    if len(varied) < 2 and not any(cuts):
        return None
    alone, law = first.minus(second), first.minus(second, MORE_FREEDOM)
    if not law.laws or sizes.sum() > MOST_RUNS or not may_relabel(varied, relabelling.level):
        return None
    every = arrangements(sizes) <= EVERY
    offsets = np.concatenate([[0], np.cumsum(sizes.T.ravel())])
    # Places among all scores, which no unit changes, decide the order.
    scores, places = np.unique(np.concatenate([*x, *y]), return_inverse=True)
    blocks = canonical(gather(places.astype(np.float64), offsets, 2, len(x)), by_rank=False)
    blocks = replace(blocks, values=scores[blocks.values.astype(np.int64)])
    return SmallLaw(
        law.value, law.laws, exact=every, alone=alone, blocks=blocks, cuts=cuts, streams=relabelling.streams
    )


def may_relabel(sizes: Ints, level: float) -> bool:
    """Return whether relabelling has a say; sizes: (n_tasks, 2) of the tasks on which runs vary."""
    if not sizes.size or sizes.min() < 2 or freedom(sizes) > MOST_FREEDOM:
        return False
    # With as many runs on both sides of every task, exchanging the algorithms is a relabelling too, and as far apart as the data.
    ways, twice = arrangements(sizes), 1 + bool((sizes[:, 0] == sizes[:, 1]).all())
    rarest = twice / ways if ways <= EVERY else FEWEST_BEYOND / (1 + DRAWS)
    return bool(rarest <= level * (1 + TOLERANCE))


def freedom(sizes: Ints) -> float:
    """Return the degrees of freedom that a difference has where all runs spread alike; to nine digits, for whole numbers are compared."""
    return _freedom(sizes.astype(np.int64, copy=False).tobytes())


@lru_cache(maxsize=1024)  # thousands of pairs have as many runs
def _freedom(counts: bytes) -> float:
    sizes = np.frombuffer(counts, np.int64).reshape(-1, 2)
    return round(float((1 / sizes).sum() ** 2 / (1 / sizes**2 / (sizes - 1)).sum()), 9) if sizes.size else 0.0


def arrangements(sizes: Ints) -> int:
    """Return in how many ways the runs of all tasks can be relabelled; sizes: (n_tasks, 2)."""
    return prod(comb(n + m, n) for n, m in sizes.tolist())


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SmallLaw(Law):
    """The law of a difference of means or trimmed means of few runs; `laws` are its t laws, by which power is computed.

    exact: all arrangements are looked at. alone: the t law of more runs, which is believed at a tenth of a level. blocks: the runs in an order
    that neither names nor rows decide. cuts: the share of each pool that is cut from each end. pvalues: those of relabelling, by the difference
    of which they are. Source of the statistic: Janssen (1997), Chung & Romano (2013).
    """

    exact: bool
    alone: Law
    blocks: Blocks
    cuts: tuple[float, float]
    streams: Streams
    pvalues: dict[float, float] = field(default_factory=dict)

    def interval(self, level: float) -> Ends | None:
        """Return the differences that are not rejected."""
        return usable(self.end(level, -1), self.end(level, 1))

    def end(self, level: float, side: int) -> float:
        """Return the end of the interval below (−1) or above the value."""
        alpha = round(1 - level, 12)
        reached = side * (self.value + side * self._reach(side, alpha))
        # Whether 0 lies inside is what its own p-value says, for p-values of relabelling can rise again further out.
        if self.pvalue() > alpha:
            return side * max(reached, 0.0) + 0.0  # no −0
        beside = side * self.value * TOLERANCE
        return side * min(reached, beside) if beside < 0 else side * reached

    def pvalue(self, null: float = 0.0) -> float:
        least, most = Law.pvalue(self, null), SURE * self.alone.pvalue(null)
        return max(least, min(self.relabelled(null), most))

    def equivalence_pvalue(self, margin: float, even: float) -> float:
        """Return half the larger p-value of the two margins, so that intervals lie between them exactly where it says so (Schuirmann 1987)."""
        both = [self.pvalue(even + side * margin) for side in (-1, 1)]
        return max(both) / 2 if abs(self.value - even) < margin else 1 - min(both) / 2

    @property
    def method(self) -> str:  # type: ignore[override]
        return "exact" if self.exact else "monte_carlo"

    @property
    def pvalue_error(self) -> float:  # type: ignore[override]
        """Return the standard error of the p-value of no difference, 0 where it is not that of the draws."""
        pvalue = self.pvalue()
        drawn = not self.exact and pvalue == self.pvalues.get(0.0)
        return sqrt(pvalue * (1 - pvalue) / DRAWS) if drawn else 0.0

    def relabelled(self, null: float) -> float:
        """Return the share of relabellings within tasks that are as far apart as the data, a difference being taken off the first."""
        if null not in self.pvalues:
            self.pvalues[null] = self._share(null)
        return self.pvalues[null]

    def _share(self, null: float) -> float:
        counts, starts = self.blocks.counts, self.blocks.starts
        first = np.repeat(np.tile(1.0 - self.blocks.algorithms, len(counts)), counts.ravel())
        shifted = self.blocks.values - null * (first - 0.5)  # half on each side, as for the pair of b and a
        # The kernels take scores about their middle and at most 1 in size: their tolerances are absolute.
        shifted -= np.median(shifted)
        shifted /= np.abs(shifted).max()
        # Bytes, for an array is no key of a cache; the labels depend on the design alone, so that all pairs of one design share them.
        labels = _labels(counts.tobytes(), self.exact, self.streams)
        # A relabelling that is as far apart but for rounding is a hit: p may be too large by that, never too small.
        least = abs(self.value - null) / self.laws[0][0] * (1 - TOLERANCE)
        if any(self.cuts):
            order, tasks = np.argsort(shifted, kind="stable"), np.repeat(np.arange(len(counts)), np.diff(starts))
            cuts = np.array(self.cuts)[self.blocks.algorithms]
            reached = trimmed_as_far_apart(shifted[order], tasks[order], order, counts, labels, cuts, least**2)
        else:
            reached = np.abs(mean_differences(shifted, starts, labels, True)) >= least
        hits, n = int(reached.sum()), reached.size
        # The data are one of all arrangements; of those drawn they are one more.
        return hits / n if self.exact else (1 + hits) / (1 + n)

    def _reach(self, side: int, alpha: float) -> float:
        """Return how far from the value the interval of a level reaches on a side, to a thousandth, or to half an error of drawn p-values.

        The next distance to try is where a t law that has the p-value of the last one would end, else half-way.
        """
        df, near = min(df for _, df in self.laws), 0.0 if self.exact else sqrt(alpha * (1 - alpha) / DRAWS) / 2
        aim = float(special.stdtrit(df, 1 - (alpha - near / 2) / 2))
        inside, outside = self.half(1 - alpha), self.alone.half(1 - alpha / SURE)
        if outside <= inside or (pvalue := self.relabelled(self.value + side * inside)) <= alpha:
            return inside
        guess = inside
        for turn in range(LONGEST):
            guess *= aim / float(special.stdtrit(df, 1 - min(pvalue, 0.5) / 2))
            # Every third try is half-way: drawn p-values are steps, on which the guess could stand still.
            tried = guess if turn % 3 < 2 and inside < guess < outside else (inside + outside) / 2
            pvalue, guess = self.relabelled(self.value + side * tried), tried
            inside, outside = (tried, outside) if pvalue > alpha else (inside, tried)
            if outside - inside <= CLOSE * outside or alpha - near < pvalue <= alpha:
                break
        return outside


@lru_cache(maxsize=32)
def _labels(counts: bytes, every: bool, streams: Streams) -> GroupMask:
    """Return all arrangements of a design, or those that are drawn; every pair of an analysis has the same."""
    sizes = np.frombuffer(counts, np.int64).reshape(-1, 2)
    if every:
        return permute.all_labels(sizes)
    starts = np.concatenate([[0], np.cumsum(sizes.sum(axis=1))])
    return permute.drawn_labels(streams.block("relabelled"), starts, sizes, DRAWS)
