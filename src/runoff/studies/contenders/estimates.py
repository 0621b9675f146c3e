"""Estimates rather than decisions: the table has their mean, its standard error, and their spread."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from runoff._inference.bootstrap import METRICS, Metric, parse_metric
from runoff.base.arrays import Bools, Floats
from runoff.studies.batch import Batch
from runoff.studies.contenders.registry import Decide, contender
from runoff.studies.resampling import iqm
from runoff.studies.truth import GAMMA, truth

QUICK: dict[str, Callable[[Batch, int], Floats]] = {
    "iqm": lambda batch, a: iqm(batch.pooled(a)),
    "median": lambda batch, a: np.median(batch.scores[:, a].mean(axis=2), axis=1),
    "mean": lambda batch, a: batch.pooled(a).mean(axis=1),
    "optimality_gap": lambda batch, a: np.maximum(GAMMA - batch.pooled(a), 0.0).mean(axis=1),
}
"""Metrics whose estimates a whole batch gets sooner than from their functions."""


def estimates_of(batch: Batch, a: int, metric: Metric) -> Floats:
    """Return the estimates (n_batch,) of one algorithm: those of `aggregate`."""
    if metric.name in QUICK:
        return QUICK[metric.name](batch, a)
    scores = batch.scores[:, a]
    values = np.maximum(GAMMA - scores, 0.0) if metric.shortfall else scores
    return metric.function(values, np.ones_like(values))


def bias(metric: str) -> Decide:
    """Return estimate − truth of the first algorithm (Agarwal 2021 section 3, figure A.17)."""

    def measure(batch: Batch) -> Floats:
        return estimates_of(batch, 0, parse_metric(metric)) - truth(batch.known_world, metric)

    return measure


def lift(metric: str) -> Decide:
    """Return the last algorithm's estimate over the first's, less 1 (Agarwal 2021 figure 4)."""

    def measure(batch: Batch) -> Floats:
        return estimates_of(batch, 1, parse_metric(metric)) / estimates_of(batch, 0, parse_metric(metric)) - 1.0

    return measure


def lift_seen(metric: str) -> Decide:
    """Return whether the last algorithm's estimate is the larger one."""

    def decide(batch: Batch) -> Bools:
        return estimates_of(batch, 1, parse_metric(metric)) > estimates_of(batch, 0, parse_metric(metric))

    return decide


for _metric in METRICS:
    contender(f"bias_{_metric}", label=f"bias, {_metric}", signed=False, n_algorithms=None, kind="estimate")(
        bias(_metric)
    )
for _metric in ("iqm", "median", "mean"):
    contender(f"lift_{_metric}", label=f"lift, {_metric}", signed=False, kind="estimate")(lift(_metric))
    contender(f"lift_seen_{_metric}", label=f"lift seen, {_metric}", signed=False)(lift_seen(_metric))


@contender("sample_sd", label="sample standard deviation", signed=False, n_algorithms=None, kind="estimate")
def sample_sd(batch: Batch) -> Floats:
    """Return the sample standard deviation, divided by n − 1, of the first algorithm's runs (Colas 2018 figure 7)."""
    deviations: Floats = np.std(batch.pooled(0), axis=1, ddof=1)
    return deviations
