"""Intervals of one algorithm's aggregates: all metrics from the same draws. What `aggregate` and the inferential intervals share."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runoff._arrays import Floats
from runoff._inference.bootstrap import intervals
from runoff._inference.bootstrap import pool as bootstrap
from runoff._inference.bootstrap.intervals import Ends
from runoff._inference.bootstrap.metrics import Metric
from runoff._random import Streams
from runoff._threads import in_threads
from runoff.errors import OptionError

INTERVALS = ("percentile", "basic", "bca", "studentized", "welch_t")


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
    """Return an aggregate and its interval, as `runoff.aggregate` does.

    `cells` are the algorithm's non-empty cells, float64 (n_runs,) each.
    """
    pool = bootstrap.prepare(cells, [metric])
    ends = interval_ends(
        pool,
        [metric],
        interval=interval,
        confidence_level=confidence_level,
        n_resamples=n_resamples,
        streams=streams,
        threads=threads,
    )
    return float(bootstrap.estimates(pool)[pool.column(metric)]), ends[metric]


def interval_ends(
    pool: bootstrap.Pool,
    metrics: Sequence[Metric],
    *,
    interval: str,
    confidence_level: float,
    n_resamples: int,
    streams: Streams,
    threads: int | None = None,
    over: str = "runs",
) -> dict[Metric, Ends | None]:
    """Return the ends of each metric; none with a cell of one run, or without spread."""
    if int(pool.n_runs.min()) < 2:
        return dict.fromkeys(metrics)
    if interval == "welch_t":
        cells = np.split(pool.values, pool.offsets[1:-1])
        mean = intervals.stratified_mean(cells, [1 / pool.n_tasks] * pool.n_tasks)
        return {metric: mean.interval(confidence_level) for metric in metrics}
    points, columns = bootstrap.estimates(pool), [pool.column(metric) for metric in metrics]
    if interval == "studentized":
        drawn, errors = bootstrap.resample_with_errors(pool, n_resamples, streams, threads)
        own = bootstrap.standard_errors(pool)
        found = [intervals.studentized(drawn[:, c], errors[:, c], points[c], own[c], confidence_level) for c in columns]
        return dict(zip(metrics, found, strict=True))
    draw = bootstrap.resample_runs if over == "runs" else bootstrap.resample_tasks
    replicates = draw(pool, n_resamples, streams, threads)
    if interval == "bca":
        skew = bootstrap.acceleration(pool)
        found = [intervals.bca(replicates[:, c], points[c], confidence_level, skew[c]) for c in columns]
        return dict(zip(metrics, found, strict=True))
    make = intervals.percentile if interval == "percentile" else intervals.basic
    found = in_threads(lambda c: make(replicates[:, c], points[c], confidence_level), columns, threads)
    return dict(zip(metrics, found, strict=True))
