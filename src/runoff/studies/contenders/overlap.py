"""Decisions read off intervals: do two intervals overlap, and does the improvement interval hold ½?"""

from __future__ import annotations

import numpy as np

from runoff.base.arrays import Bools, Floats
from runoff.studies.batch import Batch
from runoff.studies.contenders.blocked import mack_skillings_pvalues
from runoff.studies.contenders.registry import Decide, contender
from runoff.studies.resampling import Interval, improvement_interval, intervals

JUST = 1e-3
"""Intervals are kept this share of their width apart, or this much over each other: Casesa (2024) appendix B.2 has 0.999 and 1.001."""


def disjoint(a: Interval, b: Interval) -> Bools:
    """Return where two intervals do not overlap."""
    return (a.low > b.high) | (b.low > a.high)


def descriptive(metric: str) -> Decide:
    """Return the decision "stratified bootstrap intervals of the metric do not overlap" (Casesa 2024 section 3.2)."""

    def decide(batch: Batch) -> Bools:
        return disjoint(intervals(batch, 0)[metric], intervals(batch, 1)[metric])

    return decide


def inferential(metric: str) -> Decide:
    """Return the decision by inferential intervals made of the Mack-Skillings test (Casesa 2024 eq. 2.28).

    It is the test's, except where no factor can make it so: two equal estimates cannot part, two intervals without width cannot meet.
    """

    def decide(batch: Batch) -> Bools:
        a, b = intervals(batch, 0)[metric], intervals(batch, 1)[metric]
        factor = inferential_factor(a, b, mack_skillings_pvalues(batch), batch.alpha)
        return disjoint(_scaled(a, factor), _scaled(b, factor))

    return decide


def inferential_factor(a: Interval, b: Interval, pvalue: Floats, alpha: float) -> Floats:
    """Return ε of eq. 2.28, (n_batch,): 1 where descriptive intervals agree with the test.

    Rejected but overlapping: narrowed until the gap is (t₂ − t₁)(α − P). Not rejected but apart: widened until they overlap by
    (t₂ − t₁)(P − α), as the thesis' code does (its text leaves them apart).
    """
    rejected, separate = pvalue <= alpha, disjoint(a, b)
    upper_is_b = b.estimate >= a.estimate
    gap = np.abs(b.estimate - a.estimate)
    inner = np.where(
        upper_is_b, (a.high - a.estimate) + (b.estimate - b.low), (b.high - b.estimate) + (a.estimate - a.low)
    )
    factor = np.ones(gap.shape)
    wanted = gap * (1.0 + pvalue - alpha)
    np.divide(wanted, inner, out=factor, where=inner > 0.0)
    narrowed, widened = np.minimum(factor, 1.0) * (1.0 - JUST), np.maximum(factor, 1.0) * (1.0 + JUST)
    agrees = rejected == separate
    return np.where(agrees, 1.0, np.where(rejected, narrowed, widened))


def _scaled(interval: Interval, factor: Floats) -> Interval:
    t = interval.estimate
    return Interval(low=t - factor * (t - interval.low), high=t + factor * (interval.high - t), estimate=t)


for _metric, _name in (("iqm", "IQM"), ("mean", "mean")):
    contender(f"overlap_{_metric}", label=f"intervals apart ({_name})")(descriptive(_metric))
    contender(f"inferential_{_metric}", label=f"inferential intervals apart ({_name})")(inferential(_metric))


@contender("improvement_interval", label="improvement interval leaves out ½", target="median")
def improvement(batch: Batch) -> Bools:
    """The stratified bootstrap interval of the probability of improvement does not hold ½ (Agarwal 2021 section 4.3)."""
    low, high = improvement_interval(batch)
    return (low > 0.5) | (high < 0.5)
