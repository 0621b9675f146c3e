"""Coverage of intervals, and decisions by looking at them (Agarwal 2021 section 4, figure 6; Casesa 2024 section 3.2)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runoff._inference.bootstrap import INTERVALS, METRICS, How, Metric, interval_ends, parse_metric, prepare
from runoff.base.arrays import Bools, Floats
from runoff.base.random import Streams
from runoff.lab.contenders.blocked import mack_skillings_pvalues
from runoff.lab.contenders.estimates import GAMMA, QUICK, estimates_of, truth
from runoff.lab.contenders.registry import Batch, ContenderDecision, contender
from runoff.lab.contenders.resampling import (
    BatchInterval,
    counts_of,
    groups,
    improvement_interval,
    intervals,
    quantiles,
)


def ends(batch: Batch, metric: str) -> tuple[Floats, Floats]:
    """Return the percentile interval of the first algorithm's metric, (n_batch,) each."""
    if metric in ("iqm", "mean"):
        interval = intervals(batch, 0)[metric]
        return interval.low, interval.high
    low, high = batch.once("ends over tasks", lambda: _task_ends(batch))[metric]
    return low, high


def _task_ends(batch: Batch) -> dict[str, Floats]:
    ends = {metric: np.empty((2, batch.n_batch)) for metric in ("median", "optimality_gap")}
    scores = batch.scores[:, 0]
    gaps = np.maximum(GAMMA - scores, 0.0).reshape(batch.n_batch, -1)
    for group, rows in groups(batch.n_batch):
        counts = counts_of(batch, "bootstrap", 0, group)
        lanes = counts.transpose(1, 0, 2).reshape(counts.shape[1], -1)
        drawn = lanes[:, : batch.n_resamples].astype(np.float64)  # how often each slot is drawn, (n_slots, n_resamples)
        gap = gaps[rows] @ drawn / gaps.shape[1]
        ends["median"][:, rows] = quantiles(_medians(scores[rows], drawn), batch.alpha)
        ends["optimality_gap"][:, rows] = quantiles(gap, batch.alpha)
    return ends


def _medians(scores: Floats, drawn: Floats) -> Floats:
    """Return the medians of resampled task means, (n_rows, n_resamples); scores: (n_rows, n_tasks, n_runs)."""
    n_rows, n_tasks, n_runs = scores.shape
    means = np.matmul(scores.transpose(1, 0, 2), drawn.reshape(n_tasks, n_runs, -1)) / n_runs
    flat = np.ascontiguousarray(means.reshape(n_tasks, -1).T)
    middle = (n_tasks - 1) // 2, n_tasks // 2
    flat.partition(sorted(set(middle)), axis=1)
    return np.asarray(0.5 * (flat[:, middle[0]] + flat[:, middle[1]])).reshape(n_rows, -1)


SHORT = ("percentile", "basic")
"""Intervals whose resamples a whole batch can share, if the metric is one of `QUICK`; others are computed one experiment at a time."""


def holds(metric: str, interval: str) -> ContenderDecision:
    """Return the decision "the interval of `aggregate` contains the truth"; no interval counts as a miss."""
    parsed = parse_metric(metric)

    def decide(batch: Batch) -> Bools:
        if metric not in QUICK or interval not in SHORT:
            low, high = single_ends(batch, [parsed], interval)[0]
        else:
            low, high = ends(batch, metric)
        if metric in QUICK and interval == "basic":
            twice = 2.0 * estimates_of(batch, 0, parsed)
            low, high = twice - high, twice - low
        true = truth(batch.known_world, metric)
        return np.asarray((low <= true) & (true <= high))

    return decide


def single_ends(batch: Batch, metrics: Sequence[Metric], interval: str, *, shared: bool = False) -> Floats:
    """Return the ends of `aggregate`'s interval for the first algorithm, (n_metrics, 2, n_batch), NaN for no interval. shared: run i is the
    same on every task."""
    both = np.full((len(metrics), 2, batch.n_batch), np.nan)
    for i, tasks in enumerate(batch.scores[:, 0]):
        how = How(
            interval=interval,
            confidence_level=1.0 - batch.alpha,
            n_resamples=batch.n_resamples,
            streams=Streams(int(batch.generator(f"coverage {interval}", i).integers(2**63))),
            threads=1,
        )
        given = interval_ends(prepare(list(tasks), metrics, gamma=GAMMA, shared=shared), metrics, how)
        for m, metric in enumerate(metrics):
            ends_of_metric = given[metric]
            if ends_of_metric is not None:
                both[m, :, i] = ends_of_metric
    return both


for _metric in METRICS:
    for _name, _interval in INTERVALS.items():
        _label, _decide = f"{_metric}, {_interval.label}", holds(_metric, _name)
        contender(f"coverage_{_metric}_{_name}", label=_label, signed=False, n_algorithms=None, kind="coverage")(
            _decide
        )


# ── decisions read off intervals: do two overlap, does that of the improvement hold ½? ──────────


JUST = 1e-3
"""The gap or overlap that intervals are given, as a share of their width: Casesa (2024) appendix B.2 has 0.999 and 1.001."""


def disjoint(a: BatchInterval, b: BatchInterval) -> Bools:
    """Return a mask of the intervals that do not overlap."""
    return (a.low > b.high) | (b.low > a.high)


def descriptive(metric: str) -> ContenderDecision:
    """Return the decision "stratified bootstrap intervals of the metric do not overlap" (Casesa 2024 section 3.2)."""
    return lambda batch: disjoint(intervals(batch, 0)[metric], intervals(batch, 1)[metric])


def inferential(metric: str) -> ContenderDecision:
    """Return the decision by inferential intervals based on the Mack-Skillings test (Casesa 2024 eq. 2.28).

    It agrees with the test unless no factor can achieve that: intervals at equal estimates always overlap, and two intervals without width
    never do.
    """

    def decide(batch: Batch) -> Bools:
        a, b = intervals(batch, 0)[metric], intervals(batch, 1)[metric]
        factor = inferential_factor(a, b, mack_skillings_pvalues(batch), batch.alpha)
        return disjoint(_scaled(a, factor), _scaled(b, factor))

    return decide


def inferential_factor(a: BatchInterval, b: BatchInterval, pvalue: Floats, alpha: float) -> Floats:
    """Return the factor ε of eq. 2.28, (n_batch,): 1 if descriptive intervals agree with the test.

    Intervals that overlap although the test rejects are narrowed until the gap is (t₂ − t₁)(α − P). Disjoint intervals without rejection are
    widened until they overlap by (t₂ − t₁)(P − α), as in the thesis' code (its text leaves them disjoint).
    """
    rejected, separate = pvalue <= alpha, disjoint(a, b)
    upper_is_b = b.estimate >= a.estimate
    gap = np.abs(b.estimate - a.estimate)
    # The two half widths that face each other: from the lower estimate up, and from the upper one down.
    inner = np.where(
        upper_is_b, (a.high - a.estimate) + (b.estimate - b.low), (b.high - b.estimate) + (a.estimate - a.low)
    )
    factor = np.ones(gap.shape)
    wanted = gap * (1.0 + pvalue - alpha)
    # Scaled by ε the facing half widths reach from one estimate to the other, less (t₂ − t₁)(α − P).
    np.divide(wanted, inner, out=factor, where=inner > 0.0)
    narrowed, widened = np.minimum(factor, 1.0) * (1.0 - JUST), np.maximum(factor, 1.0) * (1.0 + JUST)
    agrees = rejected == separate
    return np.where(agrees, 1.0, np.where(rejected, narrowed, widened))


def _scaled(interval: BatchInterval, factor: Floats) -> BatchInterval:
    t = interval.estimate
    return BatchInterval(low=t - factor * (t - interval.low), high=t + factor * (interval.high - t), estimate=t)


for _metric, _name in (("iqm", "IQM"), ("mean", "mean")):
    contender(f"overlap_{_metric}", label=f"intervals apart ({_name})")(descriptive(_metric))
    contender(f"inferential_{_metric}", label=f"inferential intervals apart ({_name})")(inferential(_metric))


@contender("improvement_interval", label="improvement interval leaves out ½", target="median")
def improvement(batch: Batch) -> Bools:
    """The stratified bootstrap interval of the probability of improvement excludes ½ (Agarwal 2021 section 4.3)."""
    low, high = improvement_interval(batch)
    return (low > 0.5) | (high < 0.5)
