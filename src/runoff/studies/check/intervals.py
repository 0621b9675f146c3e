"""Estimates and intervals of drawn groups, and how far they lie from the truth as they would with new runs.

A group of n of M runs lies nearer to the metric of all M than n new runs lie to theirs: its variance is smaller by 1 − n/M. The distance
from the truth is widened by as much: its random part by 1/√(1 − n/M), its mean, the bias, by 1/(1 − n/M). Drawing with replacement needs no
such factor, but has ties and lacks tails; drawing without, unwidened, covers too well. docs/guides/can-i-trust-these-tests.md has the
three beside known truths.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from runoff._inference.bootstrap import Metric, estimates, prepare
from runoff.base.arrays import Bools, Floats
from runoff.studies.batch import Batch
from runoff.studies.check.runs import OwnRuns
from runoff.studies.contenders.coverage import ends, single_ends
from runoff.studies.contenders.estimates import QUICK, estimates_of
from runoff.studies.truth import GAMMA

SHORT = ("percentile", "basic")
"""Intervals whose resamples a whole batch can share."""
NARROW = 1e-12
"""An interval narrower than this share of its ends is none."""


def true_value(runs: OwnRuns, metric: Metric) -> float:
    """Return the metric of the distribution of all runs: of trimmed means, with exactly their share cut."""
    pool = prepare(runs.cells, [metric], gamma=GAMMA, exact=True)
    return float(estimates(pool)[pool.column(metric)])


def points_of(batch: Batch, metric: Metric) -> Floats:
    """Return the estimates of `aggregate`, (n_batch,)."""
    return estimates_of(batch, 0, metric)


def ends_of(batch: Batch, metrics: Sequence[Metric], interval: str, *, shared: bool) -> Floats:
    """Return the ends of the intervals, (n_metrics, 2, n_batch); NaN where there is none."""
    if interval not in SHORT or shared or any(metric.name not in QUICK for metric in metrics):
        return single_ends(batch, metrics, interval, shared=shared)
    found = np.stack([np.stack(ends(batch, metric.name)) for metric in metrics])
    found[:, :, :] = np.where(np.isnan(_width(found))[:, None], np.nan, found)
    if interval == "percentile":
        return found
    twice = 2.0 * np.stack([points_of(batch, metric) for metric in metrics])
    return np.stack([twice - found[:, 1], twice - found[:, 0]], axis=1)


def _width(found: Floats) -> Floats:
    """Return the width of intervals (n_metrics, 2, n_batch), NaN where it is none."""
    width = found[:, 1] - found[:, 0]
    return np.where(width > NARROW * np.abs(found).max(axis=1), width, np.nan)


@dataclass(frozen=True, slots=True)
class Errors:
    """Estimates (n_repeats,) of groups of n runs about the truth, as of new runs."""

    points: Floats
    truth: float
    share: float
    """n / M, averaged over tasks."""

    @property
    def bias(self) -> float:
        return float(self.points.mean() - self.truth) / (1.0 - self.share)

    @property
    def spread(self) -> float:
        return float(self.points.std()) / sqrt(1.0 - self.share)

    @property
    def bias_error(self) -> float:
        return float(self.points.std()) / (1.0 - self.share) / sqrt(self.points.size)

    def held(self, low: Floats, high: Floats) -> Bools:
        """Return whether the intervals would hold the truth of new runs; one that is not there (NaN) holds nothing."""
        middle = self.points.mean()
        true = self.points - self.bias - (self.points - middle) / sqrt(1.0 - self.share)
        return np.asarray((low <= true) & (true <= high))


def share_drawn(runs: OwnRuns, n: int) -> float:
    """Return n / M, averaged over tasks."""
    return float(np.mean([n / cell.size for cell in runs.cells]))
