"""The descriptive interval of one algorithm's aggregate: one metric, one kind of interval."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from runoff._inference import bootstrap, intervals
from runoff._inference.intervals import Ends
from runoff._inference.metrics import Metric
from runoff._random import Streams
from runoff.errors import OptionError

Floats = NDArray[np.float64]

INTERVALS = ("percentile", "basic", "bca", "studentized", "welch_t")
PLAIN = MappingProxyType({"percentile": intervals.percentile, "basic": intervals.basic})


def check_interval(interval: str, metric: Metric) -> None:
    """Refuse the t interval of anything but a mean."""
    if interval == "welch_t" and metric.name != "mean":
        raise OptionError(f'interval="welch_t" is the t interval of the mean; use metric="mean", not {metric.name!r}.')


def descriptive(
    cells: Sequence[Floats],
    metric: Metric,
    *,
    interval: str,
    confidence_level: float,
    n_resamples: int,
    streams: Streams,
    threads: int | None = None,
) -> tuple[float, Ends | None]:
    """Return an aggregate and its interval, as `runoff.aggregate` does; no interval with a cell of one run, or without spread.

    `cells` are the algorithm's non-empty cells, float64 (n_runs,) each.
    """
    pool = bootstrap.prepare(cells, [metric])
    column = pool.column(metric)
    estimate = float(bootstrap.estimates(pool)[column])
    if int(pool.n_runs.min()) < 2:
        return estimate, None
    if interval == "welch_t":
        mean = intervals.stratified_mean(cells, [1 / len(cells)] * len(cells))
        return estimate, mean.interval(confidence_level)
    if interval == "studentized":
        drawn, errors = bootstrap.resample_with_errors(pool, n_resamples, streams, threads)
        own = float(bootstrap.standard_errors(pool)[column])
        return estimate, intervals.studentized(drawn[:, column], errors[:, column], estimate, own, confidence_level)
    replicates = bootstrap.resample_runs(pool, n_resamples, streams, threads)[:, column]
    if interval == "bca":
        skew = float(bootstrap.acceleration(pool)[column])
        return estimate, intervals.bca(replicates, estimate, confidence_level, skew)
    return estimate, PLAIN[interval](replicates, estimate, confidence_level)
