"""Evidence that is valid at any time: bets on which algorithm is ahead, batch after batch, at odds that are fair if the two are equal.

If the runs of two algorithms have one distribution on a task, the labels of a batch are exchangeable. With Z the difference of means, averaged
over tasks, over its standard deviation under relabelling, exp(λZ) over its mean under all labellings has expectation 1, whatever was seen in
earlier batches; so the product over batches is a nonnegative martingale, which ever reaches 1/α with a chance of at most α (Ville 1939).
Drawn labellings with the data among them serve as well, for any number of draws. λ is that of an effect ρ, in standard deviations of a run
within its task; the mean of the products over `EFFECTS` is a martingale too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import comb, inf, log, prod, sqrt

import numpy as np

from runoff._inference.sequential.judge import pooled_runs
from runoff._kernels.blocked import permute, stratified
from runoff.base.arrays import Floats, GroupMask
from runoff.base.random import Streams, in_blocks

Crossed = Callable[[float, int], bool]
EFFECTS = np.array([0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2])
"""Effects that are bet on, in equal parts."""
HALVINGS = 45
"""Halvings of the range of shifts in which an end lies: to a share of 3e-14 of it."""
FAR = 1e3
"""Distance, in ranges of the scores, at which a shift has separated all runs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchEvidence:
    """The evidence of a batch on two algorithms, for any shift of the scores of the first.

    differences: (n_labellings,) of means, averaged over tasks. moves: how much a shift by −1 lowers each. own: which labelling is the data.
    constant, linear, square: the squared standard deviation of the differences as a polynomial in the shift. effective: the squared mean of
    Z per squared effect.
    """

    differences: Floats
    moves: Floats
    own: int
    constant: float
    linear: float
    square: float
    effective: float

    def log_evidence(self, shift: float, side: int) -> Floats:
        """Return log e for each of `EFFECTS`, after `shift` is taken from the first; side 1: the first is ahead, −1: behind."""
        variance = self.constant - 2.0 * shift * self.linear + shift * shift * self.square
        # Where all scores are equal once one side is shifted, no labelling differs: e is 1, and the batch says nothing.
        if variance <= 1e-24 * (self.constant + shift * shift * self.square):
            return np.zeros(EFFECTS.size)
        z = side * (self.differences - shift * self.moves) / sqrt(variance)
        bets = np.multiply.outer(EFFECTS * sqrt(self.effective), z)
        # log e = −log mean exp(bet − own bet), about the largest: λZ of hundreds of runs is no exponent of a double.
        bets -= bets[:, self.own, None]
        most = bets.max(axis=1)
        return np.asarray(-most - np.log(np.exp(bets - most[:, None]).mean(axis=1)))


def batch(a: Sequence[Floats], b: Sequence[Floats], *, streams: Streams, key: int, n_resamples: int) -> BatchEvidence:
    """Return a batch of two algorithms, task by task: all labellings if at most `n_resamples` others, else so many drawn beside the data."""
    cells = {(who, t): scores for who, tasks in enumerate((a, b)) for t, scores in enumerate(tasks)}
    pooled = pooled_runs(cells, (0, 1), len(a), 0.0)
    counts, starts = pooled.counts, pooled.starts
    values = [task - np.median(task) for task in np.split(pooled.values, starts[1:-1])]
    # 1 where a run is of the first: what a shift of the first moves.
    firsts = np.split(np.where(pooled.labels == 0, 1.0, 0.0), starts[1:-1])
    flat, moved = np.concatenate(values), np.concatenate(firsts)

    def of(labels: GroupMask) -> Floats:
        both = [stratified.mean_differences(what, starts, labels, False) for what in (flat, moved)]
        return np.stack(both, axis=1)

    def draw(block: int, rows: int) -> Floats:
        return of(permute.drawn_labels(streams.block("anytime", key, block), starts, counts, rows))

    n_labellings = prod(comb(int(x + y), int(x)) for x, y in counts)
    if n_labellings <= n_resamples + 1:
        every = permute.all_labels(counts)
        statistics, own = of(every), int(np.argmax((every == pooled.labels).all(axis=1)))
    else:
        statistics, own = np.concatenate([of(pooled.labels[None, :]), in_blocks(n_resamples, draw)]), 0
    # Relabelled, the difference of a task has the variance s² (1/n + 1/m), s² being that of its pooled runs; of
    # runs less a shift of the first it is s_xx − 2 δ s_xf + δ² s_ff, f being 1 for the runs of the first.
    weights = (1.0 / counts).sum(axis=1) / counts.shape[0] ** 2
    return BatchEvidence(
        differences=statistics[:, 0],
        moves=statistics[:, 1],
        own=own,
        constant=_weighted(weights, values, values),
        linear=_weighted(weights, values, firsts),
        square=_weighted(weights, firsts, firsts),
        # An effect of ρ deviations on every task moves Z by ρ √effective.
        effective=float(counts.shape[0] ** 2 / (1.0 / counts).sum()),
    )


def _weighted(weights: Floats, x: Sequence[Floats], y: Sequence[Floats]) -> float:
    return float(sum(w * np.cov(u, v)[0, 1] for w, u, v in zip(weights, x, y, strict=True)))


def log_e(batches: Sequence[BatchEvidence], shift: float, side: int) -> Floats:
    """Return the log of the evidence by each batch, (n_batches,), that the first is ahead by more than `shift`; side −1: by less."""
    by_effect = np.cumsum([batch.log_evidence(shift, side) for batch in batches], axis=0)
    return np.asarray(np.logaddexp.reduce(by_effect, axis=1) - log(EFFECTS.size))


MOST_BATCHES = 100
"""The most further batches that are projected."""


def batches_left(batches: Sequence[BatchEvidence], bound: float) -> int | None:
    """Return after how many more batches the evidence for a difference reaches `bound`, a logarithm, if each brings what those so far bring
    on average, for each effect; None: not within `MOST_BATCHES`.

    Evidence grows by λZ less a constant, so that the present difference and spread are carried on.
    """
    # By effect, not mixed: the effect that wins in the end need not be the one that leads now.
    bets = [np.sum([batch.log_evidence(0.0, side) for batch in batches], axis=0) for side in (1, -1)]
    ahead = max(bets, key=lambda logs: float(np.logaddexp.reduce(logs)))
    times = 1.0 + np.arange(1, MOST_BATCHES + 1) / len(batches)
    reached = np.logaddexp.reduce(np.multiply.outer(times, ahead), axis=1) - log(EFFECTS.size) >= bound
    return int(np.argmax(reached)) + 1 if reached.any() else None


@dataclass(frozen=True, slots=True, kw_only=True)
class ShiftEnds:
    """The shifts that no evidence speaks against; None: no end on that side, or, where `empty`, no shift is left; few: none will be."""

    low: float | None = None
    high: float | None = None
    empty: bool = False
    few: bool = False

    def within(self, margin: float) -> bool:
        """Return whether all of them are smaller than `margin`."""
        return self.low is not None and self.high is not None and -margin < self.low and self.high < margin

    def around(self, estimate: float) -> ShiftEnds:
        """Return the ends, moved out to the estimate that they leave out; empty where it lies beyond a 0 that the evidence excludes."""
        low = None if self.low is None else min(self.low, estimate)
        high = None if self.high is None else max(self.high, estimate)
        turned = (self.low or 0.0) > 0.0 >= estimate or (self.high or 0.0) < 0.0 <= estimate
        return ShiftEnds(empty=True) if self.empty or turned else replace(self, low=low, high=high)


def ends(batches: Sequence[BatchEvidence], bound: float, reach: float) -> ShiftEnds:
    """Return between which shifts neither side's evidence has ever reached `bound`, a logarithm; reach: the range of the scores."""

    def crossed(shift: float, side: int) -> bool:
        return bool(log_e(batches, shift, side).max() >= bound)

    low, high = (_edge(crossed, side, FAR * reach) for side in (1, -1))
    if low is not None and high is not None and low > high:
        return ShiftEnds(empty=True)
    return ShiftEnds(low=low, high=high)


PRIOR = 0.5
"""Information that the interval of bounded scores begins with: for its runs it is narrowest after some 40 of each on a task."""


def ends_of_few(batches: Sequence[BatchEvidence], bound: float, *, bounded: bool) -> ShiftEnds:
    """Return the same for runs that do not move as a whole, as those with two scores; bounded: all scores lie in [0, 1], else there is no end
    but the 0 that the evidence excludes.

    The mean of exp(λS − λ²V/2) over λ ~ N(0, 1/`PRIOR`) is at most 1 on average, for S = Σ wₖ(dₖ − δ) of the batches' differences and V = Σ wₖ/4
    (Robbins 1970; Hoeffding 1963), and reaches exp(`bound`) with half of the error rate. The other half is that of the evidence on one side
    of 0, which is fair for any two rates whose difference lies on the other; at 0 it decides alone.
    """
    weights = np.array([batch.effective for batch in batches])
    centre = float(weights @ [batch.differences[batch.own] for batch in batches] / weights.sum())
    spread = float(weights.sum()) / 4.0 + PRIOR
    # Robbins 1970: |S − δ Σ w| < √((V + ρ)(2 log(1/α) + log((V + ρ)/ρ))) at all times at once, ρ = PRIOR.
    radius = sqrt(spread * (2.0 * bound + log(spread / PRIOR))) / float(weights.sum())
    ahead, behind = (bool(log_e(batches, 0.0, side).max() >= bound) for side in (1, -1))
    low, high = (max(-1.0, centre - radius), min(1.0, centre + radius)) if bounded else (-inf, inf)
    low, high = max(low, 0.0) if ahead else min(low, 0.0), min(high, 0.0) if behind else max(high, 0.0)
    if not low <= centre <= high:
        return ShiftEnds(empty=True)
    return ShiftEnds(low=low if low > -inf else None, high=high if high < inf else None, few=not bounded)


def _edge(crossed: Crossed, side: int, far: float) -> float | None:
    """Return where the evidence of one side stops crossing, from outside in."""
    # At FAR all runs are separated: if evidence does not cross there, so few labellings never cross.
    out, into = -side * far, side * far
    if not crossed(out, side):
        return None
    for _ in range(HALVINGS):
        middle = (out + into) / 2
        out, into = (middle, into) if crossed(middle, side) else (out, middle)
    return out
