"""Do stratified bootstrap intervals hold the truth? (Agarwal 2021 section 4, figure 6)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from runoff.studies.batch import Batch
from runoff.studies.methods.estimates import ESTIMATES
from runoff.studies.methods.registry import Decide, method
from runoff.studies.resampling import counts_of, groups, quantiles, replicates
from runoff.studies.truth import GAMMA, METRICS, truth

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]


def task_replicates(batch: Batch, values: Floats, rows: slice, group: int) -> Floats:
    """Return the task means of each resample, (n_tasks, n_rows, n_resamples); values: (n_batch, n_tasks, n_runs)."""
    counts = counts_of(batch, "bootstrap", 0, group)
    n_slots = values.shape[1] * values.shape[2]
    flat = counts.transpose(1, 0, 2).reshape(n_slots, -1)[:, : batch.n_resamples].astype(np.float64)
    by_task = flat.reshape(values.shape[1], values.shape[2], -1)
    means: Floats = np.matmul(values[rows].transpose(1, 0, 2), by_task) / values.shape[2]
    return means


def ends(batch: Batch, metric: str) -> tuple[Floats, Floats]:
    """Return the percentile interval of the first algorithm's metric, (n_batch,) each, made once."""

    def make() -> tuple[Floats, Floats]:
        low, high = np.empty((2, batch.n_batch))
        if metric in ("iqm", "mean"):
            for rows, found in replicates(batch, 0):
                low[rows], high[rows] = quantiles(getattr(found, metric), batch.alpha)
            return low, high
        scores = batch.scores[:, 0]
        values = np.maximum(GAMMA - scores, 0.0) if metric == "optimality_gap" else scores
        reduce = np.mean if metric == "optimality_gap" else np.median
        for group, rows in groups(batch.n_batch):
            low[rows], high[rows] = quantiles(reduce(task_replicates(batch, values, rows, group), axis=0), batch.alpha)
        return low, high

    return batch.once(f"ends of {metric}", make)


def percentile(metric: str) -> Decide:
    """Return the decision "the percentile interval holds the truth"."""

    def decide(batch: Batch) -> Bools:
        low, high = ends(batch, metric)
        true = truth(batch.world, metric)
        return (low <= true) & (true <= high)

    return decide


def basic(metric: str) -> Decide:
    """Return the decision "the basic interval, 2 t − q, holds the truth"."""

    def decide(batch: Batch) -> Bools:
        low, high = ends(batch, metric)
        twice = 2.0 * ESTIMATES[metric](batch, 0)
        true = truth(batch.world, metric)
        return (twice - high <= true) & (true <= twice - low)

    return decide


def width(metric: str) -> Decide:
    """Return the width of the interval."""

    def measure(batch: Batch) -> Floats:
        low, high = ends(batch, metric)
        return high - low

    return measure


for _metric in METRICS:
    for _kind, _make in (("percentile", percentile), ("basic", basic)):
        method(
            f"coverage_{_metric}_{_kind}", label=f"{_metric}, {_kind}", signed=False, n_algorithms=None, kind="coverage"
        )(_make(_metric))
    method(f"width_{_metric}", label=f"width, {_metric}", signed=False, n_algorithms=None, kind="estimate")(
        width(_metric)
    )
